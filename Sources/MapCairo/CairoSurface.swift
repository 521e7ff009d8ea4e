internal import CCairo

/// A status code of Cairo, kept raw so that codes of later versions are not lost.
struct CairoError: Error, Hashable, CustomStringConvertible {
  let code: UInt32

  /// Nil when the status is success.
  init?(_ status: cairo_status_t) {
    if status == CAIRO_STATUS_SUCCESS { return nil }
    code = status.rawValue
  }

  /// Rows of pixels are not where Cairo's documentation puts them.
  static let unexpectedStride = CairoError(code: CAIRO_STATUS_INVALID_STRIDE.rawValue)

  private init(code: UInt32) { self.code = code }

  /// Cairo's words for it.
  var description: String {
    guard let text = unsafe cairo_status_to_string(cairo_status_t(rawValue: code)) else {
      return "Cairo status \(code)"
    }
    return unsafe String(cString: text)
  }
}

/// How the pixels of a ``CairoSurface`` are stored.
enum CairoPixelFormat {
  /// Premultiplied alpha, red, green, blue from the highest byte of 32 bits down.
  case argb32
  /// The same without alpha; the highest byte has no meaning.
  case rgb24
}

/// An image surface of Cairo, 32 bits a pixel, at first all 0.
///
/// Owns one reference, dropped in `deinit`. Not copyable, so it cannot be freed
/// twice; not `Sendable`, so it stays on the thread that draws.
@safe struct CairoSurface: ~Copyable {
  private let pointer: OpaquePointer
  let width: Int
  let height: Int

  /// A clear surface; sides above 32,767, Cairo's limit, are refused by Cairo.
  init(width: Int, height: Int, format: CairoPixelFormat) throws(CairoError) {
    let (columns, rows) = (Int32(clamping: width), Int32(clamping: height))
    let format = format == .argb32 ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24
    // Cairo never returns NULL: a failed call returns an inert object with a status.
    let pointer: OpaquePointer = unsafe cairo_image_surface_create(format, columns, rows)
    if let error = unsafe CairoError(cairo_surface_status(pointer)) {
      unsafe cairo_surface_destroy(pointer)
      throw error
    }
    unsafe self.pointer = pointer
    (self.width, self.height) = (width, height)
  }

  deinit { unsafe cairo_surface_destroy(pointer) }

  /// Lends a drawing context in its first state, and reports what went wrong during drawing, if anything.
  borrowing func draw(_ body: (borrowing CairoContext) -> Void) throws(CairoError) {
    let context = unsafe CairoContext(surface: pointer)
    body(context)
    // Sticky: one check is enough.
    if let error = context.error { throw error }
  }

  /// Lends the pixels, row by row without gaps.
  borrowing func withPixels<Result>(_ body: (Span<UInt32>) -> Result) throws(CairoError) -> Result {
    unsafe cairo_surface_flush(pointer)
    if let error = unsafe CairoError(cairo_surface_status(pointer)) { throw error }
    let count = width * height
    // Both formats take 4 bytes a pixel, which needs no padding; checked because memory safety hangs on it.
    guard let data = unsafe cairo_image_surface_get_data(pointer),
      unsafe Int(cairo_image_surface_get_stride(pointer)) == width * 4
    else { throw .unexpectedStride }
    return unsafe data.withMemoryRebound(to: UInt32.self, capacity: count) { pixels in
      body(unsafe Span(_unsafeStart: pixels, count: count))
    }
  }
}

extension CairoSurface {
  /// Makes the surface the paint of a context.
  borrowing func setAsSource(of context: borrowing CairoContext) { unsafe context.setSource(pointer) }
}
