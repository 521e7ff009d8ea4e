import MapSystem

/// Masks secrets in answers.
///
/// A mask has the length of the text that it covers, so that lengths inside a binary answer stay valid. A secret is
/// found in any case of letters, forwards and backwards, in plain text, as hexadecimal digits and in base64, even
/// inside a longer encoded text. Escapes, white space and other separators make no difference, and
/// ``fragment`` consecutive letters and digits of a secret are enough.
package struct SecretEcho: Sendable {
  /// The text that replaces a secret, repeated to its length.
  static let mask = "REDACTED"
  /// The text that replaces an explanation that repeats a part of a secret.
  static let repeated = "[the answer repeats a credential]"
  /// The minimum length of a secret in bytes; a shorter one would occur in unrelated text.
  static let shortest = 8
  /// The number of consecutive letters and digits of a secret that are masked in data.
  ///
  /// - Source: design decision; in 100 MB of random letters and digits, no 12 of them equal those of a secret.
  static let fragment = 12
  /// The number that is not shown in an explanation, which is short enough for this.
  static let shortFragment = 6

  /// The forms in which whole secrets are usually written.
  private let search: ByteSearch
  /// The fragments in ``PlainText``.
  private let fragments: ByteSearch
  private let parts: SecretParts

  package init(_ secrets: [String]) {
    parts = SecretParts(secrets)
    search = ByteSearch(Set(parts.whole.flatMap(Self.forms)))
    fragments = ByteSearch(Self.fragments(of: parts.values, count: Self.fragment, shortest: Self.shortest))
  }

  /// Returns the usual forms of a secret; the search ignores the case of letters.
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
          forms.append(bytes.flatMap { Array(prefix.utf8) + hexadecimal($0) })
        }
        forms += Base64Forms.all(of: bytes)
      }
    }
    return forms + forms.map { $0.reversed() }
  }

  /// Returns the runs of `count` letters of secrets, of as many bytes in hexadecimal digits, and in base64.
  private static func fragments(of secrets: Set<String>, count: Int, shortest: Int) -> Set<[UInt8]> {
    var fragments: Set<[UInt8]> = []
    for secret in secrets {
      let bytes = Array(secret.utf8)
      for bytes in Set([bytes, bytes.reversed(), Array(String(secret.reversed()).utf8)]) {
        var forms = [(bytes, count), (bytes.flatMap(hexadecimal), 2 * count)]
        forms += Base64Forms.all(of: bytes).map { ($0, count * 4 / 3) }
        for (form, count) in forms {
          for text in [form, form.reversed()] {
            let plain = PlainText(text).bytes
            guard plain.count >= shortest else { continue }
            for start in 0...max(0, plain.count - count) {
              fragments.insert(Array(plain[start..<min(start + count, plain.count)]))
            }
          }
        }
      }
    }
    return fragments
  }

  private static func hexadecimal(_ byte: UInt8) -> [UInt8] {
    Array(PercentEncoding.escape(byte).utf8.dropFirst())
  }

  /// Returns the bytes with every secret masked.
  package func masking(_ bytes: [UInt8]) -> [UInt8] {
    guard !search.isEmpty else { return bytes }
    var result = bytes
    let mask = Array(Self.mask.utf8)
    for range in search.ranges(in: bytes) {
      for (offset, place) in range.enumerated() { result[place] = mask[offset % mask.count] }
    }
    guard !fragments.isEmpty else { return result }
    var (plain, place, masked) = (PlainText(), 0, result)
    while place < result.count {
      // The longest fragment has 24 letters, and may start in the piece before.
      plain.keepLast(24)
      let end = min(place + 1 << 20, result.count)
      plain.append(result, from: &place, to: end)
      for range in fragments.ranges(in: plain.bytes) {
        var offset = 0
        for index in range {
          var source = plain.sources[index]
          let end = index + 1 < range.upperBound ? plain.sources[index + 1].lowerBound : source.upperBound
          // Separators are masked too, except for those that may belong to the format of the answer.
          if result[source.upperBound..<end].allSatisfy(Self.isMaskable) { source = source.lowerBound..<end }
          for byte in source {
            masked[byte] = mask[offset % mask.count]
            offset += 1
          }
        }
      }
    }
    return masked
  }

  private static func isMaskable(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: ","), UInt8(ascii: "'"), UInt8(ascii: "<"),
      UInt8(ascii: ">"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"):
      false
    default: 0x21...0x7E ~= byte
    }
  }

  /// Returns the text with every secret masked.
  package func masking(_ text: String) -> String {
    search.isEmpty ? text : String(decoding: masking(Array(text.utf8)), as: UTF8.self)
  }

  /// Returns an explanation with every secret masked; replaces the whole text if a fragment of a secret remains.
  func masking(explanation: [UInt8]) -> [UInt8] {
    let masked = masking(explanation)
    return containsFragment(masked) ? Array(Self.repeated.utf8) : masked
  }

  /// Whether a text contains ``shortFragment`` consecutive letters of a secret.
  func containsFragment(_ text: [UInt8]) -> Bool {
    guard !search.isEmpty else { return false }
    let words = Self.fragments(
      of: parts.values.union(parts.names), count: Self.shortFragment, shortest: Self.shortFragment)
    return !ByteSearch(words).ranges(in: PlainText(text).bytes).isEmpty
  }

  /// Whether the text is a mask made by ``masking(_:)``.
  static func isMask(_ text: some StringProtocol) -> Bool {
    let mask = Array(Self.mask.utf8)
    return text.utf8.count >= mask.count && text.utf8.enumerated().allSatisfy { $1 == mask[$0 % mask.count] }
  }
}

/// The parts of secrets that a host may repeat alone.
struct SecretParts: Sendable {
  /// The secrets, and the parts that are secrets themselves.
  private(set) var whole: Set<String> = []
  /// The parts without the words around them, such as `Bearer` or the name of a cookie.
  private(set) var values: Set<String> = []
  /// Parts that are no secret alone: the user name of a password, joined to it.
  private(set) var names: Set<String> = []

  init(_ secrets: [String]) {
    for secret in secrets {
      whole.insert(secret)
      for piece in secret.split(whereSeparator: { " ;,".contains($0) }) { add(piece) }
    }
    whole = whole.filter { $0.utf8.count >= SecretEcho.shortest }
    values = values.filter { $0.utf8.count >= SecretEcho.shortest }
  }

  private mutating func add(_ piece: Substring) {
    var value = piece
    // `session=abc` and `token="abc"`; but not the padding of base64.
    if let equals = piece.firstIndex(of: "="),
      case let rest = piece[equals...].drop(while: { "=\"".contains($0) }),
      rest.utf8.count >= SecretEcho.shortest
    {
      value = rest.last == "\"" ? rest.dropLast() : rest
    }
    for text in [piece, value] { whole.insert(String(text)) }
    values.insert(String(value))
    // `Basic` authorization is a user name and a password in base64 (RFC 7617).
    guard let pair = Base64Forms.decode(value), let colon = pair.firstIndex(of: ":") else { return }
    let password = String(pair[colon...].dropFirst())
    whole.formUnion([pair, password])
    values.insert(password)
    names.insert(pair)
  }
}
