import MapFeatures
import MapFilter
import Testing

/// Clauses by chance, each row's answer held against SQLite's; see Cases/Where/make-sqlite-cases.py.
@Suite struct SQLiteDifferentialTests {
  @Test func answersAreTheSame() throws {
    let table = try WhereConformanceFilterTests.table("sqlite-table")
    #expect(table.rows.count == 24)
    let cases = try WhereConformanceFilterTests.lines("sqlite-cases.tsv").dropFirst()
    #expect(cases.count == 2600)
    var answers: [Character: Int] = [:]
    for item in cases {
      let read = try #require(try FilterText(where: item[0]), "\(item[0])")
      let filter = try CompiledFilter(read.expression, for: table.columns, places: read.places)
      let (isTrue, isUnknown) = filter.truth(in: table.columns)
      let own = String(
        (0..<table.rows.count).map { isUnknown.contains($0) ? "N" : isTrue.contains($0) ? "T" : "F" })
      #expect(own == item[1], "\(item[0])")
      for answer in item[1] { answers[answer, default: 0] += 1 }
    }
    #expect(answers.values.allSatisfy { $0 > 10_000 } && answers.count == 3, "\(answers)")
  }
}
