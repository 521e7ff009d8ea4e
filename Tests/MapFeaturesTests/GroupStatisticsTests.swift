import Foundation
import MapFeatures
import MapFilter
import MapTestSupport
import Testing

/// Percentiles, distinct values, conditions on records, orders and limits.
@Suite struct GroupStatisticsTests {
  private static let fields: [(name: String, type: FieldType)] = [
    ("g", .text), ("h", .int64), ("i", .int64), ("r", .float64), ("t", .text),
  ]
  private static let shortNames: [String: StatisticDefinition.StatisticType] = [
    "avg": .average, "min": .minimum, "max": .maximum, "std": .standardDeviation, "var": .variance,
  ]

  private static func definition(_ text: String) throws -> StatisticDefinition {
    let words = text.split(separator: ":").map(String.init)
    let name = words.dropLast(2).joined(separator: ":")
    let type = try #require(shortNames[name] ?? StatisticDefinition.StatisticType(rawValue: name), "\(name)")
    return StatisticDefinition(
      fieldName: words[words.count - 2], statisticType: type, outputAlias: words[words.count - 1])
  }

  private static func order(_ text: String) -> OrderBy {
    let words = text.split(separator: ":").map(String.init)
    return OrderBy(
      fieldName: words[0], sortOrder: words[1] == "desc" ? .descending : .ascending,
      nullOrder: words.count < 3 ? nil : words[2] == "nulls-first" ? .first : .last)
  }

  private static func column(_ values: [Any], _ type: FieldType) -> [AttributeValue] {
    values.map { value in
      switch (value, type) {
      case (let text as String, .text): .text(text)
      case (let number as NSNumber, .int64): .integer(number.int64Value)
      case (let number as NSNumber, .float64): .real(number.doubleValue)
      default: .null
      }
    }
  }

  private func isEqual(_ found: AttributeValue, _ expected: Any) -> Bool {
    switch (found, expected) {
    case (.null, is NSNull): true
    case (.text(let text), let other as String): text == other
    case (.integer(let value), let other as NSNumber): Double(value) == other.doubleValue
    case (.real(let value), let other as NSNumber):
      abs(value - other.doubleValue) <= 1e-9 * max(abs(value), abs(other.doubleValue))
    default: false
    }
  }

  /// Source: `Cases/make_group_statistics.py`, made for MapState with DuckDB 2.0.
  @Test("Statistics of 300 random tables with groups, conditions and orders equal those of DuckDB")
  func randomTables() throws {
    let url = try #require(
      Bundle.module.url(forResource: "group_statistics", withExtension: "jsonl", subdirectory: "Cases"))
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 300)
    var (records, conditions, percentiles, distinct, limited) = (0, 0, 0, 0, 0)
    for (index, line) in lines.enumerated() {
      let json = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let columns = try #require(json["columns"] as? [String: [Any]])
      let table = StatisticsTests.table(
        Self.fields.map { ($0.name, $0.type, Self.column(columns[$0.name] ?? [], $0.type)) })
      let texts = try #require(json["statistics"] as? [String])
      var query = StatisticsQuery(
        definitions: try texts.map(Self.definition),
        groupByFieldNames: try #require(json["groupBy"] as? [String]),
        orderByFields: try #require(json["orderBy"] as? [String]).map(Self.order))
      query.havingClause = try #require(json["having"] as? String)
      query.maxRecords = try #require(json["top"] as? Int)
      let answer = try StatisticsTable(query, of: table, rows: RowSet(rowCount: table.rowCount, all: true))
      let expected = try #require(json["records"] as? [[Any]])
      #expect(answer.records.count == expected.count, "case \(index)")
      for (record, values) in zip(answer.records, expected) {
        let found = record.group + record.statistics
        #expect(found.count == values.count)
        for (one, other) in zip(found, values) {
          #expect(isEqual(one, other), "case \(index): \(one), not \(other)")
        }
      }
      records += expected.count
      if !query.havingClause.isEmpty, !expected.isEmpty { conditions += 1 }
      if query.maxRecords > 0, expected.count == query.maxRecords { limited += 1 }
      percentiles += texts.count { $0.hasPrefix("percentile") || $0.hasPrefix("median") }
      distinct += texts.count { $0.hasPrefix("distinct") }
    }
    #expect(records == 256)
    #expect(conditions == 70)
    #expect(limited == 38)
    #expect(percentiles == 152)
    #expect(distinct == 92)
  }

  private static let cities = StatisticsTests.table([
    ("state", .text, ["a", "b", "a", "b", "a"].map { .text($0) }),
    ("POP", .int32, ([10, 20, 30, nil, 50] as [Int64?]).map { $0.map { .integer($0) } ?? .null }),
    ("R", .float64, [-0.0, 0, 0.5, .infinity, 1].map { .real($0) }),
  ])

  private static func answer(_ query: StatisticsQuery) throws -> StatisticsTable {
    try StatisticsTable(query, of: cities, rows: RowSet(rowCount: cities.rowCount, all: true))
  }

  @Test("Count of all rows includes nulls, alone and beside statistics of fields")
  func allRows() throws {
    let rows = StatisticDefinition(fieldName: StatisticDefinition.allRows, statisticType: .count)
    #expect(rows.outputAlias == "COUNT")
    let values = StatisticDefinition(fieldName: "POP", statisticType: .count)
    var query = StatisticsQuery(definitions: [rows, values], groupByFieldNames: ["state"])
    #expect(
      try Self.answer(query).records.map(\.statistics) == [
        [.integer(3), .integer(3)], [.integer(2), .integer(1)],
      ])
    query.definitions = [rows]
    #expect(try Self.answer(query).records.map(\.statistics) == [[.integer(3)], [.integer(2)]])
    query.groupByFieldNames = []
    #expect(try Self.answer(query).records.map(\.statistics) == [[.integer(5)]])
  }

  @Test("Default aliases of percentiles and distinct values are names")
  func aliases() {
    func alias(_ type: StatisticDefinition.StatisticType) -> String {
      StatisticDefinition(fieldName: "POP", statisticType: type).outputAlias
    }
    #expect(alias(.median) == "MEDIAN_POP")
    #expect(alias(.percentile(90)) == "P90_POP")
    #expect(alias(.percentile(99.9)) == "P99_9_POP")
    #expect(alias(.distinct) == "DISTINCT_POP")
    for type in [StatisticDefinition.StatisticType.median, .percentile(2.5), .distinct, .average] {
      #expect(StatisticDefinition.StatisticType(rawValue: type.rawValue) == type)
    }
    #expect(StatisticDefinition.StatisticType(rawValue: "percentile:50") == .median)
    #expect(StatisticDefinition.StatisticType(rawValue: "percentile:x") == nil)
  }

  @Test("0 and -0 are one distinct value, and a percentile of both is 0")
  func zeros() throws {
    var query = StatisticsQuery(definitions: [
      StatisticDefinition(fieldName: "R", statisticType: .distinct),
      StatisticDefinition(fieldName: "R", statisticType: .percentile(0)),
    ])
    let record = try #require(try Self.answer(query).records.first)
    #expect(record.statistics[0] == .integer(4))
    guard case .real(let least) = record.statistics[1] else {
      Issue.record("no percentile")
      return
    }
    #expect(least.sign == .plus)
    query.definitions = [StatisticDefinition(fieldName: "R", statisticType: .percentile(100))]
    #expect(throws: StatisticsError.notFinite(.percentile(100), field: "R")) { try Self.answer(query) }
  }

  @Test("Wrong percentiles, names and conditions are errors that name the nearest name")
  func errors() throws {
    func error(_ change: (inout StatisticsQuery) -> Void) -> String {
      var query = StatisticsQuery(
        definitions: [StatisticDefinition(fieldName: "POP", statisticType: .median, outputAlias: "middle")],
        groupByFieldNames: ["state"])
      change(&query)
      do {
        return "no error: \(try Self.answer(query))"
      } catch {
        return "\(error)"
      }
    }
    #expect(
      error { $0.definitions = [.init(fieldName: "POP", statisticType: .percentile(101))] }.contains(
        "0 to 100"))
    #expect(error { $0.definitions = [.init(fieldName: "*", statisticType: .sum)] }.contains("needs a field"))
    #expect(
      error { $0.definitions = [.init(fieldName: "state", statisticType: .median)] }.contains("needs numbers")
    )
    #expect(error { $0.orderByFields = [OrderBy(fieldName: "midle")] }.contains("did you mean 'middle'?"))
    #expect(error { $0.orderByFields = [OrderBy(fieldName: "POP")] }.contains("available: state, middle"))
    #expect(error { $0.havingClause = "midle > 3" }.contains("having clause"))
    #expect(error { $0.havingClause = "midle > 3" }.contains("middle"))
    #expect(error { $0.havingClause = "middle > 'x'" }.contains("having clause"))
    #expect(error { $0.havingClause = "middle >" }.contains("having clause"))
    #expect(error { $0.havingClause = "R > 1" }.contains("having clause"))
  }
}
