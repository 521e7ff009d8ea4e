internal import CPNGGuard

/// The zlib format around streams of deflate.
///
/// - Source: RFC 1950.
extension Deflate {
  /// The bytes before a stream: deflate, a window of 32 KB, the fastest level.
  static let zlibHeader: [UInt8] = [0x78, 0x01]

  /// Returns bytes in the zlib format.
  package static func zlib(_ bytes: [UInt8], pieceBytes: Int = Self.pieceBytes) -> [UInt8] {
    let checksum = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe cpngguard_adler32(buffer.baseAddress, buffer.count)
    }
    return zlibHeader + stream(bytes, pieceBytes: pieceBytes) + checksum.bytes
  }
}
