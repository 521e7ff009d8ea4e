import MapJSON
import Testing

import MapStyles

/// Texts that become numbers.
@Suite struct StyleNumberTests {
  private func number(_ text: String) throws -> StyleValue {
    let expression = try StyleExpression(["to-number", ["get", "t"]], decidedBy: .featureState)
    let feature = StyleFeature(properties: StyleObject([("t", .string(text))]))
    return try expression.value(StyleContext(zoom: 1), feature: feature)
  }

  @Test(
    "Digits of base 16, 8 and 2 become the nearest double, as in ECMAScript",
    arguments: [
      ("0x10", 16), (" 0X1f ", 31), ("0b11", 3), ("0o17", 15), ("0x0", 0), ("0x7FFFFFFFFFFFFFFF", 0x1p63),
      ("0xFFFFFFFFFFFFFFFF", 0x1p64), ("0x20000000000001", 0x1p53), ("0x20000000000003", 0x1p53 + 4),
      // Half-way, and a little more.
      ("0x20000000000001000000000000000000", 0x1p125),
      ("0x20000000000001000000000000000001", 0x1.0000000000001p125),
      ("0b1" + String(repeating: "0", count: 900), 0x1p900),
      ("0x" + String(repeating: "f", count: 300), .infinity),
    ])
  func digits(text: String, value: Double) throws { #expect(try number(text) == .number(value)) }

  @Test(
    "Other characters, signs and a prefix alone are no number",
    arguments: ["0x", "0x1g", "0b2", "0o8", "0x-1", "-0x1", "0x１"])
  func others(text: String) { #expect(throws: StyleExpressionError.self) { try number(text) } }
}
