import MapFeatures
import MapFilter
import MapGeometry
import MapTestSupport
import Testing

/// A cached filter gives the same rows as a new one.
@Suite struct FilterCacheTests {
  private static let envelopes: [Envelope] = {
    var random = SeededGenerator(seed: 31)
    return (0..<40).map { _ in
      let (x, y) = (
        Double.random(in: -170...100, using: &random), Double.random(in: -80...40, using: &random)
      )
      return Envelope(xMin: x, yMin: y, xMax: x + 60, yMax: y + 40, spatialReference: .wgs84)
    }
  }()

  @Test(
    "Repeated and batched counts with cached filters equal a scan",
    arguments: [GeometryKind.point, .polyline, .polygon])
  func repeatedAndManyAtOnce(_ kind: GeometryKind) throws {
    let source = InMemorySource(InMemorySourceTests.table(kind, .wgs84, rows: 5000, seed: 32))
    var found = 0
    // More filters than the cache keeps, returning to those dropped.
    for limit in [1, 5, 9] + Array(0..<20) + [1, 5, 9] {
      let queries = try Self.envelopes.map {
        try InMemorySourceTests.query([$0], "n < \(limit % 10) OR n = \(limit)")
      }
      let scanned = try queries.map { try source.rows($0).count }
      #expect(try source.count(queries[0]) == scanned[0])
      #expect(try source.count(queries[1]) == scanned[1])
      #expect(try source.counts(queries) == scanned)
      found += scanned.reduce(0, +)
    }
    #expect(found > 10_000)
  }

  @Test("Rows of a filter that was used before equal those of a new table")
  func usedFilters() throws {
    let table = InMemorySourceTests.table(.point, .wgs84, rows: 3000, seed: 36)
    let source = InMemorySource(table)
    let most = Envelope(xMin: -180, yMin: -90, xMax: 100, yMax: 90, spatialReference: .wgs84)
    var found = 0
    for clause in ["n > 2", "n IN (1, 5, 7)", "n > 2"] {
      for envelopes in [[Self.envelopes[0]], [most], [most], nil, [Self.envelopes[1]], nil] {
        let query = try InMemorySourceTests.query(envelopes, clause)
        let rows = try source.rows(query)
        #expect(try rows == InMemorySource(table).rows(query))
        found += rows.count
      }
    }
    #expect(found > 10_000)
  }

  @Test("A batch counts every kind of query")
  func everyKindOfQueryCountsInABatch() throws {
    let source = InMemorySource(InMemorySourceTests.table(.point, .wgs84, rows: 3000, seed: 33))
    var conditions = QueryConditions()
    conditions.question.geometry = try SpatialCondition(Self.envelopes[0])
    let queries = try [
      conditions.query(for: .query), InMemorySourceTests.query(nil), InMemorySourceTests.query([]),
      InMemorySourceTests.query(Array(Self.envelopes.prefix(3)), "n > 2"),
      InMemorySourceTests.query([Self.envelopes[1]]),
    ]
    let counts = try source.counts(queries)
    #expect(try counts == queries.map { try source.rows($0).count })
    #expect(counts[1] == 3000)
    #expect(counts[2] == 0)
    #expect(counts[0] > 0)
    #expect(counts[3] > 0)
    #expect(try source.counts([]) == [])
  }

  @Test("A filter's error is thrown each time the filter is used")
  func anErrorOfAFilterIsThrownAgain() throws {
    let source = InMemorySource(InMemorySourceTests.table(.point, .wgs84, rows: 100, seed: 34))
    let queries = try Self.envelopes.map { try InMemorySourceTests.query([$0], "nosuch = 1") }
    for _ in 0..<3 {
      #expect(throws: QueryConditionError.self) { try source.counts(queries) }
      #expect(throws: QueryConditionError.self) { try source.count(queries[0]) }
    }
  }

  /// One row per hour.
  ///
  /// A filter with the current time changes with it, and one without it stays cached.
  @Test("A cached filter uses the current time of each query")
  func theCurrentTimeIsNotKept() throws {
    let hour: Int64 = 3_600_000_000
    var geometry = CoordinateBuffer(kind: .point)
    for row in 0..<1000 { geometry.appendPoint(x: Double(row % 100), y: Double(row % 80)) }
    let source = InMemorySource(
      FeatureColumns(
        schema: FeatureSchema(
          fields: [Field(name: "seen", type: .date)], geometryKind: .point, spatialReference: .wgs84),
        columns: [Column(.instants((0..<1000).map { $0 * hour }))], geometry: geometry, rowCount: 1000))
    let world = Envelope(xMin: -180, yMin: -90, xMax: 180, yMax: 90, spatialReference: .wgs84)
    for clause in ["seen < CURRENT_TIMESTAMP", "seen <= CURRENT_TIMESTAMP - INTERVAL '1' HOUR"] {
      for moment: Int64 in [10, 500, 999, 10, 700] {
        var conditions = QueryConditions()
        conditions.question.area = .envelope(world)
        conditions.question.whereClause = clause
        conditions.now = Instant(microseconds: moment * hour)
        let query = try conditions.query(for: .query)
        #expect(try source.count(query) == Int(moment))
        #expect(try source.counts([query, query]) == [Int(moment), Int(moment)])
      }
    }
  }

  @Test("Concurrent counts with cached filters equal a scan")
  func manyThreadsAskAtOnce() async throws {
    let source = InMemorySource(InMemorySourceTests.table(.point, .wgs84, rows: 20_000, seed: 35))
    let queries = try (0..<200).map {
      try InMemorySourceTests.query([Self.envelopes[$0 % 40]], "n <> \($0 % 7)")
    }
    let scanned = try queries.map { try source.rows($0).count }
    try await withThrowingTaskGroup(of: (Int, Int).self) { group in
      for (index, query) in queries.enumerated() {
        group.addTask { (index, try source.count(query)) }
      }
      for try await (index, count) in group { #expect(count == scanned[index]) }
    }
    #expect(scanned.reduce(0, +) > 10_000)
  }

  /// The table is longer than one piece for a core, so that pieces meet.
  @Test("A filter over a table of several pieces covers their boundaries")
  func piecesOfATableMeet() throws {
    var random = SeededGenerator(seed: 36)
    let count = 200_003
    let values = (0..<count).map { _ in Int64.random(in: 0...9, using: &random) }
    let valid = RowSet(rowCount: count, rows: (0..<count).lazy.filter { $0 % 11 != 3 })
    let table = FeatureColumns(
      schema: FeatureSchema(
        fields: [Field(name: "n", type: .int64)], geometryKind: nil, spatialReference: nil),
      columns: [Column(.integers(values), validity: valid)], geometry: nil, rowCount: count)
    let text = try #require(try FilterText(where: "n * 2 > 7 AND n <> 6"))
    let filter = try CompiledFilter(text.expression, for: table)
    let truth = filter.truth(in: table)
    #expect(truth.isTrue == RowSet(rowCount: count, rows: valid.filter { values[$0] > 3 && values[$0] != 6 }))
    #expect(truth.isUnknown == valid.inverted())
    let few = RowSet(rowCount: count, rows: [5, 65_536, 131_072, 131_073, 200_002])
    #expect(filter.rows(in: table, among: few) == truth.isTrue.intersection(few))
  }
}
