import Foundation
import MapFeatures
import MapFilter
import Testing

/// Random clauses whose answer for each row is compared with SQLite's; see Cases/Where/make-sqlite-cases.py.
@Suite struct SQLiteDifferentialTests {
  private struct Case: Sendable {
    let clause: String
    let answers: String
  }

  private static let cases = Result {
    try WhereConformanceFilterTests.lines("sqlite-cases.tsv").dropFirst().map {
      Case(clause: $0[0], answers: $0[1])
    }
  }

  /// One letter per row: T, F, or N for null; nil if the clause is refused.
  private static func answers(_ clause: String, _ table: FilterTable) throws -> String {
    let read = try #require(try FilterText(where: clause), "\(clause)")
    let filter = try CompiledFilter(read.expression, for: table.columns, places: read.places)
    let (isTrue, isUnknown) = filter.truth(in: table.columns)
    return String(
      (0..<table.rows.count).map { isUnknown.contains($0) ? "N" : isTrue.contains($0) ? "T" : "F" })
  }

  @Test("Where clauses give the same truth values as SQLite")
  func answersAreTheSame() throws {
    let table = try WhereConformanceFilterTests.table("sqlite-table")
    #expect(table.rows.count == 24)
    let cases = try Self.cases.get()
    #expect(cases.count == 5600)
    for item in cases { #expect(try Self.answers(item.clause, table) == item.answers, "\(item.clause)") }
  }

  /// Measures how many rows the clauses select, how often null decides and how often each operator occurs.
  @Test("The SQLite cases vary in selectivity, nulls and operators")
  func casesSpread() throws {
    let cases = try Self.cases.get()
    // In tenths of the selected rows, with none and all counted separately.
    var histogram = [Int](repeating: 0, count: 12)
    for item in cases {
      let selected = item.answers.count { $0 == "T" }
      histogram[selected == 0 ? 0 : selected == 24 ? 11 : 1 + selected * 10 / 24] += 1
    }
    print("clauses by the share of rows that they select: none, ten tenths, all: \(histogram)")
    #expect(histogram[1...10].reduce(0, +) * 10 >= cases.count * 4)
    #expect(histogram.allSatisfy { $0 > 100 })
    #expect(cases.count { $0.answers.contains("N") } * 2 >= cases.count)
    for (name, pattern) in Self.operators {
      let expression = try NSRegularExpression(pattern: pattern, options: .caseInsensitive)
      let count = cases.count { item in
        expression.firstMatch(in: item.clause, range: NSRange(item.clause.startIndex..., in: item.clause))
          != nil
      }
      #expect(count >= 100, "\(name): \(count)")
    }
  }

  private static let operators: [(String, String)] =
    [
      ("=", " = "), ("<>", " <> "), ("!=", " != "), ("<", " < "), (">", " > "), ("<=", " <= "),
      (">=", " >= "), ("+", #" \+ "#), ("-", " - "), ("*", #" \* "#), ("/", " / "), ("minus", #"\(-\("#),
      ("IN", #"\bIN \("#), ("IS NULL", "IS NULL"), ("IS NOT NULL", "IS NOT NULL"), ("NOT", #"NOT \("#),
      ("NOT LIKE", "NOT LIKE"), ("NOT IN", "NOT IN"), ("NOT BETWEEN", "NOT BETWEEN"),
    ]
    + [
      "LIKE", "ESCAPE", "BETWEEN", "AND", "OR", "MOD", "ABS", "CHAR_LENGTH", "POSITION", "EXTRACT", "CAST",
      "FLOOR", "CEILING", "TRUNCATE", "ROUND", "POWER", "LOG", "LOG10", "SIN", "COS", "TAN", "UPPER", "LOWER",
      "CONCAT", "SUBSTRING", "LEADING", "TRAILING", "BOTH", "TRIM", "COALESCE", "NULLIF", "CASE", "INTERVAL",
      "DATE", "TIMESTAMP",
    ].map { ($0, #"\b"# + $0 + #"\b"#) }

  /// A bug is planted by evaluating the clauses with another operator in place of theirs.
  @Test(
    "The SQLite cases detect a bug planted in each operator",
    arguments: [
      (" = ", " <> "), (" = ", " <= "), (" = ", " >= "), (" <> ", " = "), (" != ", " < "), (" < ", " <= "),
      (" < ", " > "), (" > ", " >= "), (" <= ", " < "), (" <= ", " = "), (" >= ", " > "), (" + ", " - "),
      (" - ", " + "), (" * ", " + "), (" / ", " * "), (" AND ", " OR "), (" OR ", " AND "), ("NOT (", "("),
      (" IS NULL", " IS NOT NULL"), (" IS NOT NULL", " IS NULL"), (" LIKE ", " = "), (" NOT LIKE ", " LIKE "),
      (" NOT LIKE ", " <> "), ("_", "%"), ("%", "_"), (" ESCAPE '!'", ""), (" NOT IN (", " IN ("),
      (" NOT BETWEEN ", " BETWEEN "), ("(-(", "(+("), ("MOD(", "POWER("), ("ABS(", "FLOOR("),
      ("ABS(", "(-1) * ABS("),
      ("FLOOR(", "CEILING("), ("FLOOR(", "TRUNCATE("), ("CEILING(", "FLOOR("), ("ROUND(", "TRUNCATE("),
      ("TRUNCATE(", "ROUND("), ("LOG(", "LOG10("), ("LOG10(", "LOG("), ("SIN(", "COS("), ("COS(", "SIN("),
      ("TAN(", "SIN("), ("UPPER(", "LOWER("), ("lower(", "UPPER("), ("NULLIF(", "COALESCE("),
      ("COALESCE(", "NULLIF("), ("LEADING", "TRAILING"), ("trailing", "leading"), ("BOTH", "LEADING"),
      ("YEAR FROM", "MONTH FROM"), ("month FROM", "YEAR FROM"), ("Day FROM", "MONTH FROM"),
      ("HOUR FROM", "MINUTE FROM"), ("MINUTE FROM", "HOUR FROM"), ("SECOND FROM", "MINUTE FROM"),
      ("AS VARCHAR(1)", "AS VARCHAR(2)"), ("AS DATE)", "AS TIMESTAMP)"), (" FROM 1", " FROM 2"),
      ("POSITION('b'", "POSITION('a'"), ("MONTH)", "DAY)"), ("' DAY)", "' HOUR)"), ("' HOUR)", "' MINUTE)"),
      ("' MINUTE)", "' SECOND)"), ("' YEAR)", "' MONTH)"), (" + INTERVAL", " - INTERVAL"),
      ("CASE WHEN ", "CASE WHEN NOT "),
    ])
  func plantedBugsShow(operation: String, bug: String) throws {
    let table = try WhereConformanceFilterTests.table("sqlite-table")
    var (asked, noticed) = (0, 0)
    for item in try Self.cases.get() where item.clause.contains(operation) {
      let planted = item.clause.replacingOccurrences(of: operation, with: bug)
      // A clause that becomes invalid is not counted.
      guard let answers = try? Self.answers(planted, table) else { continue }
      asked += 1
      if answers != item.answers { noticed += 1 }
      if noticed > 0 { return }
    }
    Issue.record("\(operation) for \(bug): noticed by \(noticed) of \(asked) clauses")
  }
}
