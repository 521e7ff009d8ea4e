/// Base64 of the standard alphabet.
///
/// - Source: RFC 4648, 4.
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Returns bytes as text.
  package static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let rest = bytes.count - start
      let word =
        UInt32(bytes[start]) << 16 | (rest > 1 ? UInt32(bytes[start + 1]) << 8 : 0)
        | (rest > 2 ? UInt32(bytes[start + 2]) : 0)
      for place in 0..<4 {
        text.append(place <= rest ? alphabet[Int(word >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
