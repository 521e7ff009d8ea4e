/// Takes secrets out of what comes back.
///
/// A mask is as long as what it covers, so that lengths inside a binary answer stay true. A secret is found as it is,
/// percent-encoded in either case of digits, and with slashes escaped as some writers of JSON do.
package struct SecretEcho: Sendable {
  /// What stands for a secret.
  static let mask = "REDACTED"
  /// A shorter one would be found in text that has nothing to do with it.
  static let shortest = 8

  private let forms: [[UInt8]]

  package init(_ secrets: [String]) {
    // `Bearer abc` is also echoed as `abc`.
    let parts = secrets.flatMap { [$0, String($0.split(separator: " ").last ?? "")] }
    let all = parts.filter { $0.utf8.count >= Self.shortest }.flatMap { secret in
      let encoded = PercentEncoding.encode(secret)
      let slashed = secret.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "\\/")
      return [secret, encoded, Self.lowered(encoded), slashed]
    }
    // The longest first: one may be part of another.
    forms = Set(all.map { Array($0.utf8) }).sorted { $0.count > $1.count }
  }

  /// Digits of escapes in lower case: `%2F` as `%2f`.
  private static func lowered(_ text: String) -> String {
    var bytes = Array(text.utf8)
    for place in bytes.indices where bytes[place] == UInt8(ascii: "%") && place + 2 < bytes.count {
      for digit in place + 1...place + 2 where 0x41...0x46 ~= bytes[digit] { bytes[digit] |= 0x20 }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The bytes with every secret masked.
  package func masking(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    let mask = Array(Self.mask.utf8)
    for form in forms {
      guard let first = form.first, form.count <= result.count else { continue }
      var place = 0
      let last = result.count - form.count
      while place <= last {
        if result[place] == first, result[place..<place + form.count].elementsEqual(form) {
          for offset in 0..<form.count { result[place + offset] = mask[offset % mask.count] }
          place += form.count
        } else {
          place += 1
        }
      }
    }
    return result
  }

  /// The text with every secret masked.
  package func masking(_ text: String) -> String {
    forms.isEmpty ? text : String(decoding: masking(Array(text.utf8)), as: UTF8.self)
  }

  /// True for what ``masking(_:)`` leaves in a secret's place.
  static func isMask(_ text: some StringProtocol) -> Bool {
    let mask = Array(Self.mask.utf8)
    return text.utf8.count >= mask.count && text.utf8.enumerated().allSatisfy { $1 == mask[$0 % mask.count] }
  }
}
