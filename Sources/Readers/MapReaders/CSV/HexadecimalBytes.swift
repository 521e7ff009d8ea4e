/// Bytes as hexadecimal digits, as databases write well-known binary into delimited text.
enum HexadecimalBytes {
  /// Returns the bytes of digits, which may follow `\x` or `0x`; nil for other texts.
  static func bytes(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let digits = digits(text)
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for place in stride(from: digits.startIndex, to: digits.endIndex, by: 2) {
      guard let high = value(digits[place]), let low = value(digits[place + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// Whether a text is digits that start like well-known binary: the mark of a byte order, and the type of a geometry.
  static func looksLikeGeometry(_ text: ArraySlice<UInt8>) -> Bool {
    guard let bytes = bytes(text), bytes.count >= 5, bytes[0] <= 1 else { return false }
    // The flags of Z, M and SRID are in the highest byte, and ISO adds thousands for Z and M.
    let (low, next) = bytes[0] == 1 ? (bytes[1], bytes[2]) : (bytes[4], bytes[3])
    return 1...17 ~= (Int(next) << 8 | Int(low)) % 1000
  }

  private static func digits(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    text.starts(with: "\\x".utf8) || text.starts(with: "0x".utf8) ? text.dropFirst(2) : text
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x41 + 10
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
  }
}
