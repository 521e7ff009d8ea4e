internal import CPNGGuard

/// PNG in and out: read by libpng, written on all cores by our own compressor.
///
/// - Source: ISO/IEC 15948 (PNG, second edition).
public enum PNGCodec {
  /// The picture in a PNG of any colour type, depth or interlacing; bytes after its end are ignored.
  ///
  /// 16 bits are rounded to 8, gamma and colour profiles are not applied.
  ///
  /// - Parameter maximumPixels: the most pixels, told from the header before memory is taken.
  /// - Throws: ``PNGError`` when the bytes are not a whole PNG or it is larger than that or ``Bitmap`` allows.
  public static func decode(
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
    // Deflate shrinks at most 1032 times (its longest match in two bits), so a few bytes that promise a vast
    // picture are refused before memory is taken for it.
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
  /// The picture as PNG; see ``PNGCodec/encode(_:)``.
  public func pngData() throws(PNGError) -> [UInt8] { try PNGCodec.encode(self) }

  /// The picture in a PNG; see ``PNGCodec/decode(_:)``.
  public init(pngData bytes: [UInt8]) throws(PNGError) { self = try PNGCodec.decode(bytes) }
}

/// Why a PNG could not be written or read.
public struct PNGError: Error, Hashable, CustomStringConvertible {
  /// What went wrong.
  public enum Reason: Hashable, Sendable {
    /// The bytes are not a whole PNG; libpng's words.
    case decoding(String)
    /// More pixels than ``Bitmap/maximumPixels``, or than were asked for.
    case tooLarge(width: Int, height: Int)
    /// The memory is not to be had.
    case memory(bytes: Int)
  }

  /// What went wrong.
  public let reason: Reason

  init(_ reason: Reason) { self.reason = reason }

  /// One line without full stop.
  public var description: String {
    switch reason {
    case .decoding(let text): "not a readable PNG: \(text)"
    case .tooLarge(let width, let height): "a PNG of \(width)x\(height) has too many pixels"
    case .memory(let bytes): "no memory for \(bytes) bytes of a PNG"
    }
  }
}

/// Room for the error text of a C call.
struct ErrorText {
  private var bytes = [CChar](repeating: 0, count: CPNGGUARD_ERROR_SIZE)

  /// Runs a call that answers 0 after writing a text.
  mutating func collect(_ call: (UnsafeMutablePointer<CChar>?) -> Int32) -> Bool {
    unsafe bytes.withUnsafeMutableBufferPointer { unsafe call($0.baseAddress) } != 0
  }

  /// The text up to its ending zero.
  var string: String {
    String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
