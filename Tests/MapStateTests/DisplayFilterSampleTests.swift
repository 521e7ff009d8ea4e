import Foundation
import MapState
import Synchronization
import Testing

/// The rules of Esri's sample "Filter by definition expression or display filter", row by row of its tables.
@Suite struct DisplayFilterSampleTests {
  /// Jobs that a view asks for, run when a test says so.
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

    /// The grid of incidents with the outermost rows and columns on the view's edge.
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

  @Test("The sample's steps: status once a burst, counts by the table, equal pictures")
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
    #expect(statuses.take() == [.completed] && layer.loadStatus == .loaded)
    // Features exactly on the edge count.
    #expect(recounts.take() == [100])
    #expect(try await scene.drawn() == 100)

    layer.definitionExpression = Self.trees
    layer.displayFilterDefinition = nil
    #expect(statuses.take() == [.inProgress] && scene.jobs.count == 1)
    try await redraw()
    #expect(statuses.take() == [.completed] && recounts.take() == [25])
    #expect(try await scene.drawn() == 25)
    let expression = try await view.exportImage()

    layer.definitionExpression = ""
    layer.displayFilterDefinition = Self.treeFilter
    #expect(scene.jobs.count == 1)
    try await redraw()
    #expect(statuses.take() == [.inProgress, .completed] && recounts.take() == [100])
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
    #expect(statuses.take() == [.inProgress, .completed] && recounts.take() == [50])
  }

  @Test("What each question honours")
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
    #expect(open[0...4] == [100, 100, 100, 100, 100] && open[5] > 30)
    layer.definitionExpression = Self.trees
    let expression = try await all(scene)
    #expect(expression[0...4] == [25, 25, 25, 25, 25] && expression[5] < open[5])
    layer.displayFilterDefinition = Self.treeFilter
    layer.definitionExpression = ""
    let display = try await all(scene)
    #expect(display[0...4] == [100, 100, 100, 100, 25] && display[5] == expression[5])
    layer.definitionExpression = "OBJECTID <= 50"
    #expect(try await all(scene)[0...4] == [50, 50, 50, 50, 13])
    layer.displayFilterDefinition = nil
    // The view's time: days 10 to 30, without those that have none.
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

  @Test func faults() async throws {
    let scene = try Scene()
    let (view, layer) = (scene.view, scene.layer)
    let states = Told<LayerViewState.Status>()
    view.onLayerViewStateChanged { if $0 === layer { states.add($1.status) } }
    await scene.jobs.run()
    #expect(states.take() == [.active])
    // Blank is none.
    layer.definitionExpression = "   "
    #expect(try await scene.count() == 100)
    let empty = try await {
      layer.isVisible = false
      defer { layer.isVisible = true }
      return try await view.exportImage()
    }()
    layer.definitionExpression = "req_typ = 'x'"
    await scene.jobs.run()
    #expect(view.drawStatus == .completed && states.take() == [.error])
    #expect(view.layerViewState(for: layer)?.error?.contains("req_type") == true)
    await #expect(throws: QueryConditionError.self) { try await scene.count() }
    #expect(try await view.exportImage() == empty)
    layer.definitionExpression = ""
    let filter = DisplayFilter(name: "bad", whereClause: "req_type LIKE")
    layer.displayFilterDefinition = ManualDisplayFilterDefinition(
      activeFilter: filter, availableFilters: [filter])
    await scene.jobs.run()
    #expect(view.drawStatus == .completed && states.take() == [[.active, .warning]])
    #expect(try await scene.count() == 100)
    #expect(try await view.exportImage() == empty)
    // One without a clause, which is none but in documents.
    let blank = DisplayFilter(name: "blank", whereClause: " ")
    layer.displayFilterDefinition = ManualDisplayFilterDefinition(
      activeFilter: blank, availableFilters: [blank])
    await scene.jobs.run()
    #expect(states.take() == [[.active, .warning]])
    #expect(try await scene.count() == 100)
    #expect(try await view.exportImage() == empty)
    // One that is not available is none.
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
    // Two that meet at the view's scale are in force one at a time.
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

  @Test func edges() async throws {
    let scene = try Scene()
    // A turned view's box holds more than the picture.
    await scene.view.setViewpointScale(scene.view.viewpoint.scale / 2)
    let upright = try await scene.count()
    await scene.view.setViewpointRotation(45)
    #expect(try await scene.count() > upright)
    #expect(try await scene.drawn() < scene.count())
    // LIKE knows case, and the wildcards of the pattern alone.
    let asked = QueryParameters()
    let table = try #require(scene.layer.featureTable)
    asked.whereClause = "req_type LIKE '%tree%'"
    #expect(try await table.queryFeatureCount(using: asked) == 25)
    asked.whereClause = "req_type LIKE '50!%!_%' ESCAPE '!'"
    #expect(try await table.queryFeatureCount(using: asked) == 25)
  }

  @Test("The states of a layer in a view have the numbers of the SDK")
  func numbers() {
    let all: [LayerViewState.Status] = [.active, .notVisible, .outOfScale, .loading, .error, .warning]
    #expect(all.map(\.rawValue) == [1, 2, 4, 8, 16, 32])
  }

  @Test("A table in a second layer is an error, and its expression never leaks")
  func secondLayer() async throws {
    let scene = try Scene()
    let table = try #require(scene.layer.featureTable)
    let second = FeatureLayer(featureTable: table)
    await #expect(throws: MappingError.self) { try await second.load() }
    #expect(second.loadStatus == .failed && table.featureLayer === scene.layer)
    second.definitionExpression = Self.trees
    #expect(try await table.queryFeatureCount() == 100)
    scene.view.map.addOperationalLayer(second)
    scene.view.onDrawStatusChanged { _ in }
    await scene.jobs.run()
    #expect(scene.view.layerViewState(for: second)?.status == .error && scene.view.drawStatus == .completed)
    #expect(second.source.rowCount == 0 && second.fullExtent.isEmpty)
  }

  @Test("A table is free again when its layer is gone")
  func freedTable() async throws {
    let table = LocalFeatureTable(source: TableFixtures.cities)
    do {
      let layer = FeatureLayer(featureTable: table)
      #expect(layer.loadStatus == .loaded)
    }
    let next = FeatureLayer(featureTable: table)
    #expect(next.loadStatus == .loaded && table.featureLayer === next)
  }

  @Test("A service that is not there fails at once, and the view draws without it")
  func noService() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:1/FeatureServer/0"))
    let table = ServiceFeatureTable(url: url, standIns: StandInCatalog())
    await #expect(throws: SourceError.self) { try await table.load() }
    #expect(table.loadStatus == .failed)
    let scene = try Scene(table: table)
    scene.view.onDrawStatusChanged { _ in }
    await scene.jobs.run()
    #expect(scene.view.layerViewState(for: scene.layer)?.status == .error)
    #expect(try await scene.view.exportImage().width == 300)
  }
}
