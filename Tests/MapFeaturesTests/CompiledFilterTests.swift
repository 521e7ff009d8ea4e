import MapFeatures
import MapFilter
import MapTestSupport
import Testing

@Suite struct CompiledFilterTests {
  /// Compares column evaluation with row evaluation over random filters and tables; each filter is also
  /// written and parsed again.
  @Test("Random filters over columns give the same truth values as the row-by-row reference")
  func kernelsFollowTheRules() throws {
    var generator = FilterGenerator(seed: 20_260_101)
    let small = [generator.table(rowCount: 131), generator.table(rowCount: 64), generator.table(rowCount: 5)]
    let large = generator.table(rowCount: RowCounts.large)
    let count = 3000
    var selective = 0
    for round in 0..<count {
      let filter = generator.condition(depth: 2)
      let table = round % 250 == 0 ? large : small[round % 8 == 0 ? round / 8 % 3 : 0]
      let (isTrue, isUnknown) = try CompiledFilter(filter, for: table.columns).truth(in: table.columns)
      var differences = 0
      for (row, values) in table.rows.enumerated() {
        let expected = ReferenceFilter(names: table.names, row: values).condition(filter)
        if isTrue.contains(row) != (expected == true) || isUnknown.contains(row) != (expected == nil) {
          differences += 1
        }
      }
      #expect(differences == 0, "\(filter.whereClause)")
      if isTrue.count * 100 >= table.rows.count, isTrue.count * 100 <= table.rows.count * 99 {
        selective += 1
      }
      // Not all trees have a text: a pattern that ends in its escape character is refused before types are
      // checked.
      #expect(try SQLWhereParser.parse(filter.whereClause) == filter, "\(filter.whereClause)")
    }
    let kinds = [
      "and", "or", "or of =", "not", "like", "between", "in", "is null", "negative", "=", "<>", "<", ">",
      "<=", ">=",
      "arithmetic +", "arithmetic -", "arithmetic *", "arithmetic /", "between of values", "case",
      "case of value", "coalesce of booleans", "moment and duration", "ABS", "FLOOR", "ROUND", "MOD",
      "COALESCE", "CHAR_LENGTH", "EXTRACT", "POSITION", "UPPER", "LOWER", "CONCAT", "SUBSTRING", "TRIM",
      "CAST", "NULLIF",
    ]
    for kind in kinds { #expect(generator.histogram[kind, default: 0] >= 20, "\(kind)") }
    #expect(
      selective * 10 >= count * 4, "\(selective) of \(count) filters select between 1 % and 99 % of rows")
  }

  private enum RowCounts {
    /// More than two blocks of 4096 rows, and no multiple of 64.
    static let large = 8192 + 77
  }

  @Test("Candidate rows limit the selected rows")
  func candidatesLimitTheRows() throws {
    var generator = FilterGenerator(seed: 5)
    let table = generator.table(rowCount: RowCounts.large).columns
    let filter = try CompiledFilter(
      try #require(try SQLWhereParser.parse("small > 0 OR half IS NULL")), for: table)
    let all = filter.rows(in: table)
    for candidates in [
      RowSet(rowCount: table.rowCount), RowSet(rowCount: table.rowCount, rows: [5000, 5001, 8268]),
      RowSet(rowCount: table.rowCount, all: true),
    ] {
      #expect(filter.rows(in: table, among: candidates) == all.intersection(candidates))
    }
    #expect(all.count > 1000)
  }

  struct Fault: CustomTestStringConvertible {
    let clause: String, message: String
    init(_ clause: String, _ message: String) { (self.clause, self.message) = (clause, message) }
    var testDescription: String { clause }
  }

  @Test(
    "A filter with an unknown field or a type mismatch is refused with a helpful message",
    arguments: [
      Fault("smal = 1", "unknown field 'smal'; did you mean 'small'?"),
      Fault("cuont = 1", "unknown field 'cuont'; did you mean 'Count'?"),
      Fault("word = \"Berlin\"", "unknown field 'Berlin' (text is written in single quotes)"),
      // The nearest name is that of the other side.
      Fault("word = \"worf\"", "unknown field 'worf' (text is written in single quotes)"),
      Fault("word LIKE \"wor\"", "unknown field 'wor' (text is written in single quotes)"),
      Fault(
        "small = cuont",
        "unknown field 'cuont'; did you mean 'Count'? (text is written in single quotes)"),
      Fault("word IN ('a', Berlin)", "unknown field 'Berlin' (text is written in single quotes)"),
      Fault(
        "1 = 1 OR nosuch = 1",
        "unknown field 'nosuch'; available: \(FilterGenerator.names.joined(separator: ", "))"),
      Fault(
        "day = '2020-01-31'",
        "cannot compare 'day' (date) with text '2020-01-31' (text); write DATE '2020-01-31'"),
      Fault(
        "moment > '2020-01-31T12:00:00Z'",
        "cannot compare 'moment' (instant) with text '2020-01-31T12:00:00Z' (text); write TIMESTAMP '2020-01-31 12:00:00'"
      ),
      // A timestamp equals a date at midnight alone.
      Fault(
        "moment = '2020-01-31'",
        "cannot compare 'moment' (instant) with text '2020-01-31' (text); write CAST(moment AS DATE) = DATE '2020-01-31'"
      ),
      Fault(
        "moment IN ('2020-01-31', '2020-02-01')",
        "cannot compare 'moment' (instant) with text '2020-01-31' (text); write CAST(moment AS DATE) IN (DATE '2020-01-31', DATE '2020-02-01')"
      ),
      Fault(
        "moment BETWEEN '2020-01-31' AND '2020-02-01'",
        "cannot compare 'moment' (instant) with text '2020-01-31' (text); write CAST(moment AS DATE) BETWEEN DATE '2020-01-31' AND DATE '2020-02-01'"
      ),
      Fault(
        "'2020-01-31' >= moment",
        "cannot compare text '2020-01-31' (text) with 'moment' (instant); write DATE '2020-01-31' >= CAST(moment AS DATE)"
      ),
      Fault(
        "moment >= '2020-01-31'",
        "cannot compare 'moment' (instant) with text '2020-01-31' (text); write DATE '2020-01-31'"),
      Fault(
        "word <= DATE '2020-01-31'",
        "cannot compare 'word' (text) with DATE '2020-01-31' (date); write CAST(word AS TIMESTAMP) <= DATE '2020-01-31'"
      ),
      Fault(
        "moment > 1356998400000",
        "cannot compare 'moment' (instant) with 1356998400000 (integer); write DATE 'yyyy-mm-dd' or TIMESTAMP 'yyyy-mm-dd hh:mm:ss'"
      ),
      Fault("small = '5'", "cannot compare 'small' (integer) with text '5' (text); write 5 without quotes"),
      Fault(
        "half = 'abc'", "cannot compare 'half' (real) with text 'abc' (text); write a number without quotes"),
      Fault("word IN ('a', 5)", "cannot compare 'word' (text) with 5 (integer); write '5' in quotes"),
      Fault("flag = 2", "cannot compare 'flag' (boolean) with 2 (integer); write 1 for true and 0 for false"),
      Fault("flag = small", "cannot compare 'flag' (boolean) with 'small' (integer)"),
      Fault("word BETWEEN 'a' AND 5", "cannot compare 'word' (text) with 5 (integer); write '5' in quotes"),
      Fault("word > 5", "cannot compare 'word' (text) with 5 (integer); write CAST(word AS DOUBLE) > 5"),
      // Doubles are not exact beyond 2^53, and whole numbers end at 2^63.
      Fault(
        "word = 9007199254740993",
        "cannot compare 'word' (text) with 9007199254740993 (integer); write CAST(word AS BIGINT) = 9007199254740993"
      ),
      Fault(
        "word IN (1, 9007199254740993)",
        "cannot compare 'word' (text) with 1 (integer); write the digits in quotes, as the texts have them"),
      Fault(
        "word > 9007199254740993",
        "cannot compare 'word' (text) with 9007199254740993 (integer); write CAST(word AS DOUBLE) > 9007199254740993"
      ),
      Fault(
        "word = 18446744073709551615",
        "cannot compare 'word' (text) with 1.8446744073709552e+19 (real); write the digits in quotes, as the texts have them"
      ),
      Fault(
        "word > 18446744073709551615",
        "cannot compare 'word' (text) with 1.8446744073709552e+19 (real); write CAST(word AS DOUBLE) > 1.8446744073709552e+19"
      ),
      Fault(
        "small = UPPER(word)",
        "cannot compare 'small' (integer) with the result of UPPER (text); write small = CAST(UPPER(word) AS DOUBLE)"
      ),
      Fault(
        "DATE '9999-12-31' + INTERVAL '1' DAY > day",
        "the result of + of these constants is outside the years 1 to 9999"),
      Fault("CAST('x' AS INT) = 1", "CAST AS INT reads numbers, not 'x'"),
      Fault("small LIKE '5%'", "LIKE takes text, not 'small' (integer)"),
      Fault("word + 1 = 2", "+ takes numbers, not 'word' (text)"),
      Fault("-flag = 1", "- takes numbers, not 'flag' (boolean)"),
      Fault(
        "\"date\" - 1 = day", "- takes an interval beside a date, such as INTERVAL '1' DAY, not 1 (integer)"),
      Fault("1 = 'a'", "cannot compare 1 (integer) with text 'a' (text); write a number without quotes"),
    ])
  func refuses(_ fault: Fault) throws {
    var generator = FilterGenerator(seed: 1)
    let table = generator.table(rowCount: 1).columns
    let expression = try #require(try SQLWhereParser.parse(fault.clause))
    let error = try #require(throws: FilterError.self) { try CompiledFilter(expression, for: table) }
    #expect(error.description == fault.message)
  }

  @Test("An expression that is not a condition is refused as a filter")
  func valuesAreNoFilters() throws {
    var generator = FilterGenerator(seed: 1)
    let table = generator.table(rowCount: 3).columns
    for value in [
      FilterExpression.property("flag"), .literal(.integer(1)), .literal(.null),
      .negative(.property("small")),
      .and([.literal(.boolean(true)), .property("flag")]),
    ] {
      #expect(throws: FilterError.self) { try CompiledFilter(value, for: table) }
    }
    #expect(throws: FilterError(.notAValue)) {
      try CompiledFilter(.isNull(.literal(.boolean(true)).negation), for: table)
    }
    #expect(try CompiledFilter(.literal(.boolean(true)), for: table).rows(in: table).count == 3)
  }

  @Test("An expression tree deeper than 1000 is refused")
  func deepTreesAreRefused() throws {
    var generator = FilterGenerator(seed: 1)
    let table = generator.table(rowCount: 100).columns
    func nested(_ depth: Int) -> FilterExpression {
      (1..<depth).reduce(FilterExpression.literal(.boolean(true))) { tree, _ in .not(tree) }
    }
    #expect(try CompiledFilter(nested(1000), for: table).rows(in: table).count == 0)
    #expect(throws: FilterError(.nestingTooDeep(limit: 1000))) {
      try CompiledFilter(nested(1001), for: table)
    }
    let chain = String(repeating: "small+", count: 990) + "small > 0"
    let filter = try CompiledFilter(try #require(try SQLWhereParser.parse(chain)), for: table)
    #expect(filter.rows(in: table).count > 0)
  }

  struct Chain: CustomTestStringConvertible {
    let count: Int, term: String, word: String
    let expected: @Sendable (Int64) -> Bool
    var testDescription: String { "\(count) times \(term)\(word)" }
  }

  /// Over 8,000 rows: equality tests of one field cost one lookup per row, not one per term.
  @Test(
    "Long chains of conditions on one field select the expected rows",
    arguments: [
      Chain(count: 100_000, term: "#<0", word: " OR ") { _ in false },
      Chain(count: 70_000, term: "Count=#", word: " OR ") { $0 >= 0 },
      Chain(count: 500, term: "Count-9<#", word: " AND ") { $0 < 9 },
    ])
  func longChains(_ chain: Chain) throws {
    var generator = FilterGenerator(seed: 5)
    let table = generator.table(rowCount: RowCounts.large)
    let parts = chain.term.split(separator: "#", omittingEmptySubsequences: false)
    let clause = (0..<chain.count).map { "\(parts[0])\($0 % 1000)\(parts[1])" }.joined(separator: chain.word)
    let filter = try CompiledFilter(try #require(try SQLWhereParser.parse(clause)), for: table.columns)
    let expected = table.rows.count { row in
      if case .integer(let value) = row[1] { chain.expected(value) } else { false }
    }
    #expect(filter.rows(in: table.columns).count == expected)
  }

  @Test("Boolean fields compare with 0 and 1")
  func booleansBesideZeroAndOne() throws {
    let table = FilterTable(
      names: ["b"], types: [.boolean], rows: [[.boolean(true)], [.boolean(false)], [.null]])
    for (clause, rows) in [
      ("b = 1", [0]), ("b <> 1", [1]), ("0 = b", [1]), ("b IN (0, 1)", [0, 1]), ("b IN (1)", [0]),
      ("b < 1", [1]),
      ("b BETWEEN 0 AND 0", [1]), ("b = b", [0, 1]), ("b IS NULL", [2]),
    ] {
      let filter = try CompiledFilter(try #require(try SQLWhereParser.parse(clause)), for: table.columns)
      #expect(Array(filter.rows(in: table.columns)) == rows, "\(clause)")
    }
  }
}

extension FilterExpression {
  fileprivate var negation: FilterExpression { .not(self) }
}
