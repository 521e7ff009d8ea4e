import Foundation
import MapCairo
import MapJSON
import MapState
import Testing

/// Basemaps made of layers below and above those of the map.
@Suite struct BasemapLayerTests {
  private static func layer(_ name: String, _ color: Color, size: Double = 20) -> FeatureLayer {
    FeatureLayer(
      source: TableFixtures.cities, title: name,
      renderer: SimpleRenderer(symbol: SimpleMarkerSymbol(style: .square, color: color, size: size)))
  }

  private static func view(_ map: Map) throws -> MapView {
    try MapView(
      map: map, width: 60, height: 40,
      viewpoint: Viewpoint(center: Point(x: 0, y: 0, spatialReference: .webMercator), scale: 100_000))
  }

  /// The colour in the centre and 8 pixels beside it.
  private static func colors(_ map: Map, _ overlays: [GraphicsOverlay] = []) async throws -> [Color] {
    let view = try view(map)
    view.graphicsOverlays = overlays
    let picture = try await view.exportImage()
    // The display list has the same items.
    let list = try await view.freeze().displayList()
    #expect(list.layers.count == map.featureLayers.count)
    #expect(try CairoPainter.bitmap(of: list) == picture)
    return [picture[30, 20], picture[38, 20]].map {
      Color(red: $0.red, green: $0.green, blue: $0.blue, alpha: $0.alpha)
    }
  }

  @Test("Base layers lie below the map's layers, reference layers above and graphics on top")
  func order() async throws {
    let basemap = Basemap(
      baseLayers: [Self.layer("a", .red), Self.layer("b", .green)],
      referenceLayers: [Self.layer("r", .blue, size: 10)])
    let map = Map(basemap: basemap)
    #expect(try await Self.colors(map) == [.blue, .green])
    let own = Self.layer("own", .yellow)
    map.addOperationalLayer(own)
    #expect(try await Self.colors(map) == [.blue, .yellow])
    let graphic = Graphic(
      geometry: Point(x: 0, y: 0, spatialReference: .webMercator),
      symbol: SimpleMarkerSymbol(style: .square, color: .black, size: 4))
    let overlay = GraphicsOverlay(graphics: [graphic])
    #expect(try await Self.colors(map, [overlay]) == [.black, .yellow])
    basemap.removeReferenceLayer(basemap.referenceLayers[0])
    own.isVisible = false
    #expect(try await Self.colors(map) == [.green, .green])
    let moved = basemap.baseLayers[1]
    basemap.removeBaseLayer(moved)
    #expect(try await Self.colors(map) == [.red, .red])
    // A removed layer may be added elsewhere.
    map.addOperationalLayer(moved)
    #expect(try await Self.colors(map) == [.green, .green])
    map.basemap = Basemap(baseLayer: Self.layer("c", .cyan))
    moved.isVisible = false
    #expect(try await Self.colors(map) == [.cyan, .cyan])
    map.basemap?.removeAllBaseLayers()
    #expect(try await Self.colors(map) == [.white, .white])
  }

  @Test("A basemap's layers are not counted, numbered or identified")
  func apart() async throws {
    let (under, over) = (Self.layer("under", .red), Self.layer("over", .blue))
    let map = Map(basemap: Basemap(baseLayers: [under], referenceLayers: [over]))
    let own = Self.layer("own", .yellow)
    own.definitionExpression = "POP_RANK = 1"
    map.addOperationalLayer(own)
    #expect(map.featureLayers.map(\.name) == ["own"])
    #expect(map.operationalLayers.count == 1)
    let view = try MapView(map: map, width: 200, height: 100)
    let rendered = try await view.freeze().render()
    #expect(rendered.report.layers.map(\.funnel?.drawn) == [3])
    #expect(try await view.freeze().counts(CountOptions()).layers.map(\.count) == [3])
    let place = try #require(
      view.screenPoint(fromLocation: Point(x: 0, y: 0, spatialReference: .webMercator)))
    let hits = try await view.identifyLayers(screenPoint: place, tolerance: 5)
    #expect(hits.map(\.layerContent.name) == ["own"])
    // A view starts over the map's layers, or over the basemap's if the map has none.
    map.removeAllOperationalLayers()
    let wide = try MapView(map: map, width: 200, height: 100)
    #expect(wide.freeze().extent.contains(under.fullExtent))
    #expect(wide.viewpoint.scale < 5_000_000)
  }

  @Test("Changes and failures of a basemap's layer are drawn and reported and do not stop the rest")
  func changes() async throws {
    let missing = FeatureLayer(featureTable: LocalFeatureTable(fileURL: URL(filePath: "/none.csv")))
    let late = FeatureLayer(
      featureTable: LocalFeatureTable(name: "late") { TableState.Opened(TableFixtures.cities, name: "late") })
    late.renderer = SimpleRenderer(symbol: SimpleMarkerSymbol(style: .square, color: .red, size: 20))
    let basemap = Basemap(baseLayers: [missing, late])
    let map = Map(basemap: basemap)
    let view = try Self.view(map)
    #expect(try await view.exportImage()[30, 20].green == 0)
    #expect(late.loadStatus == .loaded)
    #expect(missing.loadStatus == .failed)
    _ = view.freeze()
    late.opacity = 0.5
    #expect(view.drawStatus == .inProgress)
    late.definitionExpression = "nonsense ="
    #expect(try await view.exportImage()[30, 20].green == 255)
    let told = AsyncStream<(String, LayerViewState)>.makeStream()
    view.onLayerViewStateChanged { layer, state in told.continuation.yield((layer.name, state)) }
    late.opacity = 1
    var states: [LayerViewState] = []
    for await (_, state) in told.stream {
      states.append(state)
      if states.count == 2 { break }
    }
    #expect(states.allSatisfy { $0.status == .error })
    basemap.removeBaseLayer(late)
    #expect(view.drawStatus == .inProgress)
    // A basemap loads its layers.
    let other = Basemap(baseLayer: late.clone())
    try await other.load()
    #expect(other.baseLayers[0].loadStatus == .loaded)
  }

  @Test("Labels of basemap layers are placed together with those of the map")
  func labels() async throws {
    func labelled(_ name: String, _ color: Color) -> FeatureLayer {
      let layer = Self.layer(name, .clear, size: 4)
      layer.addLabelDefinition(
        LabelDefinition(
          labelExpression: SimpleLabelExpression(simpleExpression: "[NAME]"),
          textSymbol: TextSymbol(color: color, size: 20)))
      layer.labelsAreEnabled = true
      return layer
    }
    let map = Map(
      basemap: Basemap(baseLayers: [labelled("under", .red)], referenceLayers: [labelled("over", .blue)]))
    let view = try MapView(map: map, width: 300, height: 60)
    let alone = try await view.freeze().render().report.labels
    #expect(alone.classes.map(\.layer) == ["under", "over"])
    #expect(alone.classes.map { $0.counts.first { $0.0 == "placed" }?.1 ?? -1 }.reduce(0, +) > 0)
    map.addOperationalLayer(labelled("own", .green))
    let all = try await view.freeze().render().report.labels
    #expect(all.classes.map(\.layer) == ["under", "own", "over"])
  }

  @Test("A basemap of layers survives a round trip with its unknown members")
  func document() async throws {
    let map = Map(
      basemap: Basemap(
        baseLayers: [Self.layer("a", .red), GroupLayer(layers: [Self.layer("b", .green)], name: "g")],
        referenceLayers: [Self.layer("r", .blue, size: 10)]))
    map.basemap?.name = "Mine"
    map.addOperationalLayer(Self.layer("own", .yellow))
    let before = try await Self.colors(map)
    let text = map.toJSON()
    let json = try JSONValue(parsing: text)
    #expect(
      json["baseMap"]?["baseMapLayers"]?.array?.map { $0["isReference"] == true } == [false, false, true])
    let again = try Map.fromJSON(text)
    try await again.load()
    #expect(again.warnings.isEmpty)
    #expect(again.basemap?.name == "Mine")
    #expect(again.basemap?.style == nil)
    #expect(again.basemap?.featureLayers.map(\.name) == ["a", "b", "r"])
    #expect(again.basemap?.referenceLayers.count == 1)
    #expect(try await Self.colors(again) == before)
    #expect(try JSONValue(parsing: again.toJSON()) == json)
    again.basemap?.baseLayers[0].opacity = 0.5
    let changed = try Map.fromJSON(again.toJSON())
    try await changed.load()
    #expect(changed.basemap?.baseLayers.map(\.opacity) == [0.5, 1])
    again.basemap = Basemap(style: .arcGISOceans)
    #expect(try JSONValue(parsing: again.toJSON())["baseMap"]?["style"] == "arcGISOceans")
  }

  @Test("Tiles beside basemap layers are replaced by a style and stay in the document")
  func mixed() async throws {
    let text = """
      {"operationalLayers":[],"baseMap":{"title":"T","odd":1,"baseMapLayers":[
        {"id":"World_Topo_Map","layerType":"ArcGISTiledMapServiceLayer","url":"https://example.com/x/MapServer"},
        {"id":"f","title":"F","layerType":"ArcGISFeatureLayer","url":"none.csv"},
        {"id":"p","title":"P","opacity":0.25,"featureCollection":{"layers":[
          {"layerDefinition":{"geometryType":"esriGeometryPoint"},
           "featureSet":{"features":[{"attributes":{},"geometry":{"x":0,"y":0}}]}}]}}]}}
      """
    let map = try Map.fromJSON(text)
    try await map.load()
    let basemap = try #require(map.basemap)
    #expect(basemap.style == .arcGISTopographic)
    #expect(basemap.baseLayers.map(\.name) == ["P"])
    // The unknown member, the style that replaces the tiles, and the missing file.
    #expect(
      map.warnings.compactMap { $0.path?.description } == [
        "$.baseMap.odd", "$.baseMap", "$.baseMap.baseMapLayers[1]",
      ])
    #expect(try JSONValue(parsing: map.toJSON())["baseMap"] == JSONValue(parsing: text)["baseMap"])
    basemap.baseLayers[0].opacity = 0.5
    let json = try JSONValue(parsing: map.toJSON())["baseMap"]
    #expect(json?["odd"] == 1)
    #expect(json?["baseMapLayers"]?[0]?["id"] == "World_Topo_Map")
    #expect(json?["baseMapLayers"]?.array?.last?["opacity"] == 0.5)
  }

  @Test("A copy of a basemap has copies of its layers")
  func clone() async throws {
    let basemap = Basemap(baseLayers: [Self.layer("a", .red)], referenceLayers: [Self.layer("r", .blue)])
    basemap.name = "n"
    let copy = basemap.clone()
    #expect(copy.name == "n")
    #expect(copy.featureLayers.map(\.name) == ["a", "r"])
    #expect(try await Self.colors(Map(basemap: copy)) == Self.colors(Map(basemap: basemap)))
    copy.removeAllReferenceLayers()
    #expect(basemap.referenceLayers.count == 1)
    #expect(Basemap(style: .arcGISStreets).clone().style == .arcGISStreets)
  }
}
