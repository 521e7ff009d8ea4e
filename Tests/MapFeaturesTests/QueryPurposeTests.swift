import MapFeatures
import MapFilter
import MapGeometry
import Testing

/// The table of conditions that apply to each purpose, on data in which every condition excludes one known
/// row.
@Suite struct QueryPurposeTests {
  /// Row 0 passes every condition, and row n is excluded by the n-th condition only (`scale` excludes all);
  /// row 8 is hidden.
  static let source = InMemorySource(
    FeatureColumns(
      schema: FeatureSchema(
        fields: [
          Field(name: "definition", type: .int32), Field(name: "display", type: .int32),
          Field(name: "asked", type: .int32), Field(name: "time", type: .date),
        ], geometryKind: .point, spatialReference: .wgs84),
      columns: [
        Column(.integers([1, 0, 1, 1, 1, 1, 1, 1, 1])), Column(.integers([1, 1, 1, 1, 0, 1, 1, 1, 1])),
        Column(.integers([1, 1, 1, 1, 1, 0, 1, 1, 1])),
        Column(.instants([50, 50, 50, 0, 50, 50, 50, 99, 50])),
      ], geometry: points([(1, 1), (1, 1), (9, 1), (1, 1), (1, 1), (1, 1), (2, 2), (1, 1), (1, 1)]),
      rowCount: 9))

  static func points(_ places: [(Double, Double)]) -> CoordinateBuffer {
    var buffer = CoordinateBuffer(kind: .point)
    for (x, y) in places { buffer.appendPoint(x: x, y: y) }
    return buffer
  }

  static func box(_ xMin: Double, _ yMin: Double, _ xMax: Double, _ yMax: Double) -> Envelope {
    Envelope(xMin: xMin, yMin: yMin, xMax: xMax, yMax: yMax, spatialReference: .wgs84)
  }

  /// All conditions at once.
  static var conditions: QueryConditions {
    var conditions = QueryConditions()
    conditions.definitionExpression = "definition = 1"
    conditions.displayFilter = "display = 1"
    conditions.hiddenIDs = [9, 77]
    conditions.timeInfo = TimeInfo(startField: "time")
    conditions.viewTime = TimeExtent(start: Instant(microseconds: 40), end: nil)
    conditions.viewArea = QueryArea([box(0, 0, 3, 3)])
    conditions.question.whereClause = "asked = 1"
    conditions.labelWhere = "NOT time >= TIMESTAMP '1970-01-01 00:00:00.000099'"
    conditions.question.area = .envelopes([box(0, 0, 1.5, 1.5), box(8, 0, 9, 9)])
    conditions.question.time = TimeExtent(start: nil, end: Instant(microseconds: 60))
    return conditions
  }

  // The rows that each condition excludes: definition 1, view's extent 2, view's time 3, display filter 4, a
  // query's where clause 5, a query's extent 6, a query's time and a label class 7.
  @Test(
    "Each query purpose applies its own conditions",
    arguments: [
      (.query, [0, 2, 3, 4, 8]), (.drawing, [0, 5, 6, 7]), (.labels, [0, 5, 6]),
      (.stage(.total), [0, 1, 2, 3, 4, 5, 6, 7, 8]),
      (.stage(.definition), [0, 2, 3, 4, 6, 8]), (.stage(.extent), [0, 3, 4, 6, 8]),
      (.stage(.time), [0, 4, 6, 8]), (.stage(.scale), [0, 4, 6, 8]),
      (.stage(.hidden), [0, 4, 6]), (.stage(.display), [0, 6]),
    ] as [(QueryPurpose, [Int])])
  func rows(_ purpose: QueryPurpose, _ rows: [Int]) throws {
    let query = try Self.conditions.query(for: purpose)
    #expect(try Array(Self.source.rows(query)) == rows)
    #expect(try Self.source.count(query) == rows.count)
  }

  @Test(
    "A layer that is hidden or out of its scale range is not drawn but answers queries",
    arguments: [
      (.query, 5), (.drawing, 0), (.labels, 0), (.stage(.time), 4), (.stage(.scale), 0),
      (.stage(.display), 0),
      (.stage(.extent), 5),
    ] as [(QueryPurpose, Int)])
  func hidden(_ purpose: QueryPurpose, _ count: Int) throws {
    var conditions = Self.conditions
    conditions.isShown = false
    #expect(try Self.source.count(conditions.query(for: purpose)) == count)
  }

  @Test("Each funnel stage applies its own condition and all conditions before it")
  func funnelShrinks() throws {
    let stages = QueryConditions.Kind.allCases.filter { $0 < .labels }
    #expect(stages.count == 7)
    var before = RowSet(rowCount: 9, all: true)
    for stage in stages {
      let rows = try Self.source.rows(Self.conditions.query(for: .stage(stage)))
      #expect(rows.intersection(before) == rows, "\(stage)")
      before = rows
    }
    // Without query parameters, the last stage is the drawn rows.
    var view = Self.conditions
    (view.question.whereClause, view.question.time) = ("", nil)
    #expect(
      try Self.source.rows(view.query(for: .stage(.display))) == Self.source.rows(view.query(for: .drawing)))
  }

  @Test("Blank filters are no condition, and unused filters are not parsed")
  func texts() throws {
    var conditions = QueryConditions()
    (conditions.definitionExpression, conditions.displayFilter) = ("  ", "\n")
    for purpose in [.query, .drawing, .stage(.display)] as [QueryPurpose] {
      #expect(try Self.source.count(conditions.query(for: purpose)) == 9)
    }
    conditions.displayFilter = "display ="
    #expect(try Self.source.count(conditions.query(for: .query)) == 9)
    let drawing = #expect(throws: QueryConditionError.self) { try conditions.query(for: .drawing) }
    #expect(drawing?.kind == .display)
    #expect(drawing?.text == "display =")
    conditions.definitionExpression = "nowhere = 1"
    let query = try conditions.query(for: .query)
    let asked = #expect(throws: QueryConditionError.self) { try Self.source.rows(query) }
    #expect(asked?.kind == .definition)
  }

  @Test("Hidden features are excluded from drawn counts but not from query counts")
  func hiddenFeatures() throws {
    var conditions = QueryConditions()
    conditions.hiddenIDs = [1, 3, 9]
    conditions.viewArea = QueryArea([Self.box(0, 0, 3, 3)])
    // Counted twice, because the second time filters come from the cache.
    for (filter, count) in [("", 6), ("display = 1", 5), ("", 6), ("display = 1", 5)] {
      conditions.displayFilter = filter
      let query = try conditions.query(for: .drawing)
      #expect(try Self.source.count(query) == count)
      #expect(try Self.source.rows(query).count == count)
      #expect(try Self.source.counts([query, query]) == [count, count])
    }
    #expect(try Self.source.count(conditions.query(for: .stage(.scale))) == 8)
    #expect(try Self.source.count(conditions.query(for: .query)) == 9)
  }

  @Test("A view's time extent keeps a table without time, and a query's time extent matches nothing in it")
  func withoutTime() throws {
    var conditions = QueryConditions()
    conditions.viewTime = TimeExtent(start: Instant(microseconds: 40), end: nil)
    #expect(try Self.source.count(conditions.query(for: .drawing)) == 9)
    conditions.question.time = conditions.viewTime
    #expect(try Self.source.count(conditions.query(for: .query)) == 0)
  }
}

/// Time extents include both ends, may be open, and exclude features without time.
@Suite struct TimeExtentTests {
  /// Instants 10, 20, 30 and null.
  private static let moments = table([(10, nil), (20, nil), (30, nil), (nil, nil)])
  /// Spans: 10 to 20, 20 to open, open to 15, no time at all, 5 to 40.
  private static let spans = table([(10, 20), (20, nil), (nil, 15), (nil, nil), (5, 40)])

  private static func table(_ spans: [(Int64?, Int64?)]) -> InMemorySource {
    func column(_ values: [Int64?]) -> Column {
      let valid = RowSet(rowCount: values.count, rows: values.indices.filter { values[$0] != nil })
      return Column(.instants(values.map { $0 ?? .max }), validity: valid)
    }
    return InMemorySource(
      FeatureColumns(
        schema: FeatureSchema(
          fields: [Field(name: "s", type: .date), Field(name: "e", type: .date)], geometryKind: nil,
          spatialReference: nil), columns: [column(spans.map(\.0)), column(spans.map(\.1))], geometry: nil,
        rowCount: spans.count))
  }

  @Test(
    "A time extent selects instants and spans that overlap it",
    arguments: [
      (nil, nil, [0, 1, 2], [0, 1, 2, 4]), (10, 20, [0, 1], [0, 1, 2, 4]), (11, 19, [], [0, 2, 4]),
      (16, 19, [], [0, 4]), (20, 20, [1], [0, 1, 4]), (21, nil, [2], [1, 4]), (30, nil, [2], [1, 4]),
      (31, nil, [], [1, 4]), (41, nil, [], [1]), (nil, 9, [], [2, 4]), (nil, 10, [0], [0, 2, 4]),
      (nil, 4, [], [2]), (25, 8, [], []),
    ] as [(Int64?, Int64?, [Int], [Int])])
  func features(_ start: Int64?, _ end: Int64?, _ moments: [Int], _ spans: [Int]) throws {
    var conditions = QueryConditions()
    conditions.question.time = TimeExtent(
      start: start.map(Instant.init(microseconds:)), end: end.map(Instant.init(microseconds:)))
    conditions.timeInfo = TimeInfo(startField: "s")
    #expect(try Array(Self.moments.rows(conditions.query(for: .query))) == moments)
    conditions.timeInfo = TimeInfo(startField: "s", endField: "e")
    #expect(try Array(Self.spans.rows(conditions.query(for: .query))) == spans)
  }
}
