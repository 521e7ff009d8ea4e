import Foundation
import MapState
import Synchronization
import Testing

/// Event sequences of the samples, and table rows that depend on the order of events.
@Suite struct SampleSequenceTests {
  private typealias Samples = DisplayFilterSampleTests
  private typealias Told = DisplayFilterSampleTests.Told

  /// Collects every notification of a view and every count of the sample in one list.
  @Test("The display filter sample gives the expected sequence of events and counts")
  func displayFilterSample() async throws {
    let scene = try Samples.Scene()
    let (view, layer) = (scene.view, scene.layer)
    let log = Told<String>()
    view.onDrawStatusChanged { log.add("\($0)") }
      .onViewpointChanged(kind: .centerAndScale) { log.add("viewpoint \(Int($0.targetScale.rounded()))") }
      .onVisibleAreaChanged { _ in log.add("area") }.onTimeExtentChanged { _ in log.add("time") }
      .onLayerViewStateChanged { _, state in log.add("layer \(state.status.rawValue)") }
    func step(_ change: () throws -> Void) async throws -> [String] {
      try change()
      await scene.jobs.run()
      // The sample counts again on each completed status.
      if view.drawStatus == .completed { log.add("\(try await scene.count()) feature(s)") }
      return log.take()
    }
    let drawn = ["inProgress", "completed"]
    #expect(try await step {} == ["inProgress", "layer 1", "completed", "100 feature(s)"])
    let expression = try await step {
      layer.definitionExpression = Samples.trees
      layer.displayFilterDefinition = nil
    }
    #expect(expression == drawn + ["25 feature(s)"])
    let display = try await step {
      layer.definitionExpression = ""
      layer.displayFilterDefinition = Samples.treeFilter
    }
    #expect(display == drawn + ["100 feature(s)"])
    let none = try await step {
      layer.definitionExpression = ""
      layer.displayFilterDefinition = nil
    }
    #expect(none == drawn + ["100 feature(s)"])
    let scale = Int(view.viewpoint.scale.rounded())
    let panned = try await step { try view.pan(right: 150, down: 0) }
    #expect(panned == ["viewpoint \(scale)", "area"] + drawn + ["50 feature(s)"])
    // The sample shows an error of a count as text; the next completed status counts again.
    layer.definitionExpression = "req_typ = 'x'"
    await scene.jobs.run()
    #expect(await cause { try await scene.count() } is QueryConditionError)
    #expect(log.take() == ["inProgress", "layer 16", "completed"])
    let mended = try await step { layer.definitionExpression = "" }
    #expect(mended == ["inProgress", "layer 1", "completed", "50 feature(s)"])
  }

  @Test("Identify finds only features that are drawn under the current filters and time")
  func identified() async throws {
    let scene = try Samples.Scene()
    let layer = scene.layer
    await scene.view.load()
    func hits() async throws -> Set<Int> {
      let found = try await scene.view.identify(
        on: layer, screenPoint: ScreenPoint(x: 150, y: 150), tolerance: 100, maximumResults: 1000)
      return Set(found.geoElements.compactMap(\.objectID))
    }
    let all = try await hits()
    layer.definitionExpression = "OBJECTID <= 50"
    layer.displayFilterDefinition = Samples.treeFilter
    // Every fourth incident is a tree, starting with the first.
    #expect(try await hits() == all.filter { $0 <= 50 && ($0 - 1) % 4 == 0 })
    layer.displayFilterDefinition = nil
    scene.view.timeExtent = TimeExtent(
      start: Instant(microseconds: 10 * 86_400_000_000), end: Instant(microseconds: 30 * 86_400_000_000))
    let timed = all.filter { $0 <= 50 && (10...30).contains($0 - 1) && ($0 - 1) % 7 != 0 }
    #expect(try await hits() == timed)
    #expect(!timed.isEmpty)
    // A query ignores the view's time, and so does selection by query.
    let selected = try await layer.selectFeatures(withQuery: QueryParameters(), mode: .new)
    #expect(selected.features().count == 50)
  }

  /// Lets a test hold back the opening of a table.
  private final class Gate: Sendable {
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])
    private let isOpen = Mutex(false)

    func pass() async {
      await withCheckedContinuation { continuation in
        waiting.withLock { $0.append(continuation) }
        if isOpen.withLock({ $0 }) { release() }
      }
    }
    var isWaitedFor: Bool { waiting.withLock { !$0.isEmpty } }
    func open() {
      isOpen.withLock { $0 = true }
      release()
    }
    private func release() {
      for continuation in waiting.withLock({ list in
        defer { list = [] }
        return list
      }) { continuation.resume() }
    }
  }

  @Test("A query uses its parameters as they were when it was called")
  func parametersAtTheCall() async throws {
    let gate = Gate()
    let table = LocalFeatureTable(name: "slow") {
      await gate.pass()
      return TableState.Opened(TableFixtures.cities, name: "slow")
    }
    let asked = QueryParameters()
    asked.whereClause = "POP_RANK = 1"
    let first = Task { try await table.queryFeatureCount(using: asked) }
    // The table opens after the call has read its parameters.
    while !gate.isWaitedFor { await Task.yield() }
    asked.whereClause = "POP_RANK = 3"
    let second = Task { try await table.queryFeatureCount(using: asked) }
    gate.open()
    let counts = (try await first.value, try await second.value)
    #expect(counts == (3, 1))
  }

  @Test("Groups by date have null last and without a key")
  func groupsByDate() async throws {
    let table = LocalFeatureTable(source: TableFixtures.incidents)
    let asked = StatisticsQueryParameters(statisticDefinitions: [
      StatisticDefinition(fieldName: "req_type", statisticType: .count)
    ])
    asked.addGroupByFieldName("req_date")
    func groups() async throws -> [Date?] {
      try await table.queryStatistics(using: asked).statisticRecords().map { $0.group["req_date"] as? Date }
    }
    let rising = try await groups()
    #expect(rising.count == 86)
    #expect(rising.last == .some(nil))
    #expect(rising.first == Date(timeIntervalSince1970: 86_400))
    #expect(rising.dropLast().compactMap { $0 } == rising.compactMap { $0 }.sorted())
    asked.addOrderByField(OrderBy(fieldName: "req_date", sortOrder: .descending))
    #expect(try await groups() == rising.reversed())
  }

  @Test("A view without a viewpoint shows the whole layer, and its extent counts all features")
  func fullExtent() async throws {
    let table = ServiceFeatureTable(
      url: try #require(TableFixtures.citiesURL), standIns: TableFixtures.standIns)
    let map = Map(basemapStyle: .arcGISTopographic)
    map.addOperationalLayer(FeatureLayer(featureTable: table))
    let view = try MapView(map: map, width: 320, height: 480)
    await view.load()
    let asked = StatisticsQueryParameters(statisticDefinitions: [
      StatisticDefinition(fieldName: "POP_RANK", statisticType: .count)
    ])
    asked.geometry = view.visibleArea?.extent
    func count() async throws -> Int? {
      try await table.queryStatistics(using: asked).statisticRecords()[0].statistics["COUNT_POP_RANK"] as? Int
    }
    #expect(try await count() == 6)
    await view.setViewpointScale(view.viewpoint.scale / 2)
    asked.geometry = view.visibleArea?.extent
    #expect(try await count() == 2)
    asked.geometry = nil
    #expect(try await count() == 6)
  }

  @Test("A red line is 3 pixels wide with butt ends over the basemap")
  func redLine() async throws {
    let table = FeatureCollectionTable(fields: [], geometryType: .polyline, spatialReference: .webMercator)
    let road = Polyline(
      points: [(30.0, 49.5), (70.0, 49.5)].map { Point(x: $0.0, y: $0.1, spatialReference: .webMercator) })
    try await table.add(table.makeFeature(geometry: road))
    let layer = FeatureLayer(featureTable: table)
    layer.renderer = SimpleRenderer(symbol: SimpleLineSymbol(style: .solid, color: .red, width: 3))
    let map = Map(basemapStyle: .arcGISTopographic)
    map.addOperationalLayer(layer)
    let box = Envelope(xMin: 0, yMin: 0, xMax: 100, yMax: 100, spatialReference: .webMercator)
    map.initialViewpoint = Viewpoint(boundingGeometry: box)
    let view = try MapView(map: map, width: 100, height: 100)
    let image = try await view.exportImage()
    layer.isVisible = false
    let under = try await view.exportImage()
    let changed = (0..<100).flatMap { y in
      (0..<100).compactMap { x in image[x, y] != under[x, y] ? (x, y) : nil }
    }
    // 40 by 3 pixels, all fully covered.
    #expect(changed.count == 120)
    #expect(changed.allSatisfy { (30..<70).contains($0.0) && (49...51).contains($0.1) })
    #expect(changed.allSatisfy { image[$0.0, $0.1] == image[50, 50] })
    #expect(image[50, 50].red == 255)
    #expect(image[50, 50].green == 0)
    #expect(image[50, 50].blue == 0)
  }
}
