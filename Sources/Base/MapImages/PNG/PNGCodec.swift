internal import CPNGGuard
public import MapSystem

/// A PNG codec: libpng decodes, and a compressor of this package encodes on all cores.
///
/// - Source: ISO/IEC 15948 (PNG, second edition).
package enum PNGCodec {
  /// Decodes a PNG of any colour type, bit depth or interlacing; ignores bytes after its end.
  ///
  /// Rounds 16 bits to 8. Does not apply gamma or colour profiles.
  ///
  /// - Parameter maximumPixels: the maximum number of pixels, checked against the header before memory is allocated.
  ///
  /// - Throws: ``PNGError`` when the bytes are not a complete PNG, or the image is larger than `maximumPixels` or
  ///   than ``Bitmap`` allows.
  package static func decode(
    _ bytes: [UInt8], maximumPixels: Int = Bitmap.maximumPixels
  ) throws(PNGError) -> Bitmap {
    var text = ErrorText()
    var header = cpngguard_header()
    let limit = UInt32(Bitmap.maximumSide)
    let found = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe text.collect { error in
        unsafe cpngguard_read_header(bytes.baseAddress, bytes.count, limit, &header, error)
      }
    }
    guard found else { throw PNGError(.decoding(text.string)) }
    let (width, height) = (Int(header.width), Int(header.height))
    guard let count = try? Bitmap.byteCount(width: width, height: height), count / 4 <= maximumPixels else {
      throw PNGError(.tooLarge(width: width, height: height))
    }
    // Deflate shrinks data at most 1032 times (its longest match in two bits). A few bytes that promise a huge image
    // are therefore refused before memory is allocated.
    guard header.raw_bytes / 1032 <= bytes.count else { throw PNGError(.decoding("the data end too early")) }
    guard canAllocate(bytes: count) else { throw PNGError(.memory(bytes: count)) }
    var done = false
    let pixels = unsafe [UInt8](unsafeUninitializedCapacity: count) { pixels, written in
      done = unsafe bytes.withUnsafeBufferPointer { bytes in
        unsafe text.collect { error in
          unsafe cpngguard_decode(bytes.baseAddress, bytes.count, limit, pixels.baseAddress, count, error)
        }
      }
      written = done ? count : 0
    }
    guard done else { throw PNGError(.decoding(text.string)) }
    do {
      return try Bitmap(width: width, height: height, pixels: pixels)
    } catch {
      throw PNGError(.decoding(error.description))
    }
  }
}

extension Bitmap {
  /// Returns the image as PNG; the bytes depend on the pixels only.
  ///
  /// - Throws: ``MapStateError`` when memory runs out.
  public func pngData() throws(MapStateError) -> [UInt8] {
    do { return try PNGCodec.encode(self) } catch { throw MapStateError(error) }
  }

  /// Returns a rectangle of the image, which must be inside and not empty, as PNG.
  ///
  /// - Throws: ``MapStateError`` when memory runs out.
  package func pngData(columns: Range<Int>, rows: Range<Int>) throws(MapStateError) -> [UInt8] {
    do { return try PNGCodec.encode(self, columns: columns, rows: rows) } catch { throw MapStateError(error) }
  }

  /// Decodes a PNG of any colour type, bit depth or interlacing.
  ///
  /// - Throws: ``MapStateError`` for bytes that are not a complete PNG, and for an image that is too large.
  public init(pngData bytes: [UInt8]) throws(MapStateError) {
    do { self = try PNGCodec.decode(bytes) } catch { throw MapStateError(error) }
  }
}

/// An error for a PNG that cannot be written or read.
package struct PNGError: Error, Hashable, CustomStringConvertible {
  /// The kinds of error.
  package enum Reason: Hashable, Sendable {
    /// The bytes are not a complete PNG; the text is libpng's message.
    case decoding(String)
    /// There are more pixels than ``Bitmap/maximumPixels``, or than the caller allows.
    case tooLarge(width: Int, height: Int)
    /// There is not enough memory.
    case memory(bytes: Int)
  }

  /// The kind of error.
  package let reason: Reason

  init(_ reason: Reason) { self.reason = reason }

  /// The error in one line, without a full stop.
  package var description: String {
    switch reason {
    case .decoding(let text): "not a readable PNG: \(text)"
    case .tooLarge(let width, let height): "a PNG of \(width)x\(height) has too many pixels"
    case .memory(let bytes): "no memory for \(bytes) bytes of a PNG"
    }
  }
}

/// A buffer for the error message of a C call.
struct ErrorText {
  private var bytes = [CChar](repeating: 0, count: CPNGGUARD_ERROR_SIZE)

  /// Runs a call, and returns false when the call returned 0 and wrote a message.
  mutating func collect(_ call: (UnsafeMutablePointer<CChar>?) -> Int32) -> Bool {
    unsafe bytes.withUnsafeMutableBufferPointer { unsafe call($0.baseAddress) } != 0
  }

  /// The message up to its terminating zero.
  var string: String {
    String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
