import MapFeatures
import MapFilter
import MapReaders
import MapTestSupport
import Testing

/// Integers in 32 bits give the answers of the same integers in 64 bits.
@Suite struct ShortIntegersTests {
  /// A table with the same random integers in two columns, `short` and `long`, and others in `other`.
  private static func table(rows: Int, seed: UInt64, nulls: Bool, outliers: Bool = true) -> FeatureColumns {
    var random = SeededGenerator(seed: seed)
    let values = (0..<rows).map { row -> Int32 in
      outliers && row % 100 == 0
        ? [Int32.min, .max, -1, 0][row / 100 % 4] : .random(in: -40...40, using: &random)
    }
    let valid = nulls ? RowSet(rowCount: rows, rows: (0..<rows).filter { $0 % 7 != 3 }) : nil
    let others = (0..<rows).map { _ in Int64.random(in: -9_000_000_000...9_000_000_000, using: &random) }
    return FeatureColumns(
      schema: FeatureSchema(
        fields: ["short", "long", "other"].map { Field(name: $0, type: .int64) }, geometryKind: nil,
        spatialReference: nil),
      columns: [
        Column(.shortIntegers(values), validity: valid),
        Column(.integers(values.map { Int64($0) }), validity: valid), Column(.integers(others)),
      ], geometry: nil, rowCount: rows)
  }

  @Test(
    "All statistics, groups and orders are the same", arguments: [false, true], [false, true])
  func statistics(nulls: Bool, outliers: Bool) throws {
    let table = Self.table(rows: 40_000, seed: 71, nulls: nulls, outliers: outliers)
    let types: [StatisticDefinition.StatisticType] = [
      .average, .count, .distinct, .maximum, .minimum, .percentile(30), .standardDeviation, .sum, .variance,
    ]
    func answer(_ field: String, by groups: [String]) throws -> [StatisticsTable.Record] {
      let query = StatisticsQuery(
        definitions: types.enumerated().map {
          StatisticDefinition(fieldName: field, statisticType: $1, outputAlias: "s\($0)")
        }, groupByFieldNames: groups, orderByFields: groups.map { OrderBy(fieldName: $0) })
      return try StatisticsTable(query, of: table, rows: RowSet(rowCount: table.rowCount, all: true)).records
    }
    #expect(try answer("short", by: []) == answer("long", by: []))
    let groups = try answer("other", by: ["long"])
    #expect(groups.count > 80)
    #expect(try answer("other", by: ["short"]) == groups)
    #expect(try answer("short", by: ["long"]) == answer("long", by: ["short"]))
  }

  @Test("Filters have the same rows, also with numbers that do not fit 32 bits")
  func filters() throws {
    let table = Self.table(rows: 9000, seed: 72, nulls: true)
    var found = 0
    for condition in [
      "= 5", "<> 5", "< -3.5", "<= -3.5", "> 3.5", ">= 40", "= 3.5", "= 2147483647", "< 2147483648",
      "> 2147483647.5", ">= -2147483648", "< -2147483648.5", "> -2147483649", "<= 9000000000", "< 1e300",
      "> -1e300", "= 9000000000", "IN (1, 2, -2147483648, 9000000000)", "NOT IN (3, 2147483647)",
      "BETWEEN -2 AND 9000000000", "+ 1 > 12", "IS NULL", "> other", "<= other", "= CAST(other AS INTEGER)",
    ] {
      func rows(_ field: String) throws -> RowSet {
        let filter = try #require(try SQLWhereParser.parse("\(field) \(condition)"))
        return try CompiledFilter(filter, for: table).rows(in: table)
      }
      let long = try rows("long")
      #expect(try rows("short") == long, "\(condition)")
      found += long.count
    }
    #expect(found > 30_000)
    let pairs = try CompiledFilter(
      try #require(try SQLWhereParser.parse("short = long AND long = short AND short = short")), for: table)
    // Every seventh row is null, from the fourth on.
    #expect(pairs.rows(in: table).count == 9000 - 1286)
  }

  @Test("A declared column becomes long with the first integer that needs it, wherever it is")
  func declaredColumns() {
    var random = SeededGenerator(seed: 73)
    for round in 0..<200 {
      let count = Int.random(in: 0...300, using: &random)
      // No long integer, one, or several.
      let longs = Set((0..<round % 4).map { _ in Int.random(in: 0...300, using: &random) })
      let values = (0..<count).map { row -> Int64? in
        if longs.contains(row) { return [Int64(Int32.max) + 1, Int64(Int32.min) - 1, .max][row % 3] }
        return row % 11 == 5 ? nil : Int64(Int32.random(in: .min ... .max, using: &random))
      }
      let field = Field(name: "n", type: .int64)
      var whole = DeclaredColumn(field, .integer)
      var start = 0
      while start < count {
        let end = min(count, start + Int.random(in: 1...120, using: &random))
        var part = DeclaredColumn(field, .integer)
        for value in values[start..<end] {
          if let value { part.append(integer: value) } else { part.appendNull() }
        }
        whole.append(part)
        start = end
      }
      let column = whole.finished().column
      #expect(column.count == count)
      #expect((0..<count).allSatisfy { column.value(at: $0) == values[$0].map { .integer($0) } ?? .null })
      let needsLong = values.contains { $0.map { Int32(exactly: $0) == nil } ?? false }
      if case .shortIntegers = column.storage { #expect(!needsLong) } else { #expect(needsLong) }
    }
  }
}
