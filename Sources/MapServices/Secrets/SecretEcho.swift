/// Masks secrets in answers.
///
/// A mask has the length of the text that it covers, so that lengths inside a binary answer stay valid. A secret is
/// found in any case of letters, forwards and backwards. It is found in plain text, percent-encoded, with escaped
/// slashes as some JSON writers do, and as JSON escapes. It is also found as hexadecimal digits and in base64 of either
/// alphabet, even inside a longer encoded text.
package struct SecretEcho: Sendable {
  /// The text that replaces a secret, repeated to its length.
  static let mask = "REDACTED"
  /// The minimum length of a secret in bytes; a shorter one would occur in unrelated text.
  static let shortest = 8

  private let search: ByteSearch

  package init(_ secrets: [String]) {
    // A host may repeat `Bearer abc` as `abc`.
    let parts = Set(secrets.flatMap { [$0, String($0.split(separator: " ").last ?? "")] })
      .filter { $0.utf8.count >= Self.shortest }
    search = ByteSearch(Set(parts.flatMap(Self.forms)))
  }

  /// Returns the forms in which a secret may be written; the search ignores the case of letters.
  private static func forms(of secret: String) -> [[UInt8]] {
    var forms: [[UInt8]] = []
    for text in Set([secret, secret.lowercased(), secret.uppercased()]) {
      let bytes = Array(text.utf8)
      for bytes in [bytes, bytes.reversed()] {
        let written = String(decoding: bytes, as: UTF8.self)
        forms += [bytes, Array(PercentEncoding.encode(written).utf8)]
        // Some encoders escape everything except letters and digits.
        forms.append(
          bytes.flatMap { byte -> [UInt8] in
            0x61...0x7A ~= byte | 0x20 || 0x30...0x39 ~= byte
              ? [byte] : Array(PercentEncoding.escape(byte).utf8)
          })
        forms.append(bytes.flatMap { $0 == UInt8(ascii: "/") ? [UInt8(ascii: "\\"), $0] : [$0] })
        for prefix in ["", "%", "\\u00", "\\x"] {
          forms.append(bytes.flatMap { Array(prefix.utf8) + PercentEncoding.escape($0).utf8.dropFirst() })
        }
        forms += Base64Forms.all(of: bytes)
      }
    }
    return forms + forms.map { $0.reversed() }
  }

  /// Returns the bytes with every secret masked.
  package func masking(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    let mask = Array(Self.mask.utf8)
    for range in search.ranges(in: bytes) {
      for (offset, place) in range.enumerated() { result[place] = mask[offset % mask.count] }
    }
    return result
  }

  /// Returns the text with every secret masked.
  package func masking(_ text: String) -> String {
    search.isEmpty ? text : String(decoding: masking(Array(text.utf8)), as: UTF8.self)
  }

  /// Whether the text is a mask made by ``masking(_:)``.
  static func isMask(_ text: some StringProtocol) -> Bool {
    let mask = Array(Self.mask.utf8)
    return text.utf8.count >= mask.count && text.utf8.enumerated().allSatisfy { $1 == mask[$0 % mask.count] }
  }
}
