import Foundation
import MapState
import Synchronization
import Testing

/// The rules of Esri's sample "Filter by definition expression or display filter", row by row of its tables.
@Suite struct DisplayFilterSampleTests {
  /// Jobs requested by a view, run when a test says so.
  final class Jobs: Sendable {
    private let waiting = Mutex<[@Sendable () async -> Void]>([])

    var scheduler: DrawScheduler { DrawScheduler { job in self.waiting.withLock { $0.append(job) } } }
    var count: Int { waiting.withLock { $0.count } }

    func run() async {
      while let job = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { await job() }
    }
  }

  final class Told<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    func add(_ value: Value) { values.withLock { $0.append(value) } }
    func take() -> [Value] {
      values.withLock { values in
        defer { values = [] }
        return values
      }
    }
  }

  static let trees = "req_type = 'Tree Maintenance or Damage'"

  static var treeFilter: ManualDisplayFilterDefinition {
    let filter = DisplayFilter(name: "Trees", whereClause: "req_type LIKE 'Tree Maintenance or Damage'")
    return ManualDisplayFilterDefinition(activeFilter: filter, availableFilters: [filter])
  }

  struct Scene {
    let layer: FeatureLayer
    let view: MapView
    let jobs = Jobs()

    /// The grid of incidents with its outermost rows and columns on the view's edge.
    init(table: (any FeatureTable)? = nil) throws {
      let url = try #require(TableFixtures.incidentsURL)
      layer = FeatureLayer(
        featureTable: table ?? ServiceFeatureTable(url: url, standIns: TableFixtures.standIns))
      let map = Map()
      map.initialViewpoint = Viewpoint(
        boundingGeometry: Envelope(xMin: 0, yMin: 0, xMax: 9000, yMax: 9000, spatialReference: .webMercator))
      map.addOperationalLayer(layer)
      view = try MapView(map: map, width: 300, height: 300, scheduler: jobs.scheduler)
    }

    func count() async throws -> Int {
      let asked = QueryParameters()
      asked.geometry = view.envelope(
        fromViewRect: ScreenRect(x: 0, y: 0, width: view.width, height: view.height))
      return try await #require(layer.featureTable).queryFeatureCount(using: asked)
    }

    func drawn() async throws -> Int {
      await view.load()
      var options = CountOptions()
      options.funnel = true
      return try await view.freeze().counts(options).layers[0].funnel?.drawn ?? -1
    }
  }

  @Test("The sample's steps give the expected statuses, counts and images")
  func steps() async throws {
    let scene = try Scene()
    let (view, layer) = (scene.view, scene.layer)
    let statuses = Told<MapView.DrawStatus>()
    let recounts = Told<Int>()
    view.onDrawStatusChanged { statuses.add($0) }
    func redraw() async throws {
      await scene.jobs.run()
      if view.drawStatus == .completed { recounts.add(try await scene.count()) }
    }
    #expect(statuses.take() == [.inProgress])
    try await redraw()
    #expect(statuses.take() == [.completed])
    #expect(layer.loadStatus == .loaded)
    // Features exactly on the edge are counted.
    #expect(recounts.take() == [100])
    #expect(try await scene.drawn() == 100)

    layer.definitionExpression = Self.trees
    layer.displayFilterDefinition = nil
    #expect(statuses.take() == [.inProgress])
    #expect(scene.jobs.count == 1)
    try await redraw()
    #expect(statuses.take() == [.completed])
    #expect(recounts.take() == [25])
    #expect(try await scene.drawn() == 25)
    let expression = try await view.exportImage()

    layer.definitionExpression = ""
    layer.displayFilterDefinition = Self.treeFilter
    #expect(scene.jobs.count == 1)
    try await redraw()
    #expect(statuses.take() == [.inProgress, .completed])
    #expect(recounts.take() == [100])
    #expect(try await scene.drawn() == 25)
    #expect(try await view.exportImage() == expression)

    layer.definitionExpression = ""
    layer.displayFilterDefinition = nil
    try await redraw()
    #expect(recounts.take() == [100])
    #expect(try await scene.drawn() == 100)
    _ = statuses.take()
    try view.pan(right: 150, down: 0)
    try await redraw()
    #expect(statuses.take() == [.inProgress, .completed])
    #expect(recounts.take() == [50])
  }

  @Test("Each operation applies its own filters")
  func table() async throws {
    func all(_ scene: Scene) async throws -> [Int] {
      await scene.view.load()
      let table = try #require(scene.layer.featureTable)
      let figures = StatisticsQueryParameters(statisticDefinitions: [
        StatisticDefinition(fieldName: "req_type", statisticType: .count)
      ])
      let counted = try await table.queryStatistics(using: figures).statisticRecords()[0].statistics.values
      let selected = try await scene.layer.selectFeatures(withQuery: QueryParameters(), mode: .new)
      var hit = 0
      for layer in try await scene.view.identifyLayers(
        screenPoint: ScreenPoint(x: 150, y: 150), tolerance: 100, maximumResultsPerLayer: 1000)
      {
        hit += layer.geoElements.count
      }
      scene.layer.clearSelection()
      return [
        try await table.queryFeatureCount(),
        try await table.queryFeatures(using: QueryParameters()).features().count,
        counted.first as? Int ?? -1, selected.features().count, try await scene.drawn(), hit,
      ]
    }
    let scene = try Scene()
    let layer = scene.layer
    let open = try await all(scene)
    #expect(open[0...4] == [100, 100, 100, 100, 100])
    #expect(open[5] > 30)
    layer.definitionExpression = Self.trees
    let expression = try await all(scene)
    #expect(expression[0...4] == [25, 25, 25, 25, 25])
    #expect(expression[5] < open[5])
    layer.displayFilterDefinition = Self.treeFilter
    layer.definitionExpression = ""
    let display = try await all(scene)
    #expect(display[0...4] == [100, 100, 100, 100, 25])
    #expect(display[5] == expression[5])
    layer.definitionExpression = "OBJECTID <= 50"
    #expect(try await all(scene)[0...4] == [50, 50, 50, 50, 13])
    layer.displayFilterDefinition = nil
    // The view's time extent: days 10 to 30, without features that have no date.
    scene.view.timeExtent = TimeExtent(
      start: Instant(microseconds: 10 * 86_400_000_000), end: Instant(microseconds: 30 * 86_400_000_000))
    #expect(try await all(scene)[0...4] == [50, 50, 50, 50, 18])
    scene.view.timeExtent = nil
    layer.isVisible = false
    #expect(try await all(scene) == [50, 50, 50, 50, 0, 0])
    layer.isVisible = true
    layer.minScale = 1
    #expect(try await all(scene) == [50, 50, 50, 50, 0, 0])
  }

  @Test("A faulty filter gives an error state, and a blank one is no condition")
  func faults() async throws {
    let scene = try Scene()
    let (view, layer) = (scene.view, scene.layer)
    let states = Told<LayerViewState.Status>()
    view.onLayerViewStateChanged { if $0 === layer { states.add($1.status) } }
    await scene.jobs.run()
    #expect(states.take() == [.active])
    // A blank expression is no condition.
    layer.definitionExpression = "   "
    #expect(try await scene.count() == 100)
    let empty = try await {
      layer.isVisible = false
      defer { layer.isVisible = true }
      return try await view.exportImage()
    }()
    layer.definitionExpression = "req_typ = 'x'"
    await scene.jobs.run()
    #expect(view.drawStatus == .completed)
    #expect(states.take() == [.error])
    #expect(view.layerViewState(for: layer)?.error?.contains("req_type") == true)
    #expect(await cause { try await scene.count() } is QueryConditionError)
    #expect(try await view.exportImage() == empty)
    layer.definitionExpression = ""
    let filter = DisplayFilter(name: "bad", whereClause: "req_type LIKE")
    layer.displayFilterDefinition = ManualDisplayFilterDefinition(
      activeFilter: filter, availableFilters: [filter])
    await scene.jobs.run()
    #expect(view.drawStatus == .completed)
    #expect(states.take() == [[.active, .warning]])
    #expect(try await scene.count() == 100)
    #expect(try await view.exportImage() == empty)
    // A filter without a clause is an error unless it comes from a document.
    let blank = DisplayFilter(name: "blank", whereClause: " ")
    layer.displayFilterDefinition = ManualDisplayFilterDefinition(
      activeFilter: blank, availableFilters: [blank])
    await scene.jobs.run()
    #expect(states.take() == [[.active, .warning]])
    #expect(try await scene.count() == 100)
    #expect(try await view.exportImage() == empty)
    // An active filter that is not available is ignored.
    layer.displayFilterDefinition = ManualDisplayFilterDefinition(activeFilter: filter, availableFilters: [])
    await scene.jobs.run()
    #expect(states.take() == [.active])
    layer.displayFilterDefinition = ScaleDisplayFilterDefinition(filters: [
      ScaleRangeDisplayFilter(name: "a", whereClause: "OBJECTID = 1"),
      ScaleRangeDisplayFilter(name: "b", whereClause: "OBJECTID = 2"),
    ])
    await scene.jobs.run()
    #expect(states.take() == [[.active, .warning]])
    #expect(try await scene.drawn() == 1)
    // Of two filters that meet at the view's scale, only one applies.
    let scale = view.viewpoint.scale
    layer.displayFilterDefinition = ScaleDisplayFilterDefinition(filters: [
      ScaleRangeDisplayFilter(name: "far", whereClause: "OBJECTID = 1", maxScale: scale),
      ScaleRangeDisplayFilter(name: "near", whereClause: "OBJECTID = 2", minScale: scale),
    ])
    await scene.jobs.run()
    #expect(states.take() == [.active])
    layer.displayFilterDefinition = nil
    layer.isVisible = false
    await scene.jobs.run()
    layer.isVisible = true
    layer.maxScale = 1e9
    await scene.jobs.run()
    #expect(states.take() == [.notVisible, .outOfScale])
  }

  @Test("The envelope of a rotated view has more features than it draws, and LIKE is case-sensitive")
  func edges() async throws {
    let scene = try Scene()
    // The envelope of a rotated view is larger than the image.
    await scene.view.setViewpointScale(scene.view.viewpoint.scale / 2)
    let upright = try await scene.count()
    await scene.view.setViewpointRotation(45)
    #expect(try await scene.count() > upright)
    #expect(try await scene.drawn() < scene.count())
    // LIKE is case-sensitive, and only the pattern has wildcards.
    let asked = QueryParameters()
    let table = try #require(scene.layer.featureTable)
    asked.whereClause = "req_type LIKE '%tree%'"
    #expect(try await table.queryFeatureCount(using: asked) == 25)
    asked.whereClause = "req_type LIKE '50!%!_%' ESCAPE '!'"
    #expect(try await table.queryFeatureCount(using: asked) == 25)
  }

  @Test("Layer view states have the raw values of the SDK")
  func numbers() {
    let all: [LayerViewState.Status] = [.active, .notVisible, .outOfScale, .loading, .error, .warning]
    #expect(all.map(\.rawValue) == [1, 2, 4, 8, 16, 32])
  }

  @Test("A table in a second layer is an error, and its expression has no effect")
  func secondLayer() async throws {
    let scene = try Scene()
    let table = try #require(scene.layer.featureTable)
    let second = FeatureLayer(featureTable: table)
    await #expect(throws: MapStateError.self) { try await second.load() }
    #expect(second.loadStatus == .failed)
    #expect(table.featureLayer === scene.layer)
    second.definitionExpression = Self.trees
    #expect(try await table.queryFeatureCount() == 100)
    scene.view.map.addOperationalLayer(second)
    scene.view.onDrawStatusChanged { _ in }
    await scene.jobs.run()
    #expect(scene.view.layerViewState(for: second)?.status == .error)
    #expect(scene.view.drawStatus == .completed)
    #expect(second.source.rowCount == 0)
    #expect(second.fullExtent.isEmpty)
  }

  @Test("A table can be used again after its layer is released")
  func freedTable() async throws {
    let table = LocalFeatureTable(source: TableFixtures.cities)
    do {
      let layer = FeatureLayer(featureTable: table)
      #expect(layer.loadStatus == .loaded)
    }
    let next = FeatureLayer(featureTable: table)
    #expect(next.loadStatus == .loaded)
    #expect(table.featureLayer === next)
  }

  @Test("An unavailable service fails to load, and the view is drawn without it")
  func noService() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:1/FeatureServer/0"))
    let table = ServiceFeatureTable(url: url, standIns: StandInCatalog())
    await #expect(throws: MapStateError.self) { try await table.load() }
    #expect(table.loadStatus == .failed)
    let scene = try Scene(table: table)
    scene.view.onDrawStatusChanged { _ in }
    await scene.jobs.run()
    #expect(scene.view.layerViewState(for: scene.layer)?.status == .error)
    #expect(try await scene.view.exportImage().width == 300)
  }
}
