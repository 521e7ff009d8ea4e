import MapFilter
import MapTestSupport
import Testing

@Suite struct LikePatternTests {
  @Test(
    "A pattern matches text with any-character and any-run wildcards",
    arguments: [
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

  @Test("A pattern with an escape character matches wildcards literally")
  func withEscape() throws {
    #expect(try #require(LikePattern("100!%", escape: "!")).matches("100%"))
    #expect(try !#require(LikePattern("100!%", escape: "!")).matches("1000"))
    #expect(try #require(LikePattern("a!!b!c", escape: "!")).matches("a!bc"))
    #expect(try #require(LikePattern("%%a", escape: "%")).matches("%a"))
    #expect(LikePattern("a!", escape: "!") == nil)
    #expect(LikePattern("a!!", escape: "!") != nil)
  }

  /// Compared with the definition by recursion over scalars.
  @Test("Random patterns match as the recursive definition does")
  func generated() throws {
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
    #expect(hits > 2000)
    #expect(hits < 18_000)
  }

  /// Long parts between runs use a different algorithm.
  @Test("Random patterns with long literal parts match as the definition does")
  func generatedWithLongParts() throws {
    func fits(_ pattern: [Unicode.Scalar], _ text: [Unicode.Scalar]) -> Bool {
      // One row of the table per pattern character: the prefixes of the text that match so far.
      var row = [true] + Array(repeating: false, count: text.count)
      for element in pattern {
        var next = Array(repeating: false, count: row.count)
        if element == "%" { next[0] = row[0] }
        for place in text.indices {
          next[place + 1] =
            element == "%"
            ? next[place] || row[place + 1] : row[place] && (element == "_" || element == text[place])
        }
        row = next
      }
      return row[text.count]
    }
    var generator = SeededGenerator(seed: 8)
    var (hits, count) = (0, 0)
    for round in 0..<1500 {
      // A text of few letters, and a pattern made from it: cut, with wildcards inserted, and sometimes
      // spoilt.
      let text = (0..<Int.random(in: 70...400, using: &generator)).map { _ in
        Bool.random(using: &generator)
          ? Unicode.Scalar("a") : ["é", "😀"].randomElement(using: &generator) ?? "b"
      }
      var pattern: [Unicode.Scalar] = []
      var place = 0
      while place < text.count {
        let length = Int.random(in: 1...150, using: &generator)
        let part = text[place..<min(text.count, place + length)]
        pattern += part.map { Int.random(in: 0..<60, using: &generator) == 0 && round % 2 == 0 ? "_" : $0 }
        place += length
        if place < text.count {
          pattern.append("%")
          place += Int.random(in: 0...9, using: &generator)
        }
      }
      if Bool.random(using: &generator) { pattern[Int.random(in: pattern.indices, using: &generator)] = "b" }
      let (patternText, rowText) = (
        String(String.UnicodeScalarView(pattern)), String(String.UnicodeScalarView(text))
      )
      let expected = fits(pattern, text)
      #expect(
        try #require(LikePattern(patternText)).matches(rowText) == expected, "\(patternText) \(rowText)")
      count += 1
      if expected { hits += 1 }
    }
    #expect(hits > 400, "\(hits) of \(count)")
    #expect(hits < 1200, "\(hits) of \(count)")
  }

  /// Half a mebibyte of text and a quarter of pattern: the product would be 10^11 steps, an hour in a debug
  /// build.
  @Test("Long patterns match in linear time, and too long ones are refused")
  func costIsLinear() throws {
    let text = String(repeating: "a", count: 1 << 19)
    let part = String(repeating: "a", count: 1 << 18)
    #expect(try !#require(LikePattern("%\(part)b%")).matches(text))
    #expect(try !#require(LikePattern("%\(part)b")).matches(text))
    #expect(try #require(LikePattern("%\(part)%\(part)")).matches(text))
    #expect(try !#require(LikePattern("%\(part)%\(part)%a")).matches(text))
    let wildcards = String(repeating: "a_", count: 2048)
    #expect(
      try !#require(LikePattern("%\(wildcards.dropLast())b%")).matches(String(repeating: "a", count: 1 << 14))
    )
    #expect(LikePattern("%\(wildcards)_%") == nil)
    #expect(LikePattern("%\(wildcards)_") != nil)
    let error = #expect(throws: FilterSyntaxError.self) {
      try SQLWhereParser.parse("a LIKE '%\(wildcards)_%'")
    }
    #expect(error == FilterSyntaxError(.patternTooLong(limit: 4096), at: 7))
  }
}
