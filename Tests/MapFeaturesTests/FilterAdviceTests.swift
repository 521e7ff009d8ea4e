import MapFilter
import Testing

/// The advice in errors about types, written in the language of the filter.
@Suite struct FilterAdviceTests {
  private static let fields: [(name: String, type: AttributeType?)] = [
    ("day", .date), ("moment", .instant), ("small", .integer), ("half", .real), ("word", .text),
    ("flag", .boolean),
  ]

  /// A comparison of a field with a literal of another type, in a language.
  struct Case: Sendable, CustomTestStringConvertible {
    let language: FilterLanguage
    let field: String
    let literal: String
    var testDescription: String { "\(language.rawValue): \(field) = \(literal)" }

    /// The filter with a literal.
    func filter(_ literal: String) -> String {
      language == .cql2JSON
        ? #"{"op":"=","args":[{"property":"\#(field)"},\#(literal)]}"# : "\(field) = \(literal)"
    }
  }

  private static let cases: [Case] = [
    (.sqlWhere, ["'2020-01-31'", "'2020-01-31T12:00:00Z'", "'soon'", "5"]),
    (.cql2Text, ["'2020-01-31'", "'2020-01-31T12:00:00Z'", "'soon'", "5"]),
    (.cql2JSON, [#""2020-01-31""#, #""2020-01-31T12:00:00Z""#, #""soon""#, "5"]),
  ].flatMap { (language: FilterLanguage, literals: [String]) in
    ["day", "moment"].flatMap { field in literals.map { Case(language: language, field: field, literal: $0) }
    }
  }
  private static let others: [Case] = [
    Case(language: .sqlWhere, field: "small", literal: "'5'"),
    Case(language: .cql2Text, field: "half", literal: "'5.5'"),
    Case(language: .cql2JSON, field: "small", literal: #""5""#),
    Case(language: .sqlWhere, field: "word", literal: "5"),
    Case(language: .cql2Text, field: "word", literal: "5"),
    Case(language: .cql2JSON, field: "word", literal: "5"),
    Case(language: .sqlWhere, field: "word", literal: "DATE '2020-01-31'"),
    Case(language: .cql2Text, field: "word", literal: "DATE('2020-01-31')"),
    Case(language: .cql2JSON, field: "word", literal: #"{"date":"2020-01-31"}"#),
    Case(language: .sqlWhere, field: "word", literal: "TIMESTAMP '2020-01-31 12:00:00'"),
    Case(language: .cql2Text, field: "word", literal: "TIMESTAMP('2020-01-31T12:00:00Z')"),
    Case(language: .cql2JSON, field: "word", literal: #"{"timestamp":"2020-01-31T12:00:00Z"}"#),
    Case(language: .sqlWhere, field: "flag", literal: "'x'"),
    Case(language: .cql2Text, field: "flag", literal: "'x'"),
    Case(language: .cql2JSON, field: "flag", literal: #""x""#),
  ]

  /// Returns the error of a filter that parses; nil if its types fit.
  private static func error(_ text: String, _ language: FilterLanguage) throws -> FilterError? {
    let filter = try #require(try FilterText(text, in: language), "\(text)")
    do {
      try filter.check(against: FilterFields(fields))
    } catch {
      return error
    }
    return nil
  }

  @Test("Each literal in the advice is accepted by the language of the filter", arguments: cases + others)
  func isAccepted(_ item: Case) throws {
    let error = try #require(try Self.error(item.filter(item.literal), item.language))
    var advice = try #require(
      error.description.split(separator: "; write ").dropFirst().first.map(String.init))
    for end in [" without ", " for true"] {
      if let found = advice.firstRange(of: end) { advice = String(advice[..<found.lowerBound]) }
    }
    // A cast is advised as a whole condition, all else as a literal.
    if item.field == "word" || advice.uppercased().contains("CAST") {
      return #expect(try Self.error(advice, item.language) == nil, "\(advice)")
    }
    let forms = advice.split(separator: " or ").map(String.init)
    #expect((1...2).contains(forms.count))
    for form in forms {
      let literal = form.replacing("yyyy-mm-dd", with: "2020-01-31").replacing("hh:mm:ss", with: "12:00:00")
      #expect(try Self.error(item.filter(literal), item.language) == nil, "\(literal)")
    }
  }

  @Test("A literal in a message is written as in the language of the filter")
  func literals() throws {
    let text = try #require(try Self.error("word = DATE('2020-01-31')", .cql2Text)).description
    #expect(
      text
        == "cannot compare 'word' (text) with DATE('2020-01-31') (date); "
        + "write CAST(word, 'TIMESTAMP') = DATE('2020-01-31')")
    let json = #"{"op":"=","args":[{"property":"word"},{"date":"2020-01-31"}]}"#
    #expect(try #require(try Self.error(json, .cql2JSON)).description.contains(#"{"date": "2020-01-31"}"#))
  }

  @Test("CQL2 has no lengths of time, so none is advised beside a date")
  func durations() throws {
    let sql = try #require(try Self.error("day - 1 = day", .sqlWhere)).description
    #expect(sql.contains("INTERVAL '1' DAY"))
    let cql = try #require(try Self.error("day - 1 = day", .cql2Text)).description
    #expect(cql == "- takes numbers, not 'day' (date)")
  }

  @Test("An unknown field in CQL2 JSON is not taken for text without quotes")
  func unknown() throws {
    let json = #"{"op":"=","args":[{"property":"word"},{"property":"Berlin"}]}"#
    let error = try #require(try Self.error(json, .cql2JSON)).description
    #expect(error == "unknown field 'Berlin'; available: day, moment, small, half, word, flag")
    let text = try #require(try Self.error("word = Berlin", .cql2Text)).description
    #expect(text == "unknown field 'Berlin' (text is written in single quotes)")
  }
}
