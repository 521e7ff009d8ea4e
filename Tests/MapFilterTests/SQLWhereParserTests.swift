import MapFilter
import MapTestSupport
import Testing

@Suite struct SQLWhereParserTests {
  private typealias Tree = FilterExpression

  private static func integer(_ value: Int64) -> FilterExpression { .literal(.integer(value)) }
  private static func equal(_ name: String, _ value: Int64) -> FilterExpression {
    .comparison(.equal, .property(name), integer(value))
  }

  struct Reading: CustomTestStringConvertible {
    let text: String, tree: FilterExpression?
    init(_ text: String, _ tree: FilterExpression?) { (self.text, self.tree) = (text, tree) }
    var testDescription: String { text }
  }

  @Test(
    "Where clauses are parsed to the expected expression",
    arguments: [
      Reading("", nil), Reading(" \t\u{A0}\n", nil),
      Reading("a = 1", equal("a", 1)), Reading("\"a\"\"b\"=1", equal("a\"b", 1)),
      Reading("s.t.a != 1", .comparison(.notEqual, .property("s.t.a"), integer(1))),
      Reading("größe=1", equal("größe", 1)),
      Reading("a=1 or b=2 and c=3", .or([equal("a", 1), .and([equal("b", 2), equal("c", 3)])])),
      Reading("(a=1 or b=2) and c=3", .and([.or([equal("a", 1), equal("b", 2)]), equal("c", 3)])),
      Reading("a=1 AND b=2 AND c=3", .and([equal("a", 1), equal("b", 2), equal("c", 3)])),
      Reading("NOT a=1 AND b=2", .and([.not(equal("a", 1)), equal("b", 2)])),
      Reading("NOT NOT a=1", .not(.not(equal("a", 1)))),
      Reading(
        "NOT a BETWEEN 1 AND 2 AND b=2",
        .and([
          .not(.between(.property("a"), lower: integer(1), upper: integer(2))), equal("b", 2),
        ])),
      Reading(
        "a BETWEEN 1 AND b",
        .between(.property("a"), lower: integer(1), upper: .property("b"), .areSides)),
      Reading("a NOT IN (1, -2)", .not(.isIn(.property("a"), [integer(1), integer(-2)]))),
      Reading("a IN (1, NULL)", .isIn(.property("a"), [integer(1), .literal(.null)])),
      Reading("a is not null", .not(.isNull(.property("a")))),
      Reading("a LIKE 'x''%'", .like(.property("a"), pattern: .literal(.text("x'%")), escape: nil)),
      Reading("a LIKE '$%%' ESCAPE '$'", .like(.property("a"), pattern: .literal(.text("$%%")), escape: "$")),
      Reading(
        "(a + 1) * 2 > 3",
        .comparison(
          .greater, .arithmetic(.multiply, .arithmetic(.add, .property("a"), integer(1)), integer(2)),
          integer(3))),
      Reading(
        "a - 1 - -2 = -a / 4",
        .comparison(
          .equal,
          .arithmetic(.subtract, .arithmetic(.subtract, .property("a"), integer(1)), integer(-2)),
          .arithmetic(.divide, .negative(.property("a")), integer(4)))),
      Reading("a = -(-3)", .comparison(.equal, .property("a"), .negative(integer(-3)))),
      Reading("a = -9223372036854775808", equal("a", .min)),
      Reading("a = 9223372036854775808", .comparison(.equal, .property("a"), .literal(.real(0x1p63)))),
      Reading(
        "a IN (.5, 5., 5.0E+6, 5e-1)",
        .isIn(
          .property("a"),
          [
            .literal(.real(0.5)), .literal(.real(5)), .literal(.real(5_000_000)), .literal(.real(0.5)),
          ])),
      Reading(
        "a = date '1970-01-02'",
        .comparison(
          .equal, .property("a"), .literal(.date(CalendarDate(days: 1))))),
      Reading(
        "a = Timestamp '1970-01-01 00:00:01.5'",
        .comparison(
          .equal, .property("a"), .literal(.instant(Instant(microseconds: 1_500_000))))),
      Reading("((a)) = ((1))", equal("a", 1)),
    ])
  func reads(_ reading: Reading) throws {
    #expect(try SQLWhereParser.parse(reading.text) == reading.tree)
  }

  @Test(
    "Invalid where clauses are refused with an offset and a reason",
    arguments: [
      WhereFault("a = NULL", 4, "a comparison with NULL is never true; write IS NULL or IS NOT NULL"),
      WhereFault("NULL <> a", 0, "a comparison with NULL is never true; write IS NULL or IS NOT NULL"),
      WhereFault("date > 1", 0, "'date' is a reserved word; write \"date\" for the field of that name"),
      WhereFault(
        "a", 1,
        "found the end of the text, expected a comparison (=, <>, <, >, <=, >=), LIKE, IN, BETWEEN or IS"),
      WhereFault(
        "a AND b = 1", 2, "found 'AND', expected a comparison (=, <>, <, >, <=, >=), LIKE, IN, BETWEEN or IS"),
      WhereFault("a == 1", 2, "'==' is not an operator; write ="),
      WhereFault("a = 1 && b = 1", 6, "'&&' is not an operator; write AND"),
      WhereFault("a = 1 -- b", 6, "'--' is not an operator; comments are not allowed"),
      WhereFault("a = 1; b = 2", 5, "';' is not an operator; only one condition is allowed"),
      WhereFault("a = ‘x’", 4, "'‘' is not an operator; write straight quotes"),
      WhereFault("ö ~ 1", 3, "'~' is not an operator"),
      WhereFault("a = 'x", 4, "the closing ' is missing"),
      WhereFault("a = \"\"", 4, "found \"\", expected a field name"),
      WhereFault("a = 1.2.3", 4, "'1.2.' is not a valid number"),
      WhereFault("a = 1x", 4, "'1x' is not a valid number"),
      WhereFault("a = 1e999", 4, "'1e999' is not a valid number"),
      WhereFault(
        "a = DATE '2022-13-45'", 9, "'2022-13-45' is not a valid date; write DATE 'yyyy-mm-dd'"),
      WhereFault("a LIKE 'b' ESCAPE 'xx'", 18, "ESCAPE takes exactly one character, not 'xx'"),
      WhereFault("a LIKE 'b$' ESCAPE '$'", 7, "the pattern ends in its escape character"),
      WhereFault("(a = 1) = 2", 0, "found a condition, expected a value"),
      WhereFault("1 + (a = 1) = 2", 4, "found a condition, expected a value"),
      WhereFault("(a = 1", 6, "found the end of the text, expected AND, OR or ')'"),
      WhereFault("a = 1 b = 2", 6, "found 'b', expected AND, OR or the end of the text"),
      WhereFault("a IN ()", 6, "found ')', expected a value"),
      WhereFault("a NOT = 1", 6, "found '=', expected LIKE, BETWEEN or IN"),
      WhereFault(
        "a = TRUE", 4,
        "found 'TRUE', expected a value; a where clause writes 1 = 1 for true, and 1 or 0 beside a field"),
    ])
  func refuses(_ fault: WhereFault) throws { try fault.check() }

  @Test("Nesting, arithmetic chains and text length have limits")
  func depthIsLimited() throws {
    func nested(_ opening: String, _ closing: String, _ count: Int) -> String {
      String(repeating: opening, count: count) + "1 = 1" + String(repeating: closing, count: count)
    }
    for (opening, closing) in [
      ("(", ")"), ("NOT ", ""), ("- ", ""), ("(-(", "))"), ("+", ""), ("1 IN (", ")"),
    ] {
      let tooDeep = #expect(throws: FilterSyntaxError.self) {
        try SQLWhereParser.parse(nested(opening, closing, 100_000))
      }
      #expect(tooDeep?.reason == .nestingTooDeep(limit: 256) || opening == "1 IN (", "\(opening)")
    }
    for (opening, closing) in [("(", ")"), ("NOT ", ""), ("- ", ""), ("+", "")] {
      #expect(try SQLWhereParser.parse(nested(opening, closing, 256)) != nil)
      #expect(throws: FilterSyntaxError.self) { try SQLWhereParser.parse(nested(opening, closing, 257)) }
    }
    func chain(_ count: Int) -> String { String(repeating: "1+", count: count) + "1 = 1" }
    #expect(try SQLWhereParser.parse(chain(998)) != nil)
    let error = #expect(throws: FilterSyntaxError.self) { try SQLWhereParser.parse(chain(100_000)) }
    #expect(error?.reason == .nestingTooDeep(limit: 1000))
    let long = #expect(throws: FilterSyntaxError.self) {
      try SQLWhereParser.parse("a = '" + String(repeating: "x", count: 1 << 20) + "'")
    }
    #expect(long?.reason == .tooLong(limit: 1 << 20))
  }

  @Test("A flat chain of 100,000 conditions is parsed")
  func flatChainsMayBeLong() throws {
    for word in [" OR ", " AND "] {
      let text = Array(repeating: "a=1", count: 100_000).joined(separator: word)
      switch try SQLWhereParser.parse(text) {
      case .or(let terms)?: #expect(word == " OR " && terms.count == 100_000)
      case .and(let terms)?: #expect(word == " AND " && terms.count == 100_000)
      default: Issue.record("no chain of\(word)")
      }
    }
  }

  /// The texts mix words of the language with other words.
  @Test("Random clauses give an expression or an error with an offset inside the text")
  func nothingTraps() {
    let pieces = [
      "a", "\"b\"", "'x'", "1", "2.5", "=", "<>", "(", ")", ",", "AND", "OR", "NOT", "LIKE", "ESCAPE", "IN",
      "BETWEEN",
      "IS", "NULL", "DATE", "'2020-01-31'", "TIMESTAMP", "+", "-", "*", "/", "'", "\"", ".", "é", "\u{301}",
      "😀", ";",
      "\n", "0x1F", "1e", "''", "%", "CASE",
    ]
    var generator = SeededGenerator(seed: 7)
    var (trees, errors) = (0, 0)
    for _ in 0..<20_000 {
      let count = Int.random(in: 1...9, using: &generator)
      let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }
        .joined(separator: Bool.random(using: &generator) ? " " : "")
      do throws(FilterSyntaxError) {
        if try SQLWhereParser.parse(text) != nil { trees += 1 }
      } catch {
        errors += 1
        #expect((0...text.utf8.count).contains(error.offset), "\(text)")
        #expect(
          error.caretPicture(in: text).split(separator: "\n", omittingEmptySubsequences: false).count == 2)
      }
    }
    #expect(trees > 20, "\(trees) trees, \(errors) errors")
    #expect(errors > 10_000, "\(trees) trees, \(errors) errors")
  }

  @Test(
    "A syntax error shows its line with a caret under the fault",
    arguments: [
      ("a == 1", 2, "a == 1\n  ^"),
      ("a = 1\nAND\tb ~ 2\nOR c = 3", 12, "…AND b ~ 2\n       ^"),
      ("a = 1\r\nb", 7, "…b\n ^"),
      ("名前 = ~", 9, "名前 = ~\n       ^"),
      ("e\u{301} ~", 4, "e\u{301} ~\n  ^"),
      ("a", 1, "a\n ^"), ("", 0, "\n^"), ("a", 99, "a\n ^"),
    ])
  func caretPictures(_ text: String, _ offset: Int, _ picture: String) {
    #expect(FilterSyntaxError(.conditionAsValue, at: offset).caretPicture(in: text) == picture)
  }

  @Test("A long line around a syntax error is shortened at both ends")
  func longLinesAreCut() {
    let text = String(repeating: "x", count: 100) + "~" + String(repeating: "y", count: 100)
    let picture = FilterSyntaxError(.conditionAsValue, at: 100).caretPicture(in: text)
    let kept = String(repeating: "x", count: 60) + "~" + String(repeating: "y", count: 59)
    #expect(picture == "…\(kept)…\n" + String(repeating: " ", count: 61) + "^")
  }
}
