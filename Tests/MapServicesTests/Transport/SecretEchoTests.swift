import Foundation
import MapServices
import MapSystem
import Testing

/// Encodings in which a server may send a secret back.
@Suite("Echoes of secrets") struct SecretEchoTests {
  private static let secrets = [
    "planted/secret+4711=", "s3cr3t-T0ken", "abcdefgh", "Bearer eyJh.bGci/Oi_JIUzI1",
  ]

  private static func hex(_ text: String, _ prefix: String = "") -> String {
    text.utf8.map { prefix + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  /// Encodings of a secret.
  private static let ways: [(name: String, write: @Sendable (String) -> String)] = [
    ("as it is", { $0 }), ("upper case", { $0.uppercased() }), ("lower case", { $0.lowercased() }),
    (
      "swapped case",
      { String($0.map { $0.isUppercase ? Character($0.lowercased()) : Character($0.uppercased()) }) }
    ),
    ("reversed", { String($0.reversed()) }), ("reversed, upper case", { String($0.uppercased().reversed()) }),
    ("hexadecimal", { hex($0) }), ("hexadecimal, upper case", { hex($0).uppercased() }),
    ("hexadecimal, reversed", { hex(String($0.reversed())) }),
    ("percent", { hex($0, "%") }), ("percent, upper case", { hex($0, "%").uppercased() }),
    ("percent, as needed", { $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }),
    ("escapes of JSON", { hex($0, "\\u00") }), ("slashes", { $0.replacing("/", with: "\\/") }),
    ("base64", { base64($0) }), ("base64 of a pair", { base64("token=\($0)&f=json") }),
    ("base64 of a header", { base64("a:\($0)") }), ("base64 of upper case", { base64($0.uppercased()) }),
    ("base64 of reversed", { base64(String($0.reversed())) }),
    ("base64, reversed", { String(base64($0).reversed()) }),
    (
      "base64 for addresses",
      { base64("?\($0)?").replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "") }
    ),
  ]

  @Test("A secret is masked in every encoding", arguments: secrets)
  func everyWayIsMasked(secret: String) {
    let echo = SecretEcho([secret])
    let token = String(secret.split(separator: " ").last ?? "")
    for (name, write) in Self.ways {
      let written = write(token)
      let text = "before \(written) after"
      let masked = echo.masking(text)
      #expect(masked.utf8.count == text.utf8.count, "\(name)")
      #expect(masked.hasPrefix("before "), "\(name): \(masked)")
      #expect(masked.hasSuffix(" after"), "\(name): \(masked)")
      let all = String(repeating: "REDACTED", count: 40)
      guard name.hasPrefix("base64") else {
        #expect(masked == "before \(all.prefix(written.utf8.count)) after", "\(name)")
        continue
      }
      // The characters at either end of base64 also encode the neighbouring text.
      #expect(masked.contains(all.prefix(token.utf8.count * 4 / 3 - 2)), "\(name): \(masked)")
    }
    #expect(Self.ways.count == 21)
  }

  /// Divided and escaped forms of a secret; no part of them may remain.
  private static let dividedWays: [(name: String, write: @Sendable (String) -> String)] = [
    ("one escape", { "\\u" + hex(String($0.prefix(1)), "00") + $0.dropFirst() }),
    (
      "some escapes",
      { $0.enumerated().map { $0 % 3 == 0 ? "\\u00" + hex(String($1)) : String($1) }.joined() }
    ),
    ("one percent escape", { "%" + hex(String($0.prefix(1))) + $0.dropFirst() }),
    ("percent twice", { hex($0, "%25") }), ("HTML", { $0.utf8.map { "&#\($0);" }.joined() }),
    ("HTML, hexadecimal", { hex($0, ";&#x").dropFirst() + ";" }),
    ("line breaks", { $0.enumerated().map { $0 % 7 == 6 ? "\($1)\\n" : "\($1)" }.joined() }),
    ("raw line breaks", { $0.enumerated().map { $0 % 7 == 6 ? "\($1)\r\n" : "\($1)" }.joined() }),
    ("spaces", { $0.map { "\($0) " }.joined() }), ("hyphens", { $0.map { "\($0)-" }.joined() }),
    ("no hyphens", { $0.replacing("-", with: "") }), ("quotes", { $0.map { "\\\"\($0)" }.joined() }),
    ("hexadecimal, divided", { hex($0, ":") }), ("hexadecimal, quoted-printable", { hex($0, "=") }),
    ("base64 in groups", { base64($0).enumerated().map { $0 % 4 == 3 ? "\($1) " : "\($1)" }.joined() }),
    (
      "base64 in lines",
      { base64("x=\($0)").enumerated().map { $0 % 20 == 19 ? "\($1)\r\n" : "\($1)" }.joined() }
    ),
    ("base64, an escape", { "\\u" + hex(String(base64($0).prefix(1)), "00") + base64($0).dropFirst() }),
    ("reversed with escapes", { String($0.reversed()).map { "\\u" + hex(String($0), "00") }.joined() }),
    ("first part", { String($0.prefix(15)) }), ("last part", { String($0.suffix(15)) }),
  ]

  @Test("A secret is masked when its letters are escaped, divided or incomplete")
  func dividedSecretsAreMasked() {
    let secret = "Zk3vQ9-pLm7Xw2Rt5Yb8"
    let echo = SecretEcho(["Bearer " + secret])
    for (name, write) in Self.dividedWays {
      let written = write(secret)
      let text = #"{"message":"before \#(written) after","n":[1,2]}"#
      let masked = echo.masking(text)
      #expect(masked.utf8.count == text.utf8.count, "\(name)")
      #expect(masked.hasPrefix(#"{"message":"before "#), "\(name): \(masked)")
      #expect(masked.hasSuffix(#" after","n":[1,2]}"#), "\(name): \(masked)")
      let plain = masked.lowercased().filter { $0.isLetter || $0.isNumber }
      for start in [0, 4, 8, 12] {
        let part = secret.lowercased().filter { $0 != "-" }.dropFirst(start).prefix(6)
        #expect(!plain.contains(part), "\(name): \(masked)")
        #expect(!plain.contains(String(part.reversed())), "\(name): \(masked)")
      }
      #expect(plain.contains("redac"), "\(name): \(masked)")
    }
    #expect(Self.dividedWays.count == 20)
  }

  @Test("The parts of a header that are secrets alone are masked")
  func partsOfHeaders() {
    let pair = "maria.lopez:planted-Sekret-4711"
    for (secret, parts) in [
      ("Basic " + Self.base64(pair), [pair, "planted-Sekret-4711", Self.base64(pair)]),
      ("a=1; session=planted-Sekret-4711; b=2", ["planted-Sekret-4711", "session=planted-Sekret-4711"]),
      (#"Token token="planted-Sekret-4711""#, ["planted-Sekret-4711"]),
      (
        "Schlüssel-planted-4711",
        ["Schlüssel-planted-4711", "leguessel-planted-4711", "4711-detnalp-lessülhcS"]
      ),
    ] {
      let echo = SecretEcho([secret])
      for part in parts {
        let masked = echo.masking("before \(part) after")
        #expect(masked.hasSuffix(" after"), "\(masked)")
        #expect(!masked.contains("planted") && !masked.contains("detnalp"), "\(masked)")
      }
      // The user name alone may occur in data.
      #expect(echo.masking("maria.lopez") == "maria.lopez")
    }
  }

  @Test("A long answer is masked across the pieces in which it is searched")
  func longAnswers() {
    let secret = "Zk3vQ9-pLm7Xw2Rt5Yb8"
    let echo = SecretEcho([secret])
    for start in (1 << 20) - 30..<(1 << 20) + 2 {
      let divided = secret.map { "\($0) " }.joined()
      let bytes = [UInt8](repeating: 0x20, count: start) + Array(divided.utf8)
      let masked = echo.masking(bytes)
      #expect(masked.count == bytes.count)
      let letters = masked.filter { $0 > 0x20 }
      #expect(String(decoding: letters, as: UTF8.self).allSatisfy { "REDACT-".contains($0) })
    }
  }

  @Test("Text without a secret is unchanged, and overlapping secrets are masked")
  func otherTextStays() {
    let echo = SecretEcho(Self.secrets)
    let text = String(
      repeating: "The quick brown fox jumps over the lazy dog, abcdefg 0123456789. ", count: 200)
    #expect(echo.masking(text) == text)
    #expect(SecretEcho([]).masking("abcdefgh") == "abcdefgh")
    #expect(SecretEcho(["short"]).masking("short") == "short")
    // Secrets side by side, overlapping and at the ends.
    let joined = SecretEcho(["abcdefgh", "efghabcd"]).masking("abcdefghabcdefgh")
    #expect(!joined.contains("abcd"))
    #expect(joined.utf8.count == 16)
  }
}
