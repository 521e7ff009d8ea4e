import MapFeatures
import MapFilter
import MapTestSupport
import Testing

@Suite struct PartialStatisticsTests {
  private static let fields: [(name: String, type: FieldType)] = [
    ("g", .text), ("h", .int64), ("k", .float64), ("i", .int64), ("r", .float64), ("t", .text), ("b", .date),
  ]

  private static func row(_ random: inout SeededGenerator) -> [AttributeValue] {
    func pick(_ values: [AttributeValue]) -> AttributeValue { values.randomElement(using: &random) ?? .null }
    let huge =
      Double.random(in: -1...1, using: &random)
      * Double(sign: .plus, exponent: .random(in: -300...300, using: &random), significand: 1)
    return [
      // Both forms of é are different texts.
      pick([.text("a"), .text("b"), .text("\u{e9}"), .text("e\u{301}"), .null]),
      pick([.integer(1), .integer(.max), .integer(.min), .null]),
      pick([.real(0), .real(-0.0), .real(2.5), .null]),
      pick([.integer(.random(in: .min ... .max, using: &random)), .integer(3), .null]),
      pick([.real(huge), .real(-0.0), .real(0), .real(1e16), .real(-1e16), .null]),
      pick([.text("z"), .text("\u{1F600}"), .text(""), .null]),
      pick([
        .instant(Instant(microseconds: .random(in: -9_000_000_000...9_000_000_000, using: &random))), .null,
      ]),
    ]
  }

  private static func table(_ rows: [[AttributeValue]]) -> FeatureColumns {
    FeatureColumns(
      schema: FeatureSchema(
        fields: fields.map { Field(name: $0.name, type: $0.type) }, geometryKind: nil, spatialReference: nil),
      columns: fields.enumerated().map { index, field in
        Column(of: rows.map { $0[index] }, type: field.type)
      }, geometry: nil, rowCount: rows.count)
  }

  private static func query(_ random: inout SeededGenerator) -> StatisticsQuery {
    let numeric = StatisticDefinition.StatisticType.all
    var definitions = ["i", "r"].flatMap { field in
      numeric.map { StatisticDefinition(fieldName: field, statisticType: $0) }
    }
    for field in ["t", "b"] {
      for type in [StatisticDefinition.StatisticType.count, .minimum, .maximum] {
        definitions.append(StatisticDefinition(fieldName: field, statisticType: type))
      }
    }
    definitions.append(StatisticDefinition(fieldName: "*", statisticType: .count))
    var query = StatisticsQuery(
      definitions: definitions.filter { _ in Bool.random(using: &random) },
      groupByFieldNames: ["g", "h", "k", "b"].filter { _ in Int.random(in: 0..<3, using: &random) == 0 })
    if query.definitions.isEmpty { query.definitions = [definitions[0]] }
    if Bool.random(using: &random), let first = query.definitions.first {
      query.orderByFields = [OrderBy(fieldName: first.outputAlias, sortOrder: .descending)]
      query.maxRecords = 5
    }
    return query
  }

  @Test("Statistics of 400 random tables cut into parts equal those of the whole table, bit by bit")
  func randomTables() throws {
    var random = SeededGenerator(seed: 30)
    var (records, parts, empty) = (0, 0, 0)
    for _ in 0..<400 {
      let rows = (0..<Int.random(in: 0...120, using: &random)).map { _ in Self.row(&random) }
      let query = Self.query(&random)
      let whole = Self.table(rows)
      let expected = try StatisticsTable(query, of: whole, rows: RowSet(rowCount: rows.count, all: true))
      let cuts = ([0, rows.count] + (0..<3).map { _ in Int.random(in: 0...rows.count, using: &random) })
        .sorted()
      var joined: PartialStatistics?
      for (start, end) in zip(cuts, cuts.dropFirst()) {
        let table = Self.table(Array(rows[start..<end]))
        let part = try PartialStatistics(query, of: table, rows: RowSet(rowCount: end - start, all: true))
        var writer = StateWriter()
        part.write(to: &writer)
        var reader = StateReader(writer.bytes[...])
        let read = try PartialStatistics(from: &reader)
        #expect(reader.isAtEnd)
        parts += 1
        empty += start == end ? 1 : 0
        if joined == nil { joined = read } else { try joined?.add(read) }
      }
      let found = try #require(try joined?.table(query))
      #expect(found == expected)
      // Equal values have equal texts, also 0 and -0.
      #expect("\(found.records)" == "\(expected.records)")
      records += found.records.count
    }
    #expect(parts == 1600 && empty > 20)
    #expect(records > 2000, "\(records)")
  }

  @Test(
    "Statistics that need all values at once are refused by name",
    arguments: ["median", "percentile:90", "distinct"])
  func refusals(name: String) throws {
    let type = try #require(StatisticDefinition.StatisticType(rawValue: name))
    let query = StatisticsQuery(definitions: [StatisticDefinition(fieldName: "r", statisticType: type)])
    #expect(throws: StatisticsError.notMergeable(type, field: "r")) { try query.checkMergeable() }
  }

  @Test("Parts with another type of a field are refused")
  func fieldTypes() throws {
    let query = StatisticsQuery(definitions: [StatisticDefinition(fieldName: "r", statisticType: .count)])
    func part(_ type: FieldType) throws -> PartialStatistics {
      let table = StatisticsTests.table([("r", type, [.null])])
      return try PartialStatistics(query, of: table, rows: RowSet(rowCount: 1, all: true))
    }
    var first = try part(.float64)
    let second = try part(.text)
    let error = #expect(throws: PartialFieldsError.self) { try first.add(second) }
    #expect(error?.description == "the fields differ: r (real) and r (text)")
  }

  @Test("Bytes that are cut anywhere are refused")
  func cuts() throws {
    var random = SeededGenerator(seed: 31)
    let rows = (0..<20).map { _ in Self.row(&random) }
    let query = StatisticsQuery(
      definitions: ["i", "r"].map { StatisticDefinition(fieldName: $0, statisticType: .variance) },
      groupByFieldNames: ["g"])
    var writer = StateWriter()
    try PartialStatistics(query, of: Self.table(rows), rows: RowSet(rowCount: 20, all: true)).write(
      to: &writer)
    #expect(writer.bytes.count > 500)
    for end in 0..<writer.bytes.count {
      #expect(throws: StateBytesError.self) {
        var reader = StateReader(writer.bytes[..<end])
        _ = try PartialStatistics(from: &reader)
      }
    }
  }
}
