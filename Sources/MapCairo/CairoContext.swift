internal import CCairo

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

  // MARK: State

  /// Paints without anti-aliasing: a pixel is in when its centre is.
  func turnAntialiasingOff() { unsafe cairo_set_antialias(pointer, CAIRO_ANTIALIAS_NONE) }
  /// Replaces what lies below instead of blending with it.
  func replaceBelow() { unsafe cairo_set_operator(pointer, CAIRO_OPERATOR_SOURCE) }
  /// Sets how far a curve may lie from the chords drawn for it, in pixels.
  func setTolerance(_ tolerance: Double) { unsafe cairo_set_tolerance(pointer, tolerance) }
  /// Fills by the even-odd rule.
  func useEvenOddRule() { unsafe cairo_set_fill_rule(pointer, CAIRO_FILL_RULE_EVEN_ODD) }
  /// Butt caps, miter joins up to `limit`, then bevels.
  func useMiterJoins(limit: Double) {
    unsafe cairo_set_line_cap(pointer, CAIRO_LINE_CAP_BUTT)
    unsafe cairo_set_line_join(pointer, CAIRO_LINE_JOIN_MITER)
    unsafe cairo_set_miter_limit(pointer, limit)
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

  /// Takes a surface as paint, its origin at the context's.
  func setSource(_ surface: OpaquePointer) { unsafe cairo_set_source_surface(pointer, surface, 0, 0) }
}
