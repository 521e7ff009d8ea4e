import MapFeatures
import MapReaders
import MapScript
import MapServices
import MapState
import MapTestSupport
import Testing

/// A service layer draws and counts like the same in-memory table, whatever the service supports.
@Suite struct ServiceSourceTests {
  private static let clauses = [
    "", "kind = 'a'", "kind <> 'b'", "size > 40", "size IS NULL", "kind IN ('a', 'c') AND size < 70",
    "UPPER(kind) = 'B'", "day >= DATE '2020-02-01'", "NOT (size > 20)", "1 = 0",
  ]
  private static let numbers = StatisticsQuery(
    definitions: [
      StatisticDefinition(fieldName: "size", statisticType: .sum),
      StatisticDefinition(fieldName: "size", statisticType: .maximum),
      StatisticDefinition(fieldName: "kind", statisticType: .count),
    ], groupByFieldNames: ["kind"])

  private static func table(rows: Int, seed: UInt64) -> InMemorySource {
    var random = SeededGenerator(seed: seed)
    var geometry = CoordinateBuffer(kind: .point)
    var (sizes, days) = ([AttributeValue](), [AttributeValue]())
    for _ in 0..<rows {
      geometry.appendPoint(
        x: Double(Int.random(in: -500...500, using: &random)),
        y: Double(Int.random(in: -500...500, using: &random)))
      let isNull = Int.random(in: 0..<9, using: &random) == 0
      sizes.append(isNull ? .null : .real(Double.random(in: 0...100, using: &random)))
      days.append(
        .instant(Instant(microseconds: Int64.random(in: 18_262...18_627, using: &random) * 86_400_000_000)))
    }
    let fields: [(String, FieldType, [AttributeValue])] = [
      ("OBJECTID", .oid, (0..<rows).map { .integer(Int64($0) * 3 + 5) }),
      ("kind", .text, (0..<rows).map { .text(["a", "b", "c", "B"][$0 % 4]) }),
      ("size", .float64, sizes), ("day", .date, days),
    ]
    return InMemorySource(
      FeatureColumns(
        schema: FeatureSchema(
          fields: fields.map { Field(name: $0.0, type: $0.1) }, geometryKind: .point,
          spatialReference: .webMercator),
        columns: fields.map { Column(of: $0.2, type: $0.1) }, geometry: geometry, rowCount: rows))
  }

  private static func source(_ layer: LocalLayer) async throws -> ServiceSource {
    try await ServiceSource(layer, operations: .builtIn)
  }

  private static func view(_ source: any FeatureSource) throws -> (layer: FeatureLayer, view: MapView) {
    let map = Map()
    let layer = FeatureLayer(featureTable: LocalFeatureTable(source: source))
    map.addOperationalLayer(layer)
    let start = Viewpoint(center: Point(x: 0, y: 0, spatialReference: .webMercator), scale: 20_000)
    return (layer, try MapView(map: map, width: 120, height: 90, viewpoint: start))
  }

  @Test("A map in another spatial reference requests boxes that contain its view and filters locally")
  func otherReference() async throws {
    var random = SeededGenerator(seed: 9)
    var geometry = CoordinateBuffer(kind: .point)
    for _ in 0..<5000 {
      geometry.appendPoint(
        x: .random(in: -180...180, using: &random), y: .random(in: -89...89, using: &random))
    }
    let table = try InMemorySource(
      FeatureColumns(
        schema: FeatureSchema(
          fields: [Field(name: "OBJECTID", type: .oid)], geometryKind: .point, spatialReference: .wgs84),
        columns: [Column(.integers((1...5000).map { Int64($0) }))], geometry: geometry, rowCount: 5000),
      operations: .installed)
    let asked = LocalLayer(table)
    let service = try await ServiceSource(asked, operations: .installed)
    // Europe, across the antimeridian and around both poles.
    for (wkid, latitude, longitude, scale) in [
      (3035, 50.0, 10.0, 5e7), (2193, -40, 178, 2e7), (3413, 88, 0, 5e7), (3031, -80, 100, 8e7),
    ] {
      var counts: [[Int]] = []
      for source in [service as any FeatureSource, table] {
        let map = Map(spatialReference: SpatialReference(wkid: wkid))
        map.addOperationalLayer(FeatureLayer(source: source))
        let view = try MapView(
          map: map, width: 300, height: 200,
          viewpoint: Viewpoint(latitude: latitude, longitude: longitude, scale: scale, rotation: 20))
        let state = view.freeze()
        let drawn = try #require(try await state.render().report.layers[0].funnel)
        counts.append([
          try await state.counts(CountOptions()).layers[0].count, drawn.extent, drawn.drawn, drawn.edge ?? -1,
        ])
      }
      #expect(counts[0] == counts[1])
      #expect(counts[1][2] > 10)
    }
    #expect(asked.asked.rows > 100)
    #expect(asked.asked.rows < 4 * 5000)
    // In the layer's own spatial reference, the service counts.
    let before = asked.asked
    let view = Envelope(xMin: 0, yMin: 40, xMax: 20, yMax: 50, spatialReference: .wgs84)
    var conditions = QueryConditions()
    conditions.question.area = .envelope(view)
    let query = try conditions.query(for: .query)
    let other = try await ServiceSource(asked, operations: .installed)
    #expect(try await other.count(query) == table.count(query))
    #expect(asked.asked.counts == before.counts + 2)
    #expect(asked.asked.features == before.features)
  }

  @Test("Counts and images of a service layer equal those of an in-memory table", arguments: 0..<7)
  func sameAsInMemory(able: Int) async throws {
    let table = Self.table(rows: 400, seed: UInt64(able))
    let layer = LocalLayer(table, canLocate: able % 2 == 0, canSummarize: able % 3 == 0) { filter in
      able < 2 || (able < 4 && filter.kind == .definition) || (able == 6 && filter.text.isEmpty)
    }
    let source = try await Self.source(layer)
    let asked = able == 5 ? source.askedEveryTime : source
    let (remote, local) = (try Self.view(asked), try Self.view(table))
    var random = SeededGenerator(seed: 77 + UInt64(able))
    for _ in 0..<40 {
      let clause = Self.clauses.randomElement(using: &random) ?? ""
      let filter = Self.clauses.randomElement(using: &random) ?? ""
      let center = Point(
        x: Double.random(in: -500...500, using: &random), y: Double.random(in: -500...500, using: &random),
        spatialReference: .webMercator)
      let place = Viewpoint(
        center: center, scale: Double.random(in: 2000...40_000, using: &random),
        rotation: [0, 30].randomElement(using: &random) ?? 0)
      let isVisible = Int.random(in: 0..<8, using: &random) > 0
      let time: TimeExtent? =
        Bool.random(using: &random)
        ? TimeExtent(start: Instant(microseconds: 18_400 * 86_400_000_000), end: nil) : nil
      for (layer, view) in [remote, local] {
        (layer.definitionExpression, layer.isVisible) = (clause, isVisible)
        layer.displayFilterDefinition =
          filter.isEmpty
          ? nil
          : ManualDisplayFilterDefinition(
            activeFilter: DisplayFilter(name: "f", whereClause: filter),
            availableFilters: [DisplayFilter(name: "f", whereClause: filter)])
        view.timeExtent = time
        try view.setViewpoint(place)
      }
      let (here, there) = (local.view.freeze(), remote.view.freeze())
      var funnel = CountOptions()
      funnel.funnel = true
      #expect(try await there.counts(funnel).layers[0].funnel == here.counts(funnel).layers[0].funnel)
      #expect(try await there.render().bitmap == here.render().bitmap)
      var question = FeatureQuestion()
      (question.whereClause, question.area) = (filter, Bool.random(using: &random) ? .everywhere : .view)
      question.time = time
      var options = CountOptions()
      options.question = question
      #expect(try await there.counts(options).layers[0].count == here.counts(options).layers[0].count)
      #expect(
        try await there.statistics(of: there.layers[0], Self.numbers, question)
          == here.statistics(of: here.layers[0], Self.numbers, question))
      #expect(
        try await there.features(of: there.layers[0], question).geoJSON()
          == here.features(of: here.layers[0], question).geoJSON())
    }
  }

  @Test("A new display filter or time extent sends no request, and a hidden layer fetches nothing")
  func askedOnce() async throws {
    let layer = LocalLayer(Self.table(rows: 200, seed: 3))
    let (shown, view) = try Self.view(try await Self.source(layer))
    _ = try await view.freeze().render()
    let first = layer.asked
    #expect(first.features == 1)
    shown.displayFilterDefinition = ManualDisplayFilterDefinition(
      activeFilter: DisplayFilter(name: "f", whereClause: "kind = 'a'"), availableFilters: [])
    view.timeExtent = TimeExtent(start: nil, end: Instant(microseconds: 18_400 * 86_400_000_000))
    _ = try await view.freeze().render()
    #expect(layer.asked.features == 1)
    shown.isVisible = false
    shown.definitionExpression = "size > 10"
    let drawn = try #require(try await view.freeze().render().report.layers[0].funnel)
    #expect(drawn.drawn == 0)
    #expect(drawn.extent > 0)
    #expect(layer.asked.features == 1)
  }

  @Test("A thousand envelopes are counted with a single fetch")
  func manyEnvelopes() async throws {
    let table = Self.table(rows: 500, seed: 4)
    let layer = LocalLayer(table)
    let (remote, local) = (try Self.view(try await Self.source(layer)).view, try Self.view(table).view)
    let before = layer.asked
    let envelopes = (0..<1000).map { index in
      let x = Double(index % 40) * 20 - 400
      return Envelope(
        xMin: x, yMin: -300, xMax: x + Double(index % 7), yMax: Double(index) - 300,
        spatialReference: .webMercator)
    }
    let (here, there) = (local.freeze(), remote.freeze())
    #expect(
      try await there.counts(of: there.layers[0], inEach: envelopes)
        == here.counts(of: here.layers[0], inEach: envelopes))
    #expect(layer.asked.features == before.features + 1)
    #expect(layer.asked.counts == before.counts)
  }

  @Test("Statistics that a service supports are requested from it")
  func pushedStatistics() async throws {
    let layer = LocalLayer(Self.table(rows: 100, seed: 5))
    let source = try await Self.source(layer)
    _ = try await source.statistics(Self.numbers, of: QueryConditions().query(for: .query))
    #expect(layer.asked.statistics == 1)
    #expect(layer.asked.features == 0)
    let wrong = StatisticsQuery(definitions: [StatisticDefinition(fieldName: "kind", statisticType: .sum)])
    await #expect(throws: StatisticsError.self) {
      _ = try await source.statistics(wrong, of: QueryConditions().query(for: .query))
    }
  }

  @Test("A service whose filter matches more features gives a warning and equal counts and drawings")
  func otherRules() async throws {
    let layer = LocalLayer(Self.table(rows: 100, seed: 6), isLax: true)
    let (shown, view) = try Self.view(try await Self.source(layer))
    shown.definitionExpression = "kind = 'a'"
    var funnel = CountOptions()
    funnel.funnel = true
    let counted = try await view.freeze().counts(funnel).layers[0]
    #expect(counted.count == counted.funnel?.drawn)
    #expect(counted.count > 25)
    #expect(shown.source.warnings.contains { $0.contains("MapState's rules reject") })
    #expect(!counted.isExact)
  }

  @Test("A partly pushed filter gives the same count as local evaluation")
  func otherRulesInPart() async throws {
    let layer = LocalLayer(Self.table(rows: 100, seed: 6), isLax: true) { filter in
      filter.text.isEmpty && "\(filter.expression)".contains("kind")
    }
    let source = try await Self.source(layer)
    var conditions = QueryConditions()
    conditions.question.whereClause = "kind = 'a' AND size > 50"
    let found = try await source.fetch(conditions.query(for: .query)).count(
      conditions.query(for: .query))
    conditions.question.whereClause = "size > 50"
    #expect(try found == Self.table(rows: 100, seed: 6).count(conditions.query(for: .query)))
  }
}
