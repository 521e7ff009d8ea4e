import MapFeatures
import MapFilter
import MapTestSupport
import Testing

/// The edge cases of Esri's samples "Query table statistics" and "… group and sort", row by row.
@Suite struct StatisticsTests {
  private static let cities: FeatureColumns = {
    let names = ["a", "b", "b", nil, "B", "é", "a", nil]
    let pops: [Int64?] = [10, 20, nil, 40, 50, nil, 13_076_300, 5]
    return table([
      ("NAME", .text, names.map { $0.map { .text($0) } ?? .null }),
      ("POP", .int32, pops.map { $0.map { .integer($0) } ?? .null }),
      ("RATE", .float32, [1.5, 2.5, .nan, 4, -0.0, 0, 7, 8].map { $0.isNaN ? .null : .real($0) }),
      ("DAY", .dateOnly, (0..<8).map { $0 == 3 ? .null : .date(CalendarDate(days: 100 - Int32($0))) }),
      ("OPEN", .int16, [1, 1, 0, 0, 1, 1, 0, 0].map { .integer($0) }),
    ])
  }()

  /// A table without geometry from values.
  static func table(_ fields: [(name: String, type: FieldType, values: [AttributeValue])]) -> FeatureColumns {
    let count = fields.first?.values.count ?? 0
    let columns = fields.map { field -> Column in
      let valid = RowSet(rowCount: count, rows: field.values.indices.filter { field.values[$0] != .null })
      let validity = valid.count == count ? nil : valid
      func map<T>(_ empty: T, _ body: (AttributeValue) -> T?) -> [T] {
        field.values.map { body($0) ?? empty }
      }
      switch field.type.attributeType {
      case .text:
        var dictionary: [String] = []
        let codes = map(Int32(-1)) { value -> Int32? in
          guard case .text(let text) = value else { return nil }
          if let index = dictionary.firstIndex(of: text) { return Int32(index) }
          dictionary.append(text)
          return Int32(dictionary.count - 1)
        }
        return Column(.text(codes: codes, dictionary: dictionary), validity: validity)
      case .real:
        return Column(
          .reals(map(0) { if case .real(let value) = $0 { value } else { nil } }), validity: validity)
      case .date:
        return Column(
          .dates(map(0) { if case .date(let value) = $0 { value.days } else { nil } }), validity: validity)
      default:
        return Column(
          .integers(map(0) { if case .integer(let value) = $0 { value } else { nil } }), validity: validity)
      }
    }
    return FeatureColumns(
      schema: FeatureSchema(
        fields: fields.map { Field(name: $0.name, type: $0.type) }, geometryKind: nil, spatialReference: nil),
      columns: columns, geometry: nil, rowCount: count)
  }

  private static func all(_ field: String) -> [StatisticDefinition] {
    [.average, .count, .maximum, .minimum, .standardDeviation, .sum, .variance].map {
      StatisticDefinition(fieldName: field, statisticType: $0)
    }
  }

  private static func answer(
    _ definitions: [StatisticDefinition], by groups: [String] = [], order: [OrderBy] = [],
    rows: [Int]? = nil, of table: FeatureColumns = cities
  ) async throws -> StatisticsTable {
    try StatisticsTable(
      StatisticsQuery(definitions: definitions, groupByFieldNames: groups, orderByFields: order), of: table,
      rows: rows.map { RowSet(rowCount: table.rowCount, rows: $0) }
        ?? RowSet(rowCount: table.rowCount, all: true)
    )
  }

  @Test("Default aliases combine the statistic and the field name in the field's own case")
  func defaultAliasesKeepTheFieldsCase() async throws {
    let answer = try await Self.answer(Self.all("POP"))
    #expect(
      answer.aliases == ["AVG_POP", "COUNT_POP", "MAX_POP", "MIN_POP", "STDDEV_POP", "SUM_POP", "VAR_POP"])
    #expect(
      StatisticDefinition(fieldName: "Diabetes_Percent", statisticType: .average).outputAlias
        == "AVG_Diabetes_Percent")
    try #require(answer.records.count == 1)
    #expect(answer.records[0].group == [])
  }

  @Test("Nulls are ignored in statistics, and minimum and maximum keep the field's type")
  func nullsCountNowhereAndTypesAreKept() async throws {
    let values = try await Self.answer(Self.all("POP")).records[0].statistics
    let sum = 13_076_425.0
    #expect(values[0] == .real(sum / 6))
    #expect(values[1] == .integer(6))
    #expect(values[5] == .real(sum))
    #expect(values[2] == .integer(13_076_300))
    #expect(values[3] == .integer(5))
    guard case .real(let deviation) = values[4], case .real(let variance) = values[6] else {
      Issue.record("not real")
      return
    }
    #expect(abs(deviation * deviation / variance - 1) < 1e-15)
    // Divisor n - 1, by hand.
    let pops = [10.0, 20, 40, 50, 13_076_300, 5]
    let expected = pops.reduce(0) { $0 + ($1 - sum / 6) * ($1 - sum / 6) } / 5
    #expect(abs(variance / expected - 1) < 1e-14)
  }

  @Test("Statistics of no rows are null except the count, and of one row have no variance")
  func noRowsOneRow() async throws {
    let none = try await Self.answer(Self.all("POP"), rows: [])
    #expect(none.records.map(\.statistics) == [[.null, .integer(0), .null, .null, .null, .null, .null]])
    let one = try await Self.answer(Self.all("POP"), rows: [1])
    #expect(
      one.records[0].statistics == [
        .real(20), .integer(1), .integer(20), .integer(20), .null, .real(20), .null,
      ])
    #expect(try await Self.answer(Self.all("POP"), by: ["NAME"], rows: []).records.isEmpty)
  }

  @Test("Records are grouped by exact values and ordered, with null as a group of its own")
  func groups() async throws {
    let count = [StatisticDefinition(fieldName: "POP", statisticType: .count)]
    // Text is grouped exactly as stored, in the order of scalars; null is the last group.
    let byName = try await Self.answer(count, by: ["NAME"])
    #expect(byName.records.map(\.group) == [[.text("B")], [.text("a")], [.text("b")], [.text("é")], [.null]])
    #expect(byName.records.map(\.statistics) == [[1], [2], [1], [0], [2]].map { $0.map { .integer($0) } })
    let down = try await Self.answer(
      count, by: ["NAME"], order: [OrderBy(fieldName: "name", sortOrder: .descending)])
    #expect(down.records.map(\.group) == byName.records.map(\.group).reversed())
    // Ordered by the order fields, then by the remaining groups, ascending.
    let two = try await Self.answer(
      count, by: ["NAME", "OPEN"], order: [OrderBy(fieldName: "OPEN", sortOrder: .descending)])
    #expect(
      two.records.map(\.group) == [
        [.text("B"), .integer(1)], [.text("a"), .integer(1)], [.text("b"), .integer(1)],
        [.text("é"), .integer(1)], [.text("a"), .integer(0)], [.text("b"), .integer(0)],
        [.null, .integer(0)],
      ])
    // Minus zero equals zero; dates and numbers are grouped by value.
    #expect(try await Self.answer(count, by: ["RATE"]).records.count == 7)
    #expect(try await Self.answer(count, by: ["DAY"]).records.first?.group == [.date(CalendarDate(days: 93))])
    // The name is spelled as requested; a repeated name counts once.
    #expect(try await Self.answer(count, by: ["name", "NAME"]).groupFieldNames == ["name"])
    let twice = [OrderBy(fieldName: "NAME", sortOrder: .descending), OrderBy(fieldName: "NAME")]
    #expect(try await Self.answer(count, by: ["NAME"], order: twice).records.first?.group == [.null])
  }

  @Test("Three thousand groups each have their own record")
  func manyGroups() async throws {
    let values = (0..<3000).map { AttributeValue.integer(Int64(($0 * 7919) % 3000)) }
    let table = Self.table([("K", .int32, values)])
    let answer = try await Self.answer(
      [StatisticDefinition(fieldName: "K", statisticType: .maximum)], by: ["K"], of: table)
    #expect(answer.records.map(\.group) == (0..<3000).map { [.integer($0)] })
    #expect(answer.records.allSatisfy { $0.group == $0.statistics })
  }

  @Test("Text and date fields have minimum, maximum and count")
  func textAndDatesHaveBounds() async throws {
    func bounds(_ field: String) async throws -> [AttributeValue] {
      try await Self.answer([
        StatisticDefinition(fieldName: field, statisticType: .minimum),
        StatisticDefinition(fieldName: field, statisticType: .maximum),
        StatisticDefinition(fieldName: field, statisticType: .count),
      ]).records[0].statistics
    }
    #expect(try await bounds("NAME") == [.text("B"), .text("é"), .integer(6)])
    #expect(
      try await bounds("DAY") == [
        .date(CalendarDate(days: 93)), .date(CalendarDate(days: 100)), .integer(7),
      ])
  }

  private static let pop = StatisticDefinition(fieldName: "POP", statisticType: .sum)

  @Test("An invalid statistics query is an error that names the reason")
  func errors() async throws {
    let cases: [(StatisticsQuery, String)] = [
      (StatisticsQuery(definitions: []), "no statistic is requested"),
      (
        StatisticsQuery(definitions: [StatisticDefinition(fieldName: "PUP", statisticType: .sum)]),
        "unknown field 'PUP'; did you mean 'POP'?"
      ),
      (
        StatisticsQuery(definitions: [StatisticDefinition(fieldName: "NAME", statisticType: .average)]),
        "average of 'NAME' needs numbers, but the field is text"
      ),
      (
        StatisticsQuery(definitions: [StatisticDefinition(fieldName: "DAY", statisticType: .sum)]),
        "sum of 'DAY' needs numbers, but the field is date"
      ),
      (
        StatisticsQuery(definitions: [Self.pop, Self.pop]),
        "two statistics have the name 'SUM_POP'; rename one of them"
      ),
      (
        StatisticsQuery(
          definitions: [StatisticDefinition(fieldName: "POP", statisticType: .sum, outputAlias: "NAME")],
          groupByFieldNames: ["NAME"]), "a statistic has the name of the group field 'NAME'; rename it"
      ),
      (
        StatisticsQuery(definitions: [
          StatisticDefinition(fieldName: "POP", statisticType: .sum, outputAlias: "a b")
        ]), "the name 'a b' may contain only letters, digits and _"
      ),
      (
        StatisticsQuery(definitions: [Self.pop], groupByFieldNames: ["NAME", "WHAT"]),
        "unknown field 'WHAT'; available: NAME, POP, RATE, DAY, OPEN"
      ),
      (
        StatisticsQuery(
          definitions: [Self.pop], groupByFieldNames: ["NAME"], orderByFields: [OrderBy(fieldName: "OPEN")]),
        "cannot order by 'OPEN', which is no group field and no statistic; available: NAME, SUM_POP"
      ),
      (
        StatisticsQuery(definitions: [Self.pop], orderByFields: [OrderBy(fieldName: "NAME")]),
        "cannot order by 'NAME', which is no group field and no statistic; available: SUM_POP"
      ),
      (
        StatisticsQuery(
          definitions: [Self.pop], groupByFieldNames: ["NAME"],
          orderByFields: [OrderBy(fieldName: "SUM_POPP")]
        ),
        "cannot order by 'SUM_POPP', which is no group field and no statistic; did you mean 'SUM_POP'?"
      ),
    ]
    for (query, message) in cases {
      do {
        _ = try StatisticsTable(
          query, of: Self.cities, rows: RowSet(rowCount: Self.cities.rowCount, all: true))
        Issue.record("no error: \(message)")
      } catch {
        #expect("\(error)" == message)
      }
    }
    // With another name it is a second statistic.
    let renamed = StatisticDefinition(fieldName: "POP", statisticType: .sum, outputAlias: "people")
    #expect(try await Self.answer([Self.pop, renamed]).aliases == ["SUM_POP", "people"])
  }

  /// 1e9 plus a little noise, as integers beyond 2^53 and as decimals, compared with sums in integer
  /// arithmetic.
  @Test(
    "Variances and sums of large integers and decimals lose no digits",
    arguments: [0, 1_000_000_000, 9_007_199_254_740_993])
  func noDigitIsLost(offset: Int64) async throws {
    var random = SeededGenerator(seed: 41)
    let noise = (0..<300_000).map { _ in Int64.random(in: -3...3, using: &random) }
    let table = Self.table([
      ("I", .int64, noise.map { .integer(offset + $0) }),
      ("R", .float64, noise.map { .real(Double(offset / 1_000_000) + Double($0) / 1024) }),
      ("G", .int16, noise.indices.map { .integer(Int64($0 % 7)) }),
    ])
    let groups = Dictionary(grouping: noise.indices) { $0 % 7 }
    let answer = try await Self.answer(Self.all("I") + Self.all("R"), by: ["G"], of: table)
    #expect(answer.records.count == 7)
    for record in answer.records {
      guard case .integer(let group) = record.group[0], let rows = groups[Int(group)] else {
        Issue.record("no group \(record.group)")
        continue
      }
      let (count, total) = (Int64(rows.count), rows.reduce(0) { $0 + noise[$1] })
      // (n Σd² - (Σd)²) / (n (n - 1)), exact up to the one division.
      let squares = rows.reduce(0) { $0 + noise[$1] * noise[$1] }
      let variance = Double(count * squares - total * total) / Double(count * (count - 1))
      guard case .real(let found) = record.statistics[6], case .real(let ofReals) = record.statistics[13]
      else {
        Issue.record("no variance")
        continue
      }
      #expect(abs(found / variance - 1) < 1e-13)
      #expect(abs(ofReals * 1_048_576 / variance - 1) < 1e-13)
      #expect(record.statistics[5] == .real(Double(Int128(offset) * Int128(count) + Int128(total))))
    }
  }

  @Test("Repeated statistics over a large table give identical digits")
  func sameDigitsInEveryOrderOfRuns() async throws {
    var random = SeededGenerator(seed: 5)
    let values = (0..<300_000).map { _ in Double.random(in: -1e6...1e6, using: &random) }
    let table = Self.table([("R", .float64, values.map { .real($0) })])
    let first = try await Self.answer(Self.all("R"), of: table)
    for _ in 0..<5 { #expect(try await Self.answer(Self.all("R"), of: table) == first) }
    // Compared with the simple two-pass algorithm over doubles.
    let mean = values.reduce(0, +) / Double(values.count)
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)
    guard case .real(let found) = first.records[0].statistics[6] else {
      Issue.record("no variance")
      return
    }
    #expect(abs(found / variance - 1) < 1e-11)
  }

  @Test("A sum that exceeds every double is an overflow error")
  func sumsBeyondDoublesAreErrors() async throws {
    let table = Self.table([("R", .float64, [.real(1.7e308), .real(1.7e308)])])
    await #expect(throws: StatisticsError.overflow(.sum, field: "R")) {
      _ = try await Self.answer([StatisticDefinition(fieldName: "R", statisticType: .sum)], of: table)
    }
  }

  @Test("A variance that exceeds every double is an overflow error")
  func aVarianceBeyondDoublesIsAnError() async throws {
    let table = Self.table([("R", .float64, [.real(1e200), .real(-1e200), .real(0)])])
    await #expect(throws: StatisticsError.overflow(.variance, field: "R")) {
      _ = try await Self.answer([StatisticDefinition(fieldName: "R", statisticType: .variance)], of: table)
    }
  }

  /// Numbers close together are indexed directly, and numbers a thousand million apart in order of first
  /// appearance.
  @Test("Groups by close and by distant numbers give the same records")
  func bothWaysOfNumberingGroupsAgree() async throws {
    var random = SeededGenerator(seed: 43)
    func column(_ values: ClosedRange<Int>, _ make: (Int) -> AttributeValue) -> [AttributeValue] {
      (0..<40_000).map { _ in
        let value = Int.random(in: values, using: &random)
        return value == values.upperBound ? .null : make(value)
      }
    }
    let near = column(-3...4) { .integer(Int64($0)) }
    let far = near.map { value -> AttributeValue in
      if case .integer(let number) = value { .integer(number * 1_000_000_000) } else { value }
    }
    let table = Self.table([
      ("T", .text, column(0...5) { .text("text \($0)") }), ("NEAR", .int64, near), ("FAR", .int64, far),
      ("R", .float64, column(0...1000) { .real(Double($0) / 7) }),
    ])
    let rows = (0..<40_000).filter { $0 % 3 != 1 }
    let first = try await Self.answer(Self.all("R"), by: ["T", "NEAR"], rows: rows, of: table)
    let second = try await Self.answer(Self.all("R"), by: ["T", "FAR"], rows: rows, of: table)
    #expect(first.records.count == 6 * 8)
    #expect(first.records.map(\.statistics) == second.records.map(\.statistics))
    #expect(first.records.map(\.group[0]) == second.records.map(\.group[0]))
    // Compared with a test of each row.
    for record in first.records {
      let members = rows.filter {
        table.columns[0].value(at: $0) == record.group[0] && table.columns[1].value(at: $0) == record.group[1]
      }
      let values = members.compactMap { row -> Double? in
        if case .real(let value) = table.columns[3].value(at: row) { value } else { nil }
      }
      #expect(record.statistics[1] == .integer(Int64(values.count)))
      #expect(record.statistics[2] == values.max().map { .real($0) } ?? .null)
      #expect(record.statistics[3] == values.min().map { .real($0) } ?? .null)
    }
  }
}
