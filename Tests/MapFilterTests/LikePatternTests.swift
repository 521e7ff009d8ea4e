import MapFilter
import MapTestSupport
import Testing

@Suite struct LikePatternTests {
  @Test(arguments: [
    ("", "", true), ("", "a", false), ("%", "", true), ("_", "", false), ("_", "é", true),
    ("_", "e\u{301}", false),
    ("__", "e\u{301}", true), ("_", "😀", true), ("a%", "abc", true), ("a%", "Abc", false),
    ("%c", "abc", true),
    ("%b%", "abc", true), ("a_c", "abc", true), ("%a%a%", "banana", true), ("%ana", "banana", true),
    ("b%n_", "banana", true), ("a\\%", "a\\x", true), ("%%_%%", "x", true), ("abc", "abcd", false),
    ("abcd", "abc", false),
  ])
  func withoutEscape(_ pattern: String, _ text: String, _ fits: Bool) throws {
    #expect(try #require(LikePattern(pattern)).matches(text) == fits)
  }

  @Test func withEscape() throws {
    #expect(try #require(LikePattern("100!%", escape: "!")).matches("100%"))
    #expect(try !#require(LikePattern("100!%", escape: "!")).matches("1000"))
    #expect(try #require(LikePattern("a!!b!c", escape: "!")).matches("a!bc"))
    #expect(try #require(LikePattern("%%a", escape: "%")).matches("%a"))
    #expect(LikePattern("a!", escape: "!") == nil)
    #expect(LikePattern("a!!", escape: "!") != nil)
  }

  /// Held against the definition by recursion over scalars.
  @Test func generated() throws {
    func fits(_ pattern: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>) -> Bool {
      guard let first = pattern.first else { return text.isEmpty }
      if first == "%" {
        return fits(pattern.dropFirst(), text) || !text.isEmpty && fits(pattern, text.dropFirst())
      }
      return !text.isEmpty && (first == "_" || first == text.first)
        && fits(pattern.dropFirst(), text.dropFirst())
    }
    var generator = SeededGenerator(seed: 3)
    var hits = 0
    for _ in 0..<20_000 {
      func word(_ letters: [Unicode.Scalar], _ length: Int) -> [Unicode.Scalar] {
        (0..<Int.random(in: 0...length, using: &generator)).compactMap { _ in
          letters.randomElement(using: &generator)
        }
      }
      let pattern = word(["a", "é", "%", "_", "\u{301}"], 6)
      let text = word(["a", "é", "\u{301}"], 7)
      var (patternText, rowText) = ("", "")
      patternText.unicodeScalars.append(contentsOf: pattern)
      rowText.unicodeScalars.append(contentsOf: text)
      let expected = fits(pattern[...], text[...])
      #expect(
        try #require(LikePattern(patternText)).matches(rowText) == expected, "\(patternText) \(rowText)")
      if expected { hits += 1 }
    }
    #expect(hits > 2000 && hits < 18_000)
  }
}
