import MapState
import Testing

/// Groups of layers as objects of a map.
@Suite struct GroupObjectTests {
  private static func layer(_ name: String, _ color: Color = .red) -> FeatureLayer {
    FeatureLayer(
      source: TableFixtures.cities, title: name,
      renderer: SimpleRenderer(symbol: SimpleMarkerSymbol(style: .square, color: color, size: 20)))
  }

  private static func view(_ map: Map) throws -> MapView {
    try MapView(
      map: map, width: 60, height: 40,
      viewpoint: Viewpoint(
        center: Point(x: 0, y: 0, spatialReference: .webMercator), scale: 100_000))
  }

  @Test("The layers of a group are drawn and numbered at the group's position")
  func order() async throws {
    let map = Map()
    let (a, b, c, d) = (Self.layer("a"), Self.layer("b"), Self.layer("c"), Self.layer("d"))
    let inner = GroupLayer(layers: [b, c], name: "inner")
    map.addOperationalLayers([a, GroupLayer(layers: [inner], name: "outer"), d])
    #expect(map.operationalLayers.map(\.name) == ["a", "outer", "d"])
    #expect(map.featureLayers.map(\.name) == ["a", "b", "c", "d"])
    #expect(map.operationalLayers[1].subLayerContents.map(\.name) == ["inner"])
    let view = try Self.view(map)
    #expect(view.freeze().layers.map(\.name) == ["a", "b", "c", "d"])
    // Same rows at the same positions: the last one drawn is visible.
    (b.renderer, d.isVisible) = (
      SimpleRenderer(symbol: SimpleMarkerSymbol(style: .square, color: .blue, size: 20)), false
    )
    #expect(try await view.exportImage()[30, 20].red == 255)
    inner.removeLayer(c)
    #expect(view.drawStatus == .inProgress)
    #expect(try await view.exportImage()[30, 20].blue == 255)
    let hit = try await view.identify(on: b, screenPoint: ScreenPoint(x: 30, y: 20), tolerance: 0)
    #expect(hit.geoElements.count == 1)
    // A removed layer may be added elsewhere.
    map.addOperationalLayer(c)
    #expect(map.featureLayers.map(\.name) == ["a", "b", "d", "c"])
    inner.removeAllLayers()
    map.removeAllOperationalLayers()
    map.addOperationalLayers([b, a])
    #expect(map.featureLayers.map(\.name) == ["b", "a"])
  }

  @Test("A group hides its layers, multiplies opacity and limits scales, and does not affect queries")
  func composition() async throws {
    let map = Map()
    let layer = Self.layer("a")
    (layer.opacity, layer.minScale, layer.maxScale) = (0.5, 500_000, 1000)
    let inner = GroupLayer(layers: [layer])
    let outer = GroupLayer(layers: [inner])
    map.addOperationalLayer(outer)
    (inner.opacity, outer.opacity) = (0.5, 0.25)
    (inner.minScale, outer.maxScale) = (200_000, 2000)
    let view = try Self.view(map)
    var shown: LayerState { view.freeze().layers[0] }
    #expect(shown.opacity == 0.0625)
    #expect(shown.minScale == 200_000)
    #expect(shown.maxScale == 2000)
    #expect(
      [1999, 2000, 200_000, 200_001].map { shown.isShown(atScale: $0) } == [false, true, true, false])
    #expect(layer.opacity == 0.5)
    #expect(layer.minScale == 500_000)
    outer.isVisible = false
    #expect(!shown.isVisible)
    #expect(layer.isVisible)
    #expect(try await layer.featureTable?.queryFeatureCount() == 6)
    let white = try await view.exportImage()[30, 20]
    #expect(white.red == 255)
    #expect(white.green == 255)
    outer.isVisible = true
    layer.isVisible = false
    #expect(!shown.isVisible)
    outer.visibilityMode = .inherited
    #expect(shown.isVisible)
    #expect(!layer.isVisible)
    outer.isVisible = false
    #expect(!shown.isVisible)
  }

  @Test("An exclusive group shows the layer that was switched on last")
  func exclusive() {
    let layers = ["a", "b", "c"].map { Self.layer($0) }
    var visible: [Bool] { layers.map(\.isVisible) }
    let group = GroupLayer(layers: [layers[0], layers[1]])
    layers[1].isVisible = true
    #expect(visible == [true, true, true])
    group.visibilityMode = .exclusive
    #expect(visible == [false, true, true])
    layers[0].isVisible = true
    #expect(visible == [true, false, true])
    group.addLayer(layers[2])
    #expect(visible == [false, false, true])
    layers[2].isVisible = false
    #expect(visible == [false, false, false])
    let outer = GroupLayer(layers: [group, Self.layer("d")])
    outer.visibilityMode = .exclusive
    #expect(!group.isVisible)
    group.isVisible = true
    #expect(outer.layers.map(\.isVisible) == [true, false])
    // Outside the group, the layer decides its own visibility.
    group.removeLayer(layers[0])
    layers[2].isVisible = true
    layers[0].isVisible = true
    #expect(visible == [true, false, true])
  }

  @Test("A group loads its layers and has their combined extent")
  func loading() async throws {
    let file = LocalFeatureTable(name: "late") { TableState.Opened(TableFixtures.cities, name: "late") }
    let late = FeatureLayer(featureTable: file)
    let group = GroupLayer(layers: [late, GroupLayer()])
    #expect(group.loadStatus == .notLoaded)
    #expect(group.fullExtent.isEmpty)
    let map = Map()
    map.addOperationalLayer(group)
    let view = try MapView(map: map, width: 50, height: 50)
    await view.load()
    #expect(group.loadStatus == .loaded)
    #expect(late.loadStatus == .loaded)
    #expect(file.loadStatus == .loaded)
    #expect(group.fullExtent == late.fullExtent)
    #expect(group.spatialReference == .webMercator)
    #expect(view.visibleArea?.extent.contains(late.fullExtent) == true)
  }

  @Test("A layer cannot be in two containers, and the refusal is reported")
  func twice() async {
    func refusal(_ holder: some Loadable) -> String {
      #expect(holder.loadStatus == .failed)
      guard case .impossiblePlace(let reason)? = holder.loadError?.cause as? MappingError else { return "" }
      return reason
    }
    let (map, layer) = (Map(), Self.layer("a"))
    map.addOperationalLayers([layer, layer])
    #expect(map.operationalLayers.count == 1)
    #expect(refusal(map) == "layer \"a\" is in a map already; remove it there first")
    await #expect(throws: MapStateError.self) { try await map.load() }
    await #expect(throws: Never.self) { try await map.retryLoad() }
    #expect(map.loadStatus == .loaded)
    #expect(map.loadError == nil)

    let other = Map()
    other.addOperationalLayer(layer)
    #expect(other.operationalLayers.isEmpty)
    #expect(refusal(other).contains("\"a\""))
    let group = GroupLayer(layers: [layer])
    #expect(group.layers.isEmpty)
    #expect(refusal(group).contains("is in a map"))
    let basemap = Basemap(baseLayer: layer)
    #expect(basemap.baseLayers.isEmpty)
    #expect(refusal(basemap).contains("is in a map"))

    let (outer, inner) = (GroupLayer(name: "outer"), GroupLayer(name: "inner"))
    outer.addLayer(inner)
    inner.addLayer(outer)
    // The outer group would contain itself through the inner one.
    #expect(inner.layers.isEmpty)
    #expect(refusal(inner) == "group \"inner\" cannot be in itself")
    let alone = GroupLayer(name: "alone")
    alone.addLayer(alone)
    #expect(alone.layers.isEmpty)
    #expect(refusal(alone) == "group \"alone\" cannot be in itself")

    map.moveOperationalLayer(from: 1, to: 0)
    #expect(refusal(map) == "there is no layer at index 1; the map has 1, counted from 0")
    map.moveOperationalLayer(from: -1, to: 0)
    #expect(map.operationalLayers.count == 1)
  }
}
