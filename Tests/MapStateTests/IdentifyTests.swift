import MapState
import Testing

/// The results of identify for groups and popups.
@Suite struct IdentifyTests {
  private static let place = ScreenPoint(x: 30, y: 20)

  private static func layer(_ name: String, popups: String? = nil) -> FeatureLayer {
    let layer = FeatureLayer(
      source: TableFixtures.cities, title: name,
      renderer: SimpleRenderer(symbol: SimpleMarkerSymbol(style: .square, size: 20)))
    layer.popupDefinition = popups.map { title in
      var definition = PopupDefinition()
      definition.title = title
      return definition
    }
    return layer
  }

  private static func view(_ map: Map) throws -> MapView {
    try MapView(
      map: map, width: 60, height: 40,
      viewpoint: Viewpoint(center: Point(x: 0, y: 0, spatialReference: .webMercator), scale: 1_000_000))
  }

  @Test("Identify on a group returns results per layer and none for the group itself")
  func groups() async throws {
    let (a, b, c, d) = (Self.layer("a"), Self.layer("b"), Self.layer("c"), Self.layer("d"))
    let inner = GroupLayer(layers: [b, c], name: "inner")
    let outer = GroupLayer(layers: [inner, d], name: "outer")
    let map = Map()
    map.addOperationalLayers([a, GroupLayer(name: "empty"), outer])
    let view = try Self.view(map)
    d.isVisible = false
    let results = try await view.identifyLayers(screenPoint: Self.place, tolerance: 0)
    #expect(results.map(\.layerContent.name) == ["a", "outer"])
    #expect(results[0].geoElements.count == 1)
    #expect(results[0].sublayerResults.isEmpty)
    #expect(results[1].geoElements.isEmpty)
    #expect(results[1].popups.isEmpty)
    #expect(results[1].error == nil)
    #expect(results[1].sublayerResults.map(\.layerContent.name) == ["inner"])
    let inside = results[1].sublayerResults[0]
    #expect(inside.layerContent === inner)
    #expect(inside.geoElements.isEmpty)
    #expect(inside.sublayerResults.map(\.layerContent.name) == ["b", "c"])
    #expect(inside.sublayerResults.allSatisfy { $0.geoElements.count == 1 })
    // Identified by itself, each layer has its own maximum.
    let own = try await view.identify(
      on: inner, screenPoint: Self.place, tolerance: 100, maximumResults: 2)
    #expect(own.layerContent === inner)
    #expect(own.sublayerResults.map(\.geoElements.count) == [2, 2])
    let nothing = try await view.identify(
      on: outer, screenPoint: ScreenPoint(x: 30, y: 39), tolerance: 0)
    #expect(nothing.sublayerResults.isEmpty)
    #expect(nothing.geoElements.isEmpty)
    #expect(
      await message {
        try await view.identify(on: GroupLayer(name: "other"), screenPoint: Self.place, tolerance: 0)
      } == "layer \"other\" is not in this view")
    // A failing layer reports its error beside the results of the others.
    b.definitionExpression = "NOSUCH = 1"
    let failing = try await view.identify(on: inner, screenPoint: Self.place, tolerance: 0)
    #expect(failing.error == nil)
    #expect(failing.sublayerResults.map { $0.error == nil } == [false, true])
    #expect(failing.sublayerResults.map(\.geoElements.count) == [0, 1])
    await #expect(throws: (any Error).self) {
      try await view.identify(on: b, screenPoint: Self.place, tolerance: 0)
    }
  }

  @Test("Identify on a feature collection returns its layers as sublayer results")
  func collections() async throws {
    let tables = ["p", "q"].map { name in
      FeatureCollectionTable(
        fields: [Field(name: "N", type: .int32)], geometryType: .point, spatialReference: .webMercator,
        tableName: name)
    }
    for table in tables {
      try await table.add(
        table.makeFeature(geometry: Point(x: 0, y: 0, spatialReference: .webMercator)))
    }
    let layer = FeatureCollectionLayer(
      featureCollection: FeatureCollection(featureCollectionTables: tables), name: "sketch")
    let map = Map()
    map.addOperationalLayer(layer)
    let results = try await Self.view(map).identifyLayers(screenPoint: Self.place, tolerance: 1)
    #expect(results.map(\.layerContent.name) == ["sketch"])
    #expect(results[0].sublayerResults.map(\.layerContent.name) == ["p", "q"])
    #expect(results[0].sublayerResults.map(\.geoElements.count) == [1, 1])
  }

  @Test("Identify returns popups beside the features or alone")
  func popups() async throws {
    let (plain, named, off) = (
      Self.layer("plain"), Self.layer("named", popups: "{NAME}: {POP}"), Self.layer("off", popups: "x")
    )
    off.isPopupEnabled = false
    let map = Map()
    map.addOperationalLayers([plain, named, GroupLayer(layers: [off], name: "group")])
    let view = try Self.view(map)
    let both = try await view.identifyLayers(
      screenPoint: Self.place, tolerance: 40, maximumResultsPerLayer: 2)
    #expect(both.map(\.layerContent.name) == ["plain", "named", "group"])
    #expect(both.map(\.geoElements.count) == [2, 2, 0])
    #expect(both.map(\.popups.count) == [0, 2, 0])
    #expect(both[1].popups.map(\.title) == ["B: 200", "A: 100"])
    #expect(zip(both[1].popups, both[1].geoElements).allSatisfy { $0.geoElement === $1 })
    #expect(both[2].sublayerResults.map(\.popups.count) == [0])
    let alone = try await view.identifyLayers(
      screenPoint: Self.place, tolerance: 0, returnPopupsOnly: true)
    try #require(alone.map(\.layerContent.name) == ["named"])
    #expect(alone[0].geoElements.isEmpty)
    #expect(alone[0].popups.map(\.title) == ["A: 100"])
    for (layer, count) in [(plain, 0), (named, 1), (off, 0)] {
      let result = try await view.identify(
        on: layer, screenPoint: Self.place, tolerance: 0, returnPopupsOnly: true)
      #expect(result.popups.count == count)
      #expect(result.geoElements.isEmpty)
    }
    // A layer without popups is not queried for them.
    plain.definitionExpression = "NOSUCH = 1"
    off.isPopupEnabled = true
    let on = try await view.identifyLayers(screenPoint: Self.place, tolerance: 0, returnPopupsOnly: true)
    #expect(on.map(\.layerContent.name) == ["named", "group"])
    #expect(on[1].sublayerResults.map { $0.popups.map(\.title) } == [["x"]])
  }

  @Test("Identify on graphics overlays returns popups beside the graphics or alone")
  func overlays() async throws {
    let symbol = SimpleMarkerSymbol(style: .square, size: 20)
    let graphic = Graphic(
      geometry: Point(x: 0, y: 0, spatialReference: .webMercator), attributes: ["n": 5], symbol: symbol)
    let overlay = GraphicsOverlay(graphics: [graphic])
    let view = try Self.view(Map())
    view.graphicsOverlays = [overlay]
    func asked(_ popupsOnly: Bool) async throws -> [IdentifyGraphicsOverlayResult] {
      try await view.identifyGraphicsOverlays(
        screenPoint: Self.place, tolerance: 0, returnPopupsOnly: popupsOnly)
    }
    #expect(try await asked(false).map(\.graphics.count) == [1])
    #expect(try await asked(true).isEmpty)
    overlay.popupDefinition = PopupDefinition()
    overlay.popupDefinition?.title = "n {N}"
    let both = try await asked(false)
    try #require(both.map(\.graphics.count) == [1])
    #expect(both[0].popups.map(\.title) == ["n 5"])
    let alone = try await asked(true)
    try #require(alone.map(\.graphics.count) == [0])
    #expect(alone[0].popups[0].geoElement === graphic)
    overlay.isPopupEnabled = false
    #expect(try await asked(true).isEmpty)
    #expect(try await asked(false)[0].popups.isEmpty)
  }
}
