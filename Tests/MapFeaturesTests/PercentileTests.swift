import MapFeatures
import MapFilter
import MapGeometry
import Testing

/// Percentiles with the nearest doubles of their exact values, which Python's fractions give.
@Suite struct PercentileTests {
  private static func percentile(
    _ share: Double, of values: [AttributeValue], type: FieldType
  ) throws -> AttributeValue {
    let table = FeatureColumns(
      schema: FeatureSchema(
        fields: [Field(name: "v", type: type)], geometryKind: nil, spatialReference: nil),
      columns: [Column(of: values, type: type)], geometry: nil, rowCount: values.count)
    let query = StatisticsQuery(
      definitions: [StatisticDefinition(fieldName: "v", statisticType: .percentile(share))])
    let rows = RowSet(rowCount: values.count, all: true)
    return try StatisticsTable(query, of: table, rows: rows).records[0].statistics[0]
  }

  @Test(
    "A percentile of numbers is the double nearest to its exact value",
    arguments: [
      ([0.1, 0.2, 0.3], 66.66666666666667, 0.23333333333333334),
      ([0.1, 0.2, 0.3], 33.3, 0.1666),
      ([0.1, 0.2, 0.3], 99.9, 0.2998),
      ([0.1, 0.2, 0.3], 0, 0.1),
      ([-967.0, -10.0, 20.0, 98.0], 33.3, -10.957),
      ([-967.0, -10.0, 20.0, 98.0], 100, 98.0),
      ([-967.0, -10.0, 20.0, 98.0], 12.5, -608.125),
      ([-967.0, -10.0, 20.0, 98.0], 0, -967.0),
      ([1e+308, -1e+308, 1.7e+308], 66.66666666666667, 1.2333333333333333e+308),
      ([1e+308, -1e+308, 1.7e+308], 12.5, -5e+307),
      ([1e+308, -1e+308, 1.7e+308], 0, -1e+308),
      ([1e+308, -1e+308, 1.7e+308], 100, 1.7e+308),
      ([0.1, 0.1, 0.1, 0.7], 100, 0.7),
      ([0.1, 0.1, 0.1, 0.7], 0, 0.1),
      ([0.1, 0.1, 0.1, 0.7], 33.3, 0.1),
      ([0.1, 0.1, 0.1, 0.7], 0.0001, 0.1),
      ([0.3333333333333333, 0.6666666666666666, 1e+16], 100, 1e+16),
      ([0.3333333333333333, 0.6666666666666666, 1e+16], 0, 0.3333333333333333),
      ([0.3333333333333333, 0.6666666666666666, 1e+16], 12.5, 0.41666666666666663),
      ([0.3333333333333333, 0.6666666666666666, 1e+16], 0.0001, 0.33333399999999996),
      ([-1e-300, 1e+300], 99.9, 9.990000000000001e+299),
      ([-1e-300, 1e+300], 66.66666666666667, 6.666666666666667e+299),
      ([-1e-300, 1e+300], 100, 1e+300),
      ([-1e-300, 1e+300], 12.5, 1.25e+299),
      ([2.5, -2.5, 1e-05, 7.25, 1e+22], 0, -2.5),
      ([2.5, -2.5, 1e-05, 7.25, 1e+22], 12.5, -1.249995),
      ([2.5, -2.5, 1e-05, 7.25, 1e+22], 100, 1e+22),
      ([2.5, -2.5, 1e-05, 7.25, 1e+22], 99.9, 9.96e+21),
    ] as [([Double], Double, Double)])
  func reals(_ values: [Double], _ share: Double, _ value: Double) throws {
    #expect(try Self.percentile(share, of: values.map { .real($0) }, type: .float64) == .real(value))
  }

  @Test(
    "A percentile of whole numbers beyond 2^53 is the double nearest to its exact value",
    arguments: [
      ([9007199254740993, 9007199254740995], 0, 9007199254740992.0),
      ([9007199254740993, 9007199254740995], 33.3, 9007199254740994.0),
      ([9007199254740993, 9007199254740995], 0.0001, 9007199254740994.0),
      ([9007199254740993, 9007199254740995], 12.5, 9007199254740994.0),
      ([-9223372036854775808, 9223372036854775807], 50, -0.5),
      ([-9223372036854775808, 9223372036854775807], 0.0001, -9.223353590110703e+18),
      ([-9223372036854775808, 9223372036854775807], 99.9, 9.204925292781066e+18),
      ([-9223372036854775808, 9223372036854775807], 33.3, -3.0806062603094953e+18),
      ([1, 2, 4, 9007199254740993], 33.3, 1.999),
      ([1, 2, 4, 9007199254740993], 12.5, 1.375),
      ([1, 2, 4, 9007199254740993], 50, 3.0),
      ([1, 2, 4, 9007199254740993], 100, 9007199254740992.0),
      ([9223372036854775807, 9223372036854775805, 3], 50, 9.223372036854776e+18),
      ([9223372036854775807, 9223372036854775805, 3], 0, 3.0),
      ([9223372036854775807, 9223372036854775805, 3], 12.5, 2.305843009213694e+18),
      ([9223372036854775807, 9223372036854775805, 3], 66.66666666666667, 9.223372036854776e+18),
    ] as [([Int64], Double, Double)])
  func integers(_ values: [Int64], _ share: Double, _ value: Double) throws {
    #expect(try Self.percentile(share, of: values.map { .integer($0) }, type: .int64) == .real(value))
  }

  @Test("A percentile of times is rounded half up to a microsecond, and of days down")
  func times() throws {
    func times(_ share: Double, _ values: Int64...) throws -> AttributeValue {
      try Self.percentile(share, of: values.map { .instant(Instant(microseconds: $0)) }, type: .date)
    }
    func instant(_ value: Int64) -> AttributeValue { .instant(Instant(microseconds: value)) }
    #expect(
      try times(50, -62_135_596_799_999_999, 253_402_300_799_999_999) == instant(95_633_352_000_000_000))
    #expect(
      try times(99.9, -62_135_596_799_999_999, 253_402_300_799_999_999) == instant(253_086_762_902_399_999))
    #expect(try times(50, 1, 2) == instant(2))
    #expect(try times(50, -2, -1) == instant(-1))
    #expect(try times(49.9, 1, 2) == instant(1))
    #expect(try times(33.333333333333336, 0, 3, 30) == instant(2))
    let days: [AttributeValue] = [-2, -1, 5].map { .date(CalendarDate(days: $0)) }
    #expect(try Self.percentile(25, of: days, type: .dateOnly) == .date(CalendarDate(days: -2)))
    #expect(try Self.percentile(99.9, of: days, type: .dateOnly) == .date(CalendarDate(days: 4)))
    #expect(try Self.percentile(100, of: days, type: .dateOnly) == .date(CalendarDate(days: 5)))
  }
}
