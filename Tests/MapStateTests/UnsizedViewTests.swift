import MapState
import Testing

/// A view before its layout, and one whose size changes.
@Suite struct UnsizedViewTests {
  private typealias Told = DisplayFilterSampleTests.Told

  private static let box = Envelope(
    xMin: -5000, yMin: -1000, xMax: 15_000, yMax: 1000, spatialReference: .webMercator)

  private func map(_ table: any FeatureTable) -> Map {
    let map = Map()
    map.initialViewpoint = Viewpoint(boundingGeometry: Self.box)
    map.addOperationalLayer(FeatureLayer(featureTable: table))
    return map
  }

  @Test("A view without a size has no viewpoint, area or positions")
  func nothing() async throws {
    let table = LocalFeatureTable(source: TableFixtures.cities)
    let view = try MapView(map: map(table))
    #expect(view.width == 0)
    #expect(view.height == 0)
    #expect(view.visibleArea == nil)
    for kind in [Viewpoint.Kind.boundingGeometry, .centerAndScale] {
      #expect(view.currentViewpoint(kind: kind) == nil)
    }
    #expect(view.envelope(fromViewRect: ScreenRect(x: 0, y: 0, width: 0, height: 0)) == nil)
    #expect(view.envelope(fromViewRect: ScreenRect(x: 0, y: 0, width: 9, height: 9)) == nil)
    #expect(view.location(fromScreenPoint: ScreenPoint(x: 0, y: 0)) == nil)
    #expect(view.screenPoint(fromLocation: Point(latitude: 0, longitude: 0)) == nil)
    // As in the sample: no viewpoint, no geometry, all cities.
    let asked = StatisticsQueryParameters(statisticDefinitions: [
      StatisticDefinition(fieldName: "POP_RANK", statisticType: .count)
    ])
    func count() async throws -> Int? {
      asked.geometry = view.currentViewpoint(kind: .boundingGeometry)?.targetGeometry
      return try await table.queryStatistics(using: asked).statisticRecords().first?
        .statistics["COUNT_POP_RANK"] as? Int
    }
    #expect(try await count() == 6)
    // No feature is in view, and nothing can be drawn.
    #expect(try await view.freeze().counts(CountOptions()).layers.map(\.count) == [0])
    await #expect(throws: MapStateError.self) { try await view.exportImage() }
    let hit = try await view.identifyLayers(screenPoint: ScreenPoint(x: 0, y: 0), tolerance: 50)
    #expect(hit.isEmpty)
    try view.resize(width: 200, height: 100)
    #expect(try await count() == 2)
    #expect(try await view.freeze().counts(CountOptions()).layers.map(\.count) == [2])
  }

  @Test("The first size starts drawing, and later sizes keep centre and scale")
  func layout() async throws {
    let jobs = DisplayFilterSampleTests.Jobs()
    let table = LocalFeatureTable(source: TableFixtures.cities)
    let map = map(table)
    let view = try MapView(map: map, scheduler: jobs.scheduler)
    let (statuses, areas) = (Told<MapView.DrawStatus>(), Told<Polygon>())
    view.onDrawStatusChanged { statuses.add($0) }.onVisibleAreaChanged { areas.add($0) }
    #expect(statuses.take() == [.inProgress])
    #expect(jobs.count == 0)
    map.featureLayers[0].definitionExpression = "POP_RANK = 1"
    #expect(jobs.count == 0)
    #expect(statuses.take().isEmpty)
    #expect(areas.take().isEmpty)
    try view.resize(width: 200, height: 100)
    #expect(jobs.count == 1)
    await jobs.run()
    #expect(statuses.take() == [.completed])
    let new = try MapView(map: map, width: 200, height: 100)
    #expect(view.viewpoint == new.viewpoint)
    #expect(areas.take() == [new.visibleArea])
    // Another size keeps centre and scale.
    try view.resize(width: 400, height: 300)
    #expect(view.viewpoint == new.viewpoint)
    #expect(view.width == 400)
    #expect(view.height == 300)
    #expect(view.visibleArea?.extent.width == new.visibleArea.map { $0.extent.width * 2 })
    #expect(areas.take().count == 1)
    #expect(statuses.take() == [.inProgress])
    await jobs.run()
    #expect(statuses.take() == [.completed])
    #expect(try await view.exportImage().height == 300)
    let before = view.viewpoint
    for (width, height) in [(0, 10), (10, -1), (40_000, 10), (.nan, 5)] as [(Double, Double)] {
      #expect(throws: MapStateError.self) { try view.resize(width: width, height: height) }
    }
    #expect(view.viewpoint == before)
    #expect(view.width == 400)
  }

  @Test("A viewpoint requested before the first size is shown with it")
  func wanted() async throws {
    let map = map(LocalFeatureTable(source: TableFixtures.cities))
    let view = try MapView(map: map)
    let other = Envelope(xMin: 0, yMin: 0, xMax: 4000, yMax: 3000, spatialReference: .webMercator)
    #expect(await view.setViewpointGeometry(other, padding: 20))
    try view.resize(width: 240, height: 340)
    // 200 of 240 pixels remain.
    #expect(abs(view.viewpoint.resolution - 20) < 1e-9)
    #expect(view.viewpoint.center == other.center)
    let given = try MapView(map: map, viewpoint: Viewpoint(latitude: 1, longitude: 2, scale: 5000))
    try given.resize(width: 50, height: 50)
    #expect(given.viewpoint.scale == 5000)
    #expect(throws: MapStateError.self) {
      try MapView(map: map, viewpoint: Viewpoint(latitude: 1, longitude: 2, scale: -1))
    }
  }
}
