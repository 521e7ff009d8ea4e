import Glibc
import MapGeometry
import MapState
import MapTestSupport
import Synchronization
import Testing

@Suite struct MapViewTests {
  /// Points at x 0, 10, … 90 km on the equator, with their number as `n`.
  static func layer() -> FeatureLayer {
    var geometry = CoordinateBuffer(kind: .point)
    for row in 0..<10 { geometry.appendPoint(x: Double(row) * 10_000, y: 0) }
    return FeatureLayer(
      source: InMemorySource(
        FeatureColumns(
          schema: FeatureSchema(
            fields: [Field(name: "n", type: .int64)], geometryKind: .point, spatialReference: .webMercator),
          columns: [Column(.integers(Array(0..<10)))], geometry: geometry, rowCount: 10)), title: "points")
  }

  static func view() throws -> (view: MapView, layer: FeatureLayer) {
    let map = Map()
    let layer = layer()
    map.addOperationalLayer(layer)
    let box = Envelope(xMin: -5000, yMin: -1000, xMax: 55_000, yMax: 1000, spatialReference: .webMercator)
    return (
      try MapView(map: map, width: 200, height: 100, viewpoint: Viewpoint(boundingGeometry: box)), layer
    )
  }

  @Test("The draw status is in progress after a change and completed after a freeze")
  func drawStatus() throws {
    let (view, layer) = try Self.view()
    #expect(view.drawStatus == .inProgress)
    _ = view.freeze()
    #expect(view.drawStatus == .completed)
    let changes: [() throws -> Void] = [
      { layer.definitionExpression = "n = 1" },
      {
        layer.displayFilterDefinition = ManualDisplayFilterDefinition(activeFilter: nil, availableFilters: [])
      },
      { layer.renderer = SimpleRenderer(symbol: SimpleMarkerSymbol()) }, { layer.isVisible = false },
      { layer.opacity = 0.5 }, { view.map.backgroundColor = nil }, { try view.pan(right: 1, down: 0) },
      { view.timeExtent = TimeExtent(start: nil, end: nil) },
      { view.map.addOperationalLayer(Self.layer()) },
    ]
    for change in changes {
      try change()
      #expect(view.drawStatus == .inProgress)
      _ = view.freeze()
      #expect(view.drawStatus == .completed)
    }
    view.map.update {
      layer.opacity = 1
      layer.isVisible = true
    }
    #expect(view.drawStatus == .inProgress)
    // A frozen state does not change.
    let state = view.freeze()
    layer.opacity = 0.1
    #expect(state.layers[0].opacity == 1)
  }

  private final class Working: Sendable {
    let writers = Atomic(2)
  }

  @Test("A freeze never sees a partial update, and concurrent moves all count")
  func concurrency() async throws {
    let (view, layer) = try Self.view()
    view.map.update { (layer.title, layer.definitionExpression) = ("0", "0") }
    let start = view.viewpoint
    let working = Working()
    let torn = try await withThrowingTaskGroup(of: Int.self) { group in
      for writer in 0..<2 {
        group.addTask {
          for step in 0..<500 {
            await Task.yield()
            view.map.update {
              (layer.title, layer.definitionExpression) = ("\(writer) \(step)", "\(writer) \(step)")
            }
            try view.pan(right: 1, down: 0)
            try view.rotate(by: 0)
          }
          working.writers.subtract(1, ordering: .relaxed)
          return 0
        }
      }
      for _ in 0..<2 {
        group.addTask {
          var torn = 0
          while working.writers.load(ordering: .relaxed) > 0 {
            await Task.yield()
            let layer = view.freeze().layers[0]
            if layer.title != layer.definitionExpression { torn += 1 }
          }
          return torn
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(torn == 0)
    let moved = (view.viewpoint.center.x - start.center.x) / start.resolution
    #expect(abs(moved - 1000) < 1e-6)
    _ = view.freeze()
    #expect(view.drawStatus == .completed)
  }

  @Test("Moves follow the screen about the centre, and invalid ones leave the view unchanged")
  func moves() throws {
    let (view, _) = try Self.view()
    let start = view.viewpoint
    try view.rotate(by: 90)
    #expect(view.viewpoint.rotation == 90)
    #expect(view.viewpoint.center == start.center)
    // East is at the top, so right is south.
    try view.pan(right: 10, down: 0)
    #expect(abs(start.center.y - view.viewpoint.center.y - 10 * start.resolution) < 1e-6)
    #expect(abs(start.center.x - view.viewpoint.center.x) < 1e-6)
    try view.zoom(by: 2)
    #expect(abs(view.viewpoint.scale * 2 / start.scale - 1) < 1e-12)
    let before = view.viewpoint
    for bad in [0, -1, .nan, .infinity, 1e30] as [Double] {
      #expect(throws: MapStateError.self) { try view.zoom(by: bad) }
    }
    #expect(throws: MapStateError.self) { try view.pan(right: .infinity, down: 0) }
    #expect(throws: MapStateError.self) { try view.pan(right: 1e20, down: 0) }
    #expect(throws: MapStateError.self) { try view.rotate(by: .nan) }
    #expect(view.viewpoint == before)
  }

  @Test("Data that no view can show is still counted")
  func extentsOutsideTheLimits() async throws {
    let cases: [(x: Double, y: Double, SpatialReference)] = [
      (1e-13, 0, .wgs84), (10, 5e6, .wgs84), (1e300, -1e300, .webMercator), (1e9, 0, .wgs84),
    ]
    for (x, y, reference) in cases {
      var geometry = CoordinateBuffer(kind: .point)
      geometry.appendPoint(x: 0, y: 0)
      geometry.appendPoint(x: x, y: y)
      let map = Map()
      map.addOperationalLayer(
        FeatureLayer(
          source: InMemorySource(
            FeatureColumns(
              schema: FeatureSchema(fields: [], geometryKind: .point, spatialReference: reference),
              columns: [], geometry: geometry, rowCount: 2))))
      let state = try MapView(map: map, width: 200, height: 100).freeze()
      var options = CountOptions()
      options.question.area = .everywhere
      #expect(try await state.counts(options).layers[0].count == 2, "\(x) \(y)")
      #expect(try await state.render().bitmap.width == 200)
    }
  }

  @Test("The image size is in whole pixels, and impossible sizes are refused")
  func sizes() throws {
    let map = Map()
    let view = try MapView(map: map, width: 100.3, height: 50.2, pixelRatio: 2)
    #expect(view.width == 100.5)
    #expect(view.height == 50)
    #expect(view.freeze().pictureWidth == 201)
    #expect(view.freeze().pictureHeight == 100)
    for (width, height, ratio) in [
      (0, 10, 1), (10, -1, 1), (40_000, 10, 1), (20_000, 20_000, 1), (10, 10, 0.5), (10, 10, 5),
      (.nan, 10, 1),
      (10, 10, .nan),
    ] as [(Double, Double, Double)] {
      #expect(throws: MapStateError.self) {
        try MapView(map: map, width: width, height: height, pixelRatio: ratio)
      }
    }
  }

  @Test("A view without a viewpoint shows its layers' extent, or the world without layers")
  func initialViews() throws {
    let map = Map()
    #expect(try MapView(map: map, width: 100, height: 100).freeze().extent.width >= 2 * WebMercator.halfWorld)
    map.addOperationalLayer(Self.layer())
    let shown = try MapView(map: map, width: 100, height: 100).freeze().extent
    #expect(shown.xMin <= 0)
    #expect(shown.xMax >= 90_000)
    #expect(shown.width < 91_000)
    map.initialViewpoint = Viewpoint(latitude: 10, longitude: 20, scale: 5000)
    #expect(abs(try MapView(map: map, width: 100, height: 100).viewpoint.scale / 5000 - 1) < 1e-12)
  }
}

/// A fitted view draws every row that it was fitted to.
@Suite struct FittedViewTests {
  @Test("Fitted views draw all features at any rotation in degrees and metres", arguments: [0, 1, 2, 3])
  func drawsAll(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    for step in 0..<60 {
      let degrees = step % 2 == 0
      let (reachX, reachY) = degrees ? (179.0, 84.0) : (2e7, 1.9e7)
      let size = exp2(Double.random(in: -16...0, using: &random))
      let x = Double.random(in: -reachX...reachX * (1 - size), using: &random)
      let y = Double.random(in: -reachY...reachY * (1 - size), using: &random)
      var geometry = CoordinateBuffer(kind: .point)
      for _ in 0..<30 {
        geometry.appendPoint(
          x: x + Double.random(in: 0...size * reachX, using: &random),
          y: y + Double.random(in: 0...size * reachY, using: &random))
      }
      let table = FeatureColumns(
        schema: FeatureSchema(
          fields: [], geometryKind: .point, spatialReference: degrees ? .wgs84 : .webMercator),
        columns: [], geometry: geometry, rowCount: 30)
      let map = Map()
      let source = InMemorySource(table)
      map.addOperationalLayer(FeatureLayer(source: source))
      // The last two rotations leave a corner of the box on a side of the view.
      let rotation = [0, 90, 45, Double.random(in: 0..<360, using: &random)][step / 2 % 4]
      let view = try MapView(
        map: map, width: 300, height: 200,
        viewpoint: Viewpoint(boundingGeometry: source.extent, rotation: rotation))
      let state = view.freeze()
      let drawing = try await state.drawing(of: state.layers[0], index: 0)
      #expect(drawing.drawn.count == 30, "rotation \(rotation), \(source.extent)")
    }
  }
}

/// Definition expression and display filter, as Esri's sample of that name distinguishes them.
@Suite struct FilterModeTests {
  @Test("An expression and a display filter draw the same image, and only the expression limits the count")
  func modes() async throws {
    let (view, layer) = try MapViewTests.view()
    func look() async throws -> (count: Int, drawn: Int, bitmap: Bitmap) {
      let rendered = try await view.freeze().render()
      let answer = try await view.freeze().counts(CountOptions())
      return (answer.layers[0].count, rendered.report.layers[0].funnel?.drawn ?? -1, rendered.bitmap)
    }
    let all = try await look()
    #expect(all.count == 6)
    #expect(all.drawn == 6)
    layer.definitionExpression = "n >= 4"
    let expression = try await look()
    #expect(expression.count == 2)
    #expect(expression.drawn == 2)
    view.map.update {
      layer.definitionExpression = ""
      let filter = DisplayFilter(name: "high", whereClause: "n >= 4")
      layer.displayFilterDefinition = ManualDisplayFilterDefinition(
        activeFilter: filter, availableFilters: [filter])
    }
    let display = try await look()
    #expect(display.count == 6)
    #expect(display.drawn == 2)
    #expect(display.bitmap == expression.bitmap)
    #expect(display.bitmap != all.bitmap)
    layer.displayFilterDefinition = nil
    let none = try await look()
    #expect(none.count == 6)
    #expect(none.drawn == 6)
    #expect(none.bitmap == all.bitmap)
    layer.isVisible = false
    let hidden = try await look()
    #expect(hidden.count == 6)
    #expect(hidden.drawn == 0)
  }

  @Test("The funnel is written as JSON with its stages in order")
  func funnel() async throws {
    let (view, layer) = try MapViewTests.view()
    layer.definitionExpression = "n <> 1"
    let filter = DisplayFilter(name: "even", whereClause: "n IN (0, 2, 4)")
    layer.displayFilterDefinition = ManualDisplayFilterDefinition(
      activeFilter: filter, availableFilters: [filter])
    var options = CountOptions()
    options.funnel = true
    let answer = try await view.freeze().counts(options)
    let funnel = try #require(answer.layers[0].funnel)
    #expect(
      funnel.json.text()
        == "{\"total\":10,\"definition\":9,\"extent\":5,\"time\":5,\"scale\":5,\"display\":3,\"invisible\":0,\"drawn\":3,\"edge\":0}"
    )
    #expect(answer.layers[0].count == 5)
    layer.displayFilterDefinition = nil
    layer.definitionExpression = "n = "
    let error = await #expect(throws: MapStateError.self) { try await view.freeze().counts(CountOptions()) }
    #expect(error?.kind == .input)
    #expect(error?.description.contains("layer \"points\"") == true)
  }
}
