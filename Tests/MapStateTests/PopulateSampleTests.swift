import Foundation
import MapJSON
import MapState
import Synchronization
import Testing

/// The rules of Esri's sample "Query with CQL filters", row by row of its table of edge cases.
@Suite struct PopulateSampleTests {
  private func table(standIns: StandInCatalog = TableFixtures.standIns) throws -> OGCFeatureCollectionTable {
    let table = OGCFeatureCollectionTable(
      url: try #require(TableFixtures.apiURL), collectionID: "TransportationGroundCrv", standIns: standIns)
    table.featureRequestMode = .manualCache
    return table
  }

  private func parameters(_ clause: String = "", maximum: Int = 1000) -> QueryParameters {
    let parameters = QueryParameters()
    (parameters.whereClause, parameters.maxFeatures) = (clause, maximum)
    return parameters
  }

  private func codes(_ result: FeatureQueryResult) -> [String?] {
    result.features().map { $0.attributes["F_CODE"] as? String }
  }

  @Test("A table is populated from its service and drawn")
  func populating() async throws {
    let table = try table()
    let layer = FeatureLayer(featureTable: table)
    let red = SimpleLineSymbol(style: .solid, color: .red, width: 3)
    layer.renderer = SimpleRenderer(symbol: red)
    let map = Map(spatialReference: .webMercator)
    map.initialViewpoint = Viewpoint(latitude: 32.62, longitude: 36.10, scale: 20_000)
    map.addOperationalLayer(layer)
    let view = try MapView(map: map, width: 400, height: 300)
    #expect(try await table.queryFeatureCount() == 0)
    #expect(table.numberOfFeatures == 0)
    let blank = try await view.exportImage()
    let result = try await table.populateFromService(using: parameters(), clearCache: true)
    #expect(result.features().count == 8)
    #expect(table.numberOfFeatures == 8)
    let geometries = result.features().compactMap(\.geometry)
    let extent = try #require(GeometryEngine.combineExtents(of: geometries))
    #expect(extent == table.extent)
    #expect(extent.spatialReference == .wgs84)
    #expect(await view.setViewpointGeometry(extent, padding: 20))
    let corners = try #require(extent.projected(to: .webMercator))
    let inset = try #require(
      view.envelope(fromViewRect: ScreenRect(x: 20, y: 20, width: 360, height: 260)))
    #expect(inset.grown(by: 1e-6).contains(corners))
    #expect(abs(inset.width - corners.width) < 1e-6 || abs(inset.height - corners.height) < 1e-6)
    let drawn = try await view.exportImage()
    #expect(drawn != blank)
    #expect(GeometryEngine.combineExtents(of: []) == nil)
    // Red, in the middle of the first road.
    let place = try #require(
      view.screenPoint(fromLocation: Point(x: 36.0025, y: 32.605, spatialReference: .wgs84)))
    let pixel = drawn[Int(place.x), Int(place.y)]
    #expect(pixel.red == 255)
    #expect(pixel.green == 0)
    #expect(pixel.blue == 0)
  }

  @Test("Where clauses and limits select the populated features, and an error leaves the table unchanged")
  func clauses() async throws {
    let table = try table()
    func populated(_ clause: String, maximum: Int = 1000) async throws -> [String?] {
      codes(
        try await table.populateFromService(using: parameters(clause, maximum: maximum), clearCache: true))
    }
    #expect(try await populated("F_CODE = 'AP010'") == ["AP010", "AP010", "AP010"])
    #expect(try await populated("F_CODE LIKE 'AQ%'") == ["AQ040", "AQ140", "AQ040"])
    #expect(try await populated("  \n").count == 8)
    // No limit, the first feature in order, and a negative number.
    #expect(try await populated("", maximum: 0).count == 8)
    #expect(try await populated("F_CODE LIKE 'A%'", maximum: 1) == ["AP010"])
    await #expect(throws: MapStateError.self) { try await populated("", maximum: -1) }
    #expect(table.numberOfFeatures == 1)
    // A failing call leaves the table unchanged.
    #expect(await cause { try await populated("F_COD = 'x'") } is QueryConditionError)
    #expect(table.numberOfFeatures == 1)
    #expect(try await populated("F_CODE = 'ZZ'").isEmpty)
    #expect(table.extent.isEmpty)
  }

  @Test("CQL2 in text and in JSON selects the same features")
  func cql2() async throws {
    let table = try table()
    func found(_ clause: String) async throws -> [Int] {
      try await table.populateFromService(using: parameters(clause), clearCache: true).features()
        .compactMap(\.objectID)
    }
    let json = #"{ "op": "=", "args": [ { "property": "F_CODE" }, "AP010" ] }"#
    #expect(try await found(json) == found("F_CODE = 'AP010'"))
    #expect(try await found(json) == [1, 2, 8])
    // A bare string means an instant: before 2013-01-01.
    let both =
      #"{"op":"and","args":[{"op":"=","args":[{"property":"F_CODE"},"AP010"]},"#
      + #"{"op":"t_before","args":[{"property":"ZI001_SDV"},"2013-01-01"]}]}"#
    #expect(try await found(both) == [1, 2])
    #expect(try await found("T_BEFORE(ZI001_SDV, DATE('2013-01-01')) AND F_CODE = 'AP010'") == [1, 2])
    for (clause, name) in [("{}", "op"), (#"{"op":"nosuch","args":[1,2]}"#, "nosuch")] {
      do {
        _ = try await found(clause)
        Issue.record("\(clause) was taken")
      } catch { #expect("\(error)".contains(name), "\(error)") }
    }
    // After populating, the cache answers in the same language; the layer's expression is SQL.
    _ = try await found("")
    #expect(try await table.queryFeatureCount(using: parameters(json)) == 3)
    let layer = FeatureLayer(featureTable: table)
    layer.definitionExpression = "F_CODE LIKE 'AP%' AND EXTRACT(YEAR FROM ZI001_SDV) = 2011"
    #expect(try await table.queryFeatureCount(using: parameters(json)) == 2)
  }

  @Test("Populating adds features by id or replaces them when the cache is cleared")
  func cache() async throws {
    let table = try table()
    try await table.populateFromService(using: parameters("F_CODE = 'AP010'"), clearCache: false)
    let more = try await table.populateFromService(using: parameters("F_CODE LIKE 'AQ%'"))
    // The result has the features of this call, while the table has both.
    #expect(more.features().count == 3)
    #expect(table.numberOfFeatures == 6)
    // Features are added by id; each is added once.
    try await table.populateFromService(using: parameters("F_CODE = 'AQ040'"))
    #expect(table.numberOfFeatures == 6)
    #expect(try await table.queryFeatureCount(using: parameters("F_CODE = 'A_010'")) == 0)
    try await table.populateFromService(using: nil, clearCache: false, outFields: [])
    #expect(table.numberOfFeatures == 8)
    try await table.populateFromService(
      using: parameters("F_CODE = 'AP010'"), clearCache: true, outFields: ["*"])
    #expect(table.numberOfFeatures == 3)
    // Ids stay the same: rows keep the number that they were given first.
    #expect(try await table.queryFeatures(using: parameters()).features().map(\.objectID) == [1, 2, 8])
  }

  @Test("The sample as a web map has the counts that it has in code")
  func document() async throws {
    let table = try table()
    let day: (Int) -> Date = { Date(timeIntervalSince1970: Double($0) * 86_400) }
    let span = TimeExtent(startDate: day(15_138), endDate: day(15_346))
    for (clause, expression, time) in [
      ("", "", nil), ("F_CODE = 'AP010'", "F_CODE = 'AP010'", nil),
      ("F_CODE LIKE 'AQ%'", "F_CODE LIKE 'AQ%'", nil),
      (#"{ "op": "=", "args": [ { "property": "F_CODE" }, "AP010" ] }"#, "F_CODE = 'AP010'", nil),
      (
        #"{"op": "and", "args": [{"op": "=", "args": [{"property": "F_CODE"}, "AP010"]}, "#
          + #"{"op": "t_before", "args": [{"property": "ZI001_SDV"}, "2013-01-01"]}]}"#,
        "F_CODE = 'AP010' AND ZI001_SDV < DATE '2013-01-01'", nil
      ), ("", "", span),
    ] as [(String, String, TimeExtent?)] {
      let asked = parameters(clause)
      asked.timeExtent = time
      let coded = try await table.populateFromService(using: asked, clearCache: true).features().count
      let json: JSONValue = [
        "operationalLayers": [
          [
            "id": "roads", "title": "Roads", "layerType": "OGCFeatureLayer",
            "url": .string(try #require(TableFixtures.apiURL).absoluteString),
            "collectionId": "TransportationGroundCrv",
            "layerDefinition": [
              "definitionExpression": .string(expression), "timeInfo": ["startTimeField": "ZI001_SDV"],
            ],
          ]
        ]
      ]
      let opened = try await MapDocument.open(
        json: json, name: "S5", folder: ".", catalog: SourceCatalog(standIns: TableFixtures.standIns))
      var options = CountOptions()
      (options.question.area, options.question.time) = (.everywhere, time)
      let state = try MapView(map: opened.map, width: 390, height: 700).freeze()
      #expect(try await state.counts(options).layers.map(\.count) == [coded], "\(clause)")
    }
  }

  @Test("A selection is kept when the table is populated again")
  func selectionOutlivesAFill() async throws {
    let table = try table()
    let layer = FeatureLayer(featureTable: table)
    try await table.populateFromService()
    try await layer.selectFeatures(withQuery: parameters("F_CODE = 'AP010'"), mode: .new)
    try await table.populateFromService(using: parameters("F_CODE LIKE 'AQ%'"), clearCache: true)
    #expect(try await layer.selectedFeatures().features().isEmpty)
    try await table.populateFromService(clearCache: true)
    #expect(try await layer.selectedFeatures().features().map(\.objectID) == [1, 2, 8])
    try await layer.selectFeatures(withQuery: parameters("F_CODE LIKE 'AQ%'"), mode: .add)
    #expect(try await layer.selectedFeatures().features().count == 6)
    try await layer.selectFeatures(withQuery: parameters("ZI001_SDV IS NOT NULL"), mode: .subtract)
    #expect(codes(try await layer.selectedFeatures()) == ["AQ140"])
  }

  @Test("Hidden features stay hidden when the table is populated again")
  func hidingOutlivesAFill() async throws {
    let table = try table()
    let layer = FeatureLayer(featureTable: table)
    let map = Map()
    map.addOperationalLayer(layer)
    try await table.populateFromService()
    layer.setVisible(
      false, for: try await table.queryFeatures(using: parameters("F_CODE = 'AP010'")).features())
    func drawn() async throws -> Int {
      let state = try MapView(map: map, width: 100, height: 100).freeze()
      return try await state.rows(of: state.layers[0], for: .drawing).count
    }
    #expect(try await drawn() == 5)
    try await table.populateFromService(using: parameters("F_CODE LIKE 'AQ%'"), clearCache: true)
    #expect(try await drawn() == 3)
    try await table.populateFromService(clearCache: true)
    #expect(try await drawn() == 5)
    layer.resetFeaturesVisible()
    #expect(try await drawn() == 8)
  }

  @Test("A time extent selects the populated features")
  func time() async throws {
    let table = try table()
    func found(_ time: TimeExtent?) async throws -> [Int] {
      let asked = parameters()
      asked.timeExtent = time
      let result = try await table.populateFromService(using: asked, clearCache: true)
      return result.features().compactMap(\.objectID)
    }
    func day(_ number: Int) -> Date { Date(timeIntervalSince1970: Double(number) * 86_400) }
    let all = [1, 2, 3, 4, 5, 6, 7, 8]
    #expect(try await found(nil) == all)
    #expect(try await found(TimeExtent(startDate: nil, endDate: nil)) == all)
    // 2011-06-13 to 2012-01-07, both ends included; features without time are excluded.
    #expect(try await found(TimeExtent(startDate: day(15_138), endDate: day(15_346))) == [1, 2, 5, 7])
    #expect(try await found(TimeExtent(startDate: day(15_400), endDate: nil)) == [3, 6, 8])
    #expect(try await found(TimeExtent(startDate: nil, endDate: day(15_138))) == [1, 5])
    #expect(try await found(TimeExtent(date: day(15_200))) == [2])
    #expect(try await found(TimeExtent(startDate: day(15_400), endDate: day(15_138))).isEmpty)
  }

  @Test("Only a table in manual cache mode can be populated")
  func modes() async throws {
    let wrong = OGCFeatureCollectionTable(
      url: try #require(TableFixtures.apiURL), collectionID: "TransportationGroundCrv",
      standIns: TableFixtures.standIns)
    wrong.featureRequestMode = .onInteractionCache
    await #expect(throws: MapStateError.self) { try await wrong.populateFromService() }
    let service = ServiceFeatureTable(
      url: try #require(TableFixtures.incidentsURL), standIns: TableFixtures.standIns)
    #expect(service.featureRequestMode == .undefined)
    #expect(
      await message {
        try await service.populateFromService()
      } == MapStateError.notManualCache(.onInteractionCache).description)
    #expect(try await service.queryFeatureCount() == 100)
    let manual = ServiceFeatureTable(
      url: try #require(TableFixtures.incidentsURL), standIns: TableFixtures.standIns)
    manual.featureRequestMode = .manualCache
    #expect(try await manual.queryFeatureCount() == 0)
    // Populating ignores the layer's expression.
    let layer = FeatureLayer(featureTable: manual)
    layer.definitionExpression = "OBJECTID < 11"
    try await manual.populateFromService()
    #expect(try await manual.queryFeatureCount() == 10)
    #expect(manual.numberOfFeatures == 100)
  }

  @Test("A request mode set after loading is refused until a valid mode is set")
  func lateMode() async throws {
    let table = ServiceFeatureTable(
      url: try #require(TableFixtures.incidentsURL), standIns: TableFixtures.standIns)
    try await table.load()
    table.featureRequestMode = .onInteractionNoCache
    let refusal = MapStateError.impossibleMode(.onInteractionNoCache).description
    #expect(table.featureRequestMode == .onInteractionCache)
    #expect(await message { try await table.queryFeatureCount() } == refusal)
    #expect(await message { try await table.queryFeatures(using: parameters()) } == refusal)
    #expect(await message { try await table.populateFromService() } == refusal)
    table.featureRequestMode = .onInteractionCache
    #expect(try await table.queryFeatureCount() == 100)
    // Setting the current mode again is allowed.
    let manual = try self.table()
    try await manual.load()
    manual.featureRequestMode = .manualCache
    #expect(try await manual.populateFromService().features().count == 8)
    // A mode that an OGC table does not support makes loading fail until it is changed back.
    let wrong = try self.table()
    wrong.featureRequestMode = .onInteractionCache
    #expect(
      await message { try await wrong.load() }
        == MapStateError.impossibleMode(.onInteractionCache).description)
    wrong.featureRequestMode = .manualCache
    try await wrong.retryLoad()
    #expect(try await wrong.populateFromService().features().count == 8)
  }

  @Test("Two concurrent fills both finish, and the later one decides the contents")
  func together() async throws {
    for _ in 0..<20 {
      let table = try table()
      try await table.load()
      async let first = table.populateFromService(using: parameters("F_CODE = 'AP010'"), clearCache: true)
      async let second = table.populateFromService(using: parameters("F_CODE LIKE 'AQ%'"), clearCache: true)
      let counts = try await (first.features().count, second.features().count)
      #expect(counts == (3, 3))
      #expect(table.numberOfFeatures == 3)
    }
  }

  @Test("An earlier clearing fill that ends last does not undo a later one")
  func lateFill() async throws {
    let source = HeldSource(TableFixtures.roads)
    let table = try table(
      standIns: StandInCatalog(sources: [
        "https://example.com/daraa/collections/TransportationGroundCrv": source
      ]))
    try await table.load()
    source.holdsNext()
    let first = Task {
      try await table.populateFromService(using: parameters("F_CODE = 'AP010'"), clearCache: true)
    }
    await source.held()
    let second = try await table.populateFromService(using: parameters("F_CODE = 'AQ140'"), clearCache: true)
    source.goOn()
    #expect(try await codes(first.value) == ["AP010", "AP010", "AP010"])
    #expect(codes(second) == ["AQ140"])
    #expect(try await codes(table.queryFeatures(using: parameters())) == ["AQ140"])
  }

  @Test("A single position only moves the view, and excessive padding is ignored")
  func extents() async throws {
    let view = try MapView(map: Map(), width: 400, height: 300)
    let scale = view.viewpoint.scale
    #expect(await view.setViewpointGeometry(Point(x: 36, y: 32, spatialReference: .wgs84), padding: 20))
    #expect(view.viewpoint.scale == scale)
    #expect(abs(view.viewpoint.center.x - 4_007_501.668) < 0.01)
    let box = Envelope(xMin: 0, yMin: 0, xMax: 4000, yMax: 3000, spatialReference: .webMercator)
    #expect(await view.setViewpointGeometry(box, padding: 200))
    #expect(abs(view.viewpoint.resolution - 10) < 1e-9)
    let sides = [
      Envelope(xMin: -180, yMin: 0, xMax: -179, yMax: 1, spatialReference: .wgs84),
      Envelope(xMin: 179, yMin: 0, xMax: 180, yMax: 1, spatialReference: .wgs84),
    ]
    #expect(GeometryEngine.combineExtents(of: sides)?.width == 360)
  }
}

/// A source that holds back one query until it is released.
private final class HeldSource: FeatureSource {
  private let table: InMemorySource
  private let isHolding = Mutex(false)
  private let (arrivals, arrived) = AsyncStream<Void>.makeStream()
  private let (releases, released) = AsyncStream<Void>.makeStream()

  init(_ table: InMemorySource) { self.table = table }

  func holdsNext() { isHolding.withLock { $0 = true } }
  func held() async { for await _ in arrivals { return } }
  func goOn() { released.yield() }

  func fetch(_ query: FeatureQuery?, page: FeaturePage) async throws -> FetchedFeatures {
    let isHeld = isHolding.withLock { holds in
      defer { holds = false }
      return holds
    }
    if isHeld {
      arrived.yield()
      for await _ in releases { break }
    }
    return FetchedFeatures(table)
  }

  var schema: FeatureSchema { table.schema }
  var metadata: SourceMetadata { table.metadata }
  func count(_ query: FeatureQuery) throws -> Int { try table.count(query) }
  func counts(_ queries: [FeatureQuery]) throws -> [Int] { try table.counts(queries) }
}
