import MapFeatures
import MapFilter
import Testing

/// Texts that would take forever or overflow the stack if any work grew faster than their length.
@Suite struct FilterLimitTests {
  private static func filter(_ clause: String) throws -> (filter: CompiledFilter, table: FeatureColumns) {
    let table = try WhereConformanceFilterTests.table("sqlite-table").columns
    let read = try #require(try FilterText(where: clause))
    return (try CompiledFilter(read.expression, for: table, places: read.places), table)
  }

  private static func count(_ clause: String) throws -> Int {
    let (filter, table) = try filter(clause)
    return filter.rows(in: table).count
  }

  private static func nested(_ count: Int, _ opening: String, _ inner: String, _ closing: String) -> String {
    String(repeating: opening, count: count) + inner + String(repeating: closing, count: count)
  }

  /// Each level would double the work if a part were evaluated twice: 2^60 steps.
  @Test(
    "Nested expressions are evaluated without exponential work", .timeLimit(.minutes(30)),
    arguments: [
      ("CASE WHEN ", "i", " BETWEEN j AND 1000 THEN 1 ELSE j END"),
      ("CASE WHEN ", "i", " IN (j, q, r) THEN 1 ELSE j END"),
      ("CASE ", "i", " WHEN j THEN 1 WHEN q THEN r ELSE i END"),
      ("COALESCE(NULLIF(", "i", ", j), q)"), ("ROUND(", "r", ", i)"), ("CASE WHEN ", "i", " > 0 THEN 1 END"),
      ("CHAR_LENGTH(CONCAT(s, CAST(", "j", " AS VARCHAR(3))))"), ("CONCAT('a', ", "s", ")"),
    ])
  func nothingDoubles(_ opening: String, _ inner: String, _ closing: String) throws {
    let levels = 60
    let clause = Self.nested(levels, opening, inner, closing)
    #expect(try Self.count("\(clause) IS NOT NULL OR i IS NULL OR s IS NULL") >= 4)
    #expect(try Self.count("\(clause) = \(clause) OR 1 = 1") == 24)
  }

  @Test(
    "Nested functions are read to the depth limit and refused beyond it",
    arguments: [
      ("UPPER(", "s", ")"), ("CASE WHEN 1 = 1 THEN ", "s", " END"), ("COALESCE(", "s", ")"),
      ("TRIM(", "s", ")"),
      ("CAST(", "s", " AS VARCHAR)"), ("CASE 1 WHEN 1 THEN ", "s", " END"), ("SUBSTRING(", "s", " FROM 1)"),
    ])
  func depthIsLimited(_ opening: String, _ inner: String, _ closing: String) throws {
    #expect(try Self.count(Self.nested(256, opening, inner, closing) + " IS NOT NULL") > 10)
    for levels in [257, 30_000] {
      let error = #expect(throws: FilterSyntaxError.self) {
        try SQLWhereParser.parse(Self.nested(levels, opening, inner, closing) + " IS NOT NULL")
      }
      #expect(error?.reason == .nestingTooDeep(limit: 256))
    }
  }

  @Test("Very long lists and chains are evaluated in linear time", .timeLimit(.minutes(30)))
  func lengthCostsItsLength() throws {
    let numbers = (0..<100_000).map(String.init).joined(separator: ",")
    #expect(try Self.count("j IN (\(numbers))") == Self.count("j >= 0"))
    #expect(try Self.count("ABS(j) IN (\(numbers))") == 24)
    let texts = (0..<90_000).map { "'\($0)'" }.joined(separator: ",")
    #expect(try Self.count("UPPER(t) IN (\(texts),'ABC')") == Self.count("UPPER(t) = 'ABC'"))
    let tests = (0..<40_000).map { "UPPER(t)='\($0)'" }.joined(separator: " OR ")
    #expect(try Self.count("\(tests) OR UPPER(t)='ABC'") == Self.count("UPPER(t) = 'ABC'"))
    let sums = (0..<60_000).map { _ in "ABS(j)>=0" }.joined(separator: " AND ")
    #expect(try Self.count(sums) == 24)
    let branches = (0..<20_000).map { "WHEN \($0) THEN -\($0) " }.joined()
    #expect(try Self.count("CASE j \(branches) END = -3") == Self.count("j = 3"))
    #expect(try Self.count("COALESCE(\(numbers)) = 0") == 24)
  }

  /// Uses text that almost matches everywhere, with half the clause against the other half.
  @Test("Text searches run in linear time", .timeLimit(.minutes(30)))
  func searchesAreLinear() throws {
    let (long, short) = (String(repeating: "a", count: 600_000), String(repeating: "a", count: 300_000))
    #expect(try Self.count("'\(long)' LIKE '%\(short)b%'") == 0)
    #expect(try Self.count("'\(long)' LIKE '%\(short)%'") == 24)
    #expect(try Self.count("POSITION('\(short)b' IN '\(long)') = 0") == 24)
    #expect(try Self.count("TRIM('\(short)' FROM '\(long)') = ''") == 24)
    #expect(try Self.count("SUBSTRING('\(long)' FROM 599999) = 'aa'") == 24)
  }

  /// The long name must not cost time.
  @Test("An unknown name gets a suggestion from a long list, and a very long name gets none")
  func namesThatAreLong() throws {
    let table = FilterTable(
      names: (0..<2000).map { "field_\($0)" }, types: Array(repeating: .integer, count: 2000), rows: [])
    let long = String(repeating: "x", count: 500_000)
    for (name, nearest) in [("feild_1234", "field_1234"), (long, nil)] as [(String, String?)] {
      let read = try #require(try FilterText(where: "\(name) = 1"))
      let error = #expect(throws: FilterError.self) {
        try CompiledFilter(read.expression, for: table.columns, places: read.places)
      }
      guard case .unknownField(_, let found)? = error?.reason else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(error?.offset == 0)
      #expect(found == nearest)
    }
    let call = #expect(throws: FilterSyntaxError.self) { try SQLWhereParser.parse("\(long)(1) = 1") }
    #expect(call?.description == "unknown function '\(long.prefix(40))…'")
  }
}
