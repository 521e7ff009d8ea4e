/// A zip archive whose entries are not compressed.
public enum StoredArchive {
  /// Returns the bytes of an archive.
  public static func bytes(of entries: [(name: String, content: [UInt8])]) -> [UInt8] {
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var (bytes, list) = ([UInt8](), [UInt8]())
    for (name, content) in entries {
      let (name, size) = (Array(name.utf8), number(content.count, 4))
      let common =
        number(0, 8) + number(Int(checksum(content[...])), 4) + size + size + number(name.count, 2)
        + number(0, 2)
      list += number(0x0201_4B50, 4) + number(3 << 8 | 20, 2) + number(20, 2) + common
      list += number(0, 6) + number(0o100644 << 16, 4) + number(bytes.count, 4) + name
      bytes += number(0x0403_4B50, 4) + number(20, 2) + common + name + content
    }
    let count = number(entries.count, 2)
    return bytes + list + number(0x0605_4B50, 4) + number(0, 4) + count + count + number(list.count, 4)
      + number(bytes.count, 4) + number(0, 2)
  }

  /// Returns the CRC-32 of bytes.
  public static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(UInt32.max) { $0 >> 8 ^ table[Int(($0 ^ UInt32($1)) & 255)] }
  }

  /// - Source: ISO/IEC 15948, annex D.
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
  }
}
