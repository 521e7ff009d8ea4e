internal import CCairo
internal import MapModel

/// A drawing context of Cairo: every call that the painters make, each one line.
///
/// Errors stick to the context; ask ``error`` once at the end. Numbers must be finite and within the range of
/// Cairo's fixed point (24 bits before the point): the painters see to it.
@safe struct CairoContext: ~Copyable {
  private let pointer: OpaquePointer

  /// A context on a surface that is not yet freed.
  @unsafe init(surface: OpaquePointer) { unsafe pointer = cairo_create(surface) }

  deinit { unsafe cairo_destroy(pointer) }

  /// What went wrong first, if anything.
  var error: CairoError? { unsafe CairoError(cairo_status(pointer)) }

  /// Lends the pixels of the surface below, of premultiplied colour and alpha.
  func withPixels<Result>(_ body: (PixelRows) -> Result) throws(CairoError) -> Result {
    let surface = unsafe cairo_get_target(pointer)
    unsafe cairo_surface_flush(surface)
    let width = unsafe Int(cairo_image_surface_get_width(surface))
    // Checked because memory safety hangs on it; a surface in error has no data.
    guard let data = unsafe cairo_image_surface_get_data(surface),
      unsafe Int(cairo_image_surface_get_stride(surface)) == width * 4,
      unsafe cairo_image_surface_get_format(surface) == CAIRO_FORMAT_ARGB32
    else { throw .unexpectedStride }
    defer { unsafe cairo_surface_mark_dirty(surface) }
    let height = unsafe Int(cairo_image_surface_get_height(surface))
    return unsafe data.withMemoryRebound(to: UInt32.self, capacity: width * height) { pixels in
      unsafe body(PixelRows(pixels: pixels, width: width, height: height))
    }
  }

  // MARK: State

  /// Paints without anti-aliasing: a pixel is in when its centre is.
  func turnAntialiasingOff() { unsafe cairo_set_antialias(pointer, CAIRO_ANTIALIAS_NONE) }
  /// Replaces what lies below instead of blending with it.
  func replaceBelow() { unsafe cairo_set_operator(pointer, CAIRO_OPERATOR_SOURCE) }
  /// Sets how far a curve may lie from the chords drawn for it, in pixels.
  func setTolerance(_ tolerance: Double) { unsafe cairo_set_tolerance(pointer, tolerance) }
  /// Fills by the even-odd rule.
  func useEvenOddRule() { unsafe cairo_set_fill_rule(pointer, CAIRO_FILL_RULE_EVEN_ODD) }
  /// Fills by the non-zero rule.
  func useNonZeroRule() { unsafe cairo_set_fill_rule(pointer, CAIRO_FILL_RULE_WINDING) }
  /// Sets how strokes end and turn.
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
  /// Sets the paint, straight alpha, channels 0 to 1.
  func setColor(red: Double, green: Double, blue: Double, alpha: Double) {
    unsafe cairo_set_source_rgba(pointer, red, green, blue, alpha)
  }
  /// Sets the paint without alpha, channels 0 to 1.
  func setColor(red: Double, green: Double, blue: Double) {
    unsafe cairo_set_source_rgb(pointer, red, green, blue)
  }
  /// Sets the width of strokes.
  func setLineWidth(_ width: Double) { unsafe cairo_set_line_width(pointer, width) }

  // MARK: Path

  /// Forgets the path.
  func newPath() { unsafe cairo_new_path(pointer) }
  /// Begins a part.
  func move(x: Double, y: Double) { unsafe cairo_move_to(pointer, x, y) }
  /// Goes on with the part.
  func line(x: Double, y: Double) { unsafe cairo_line_to(pointer, x, y) }
  /// Goes on with the part by a cubic curve: two control points and its end.
  func curve(x1: Double, y1: Double, x2: Double, y2: Double, x: Double, y: Double) {
    unsafe cairo_curve_to(pointer, x1, y1, x2, y2, x, y)
  }
  /// Ends the part as a ring.
  func close() { unsafe cairo_close_path(pointer) }
  /// Adds a whole circle as a ring.
  func circle(x: Double, y: Double, radius: Double) {
    unsafe cairo_new_sub_path(pointer)
    unsafe cairo_arc(pointer, x, y, radius, 0, 2 * Double.pi)
    unsafe cairo_close_path(pointer)
  }
  /// Adds an upright rectangle as a ring.
  func rectangle(x: Double, y: Double, width: Double, height: Double) {
    unsafe cairo_rectangle(pointer, x, y, width, height)
  }

  /// Paints what `body` paints inside the path alone, and keeps the path.
  func insidePath(_ body: () -> Void) {
    // Cairo's clip takes the path, and saving does not keep it: a copy does, which is freed here.
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
  /// Paints everything.
  func paint() { unsafe cairo_paint(pointer) }
  /// Lays a surface of the same size over everything, at `alpha` of its strength.
  func lay(_ surface: borrowing CairoSurface, alpha: Double) {
    surface.setAsSource(of: self)
    unsafe cairo_paint_with_alpha(pointer, alpha)
  }

  /// Paints through a surface of alpha alone that lies `y` below the origin; the path stays.
  func mask(_ surface: borrowing CairoSurface, y: Double) { surface.mask(self, y: y) }
  /// Paints through a surface.
  func mask(_ surface: OpaquePointer, y: Double) { unsafe cairo_mask_surface(pointer, surface, 0, y) }

  /// Takes a surface as paint, its origin at the context's.
  func setSource(_ surface: OpaquePointer) { unsafe cairo_set_source_surface(pointer, surface, 0, 0) }
}

/// Pixels of premultiplied alpha, red, green and blue from the highest byte down, row by row without gaps.
@unsafe struct PixelRows {
  let pixels: UnsafeMutablePointer<UInt32>
  let width: Int
  let height: Int
}
