import MapFilter
import Testing

/// Texts in Arcade, which are compared and counted by code point.
@Suite struct ArcadeTextTests {
  /// é as one code point, and as e with a combining accent.
  private static let (one, two) = ("'\u{E9}'", "'e\u{301}'")

  @Test(
    "Texts that only look alike are different",
    arguments: [
      ("\(one) == \(two)", .boolean(false)), ("\(one) != \(two)", .boolean(true)),
      ("\(one) <= \(two)", .boolean(false)), ("\(two) < \(one)", .boolean(true)),
      ("Equals(\(one), \(two))", .boolean(false)), ("Equals(\(two), \(two))", .boolean(true)),
      ("Includes([\(one)], \(two))", .boolean(false)), ("IndexOf([\(one), \(two)], \(two))", .real(1)),
      ("Count(Distinct([\(one), \(two), \(one)]))", .real(2)),
      ("Decode(\(two), \(one), 'one', \(two), 'two', 'none')", .text("two")),
      ("var d = Dictionary(\(one), 1, \(two), 2); d[\(one)] * 10 + d[\(two)]", .real(12)),
      ("HasKey(Dictionary(\(one), 1), \(two))", .boolean(false)),
      ("Find(\(two), \(one))", .real(-1)), ("Find('e', \(two))", .real(0)),
      ("Replace(\(two), \(one), 'x') == \(two)", .boolean(true)),
      ("Count(Split(\(two) + 'x', \(one)))", .real(1)),
    ] as [(String, AttributeValue)])
  func comparisons(_ expression: String, _ value: AttributeValue) throws {
    #expect(try ArcadeCasesTests.value(expression) == value, "\(expression)")
  }

  @Test(
    "A character is a code point",
    arguments: [
      ("Count(\(one))", .real(1)), ("Count(\(two))", .real(2)), ("Count('\u{1F1E9}\u{1F1EA}')", .real(2)),
      ("Left(\(two), 1)", .text("e")), ("Right(\(two), 1)", .text("\u{301}")),
      ("Mid(\(two), 1)", .text("\u{301}")),
      ("\(two)[0]", .text("e")), ("Count(Split(\(two), ''))", .real(2)),
      ("Replace('a\u{301}b', 'a', 'x')", .text("x\u{301}b")), ("Trim(' \u{E9} ')", .text("\u{E9}")),
      ("Find('b', \(two) + 'b')", .real(2)), ("Count('\\r\\n')", .real(2)),
    ] as [(String, AttributeValue)])
  func characters(_ expression: String, _ value: AttributeValue) throws {
    #expect(try ArcadeCasesTests.value(expression) == value, "\(expression)")
  }
}
