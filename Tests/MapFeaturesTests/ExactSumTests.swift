import Foundation
import MapFeatures
import MapFilter
import MapTestSupport
import Testing

/// Exact sums compared with Python's fractions, for any order and partition.
@Suite struct ExactSumTests {
  struct Column {
    let values: [Double]
    let sum, squares, average: Double
    let variance, standardDeviation: Double?
  }

  /// Source: `Cases/make_exact_sums.py`, made for MapState: `fractions.Fraction`, and `math.fsum` where it has a sum.
  private static func columns() throws -> [Column] {
    let file = try #require(
      Bundle.module.url(forResource: "exact_sums", withExtension: "tsv", subdirectory: "Cases"))
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
      let cells = line.split(separator: "\t").map { cell in
        cell.split(separator: " ").compactMap { UInt64($0, radix: 16) }.map { Double(bitPattern: $0) }
      }
      let statistics = cells.dropFirst().map { $0[0] }
      return Column(
        values: cells[0], sum: statistics[0], squares: statistics[1], average: statistics[2],
        variance: statistics.count > 3 ? statistics[3] : nil,
        standardDeviation: statistics.count > 3 ? statistics[4] : nil)
    }
  }

  @Test("Exact sums are the same for every order and partition of the values")
  func sumsAreTheSameForEveryOrderAndPartition() throws {
    var random = SeededGenerator(seed: 20)
    var checked = 0
    for column in try Self.columns() {
      var known: (sum: [UInt8], squares: [UInt8])?
      for _ in 0..<50 {
        let values = column.values.shuffled(using: &random)
        let partCount = Int.random(in: 1...6, using: &random)
        var parts = Array(repeating: (sum: ExactSum(), squares: ExactSum()), count: partCount)
        for value in values {
          let part = Int.random(in: 0..<partCount, using: &random)
          parts[part].sum.add(value)
          parts[part].squares.addSquare(of: value)
        }
        var (sum, squares) = (ExactSum(), ExactSum())
        for part in parts.shuffled(using: &random) {
          // As if from another process.
          sum.add(try #require(ExactSum(bytes: part.sum.bytes)))
          squares.add(try #require(ExactSum(bytes: part.squares.bytes)))
        }
        let isExact = sum.value == column.sum && squares.value == column.squares
        #expect(isExact, "\(column.values): \(sum.value), \(squares.value)")
        let bytes = (sum: sum.bytes, squares: squares.bytes)
        #expect(known.map { $0 == bytes } ?? true)
        known = bytes
        checked += 1
      }
    }
    #expect(checked == 10_000)
  }

  @Test("Statistics are rounded once and are the same for every order of rows")
  func statisticsAreRoundedOnceForEveryOrderOfRows() throws {
    var random = SeededGenerator(seed: 21)
    var (values, overflows) = (0, 0)
    for column in try Self.columns() {
      for _ in 0..<3 {
        let table = StatisticsTests.table([
          ("a", .float64, column.values.shuffled(using: &random).map { .real($0) })
        ])
        let expected: [(StatisticDefinition.StatisticType, Double?)] = [
          (.sum, column.sum), (.average, column.average), (.variance, column.variance),
          (.standardDeviation, column.standardDeviation),
        ]
        for (statistic, value) in expected {
          let query = StatisticsQuery(definitions: [
            StatisticDefinition(fieldName: "a", statisticType: statistic)
          ])
          func answer() throws -> AttributeValue {
            try StatisticsTable(query, of: table, rows: RowSet(rowCount: table.rowCount, all: true))
              .records[0].statistics[0]
          }
          if let value, value.isInfinite {
            #expect(throws: StatisticsError.overflow(statistic, field: "a")) { try answer() }
            overflows += 1
          } else {
            #expect(try answer() == value.map { .real($0) } ?? .null, "\(statistic) of \(column.values)")
            values += 1
          }
        }
      }
    }
    #expect(values + overflows == 2400)
    #expect(overflows > 100)
  }

  /// Covers more rows than one piece, very different magnitudes, groups and nulls.
  @Test("Group sums over pieces of a large table equal single exact sums", arguments: [1, 7, 5000])
  func piecesOfATableAddUp(groupCount: Int) throws {
    var random = SeededGenerator(seed: UInt64(groupCount))
    let count = 300_000
    var values: [Double] = []
    for row in 0..<count {
      let exponent = Double(Int.random(in: -3...(row < count / 2 ? 3 : 200), using: &random))
      values.append(row % 97 == 0 ? 0 : Double.random(in: -1...1, using: &random) * exp2(exponent))
    }
    let isKnown = RowSet(rowCount: count, rows: (0..<count).filter { $0 % 10 != 3 })
    let keys = (0..<count).map { Int64($0 * 7919 % groupCount) }
    var expected = Array(repeating: (sum: ExactSum(), count: 0), count: groupCount)
    for row in isKnown {
      expected[Int(keys[row])].sum.add(values[row])
      expected[Int(keys[row])].count += 1
    }
    let table = FeatureColumns(
      schema: FeatureSchema(
        fields: [Field(name: "a", type: .float64), Field(name: "k", type: .int32)], geometryKind: nil,
        spatialReference: nil),
      columns: [MapFeatures.Column(.reals(values), validity: isKnown), MapFeatures.Column(.integers(keys))],
      geometry: nil, rowCount: count)
    let answer = try StatisticsTable(
      StatisticsQuery(
        definitions: [
          StatisticDefinition(fieldName: "a", statisticType: .sum),
          StatisticDefinition(fieldName: "a", statisticType: .count),
        ], groupByFieldNames: ["k"]), of: table, rows: RowSet(rowCount: count, all: true))
    #expect(answer.records.count == groupCount)
    let different = zip(answer.records, expected).count { record, expected in
      record.statistics != [
        expected.count == 0 ? .null : .real(expected.sum.value), .integer(Int64(expected.count)),
      ]
    }
    #expect(different == 0)
  }

  @Test("Statistics of 64-bit integers are exact up to their limits")
  func wholeNumbersAreExactToTheLimit() throws {
    let values: [Int64] = [.max, .max, .min, .min, 1, 0, -3]
    let table = StatisticsTests.table([("n", .int64, values.map { .integer($0) })])
    let types: [StatisticDefinition.StatisticType] = [.sum, .average, .variance, .standardDeviation]
    let answer = try StatisticsTable(
      StatisticsQuery(definitions: types.map { StatisticDefinition(fieldName: "n", statisticType: $0) }),
      of: table, rows: RowSet(rowCount: values.count, all: true))
    // Computed by fractions.Fraction.
    #expect(
      answer.records[0].statistics
        == [-4, -4.0 / 7, 5.671372782015641e+37, 7.530851732716321e+18].map { .real($0) })
  }

  @Test("A sum overflows only when its final value exceeds every double")
  func sumsOverflowOnlyBeyondAllDoubles() {
    for values in [[1e308, 1e308, -1e308], [1e308, -1e308, 1e308], [-1e308, 1e308, 1e308]] {
      var sum = ExactSum()
      for value in values { sum.add(value) }
      #expect(sum.value == 1e308)
      sum.add(1e308)
      #expect(sum.value == .infinity)
    }
  }

  @Test("Infinite and NaN terms decide the sum, and statistics refuse them")
  func nonFiniteTermsMakeTheSum() {
    let cases: [([Double], Double)] = [
      ([1, .infinity, 2], .infinity), ([1, -.infinity], -.infinity), ([.infinity, -.infinity], .nan),
      ([.nan], .nan),
    ]
    for (values, expected) in cases {
      var (first, second) = (ExactSum(), ExactSum())
      for value in values { first.add(value) }
      second.add(first)
      let copy = ExactSum(bytes: second.bytes)
      #expect(copy?.value == expected || (copy?.value.isNaN == true && expected.isNaN))
    }
    for value in [Double.nan, .infinity] {
      let table = StatisticsTests.table([("a", .float64, [.real(1), .real(value)])])
      #expect(throws: StatisticsError.notFinite(.average, field: "a")) {
        try StatisticsTable(
          StatisticsQuery(definitions: [StatisticDefinition(fieldName: "a", statisticType: .average)]),
          of: table,
          rows: RowSet(rowCount: 2, all: true))
      }
    }
  }

  /// Other processes rely on this form.
  @Test("The bytes of an exact sum are canonical, and invalid bytes are refused")
  func bytesAreCanonical() throws {
    var sum = ExactSum()
    #expect(sum.bytes == [1, 0, 0, 0])
    sum.add(1)
    #expect(sum.bytes == [1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
    sum.add(-1.5)
    #expect(sum.bytes == [1, 0, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0x80])
    sum.add(0.5)
    #expect(sum.bytes == [1, 0, 0, 0])
    sum.add(.nan)
    sum.add(-.infinity)
    #expect(sum.bytes == [1, 5, 0, 0])
    for bytes: [UInt8] in [
      [], [1, 0, 0], [2, 0, 0, 0], [1, 8, 0, 0], [1, 0, 1, 0], [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      [1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0],
      [1, 0, 0, 0] + [1, 0, 0, 0, 0, 0, 0, 0] + Array(repeating: 0, count: 8),
    ] {
      #expect(ExactSum(bytes: bytes) == nil)
    }
  }
}
