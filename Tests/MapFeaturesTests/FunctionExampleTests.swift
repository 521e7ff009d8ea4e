import MapFeatures
import MapFilter
import Testing

/// The catalogue's examples, and rules that only a whole clause shows.
@Suite struct FunctionExampleTests {
  private static let table = FilterTable(names: ["a"], types: [.integer], rows: [[.integer(1)]])
  private static let now = Instant(rfc3339: "2026-11-21T12:34:56.789Z") ?? Instant(microseconds: 0)

  static func holds(
    _ clause: String, in language: FilterLanguage = .sqlWhere, now: Instant? = now
  ) throws -> Bool? {
    let read = try #require(try FilterText(clause, in: language))
    let filter = try CompiledFilter(
      read.expression, for: table.columns, now: now, places: read.places, names: language.names)
    let truth = filter.truth(in: table.columns)
    return truth.isUnknown.count == 1 ? nil : truth.isTrue.count == 1
  }

  @Test(
    "Every function's example is true in the languages that have the function",
    arguments: FunctionCatalog.functions.map { ($0.example, $0.syntax == .absent) })
  func examples(_ example: String, _ isOfCQL2: Bool) throws {
    #expect(try Self.holds(example, in: isOfCQL2 ? .cql2Text : .sqlWhere) == true)
    guard isOfCQL2 else { return }
    #expect(throws: FilterSyntaxError.self) { try FilterText(where: example) }
  }

  @Test(
    "Clauses over literals follow the rules of the language",
    arguments: [
      ("CURRENT_DATE = DATE '2026-11-21'", true), ("CURRENT_DATE() = DATE '2026-11-21'", true),
      ("CURRENT_TIMESTAMP = TIMESTAMP '2026-11-21 12:34:56.789'", true), ("CURRENT_TIME = '12:34:56'", true),
      ("EXTRACT(SECOND FROM CURRENT_TIME) = 56.789", true), ("EXTRACT(HOUR FROM CURRENT_TIME()) = 12", true),
      ("CURRENT_TIMESTAMP = CURRENT_TIMESTAMP", true), ("A = 1 and \"A\" = 1", true), ("a != 1", false),
      ("TIMESTAMP '2020-01-01 10:00:00' = DATE '2020-01-01'", false),
      ("TIMESTAMP '2020-01-01 00:00:00' = DATE '2020-01-01'", true), ("'O''Neil' LIKE 'O''N%'", true),
      ("'a%' LIKE 'a\\%'", false), ("'a\\b' LIKE 'a\\%'", true),
      ("date '2020-01-01' < Timestamp '2020-01-01 00:00:00.5'", true),
      ("5.0E+1 = 50 AND .5 = 0.5 AND 5. = 5", true),
      ("CURRENT_TIMESTAMP - INTERVAL '1' MONTH = TIMESTAMP '2026-10-21 12:34:56.789'", true),
      ("CURRENT_DATE - INTERVAL '1' YEAR = DATE '2025-11-21'", true),
      ("CURRENT_DATE + INTERVAL '1' HOUR > CURRENT_DATE", true),
      ("INTERVAL '1' DAY + CURRENT_DATE = DATE '2026-11-22'", true),
      ("DATE '2020-03-01' - DATE '2020-02-28' = INTERVAL '2' DAY", true),
      ("DATE '2020-03-01' - DATE '2020-02-28' IN (INTERVAL '1' DAY, INTERVAL '48' HOUR)", true),
      ("INTERVAL '1' DAY > INTERVAL '23:59' HOUR TO MINUTE", true),
      ("-INTERVAL '1' DAY < INTERVAL '0' DAY", true),
      ("INTERVAL '1' MONTH > INTERVAL '1' DAY", nil), ("INTERVAL '12' MONTH = INTERVAL '1' YEAR", true),
      ("5 / 2 = 2.5", true), ("5 / 0 = 1", nil), ("5 / 0 IS NULL", true), ("MOD(5, 0) IS NULL", true),
      ("1 = 1.0", true), ("'a' = 'A'", false), ("'a' = 'a '", false), ("'Z' < 'a'", true),
      ("'ab' LIKE 'A%'", false),
      ("'Ø' < 'é'", true), ("'a\\' LIKE 'a\\'", true), ("'100%' LIKE '100!%' ESCAPE '!'", true),
      ("5 BETWEEN 10 AND 1", false), ("5 BETWEEN 1 AND 5", true), ("5 BETWEEN 10 AND NULLIF(1, 1)", false),
      ("5 BETWEEN 1 AND NULLIF(1, 1)", nil), ("NOT 5 BETWEEN 10 AND NULLIF(1, 1)", true),
      ("1 IN (2, NULL)", nil), ("1 NOT IN (2, NULL)", nil), ("1 IN (1, NULL)", true),
      ("UPPER(NULL) IS NULL", true), ("COALESCE(NULL, NULL) IS NULL", true),
      ("CASE WHEN NULLIF(1, 1) = 1 THEN 1 ELSE 2 END = 2", true), ("CASE 2 WHEN 1 THEN 1 END IS NULL", true),
      ("CASE WHEN 1 = 1 THEN 1 WHEN 1 = 1 THEN 2 END = 1", true),
      ("CASE 1.0 WHEN 1 THEN 'y' END = 'y'", true),
      ("CAST(CONCAT('x', '') AS INT) = 1", nil), ("CAST(7 / 2 AS INT) = 4", true), ("ROUND(-0.5) = -1", true),
      ("LOG(2.718281828459045) = 1", true), ("LOG10(100) = 2", true), ("ABS(a - 3) = 2", true),
      ("EXTRACT(YEAR FROM DATE '0001-01-01') = 1", true),
      ("DATE '2020-01-31' + INTERVAL '1' MONTH = DATE '2020-02-29'", true),
    ] as [(String, Bool?)])
  func clauses(_ clause: String, _ answer: Bool?) throws {
    #expect(try Self.holds(clause) == answer)
  }

  @Test("A geometry field cannot be used in a where clause")
  func geometryIsNoField() throws {
    let schema = FeatureSchema(
      fields: [Field(name: "shape", type: .geometry)], geometryKind: nil, spatialReference: nil)
    let read = try #require(try FilterText(where: "1 = 1 AND Shape IS NULL"))
    #expect(throws: FilterError(.unusableField("Shape"), at: 10)) {
      try CompiledFilter(read.expression, schema: schema, places: read.places)
    }
  }

  @Test("A current date without a given time is an error")
  func timeThatNobodyGave() throws {
    #expect(throws: FilterError(.noCurrentTime(function: "CURRENT_DATE"))) {
      try Self.holds("a = 1 OR CURRENT_DATE > DATE '2020-01-01'", now: nil)
    }
    #expect(try Self.holds("a = 1", now: nil) == true)
  }
}
