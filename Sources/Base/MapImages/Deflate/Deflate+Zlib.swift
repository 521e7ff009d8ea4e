internal import CPNGGuard

/// The zlib format around streams of deflate.
///
/// - Source: RFC 1950.
extension Deflate {
  /// The bytes before a stream: deflate, a window of 32 KB, the fastest level.
  static let zlibHeader: [UInt8] = [0x78, 0x01]
  /// The number of bytes of one piece of a stream.
  private static let pieceBytes = 1 << 30

  /// Returns bytes in the zlib format.
  package static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var result = zlibHeader
    var start = 0
    repeat {
      let end = min(start + pieceBytes, bytes.count)
      result += compress(
        bytes[start..<end] + [UInt8](repeating: 0, count: padding), isLast: end == bytes.count)
      start = end
    } while start < bytes.count
    let checksum = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe cpngguard_adler32(buffer.baseAddress, buffer.count)
    }
    return result + checksum.bytes
  }
}
