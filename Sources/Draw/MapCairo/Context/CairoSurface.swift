internal import CCairo
internal import Glibc

/// A status code of Cairo, kept raw so that codes of later versions are not lost.
struct CairoError: Error, Hashable, CustomStringConvertible {
  let code: UInt32

  /// Creates an error from a status; nil when the status is success.
  init?(_ status: cairo_status_t) {
    if status == CAIRO_STATUS_SUCCESS { return nil }
    code = status.rawValue
  }

  /// The row stride differs from the one in Cairo's documentation.
  static let unexpectedStride = CairoError(code: CAIRO_STATUS_INVALID_STRIDE.rawValue)

  /// A side is out of range.
  static let invalidSize = CairoError(code: CAIRO_STATUS_INVALID_SIZE.rawValue)

  /// There is not enough memory.
  static let noMemory = CairoError(code: CAIRO_STATUS_NO_MEMORY.rawValue)

  private init(code: UInt32) { self.code = code }

  /// Cairo's message for the code.
  var description: String {
    guard let text = unsafe cairo_status_to_string(cairo_status_t(rawValue: code)) else {
      return "Cairo status \(code)"
    }
    return unsafe String(cString: text)
  }
}

/// The pixel format of a ``CairoSurface``.
enum CairoPixelFormat {
  /// Premultiplied alpha, red, green, blue from the highest byte of 32 bits down.
  case argb32
  /// The same layout without alpha; the highest byte is unused.
  case rgb24
  /// Alpha alone, 8 bits.
  case alpha8
}

/// An image surface of Cairo, with all bytes 0 at first.
///
/// Owns one reference, dropped in `deinit`. Not copyable, so it cannot be freed twice; not `Sendable`, so it stays on
/// the thread that draws.
@safe struct CairoSurface: ~Copyable {
  private let pointer: OpaquePointer
  let width: Int
  let height: Int
  private let format: CairoPixelFormat

  /// Creates a transparent surface; Cairo refuses sides above its limit of 32,767.
  init(width: Int, height: Int, format: CairoPixelFormat) throws(CairoError) {
    let (columns, rows) = (Int32(clamping: width), Int32(clamping: height))
    let cairoFormat =
      switch format {
      case .argb32: CAIRO_FORMAT_ARGB32
      case .rgb24: CAIRO_FORMAT_RGB24
      case .alpha8: CAIRO_FORMAT_A8
      }
    // Cairo never returns NULL: a failed call returns an inert object with a status.
    let pointer: OpaquePointer = unsafe cairo_image_surface_create(cairoFormat, columns, rows)
    if let error = unsafe CairoError(cairo_surface_status(pointer)) {
      unsafe cairo_surface_destroy(pointer)
      throw error
    }
    unsafe self.pointer = pointer
    (self.width, self.height, self.format) = (width, height, format)
  }

  /// Creates a surface in ARGB32 format with one value for all pixels.
  ///
  /// Painting a colour over a new surface would write all of its memory twice.
  init(width: Int, height: Int, pixel: UInt32) throws(CairoError) {
    // Cairo's limit for an image in memory.
    guard (1...32_767).contains(width), (1...32_767).contains(height) else { throw .invalidSize }
    let count = width * height
    guard let memory = unsafe malloc(count * 4) else { throw .noMemory }
    let pixels = unsafe memory.bindMemory(to: UInt32.self, capacity: count)
    unsafe pixels.initialize(repeating: pixel, count: count)
    let bytes = unsafe memory.assumingMemoryBound(to: UInt8.self)
    let pointer: OpaquePointer = unsafe cairo_image_surface_create_for_data(
      bytes, CAIRO_FORMAT_ARGB32, Int32(clamping: width), Int32(clamping: height), Int32(clamping: width * 4))
    // Cairo frees the memory with the surface, which a pattern may keep for longer than this value.
    let status = unsafe ccairo_free_with_surface(pointer, memory)
    if let error = CairoError(status) {
      unsafe cairo_surface_destroy(pointer)
      unsafe free(memory)
      throw error
    }
    unsafe self.pointer = pointer
    (self.width, self.height, format) = (width, height, .argb32)
  }

  deinit { unsafe cairo_surface_destroy(pointer) }

  /// Lends a drawing context in its initial state, and throws the first error of the drawing.
  borrowing func draw(
    _ body: (borrowing CairoContext) throws(CairoError) -> Void
  ) throws(CairoError) {
    let context = unsafe CairoContext(surface: pointer)
    try body(context)
    // The context keeps its first error, so one check is enough.
    if let error = context.error { throw error }
  }

  /// Lends the 32-bit pixels, row by row without gaps.
  borrowing func withPixels<Result>(_ body: (Span<UInt32>) -> Result) throws(CairoError) -> Result {
    unsafe cairo_surface_flush(pointer)
    if let error = unsafe CairoError(cairo_surface_status(pointer)) { throw error }
    let count = width * height
    // These formats take 4 bytes per pixel and need no padding; checked because memory safety depends on it.
    guard let data = unsafe cairo_image_surface_get_data(pointer), format != .alpha8,
      unsafe Int(cairo_image_surface_get_stride(pointer)) == width * 4
    else { throw .unexpectedStride }
    return unsafe data.withMemoryRebound(to: UInt32.self, capacity: count) { pixels in
      body(unsafe Span(_unsafeStart: pixels, count: count))
    }
  }
}

extension CairoSurface {
  /// Lends the 32-bit pixels to be written, row by row without gaps.
  borrowing func withMutablePixels(_ body: (inout MutableSpan<UInt32>) -> Void) throws(CairoError) {
    unsafe cairo_surface_flush(pointer)
    if let error = unsafe CairoError(cairo_surface_status(pointer)) { throw error }
    let count = width * height
    // Checked because memory safety depends on it.
    guard let data = unsafe cairo_image_surface_get_data(pointer), format != .alpha8,
      unsafe Int(cairo_image_surface_get_stride(pointer)) == width * 4
    else { throw .unexpectedStride }
    unsafe data.withMemoryRebound(to: UInt32.self, capacity: count) { pixels in
      var span = unsafe MutableSpan(_unsafeStart: pixels, count: count)
      body(&span)
    }
    unsafe cairo_surface_mark_dirty(pointer)
  }
}

/// The bytes of an alpha-only surface, and the number of bytes from one row to the next.
@unsafe struct CoverageBytes {
  let bytes: UnsafeMutablePointer<UInt8>
  let stride: Int
}

extension CairoSurface {
  /// Lends the bytes of an alpha-only surface, to be read and written.
  borrowing func withCoverage(
    _ body: (CoverageBytes) throws(CairoError) -> Void
  ) throws(CairoError) {
    unsafe cairo_surface_flush(pointer)
    if let error = unsafe CairoError(cairo_surface_status(pointer)) { throw error }
    let stride = unsafe Int(cairo_image_surface_get_stride(pointer))
    // Checked because memory safety depends on it.
    guard format == .alpha8, stride >= width, let data = unsafe cairo_image_surface_get_data(pointer) else {
      throw .unexpectedStride
    }
    try unsafe body(CoverageBytes(bytes: data, stride: stride))
    unsafe cairo_surface_mark_dirty(pointer)
  }

  /// Paints the current paint of a context through the surface, which lies `y` below the context's origin.
  borrowing func mask(_ context: borrowing CairoContext, y: Double) {
    unsafe context.mask(pointer, y: y)
  }

  /// Makes the surface the paint of a context, with its top left corner at a point.
  borrowing func setAsSource(of context: borrowing CairoContext, x: Double = 0, y: Double = 0) {
    unsafe context.setSource(pointer, x: x, y: y)
  }
}
