/// Takes secrets out of what comes back.
///
/// A mask is as long as what it covers, so that lengths inside a binary answer stay true. A secret is found in any case of
/// letters, forwards and backwards: as it is, percent-encoded, with slashes escaped as some writers of JSON do, as escapes of
/// JSON, as hexadecimal digits, and in base64 of either alphabet, also within a longer text that was encoded.
package struct SecretEcho: Sendable {
  /// What stands for a secret.
  static let mask = "REDACTED"
  /// A shorter one would be found in text that has nothing to do with it.
  static let shortest = 8

  private let search: ByteSearch

  package init(_ secrets: [String]) {
    // `Bearer abc` is also echoed as `abc`.
    let parts = Set(secrets.flatMap { [$0, String($0.split(separator: " ").last ?? "")] })
      .filter { $0.utf8.count >= Self.shortest }
    search = ByteSearch(Set(parts.flatMap(Self.forms)))
  }

  /// The ways in which a secret may be written, in lower case where letters are.
  private static func forms(of secret: String) -> [[UInt8]] {
    var forms: [[UInt8]] = []
    for text in Set([secret, secret.lowercased(), secret.uppercased()]) {
      let bytes = Array(text.utf8)
      for bytes in [bytes, bytes.reversed()] {
        let written = String(decoding: bytes, as: UTF8.self)
        forms += [bytes, Array(PercentEncoding.encode(written).utf8)]
        // Some encode all but letters and digits.
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

  /// The bytes with every secret masked.
  package func masking(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    let mask = Array(Self.mask.utf8)
    for range in search.ranges(in: bytes) {
      for (offset, place) in range.enumerated() { result[place] = mask[offset % mask.count] }
    }
    return result
  }

  /// The text with every secret masked.
  package func masking(_ text: String) -> String {
    search.isEmpty ? text : String(decoding: masking(Array(text.utf8)), as: UTF8.self)
  }

  /// True for what ``masking(_:)`` leaves in a secret's place.
  static func isMask(_ text: some StringProtocol) -> Bool {
    let mask = Array(Self.mask.utf8)
    return text.utf8.count >= mask.count && text.utf8.enumerated().allSatisfy { $1 == mask[$0 % mask.count] }
  }
}
