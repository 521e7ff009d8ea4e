package import MapSystem

/// A reader of gzip data, with its check sums.
///
/// - Source: RFC 1952.
package enum GzipFile {
  /// Returns whether bytes begin like gzip data.
  package static func looksLikeGzip(_ head: [UInt8]) -> Bool { head.starts(with: [0x1F, 0x8B, 8]) }

  /// Decodes all members, and passes the bytes on in pieces.
  ///
  /// - Throws: ``ArchiveError`` for damaged or incomplete data, a wrong check sum, and data beyond the limits; errors of
  ///   `output`.
  package static func decode(
    _ bytes: [UInt8], limits: ArchiveLimits = ArchiveLimits(), _ output: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    var isRead = false
    try decode(size: bytes.count, limits, output) { () throws(ArchiveError) in
      defer { isRead = true }
      return isRead ? [] : bytes
    }
  }

  /// Decodes all members of a file, which is read in pieces.
  ///
  /// - Throws: as ``decode(_:limits:_:)``.
  package static func decode(_ file: RandomAccessFile, _ output: (ArraySlice<UInt8>) throws -> Void) throws {
    var rest = (0..<file.size).pieces(of: 1 << 20).reversed() as [Range<Int>]
    try decode(size: file.size, ArchiveLimits(), output) { () throws(ArchiveError) in
      guard let piece = rest.popLast() else { return [] }
      do throws(FileError) { return try file.bytes(piece) } catch { throw ArchiveError(error.reason) }
    }
  }

  private static func decode(
    size: Int, _ limits: ArchiveLimits, _ output: (ArraySlice<UInt8>) throws -> Void,
    _ input: @escaping Inflate.Input
  ) throws {
    var reader = Inflate(input)
    var (total, isFirst) = (0, true)
    while try readHeader(&reader, isFirst: isFirst) {
      isFirst = false
      var sum = CRC32()
      let start = total
      try reader.decode { piece in
        sum.add(piece)
        total += piece.count
        if let reason = limits.refusal(uncompressed: total, compressed: size) {
          throw ArchiveError(reason)
        }
        try output(piece)
      }
      let (crc, size) = (try number(&reader), try number(&reader))
      guard crc == sum.value, size == UInt32(truncatingIfNeeded: total - start) else {
        throw ArchiveError("its check sum is wrong: its bytes are damaged")
      }
    }
  }

  /// Reads the header of a member; false at the end of the members.
  private static func readHeader(_ reader: inout Inflate, isFirst: Bool) throws(ArchiveError) -> Bool {
    guard let first = try reader.nextByte() else {
      if isFirst { throw short }
      return false
    }
    // Some writers fill the last block of a tape or disk with zeros.
    if !isFirst, first == 0 { return false }
    guard first == 0x1F, try byte(&reader) == 0x8B, try byte(&reader) == 8 else {
      throw ArchiveError(isFirst ? "is not a gzip file" : "other bytes follow its compressed bytes")
    }
    let flags = try byte(&reader)
    guard flags & 0xE0 == 0 else { throw ArchiveError("its gzip header is damaged") }
    for _ in 0..<6 { _ = try byte(&reader) }
    if flags & 4 != 0 {
      let length = Int(try byte(&reader)) | Int(try byte(&reader)) << 8
      for _ in 0..<length { _ = try byte(&reader) }
    }
    // The original name and a comment end with a zero.
    for flag: UInt8 in [8, 16] where flags & flag != 0 { while try byte(&reader) != 0 {} }
    if flags & 2 != 0 { for _ in 0..<2 { _ = try byte(&reader) } }
    return true
  }

  private static let short = ArchiveError("its compressed bytes end too early")

  private static func byte(_ reader: inout Inflate) throws(ArchiveError) -> UInt8 {
    guard let byte = try reader.nextByte() else { throw short }
    return byte
  }

  private static func number(_ reader: inout Inflate) throws(ArchiveError) -> UInt32 {
    var value: UInt32 = 0
    for shift: UInt32 in [0, 8, 16, 24] { value |= UInt32(try byte(&reader)) << shift }
    return value
  }
}
