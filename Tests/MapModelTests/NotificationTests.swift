import MapFeatures
import MapGeometry
import MapModel
import Synchronization
import Testing

/// The observers that a change asks, counted one by one.
@Suite struct NotificationTests {
  /// An observer that counts how often it is asked and notified.
  private final class Counter: ModelObserver {
    let asked = Atomic(0)
    let notified = Atomic(0)

    func modelDidChange() -> (() -> Void)? {
      asked.add(1, ordering: .relaxed)
      return { [self] in notified.add(1, ordering: .relaxed) }
    }

    /// Returns the number of calls since the last one.
    func take() -> Int {
      let notified = notified.exchange(0, ordering: .relaxed)
      return asked.exchange(0, ordering: .relaxed) == notified ? notified : -1
    }
  }

  @Test("A change asks the observers of its own map once and no other observer")
  func otherMaps() {
    let maps = (0..<500).map { _ in (map: Map(), layer: ModelGateTests.layer(), counter: Counter()) }
    for (map, layer, counter) in maps {
      map.addOperationalLayer(layer)
      map.add(counter)
    }
    // An observer is asked once at the start.
    #expect(maps.map { $0.counter.take() } == Array(repeating: 1, count: 500))
    let (alone, layer) = (Map(), ModelGateTests.layer())
    alone.addOperationalLayer(layer)
    for step in 0..<100 {
      layer.opacity = Double(step) / 100
      alone.minScale = Double(step)
    }
    #expect(maps.map { $0.counter.take() }.reduce(0, +) == 0)
    maps[7].layer.opacity = 0.5
    #expect(maps.map { $0.counter.take() } == (0..<500).map { $0 == 7 ? 1 : 0 })
    // Several changes of several maps, made together, ask each observer once.
    maps[7].map.update {
      for step in 1...10 {
        maps[7].layer.opacity = Double(step) / 10
        maps[8].layer.opacity = Double(step) / 10
      }
    }
    #expect(maps.map { $0.counter.take() } == (0..<500).map { 7...8 ~= $0 ? 1 : 0 })
  }

  @Test("A change of anything in a map notifies its observers until it leaves the map")
  func parts() async throws {
    let (map, counter) = (Map(), Counter())
    map.add(counter)
    let table = FeatureCollectionTable(
      fields: [Field(name: "n", type: .int64)], geometryType: .point, spatialReference: .webMercator)
    let layers = [FeatureLayer(featureTable: table)] + (0..<3).map { _ in ModelGateTests.layer() }
    let (inner, outer) = (GroupLayer(layers: [layers[1]]), GroupLayer())
    outer.addLayer(inner)
    map.addOperationalLayers([layers[0], outer])
    let basemap = Basemap(baseLayers: [layers[2]], referenceLayers: [layers[3]])
    map.basemap = basemap
    #expect(counter.take() == 3)
    var changes = map.changes
    func expect(_ count: Int, _ name: String, _ change: () async throws -> Void) async rethrows {
      try await change()
      #expect(counter.take() == count, "\(name)")
      #expect((map.changes != changes) == (count > 0), "\(name)")
      changes = map.changes
    }
    let parts: [(String, () async throws -> Void)] = [
      ("map", { map.backgroundColor = .black }), ("layer", { layers[0].title = "layer" }),
      ("table", { try await table.add(table.makeFeature(attributes: ["n": 1])) }),
      ("group", { inner.opacity = 0.5 }), ("layer in groups", { layers[1].opacity = 0.5 }),
      ("basemap", { basemap.name = "basemap" }), ("base layer", { layers[2].opacity = 0.5 }),
      ("reference layer", { layers[3].isVisible = false }),
    ]
    for (name, change) in parts { try await expect(1, name, change) }
    outer.removeLayer(inner)
    map.removeAllOperationalLayers()
    map.basemap = nil
    #expect(counter.take() == 3)
    changes = map.changes
    for (name, change) in parts { try await expect(name == "map" ? 1 : 0, name, change) }
    // A basemap notifies all maps that share it.
    let (second, other) = (Map(basemap: basemap), Counter())
    map.basemap = basemap
    second.add(other)
    layers[2].opacity = 0.25
    #expect(counter.take() == 2)
    #expect(other.take() == 2)
  }

  @Test("A graphic notifies each overlay that contains it")
  func graphics() {
    let (graphic, counters) = (Graphic(), [Counter(), Counter()])
    let overlays = [GraphicsOverlay(graphics: [graphic]), GraphicsOverlay()]
    overlays[1].addGraphic(graphic)
    for (overlay, counter) in zip(overlays, counters) { overlay.state.add(counter) }
    #expect(counters.map { $0.take() } == [1, 1])
    graphic.isVisible = false
    #expect(counters.map { $0.take() } == [1, 1])
    overlays[0].removeGraphic(graphic)
    #expect(counters.map { $0.take() } == [1, 0])
    graphic.isVisible = true
    #expect(counters.map { $0.take() } == [0, 1])
    overlays[1].state.remove(counters[1])
    graphic.isVisible = false
    #expect(counters.map { $0.take() } == [0, 0])
  }

  @Test("A map that reads its document later observes the layers and the basemap of the document")
  func documents() async throws {
    let (layer, base) = (ModelGateTests.layer(), ModelGateTests.layer())
    let map = Map {
      let read = Map(basemap: Basemap(baseLayer: base))
      read.addOperationalLayer(layer)
      return read
    }
    let counter = Counter()
    map.add(counter)
    try await map.load()
    #expect(counter.take() == 2)
    layer.opacity = 0.5
    base.opacity = 0.5
    #expect(counter.take() == 2)
    map.removeOperationalLayer(layer)
    #expect(counter.take() == 1)
    layer.opacity = 0.25
    #expect(counter.take() == 0)
  }

  @Test("An observer that is deallocated is not asked, and takes no notification of others")
  func deallocated() {
    let (map, counter) = (Map(), Counter())
    do {
      let short = Counter()
      map.add(short)
      map.add(counter)
    }
    #expect(counter.take() == 1)
    map.minScale = 5
    #expect(counter.take() == 1)
  }
}
