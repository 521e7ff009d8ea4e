import Foundation
import MapServices
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
