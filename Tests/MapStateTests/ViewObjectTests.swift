import Foundation
import MapCairo
import MapState
import MapTestSupport
import Synchronization
import Testing

/// Features shown and found by a view: identify, selection, hidden features, graphics.
@Suite struct ViewObjectTests {
  /// Random overlapping points and areas in a view of 200 by 150.
  static func scene(seed: UInt64, rotation: Double = 0, pixelRatio: Double = 1) throws -> MapView {
    var random = SeededGenerator(seed: seed)
    var (points, areas) = (CoordinateBuffer(kind: .point), CoordinateBuffer(kind: .polygon))
    for _ in 0..<300 {
      points.appendPoint(
        x: .random(in: -1100...1100, using: &random), y: .random(in: -900...900, using: &random))
    }
    for _ in 0..<60 {
      let (x, y) = (
        Double.random(in: -1100...1100, using: &random), Double.random(in: -900...900, using: &random)
      )
      for _ in 0..<5 {
        areas.appendVertex(
          x: x + .random(in: -300...300, using: &random), y: y + .random(in: -300...300, using: &random))
      }
      areas.appendVertex(x: areas.x[areas.vertexCount - 5], y: areas.y[areas.vertexCount - 5])
      areas.endPart()
      areas.endRow()
    }
    let map = Map()
    for geometry in [areas, points] {
      let layer = FeatureLayer(
        source: InMemorySource(
          FeatureColumns(
            schema: FeatureSchema(
              fields: [Field(name: "n", type: .int64)], geometryKind: geometry.kind,
              spatialReference: .webMercator),
            columns: [Column(.integers((0..<geometry.rowCount).map { Int64($0) }))], geometry: geometry,
            rowCount: geometry.rowCount)))
      map.addOperationalLayer(layer)
    }
    map.featureLayers[1].renderer = SimpleRenderer(
      symbol: SimpleMarkerSymbol(style: .diamond, size: 14, outline: SimpleLineSymbol(width: 2)))
    return try MapView(
      map: map, width: 200, height: 150, pixelRatio: pixelRatio,
      viewpoint: Viewpoint(
        center: Point(x: 0, y: 0, spatialReference: .webMercator), scale: 40_000, rotation: rotation))
  }

  @Test(
    "Identify agrees with the id image at random points",
    arguments: [(1, 0.0, 1.0, 6000), (2, 30, 1, 2500), (3, 0, 1.5, 1500)])
  func identify(seed: UInt64, rotation: Double, pixelRatio: Double, count: Int) async throws {
    let view = try Self.scene(seed: seed, rotation: rotation, pixelRatio: pixelRatio)
    let list = try await view.freeze().displayList()
    let pictures = try list.layers.map { layer in
      try IDPainter.image(
        of: DisplayList(width: list.width, height: list.height, background: nil, layers: [layer]))
    }
    var random = SeededGenerator(seed: seed)
    var hits = 0
    // A tenth of the points in a debug build.
    for _ in 0..<(Self.isOptimized ? count : count / 10) {
      let place = ScreenPoint(
        x: .random(in: 0..<200, using: &random), y: .random(in: 0..<150, using: &random))
      for (index, layer) in view.map.featureLayers.enumerated() {
        let found = try await view.identify(on: layer, screenPoint: place, tolerance: 0).geoElements
        let owner = pictures[index][Int(place.x * pixelRatio), Int(place.y * pixelRatio)]
        #expect(found.map { $0.attributes["n"] as? Int64 } == (owner.map { [Int64($0.row)] } ?? []))
        hits += found.count
      }
    }
    #expect(hits > 50)
  }

  private static var isOptimized: Bool {
    var isOptimized = true
    assert({ isOptimized = false }() == ())
    return isOptimized
  }

  @Test("Identify finds covered features from top to bottom and all within the tolerance")
  func depth() async throws {
    let view = try Self.scene(seed: 4)
    let layer = view.map.featureLayers[1]
    let place = ScreenPoint(x: 100, y: 75)
    let all = try await view.identify(on: layer, screenPoint: place, tolerance: 30, maximumResults: 1000)
    let rows = all.geoElements.compactMap { $0.attributes["n"] as? Int64 }
    // Later rows are drawn above earlier ones.
    #expect(rows == rows.sorted(by: >))
    #expect(rows.count > 8)
    for count in [1, 3, 7] {
      let some = try await view.identify(
        on: layer, screenPoint: place, tolerance: 30, maximumResults: count)
      #expect(some.geoElements.compactMap { $0.attributes["n"] as? Int64 } == Array(rows.prefix(count)))
    }
    // A diamond of size 14 with its outline reaches between 5 and 9 pixels.
    let table = try #require(layer.featureTable)
    for feature in try await table.queryFeatures(using: QueryParameters()).features() {
      let point = try #require(feature.geometry as? Point)
      let screen = try #require(view.screenPoint(fromLocation: point))
      let distance = ((screen.x - 100) * (screen.x - 100) + (screen.y - 75) * (screen.y - 75)).squareRoot()
      let isHit = rows.contains(feature.attributes["n"] as? Int64 ?? -1)
      if distance < 34 { #expect(isHit) }
      if distance > 41 { #expect(!isHit) }
    }
    await #expect(throws: MapStateError.self) {
      try await view.identify(on: layer, screenPoint: place, tolerance: 101)
    }
    let other = FeatureLayer(source: TableFixtures.cities)
    await #expect(throws: MapStateError.self) {
      try await view.identify(on: other, screenPoint: place, tolerance: 0)
    }
    let outside = try await view.identify(
      on: layer, screenPoint: ScreenPoint(x: -500, y: .nan), tolerance: 5)
    #expect(outside.geoElements.isEmpty)
    // The bottom layer comes first.
    let both = try await view.identifyLayers(screenPoint: place, tolerance: 30)
    #expect(both.map { $0.layerContent === layer } == [false, true])
    // A failing layer reports its error and does not stop the others.
    let missing = FeatureLayer(featureTable: LocalFeatureTable(fileURL: URL(filePath: "/none.csv")))
    view.map.insertOperationalLayer(missing, at: 1)
    let three = try await view.identifyLayers(screenPoint: place, tolerance: 30)
    try #require(three.map { $0.error == nil } == [true, false, true])
    #expect(three[1].geoElements.isEmpty)
  }

  @Test("Selected features are drawn on top in the selection colour and counted as before")
  func selection() async throws {
    let view = try Self.scene(seed: 5)
    let layer = view.map.featureLayers[1]
    layer.renderer = SimpleRenderer(symbol: SimpleMarkerSymbol(style: .square, color: .red, size: 20))
    let plain = try await view.exportImage()
    let asked = QueryParameters()
    asked.whereClause = "n < 5"
    try await layer.selectFeatures(withQuery: asked, mode: .new)
    let state = view.freeze()
    let drawing = try await state.drawing(of: state.layers[1], index: 1)
    #expect(drawing.layer.batches.count == 2)
    let marked = try await view.exportImage()
    let features = try await layer.selectedFeatures().features()
    #expect(features.count == 5)
    var seen = 0
    for feature in features {
      let point = try #require(feature.geometry as? Point)
      let screen = try #require(view.screenPoint(fromLocation: point))
      guard (0..<200).contains(screen.x), (0..<150).contains(screen.y) else { continue }
      let pixel = marked[Int(screen.x), Int(screen.y)]
      #expect(Color(red: pixel.red, green: pixel.green, blue: pixel.blue) == view.selectionColor)
      seen += 1
    }
    #expect(seen > 2)
    view.selectionColor = .magenta
    #expect(try await view.exportImage() != marked)
    #expect(try await layer.featureTable?.queryFeatureCount() == 300)
    layer.unselectFeature(features[0])
    #expect(
      try await layer.selectedFeatures().features().map(\.objectID) == features.dropFirst().map(\.objectID))
    layer.clearSelection()
    #expect(try await view.exportImage() == plain)
    #expect(try await layer.selectedFeatures().features().isEmpty)
  }

  @Test("Hidden features are not drawn, labelled or found, but are still queried")
  func hiding() async throws {
    let view = try Self.scene(seed: 6)
    let layer = view.map.featureLayers[1]
    let table = try #require(layer.featureTable)
    let font = TextSymbol()
    layer.addLabelDefinition(
      LabelDefinition(labelExpression: SimpleLabelExpression(simpleExpression: "[n]"), textSymbol: font))
    layer.labelsAreEnabled = true
    let asked = QueryParameters()
    asked.whereClause = "MOD(n, 2) = 0"
    let features = try await table.queryFeatures(using: asked).features()
    #expect(features.count == 150)
    let before = try await view.freeze().render()
    layer.setVisible(false, for: features)
    #expect(view.drawStatus == .inProgress)
    let hidden = try await view.freeze().render()
    // The image equals that of a display filter, because hiding is a display filter.
    layer.resetFeaturesVisible()
    #expect(try await view.freeze().render().bitmap == before.bitmap)
    let others = DisplayFilter(name: "odd", whereClause: "MOD(n, 2) = 1")
    layer.displayFilterDefinition = ManualDisplayFilterDefinition(
      activeFilter: others, availableFilters: [others])
    let filtered = try await view.freeze().render()
    layer.displayFilterDefinition = nil
    #expect(hidden.bitmap == filtered.bitmap)
    #expect(hidden.bitmap != before.bitmap)
    #expect(hidden.report.layers.map(\.funnel) == filtered.report.layers.map(\.funnel))
    #expect(hidden.report.labels == filtered.report.labels)
    #expect(hidden.report.labels != before.report.labels)
    layer.setVisible(false, for: features)
    let funnel = try #require(hidden.report.layers[1].funnel)
    #expect(funnel.total == 300)
    #expect(funnel.extent > funnel.drawn)
    #expect(funnel.display == funnel.drawn)
    #expect(try await view.freeze().counts(CountOptions()).layers[1].count == funnel.extent)
    #expect(try await table.queryFeatureCount() == 300)
    let count = StatisticsQueryParameters(
      statisticDefinitions: [StatisticDefinition(fieldName: "n", statisticType: .count)])
    let figures = try await table.queryStatistics(using: count).statisticRecords()
    #expect(figures[0].statistics["COUNT_n"] as? Int == 300)
    let ids = Set(features.map(\.objectID))
    var hits = 0
    for feature in try await table.queryFeatures(using: QueryParameters()).features() {
      let place = try #require((feature.geometry as? Point).flatMap { view.screenPoint(fromLocation: $0) })
      let found = try await view.identify(on: layer, screenPoint: place, tolerance: 2, maximumResults: 99)
      hits += found.geoElements.count
      #expect(found.geoElements.allSatisfy { !ids.contains($0.objectID) })
    }
    #expect(hits > 50)
    // Hidden one by one, including selected features.
    layer.selectFeatures(features)
    #expect(try await view.freeze().render().bitmap == hidden.bitmap)
    layer.clearSelection()
    layer.setVisible(true, for: features[0])
    let state = view.freeze()
    #expect(try await state.rows(of: state.layers[1], for: .stage(.display)).contains(0))
    layer.setVisible(true, for: features)
    #expect(try await view.freeze().render().bitmap == before.bitmap)
    // A feature without a table has no id.
    layer.setVisible(false, for: table.makeFeature())
    #expect(layer.hiddenIDs.isEmpty)
  }

  @Test("Graphics are drawn over the layers with their symbols and found by identify")
  func graphics() async throws {
    let map = Map()
    let overlay = GraphicsOverlay()
    let view = try MapView(
      map: map, width: 100, height: 100,
      viewpoint: Viewpoint(
        boundingGeometry: Envelope(
          xMin: 0, yMin: 0, xMax: 100, yMax: 100, spatialReference: .webMercator)),
      graphicsOverlays: [overlay])
    _ = view.freeze()
    func color(_ x: Int, _ y: Int) async throws -> [UInt8] {
      let pixel = try await view.exportImage()[x, y]
      return [pixel.red, pixel.green, pixel.blue]
    }
    let area = Graphic(
      geometry: Envelope(xMin: 20, yMin: 20, xMax: 80, yMax: 80, spatialReference: .webMercator),
      symbol: SimpleFillSymbol(color: .yellow))
    let point = Graphic(
      geometry: GeometryEngine.project(Point(x: 50, y: 50, spatialReference: .webMercator), into: .wgs84),
      symbol: SimpleMarkerSymbol(style: .square, color: .red, size: 10))
    let plain = Graphic(
      geometry: Point(x: 70, y: 70, spatialReference: .webMercator), attributes: ["kind": "b"])
    overlay.addGraphics([area, point, plain])
    #expect(view.drawStatus == .inProgress)
    #expect(try await color(50, 50) == [255, 0, 0])
    #expect(try await color(30, 30) == [255, 255, 0])
    // Without a symbol and a renderer, the graphic is not drawn.
    #expect(try await color(70, 30) == [255, 255, 0])
    overlay.renderer = UniqueValueRenderer(
      fieldNames: ["kind"],
      uniqueValues: [
        UniqueValueRenderer.UniqueValue(
          values: ["b"], label: "", symbol: SimpleMarkerSymbol(style: .square, color: .blue, size: 10).form)
      ])
    #expect(try await color(70, 30) == [0, 0, 255])
    let hit = try await view.identify(
      on: overlay, screenPoint: ScreenPoint(x: 50, y: 50), tolerance: 2, maximumResults: 5)
    try #require(hit.graphics.count == 2)
    #expect(hit.graphics[0] === point)
    #expect(hit.graphics[1] === area)
    #expect(
      try await view.identifyGraphicsOverlays(screenPoint: ScreenPoint(x: 5, y: 5), tolerance: 2).isEmpty)
    _ = view.freeze()
    point.isSelected = true
    #expect(view.drawStatus == .inProgress)
    #expect(try await color(50, 50) == [230, 0, 126])
    #expect(overlay.selectedGraphics.count == 1)
    point.isVisible = false
    #expect(try await color(50, 50) == [255, 255, 0])
    #expect(try await view.freeze().counts(CountOptions()).layers.isEmpty)
    #expect(overlay.extent?.width ?? 0 > 59)
    overlay.removeAllGraphics()
    #expect(try await color(50, 50) == [255, 255, 255])
  }
}
