import MapFeatures
import MapFilter
import Testing

/// The spellings that errors propose, run on tables with texts of several forms.
@Suite struct FilterProposalTests {
  private static let fields: [(name: String, type: FieldType, values: [AttributeValue])] = [
    ("n", .int64, [.integer(5), .integer(7), .null, .integer(12), .integer(25)]),
    ("r", .float64, [.real(5), .real(7.5), .null, .real(12), .real(-1)]),
    ("lead", .text, texts("3.2", "<0.5", "12", nil, " 25 ")),
    ("iso", .text, texts("2024-03-31", "2024-04-01T10:00:00Z", "2024-04-02 00:00:00", nil, "soon")),
    ("us", .text, texts("3/31/2024 1:30:00 AM", "4/1/2024 1:30:00 PM", nil, nil, "4/2/2024 1:00:00 AM")),
    ("word", .text, texts("a", "b", "c", nil, "")),
    (
      "day", .dateOnly,
      [.date(CalendarDate(days: 19_813)), .date(CalendarDate(days: 19_814)), .null, .null, .null]
    ),
    ("at", .date, [.instant(Instant(microseconds: 1_711_929_600_000_000)), .null, .null, .null, .null]),
  ]

  private static func texts(_ texts: String?...) -> [AttributeValue] {
    texts.map { $0.map { .text($0) } ?? .null }
  }

  private static let source: InMemorySource = InMemorySource(
    FeatureColumns(
      schema: FeatureSchema(
        fields: fields.map { Field(name: $0.name, type: $0.type) }, geometryKind: nil, spatialReference: nil),
      columns: fields.map { Column(of: $0.values, type: $0.type) }, geometry: nil, rowCount: 5))

  /// A condition that is refused.
  struct Refused: Sendable, CustomTestStringConvertible {
    let filter: String
    /// The rows that the condition means; nil if no spelling is proposed.
    let rows: [Int]?
    var language = FilterLanguage.sqlWhere
    var testDescription: String { filter }

    init(_ filter: String, _ rows: [Int]?, in language: FilterLanguage = .sqlWhere) {
      (self.filter, self.rows, self.language) = (filter, rows, language)
    }
  }

  private static func rows(_ filter: String, _ language: FilterLanguage) throws -> [Int] {
    var conditions = QueryConditions()
    if language == .sqlWhere {
      conditions.question.whereClause = filter
    } else {
      conditions.question.$cql2 = ParsedFilter(cql2: filter)
    }
    return Array(try source.rows(conditions.query(for: .query)))
  }

  @Test(
    "A proposed spelling gives the rows that the condition means",
    arguments: [
      Refused("lead > 9", [2, 4]), Refused("9 < lead", [2, 4]), Refused("lead = 12", [2]),
      Refused("lead <> 12", [0, 4]), Refused("lead IN (12, 25)", [2, 4]), Refused("lead > -1.5", [0, 2, 4]),
      Refused("lead BETWEEN 3 AND 13", [0, 2]), Refused("lead >= n", [4]), Refused("n < lead", []),
      Refused("TRIM(lead) = 25", [4]),
      Refused("iso >= TIMESTAMP '2024-04-01 00:00:00'", [1, 2]), Refused("iso > DATE '2024-04-01'", [1, 2]),
      Refused("iso <= DATE '2024-04-01'", [0]),
      Refused("iso BETWEEN DATE '2024-03-31' AND DATE '2024-04-01'", [0]),
      Refused("us >= TIMESTAMP '2024-04-01 00:00:00'", nil), Refused("us > DATE '2024-04-01'", nil),
      Refused("word > 5", nil), Refused("word = 5", nil), Refused("word > DATE '2024-04-01'", nil),
      Refused("n = '5'", [0]), Refused("n > '6.5'", [1, 3, 4]), Refused("r = '7.50'", [1]),
      Refused("n = 'five'", nil), Refused("n = '0x5'", nil),
      Refused("day = '2024-04-01'", [1]), Refused("day >= '2024-03-31'", [0, 1]),
      Refused("at = '2024-04-01T00:00:00Z'", [0]), Refused("at = '2024-04-01T02:00:00+02:00'", [0]),
      Refused("at >= '4/1/2024'", nil), Refused("n = flag", nil),
      Refused("lead > 9", [2, 4], in: .cql2Text), Refused("iso > DATE('2024-04-01')", [1, 2], in: .cql2Text),
      Refused("us > TIMESTAMP('2024-04-01T00:00:00Z')", nil, in: .cql2Text),
      Refused(#"{"op":">","args":[{"property":"lead"},9]}"#, [2, 4], in: .cql2JSON),
    ])
  func proposals(_ refused: Refused) throws {
    do {
      let rows = try Self.rows(refused.filter, refused.language)
      Issue.record("accepted, with rows \(rows)")
    } catch let error as QueryConditionError {
      let proposal = Self.proposal("\(error)", for: refused)
      guard let wanted = refused.rows else { return #expect(proposal == nil, "\(error)") }
      let rows = try Self.rows(try #require(proposal, "\(error)"), refused.language)
      #expect(rows == wanted)
    }
  }

  /// The condition with the proposed spelling; nil if the message proposes none, or only the form of one.
  private static func proposal(_ message: String, for refused: Refused) -> String? {
    guard let start = message.firstRange(of: "; write ") else { return nil }
    let advice = String(message[start.upperBound...])
    let literal = refused.filter.firstMatch(of: /'[^']*'/).map { String($0.output) }
    if advice.hasSuffix(" without quotes") {
      let number = advice.dropLast(" without quotes".count)
      guard number != "a number", let literal else { return nil }
      return refused.filter.replacing(literal, with: number)
    }
    if advice.contains("yyyy") { return nil }
    if advice.hasPrefix("DATE") || advice.hasPrefix("TIMESTAMP"), let literal {
      return refused.filter.replacing(literal, with: advice)
    }
    return advice
  }
}
