/// The check sum of gzip files and of entries of zip archives.
///
/// - Source: RFC 1952, section 8; eight bytes at a time, after Kounavis and Berry, "Novel Table Lookup-Based Algorithms
///   for High-Performance CRC Generation", IEEE Transactions on Computers 57(11), 2008.
package struct CRC32 {
  private var register: UInt32 = .max

  /// Creates the check sum of no bytes.
  package init() {}

  /// The check sum of all bytes so far.
  package var value: UInt32 { ~register }

  /// Adds bytes.
  package mutating func add(_ bytes: ArraySlice<UInt8>) {
    let (tables, span) = (Self.tables, bytes.span)
    var (crc, place) = (register, 0)
    while place + 8 <= span.count {
      var word: UInt64 = 0
      for index in 0..<8 { word |= UInt64(span[place + index]) << (8 * UInt64(index)) }
      word ^= UInt64(crc)
      crc = 0
      for index in 0..<8 { crc ^= tables[(7 - index) << 8 | Int(word >> (8 * UInt64(index)) & 255)] }
      place += 8
    }
    for index in place..<span.count { crc = crc >> 8 ^ tables[Int((crc ^ UInt32(span[index])) & 255)] }
    register = crc
  }

  /// Eight tables of 256 values: the remainder of a byte, followed by 0 to 7 zero bytes.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 << 8)
    for byte in 0..<256 {
      var crc = UInt32(byte)
      for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 0 ? 0 : 0xEDB8_8320) }
      tables[byte] = crc
    }
    for index in 256..<tables.count {
      let shorter = tables[index - 256]
      tables[index] = shorter >> 8 ^ tables[Int(shorter & 255)]
    }
    return tables
  }()
}
