internal import CCairo
internal import MapDrawing
internal import MapGeometry
internal import MapImages
internal import MapModel

/// A drawing context of Cairo: every call that the painters make, and the limits of its numbers.
///
/// The context keeps its first error; check ``error`` once at the end. Numbers must be finite and within the range of
/// Cairo's fixed point (24 bits before the point); the painters ensure this.
@safe struct CairoContext: ~Copyable {
  private let pointer: OpaquePointer

  /// Creates a context for a surface, which must outlive it.
  @unsafe init(surface: OpaquePointer) { unsafe pointer = cairo_create(surface) }

  deinit { unsafe cairo_destroy(pointer) }

  /// The first error; nil when there is none.
  var error: CairoError? { unsafe CairoError(cairo_status(pointer)) }

  /// Lends the pixels of the surface, with premultiplied colour and alpha.
  func withPixels<Result>(_ body: (PixelRows) -> Result) throws(CairoError) -> Result {
    let surface = unsafe cairo_get_target(pointer)
    unsafe cairo_surface_flush(surface)
    let width = unsafe Int(cairo_image_surface_get_width(surface))
    // Checked because memory safety depends on it; a surface with an error has no data.
    guard let data = unsafe cairo_image_surface_get_data(surface),
      unsafe Int(cairo_image_surface_get_stride(surface)) == width * 4,
      unsafe [CAIRO_FORMAT_ARGB32, CAIRO_FORMAT_RGB24].contains(cairo_image_surface_get_format(surface))
    else { throw .unexpectedStride }
    defer { unsafe cairo_surface_mark_dirty(surface) }
    let height = unsafe Int(cairo_image_surface_get_height(surface))
    return unsafe data.withMemoryRebound(to: UInt32.self, capacity: width * height) { pixels in
      unsafe body(PixelRows(pixels: pixels, width: width, height: height))
    }
  }

  // MARK: Limits

  /// The largest painted coordinate, in pixels from the origin: twice the longest side of an image.
  ///
  /// Cairo can represent 2^23. But it paints a line at the wrong position when both ends are 100,000 px or more
  /// outside. With 95,000 px the position is right (measured, Cairo 1.16). The corners of the widest stroke reach
  /// 20,480 px farther.
  static var coordinateLimit: Double { 65_536 }
  /// The maximum size of a marker.
  static var sizeLimit: Double { 65_536 }
  /// The maximum width of a stroke.
  static var widthLimit: Double { Stroke.widthLimit }
  /// The maximum distance between a circle and the chords drawn for it, in pixels.
  ///
  /// At Cairo's 0.1 a circle of 10 px consists of two half circles of one curve each, and is 1.2 % too large. At
  /// 0.025, circles of 2 px and more are within 1 % of their area and take a third more time (measured: 4.4 against
  /// 3.2 µs at 6 px).
  static var tolerance: Double { 0.025 }

  // MARK: State

  /// Turns anti-aliasing off: a pixel is painted when its centre is inside.
  func turnAntialiasingOff() { unsafe cairo_set_antialias(pointer, CAIRO_ANTIALIAS_NONE) }
  /// Makes painting add colour below the pixels instead of above them.
  func paintBelow() { unsafe cairo_set_operator(pointer, CAIRO_OPERATOR_DEST_OVER) }
  /// Makes painting replace the pixels below instead of blending with them.
  func replaceBelow() { unsafe cairo_set_operator(pointer, CAIRO_OPERATOR_SOURCE) }
  /// Sets the maximum distance between a curve and the chords drawn for it, in pixels.
  func setTolerance(_ tolerance: Double) { unsafe cairo_set_tolerance(pointer, tolerance) }
  /// Sets the even-odd fill rule.
  func useEvenOddRule() { unsafe cairo_set_fill_rule(pointer, CAIRO_FILL_RULE_EVEN_ODD) }
  /// Sets the non-zero fill rule.
  func useNonZeroRule() { unsafe cairo_set_fill_rule(pointer, CAIRO_FILL_RULE_WINDING) }
  /// Sets the caps and joins of strokes.
  func setLineEnds(cap: SimpleLineSymbol.Cap, join: SimpleLineSymbol.Join, miterLimit: Double) {
    let ends =
      switch cap {
      case .butt: CAIRO_LINE_CAP_BUTT
      case .round: CAIRO_LINE_CAP_ROUND
      case .square: CAIRO_LINE_CAP_SQUARE
      }
    let turns =
      switch join {
      case .miter: CAIRO_LINE_JOIN_MITER
      case .round: CAIRO_LINE_JOIN_ROUND
      case .bevel: CAIRO_LINE_JOIN_BEVEL
      }
    unsafe cairo_set_line_cap(pointer, ends)
    unsafe cairo_set_line_join(pointer, turns)
    unsafe cairo_set_miter_limit(pointer, miterLimit)
  }
  /// Moves the origin.
  func translate(x: Double, y: Double) { unsafe cairo_translate(pointer, x, y) }
  /// Sets the paint with straight alpha, channels 0 to 1.
  func setColor(red: Double, green: Double, blue: Double, alpha: Double) {
    unsafe cairo_set_source_rgba(pointer, red, green, blue, alpha)
  }
  /// Sets an opaque paint, channels 0 to 1.
  func setColor(red: Double, green: Double, blue: Double) {
    unsafe cairo_set_source_rgb(pointer, red, green, blue)
  }
  /// Sets a colour as paint.
  func setColor(_ color: Color) {
    setColor(
      red: Double(color.red) / 255, green: Double(color.green) / 255, blue: Double(color.blue) / 255,
      alpha: Double(color.alpha) / 255)
  }

  /// Sets a 24-bit number as paint; Cairo returns n for n / 255 exactly, as a test shows.
  func setNumber(_ number: Int) {
    setColor(
      red: Double(number >> 16 & 255) / 255, green: Double(number >> 8 & 255) / 255,
      blue: Double(number & 255) / 255)
  }
  /// Sets the width of strokes.
  func setLineWidth(_ width: Double) { unsafe cairo_set_line_width(pointer, width) }

  /// Paints the source over the whole surface.
  private func paint(alpha: Double, _ mode: BlendMode) {
    unsafe cairo_set_operator(pointer, mode.cairoOperator)
    unsafe cairo_paint_with_alpha(pointer, alpha)
    unsafe cairo_set_operator(pointer, CAIRO_OPERATOR_OVER)
  }

  // MARK: Path

  /// Clears the path.
  func newPath() { unsafe cairo_new_path(pointer) }
  /// Begins a part at a point.
  func move(x: Double, y: Double) { unsafe cairo_move_to(pointer, x, y) }
  /// Adds a straight line to the part.
  func line(x: Double, y: Double) { unsafe cairo_line_to(pointer, x, y) }
  /// Adds a cubic curve to the part: two control points and its end.
  func curve(x1: Double, y1: Double, x2: Double, y2: Double, x: Double, y: Double) {
    unsafe cairo_curve_to(pointer, x1, y1, x2, y2, x, y)
  }
  /// Closes the part to a ring.
  func close() { unsafe cairo_close_path(pointer) }
  /// Adds a full circle as a ring.
  func circle(x: Double, y: Double, radius: Double) {
    unsafe cairo_new_sub_path(pointer)
    unsafe cairo_arc(pointer, x, y, radius, 0, 2 * Double.pi)
    unsafe cairo_close_path(pointer)
  }
  /// Adds an axis-parallel rectangle as a ring.
  func rectangle(x: Double, y: Double, width: Double, height: Double) {
    unsafe cairo_rectangle(pointer, x, y, width, height)
  }

  /// Adds a marker's shape about a point: its chains, or a circle.
  func addMarker(_ chains: [[(x: Double, y: Double)]], isOpen: Bool, radius: Double, x: Double, y: Double) {
    guard !chains.isEmpty else { return circle(x: x, y: y, radius: radius) }
    for chain in chains {
      move(x: x + chain[0].x, y: y + chain[0].y)
      for vertex in chain.dropFirst() { line(x: x + vertex.x, y: y + vertex.y) }
      if !isOpen { close() }
    }
  }

  /// Adds vertices as a part.
  func addPart(_ x: Span<Double>, _ y: Span<Double>, _ vertices: Range<Int>, closed: Bool) {
    guard let start = vertices.first else { return }
    var end = vertices.upperBound
    // `close` replaces the ring's repeated vertex, which makes a join there instead of two caps.
    if closed, end - start > 1, x[end - 1] == x[start], y[end - 1] == y[start] { end -= 1 }
    move(x: x[start], y: y[start])
    for vertex in start + 1..<max(end, start + 1) { line(x: x[vertex], y: y[vertex]) }
    if closed { close() }
  }

  /// Clips the painting of `body` to the path, and keeps the path.
  func insidePath(_ body: () -> Void) {
    // Cairo's clip consumes the path and saving does not keep it, so a copy is made here and freed.
    let path = unsafe cairo_copy_path(pointer)
    defer { unsafe cairo_path_destroy(path) }
    unsafe cairo_save(pointer)
    unsafe cairo_clip(pointer)
    body()
    unsafe cairo_restore(pointer)
    unsafe cairo_new_path(pointer)
    unsafe cairo_append_path(pointer, path)
  }

  // MARK: Paint

  /// Fills the path and keeps it.
  func fill() { unsafe cairo_fill_preserve(pointer) }
  /// Strokes the path and keeps it.
  func stroke() { unsafe cairo_stroke_preserve(pointer) }
  /// Paints the whole surface.
  func paint() { unsafe cairo_paint(pointer) }
  /// Composites a surface of the same size over the whole surface, with opacity `alpha`.
  func lay(_ surface: borrowing CairoSurface, alpha: Double, _ mode: BlendMode) {
    surface.setAsSource(of: self)
    paint(alpha: alpha, mode)
  }

  /// Paints through an alpha-only surface that lies `y` below the origin; keeps the path.
  func mask(_ surface: borrowing CairoSurface, y: Double) { surface.mask(self, y: y) }
  /// Paints through a surface that lies `y` below the origin.
  func mask(_ surface: OpaquePointer, y: Double) { unsafe cairo_mask_surface(pointer, surface, 0, y) }

  /// Sets a surface as the paint, with its origin at a point.
  func setSource(_ surface: OpaquePointer, x: Double, y: Double) {
    unsafe cairo_set_source_surface(pointer, surface, x, y)
  }
}

/// Pixels row by row without gaps: premultiplied alpha, red, green and blue from the highest byte down.
@unsafe struct PixelRows {
  let pixels: UnsafeMutablePointer<UInt32>
  let width: Int
  let height: Int
}
