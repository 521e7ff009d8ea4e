import Foundation
import MapBasemap
import MapDrawing
import MapFeatures
import MapGeometry
import MapModel
import MapState
import MapTestSupport
import Testing

/// The names of the basemap in views, alone and below layers.
@Suite("Views with names of the basemap")
struct BasemapNameViewTests {
  private static func view(
    latitude: Double, longitude: Double, scale: Double, width: Double = 900, height: Double = 620,
    style: Basemap.Style? = nil, _ layers: [FeatureLayer] = []
  ) throws -> MapView {
    let map = Map()
    let basemap = style.map { Basemap(style: $0) } ?? Basemap()
    basemap.showsNames = true
    map.basemap = basemap
    for layer in layers { map.addOperationalLayer(layer) }
    return try MapView(
      map: map, width: width, height: height,
      viewpoint: Viewpoint(latitude: latitude, longitude: longitude, scale: scale))
  }

  private static func names(_ view: MapView) async throws -> [String] {
    let items = try await view.freeze().placedLabels().layers.flatMap(\.batches).flatMap {
      batch -> [LabelItem] in
      if case .labels(let labels) = batch { labels.items } else { [] }
    }
    return items.map { $0.text.replacing("\n", with: " ") }
  }

  /// The centres of the dots of the basemap.
  private static func dots(_ view: MapView) async throws -> [(x: Double, y: Double)] {
    let overlays = try await view.freeze().displayList().overlays
    return overlays.filter { $0.name == "basemap: names" }.flatMap(\.batches).flatMap {
      batch -> [(x: Double, y: Double)] in
      guard case .markers(let markers) = batch else { return [] }
      return markers.x.indices.filter { markers.styles[Int(markers.style[$0])].hasInk }
        .map { (markers.x[$0], markers.y[$0]) }
    }
  }

  @Test("No name stands twice in 50 random views")
  func once() async throws {
    var random = SeededGenerator(seed: 55)
    var count = 0
    for _ in 0..<50 {
      let (latitude, longitude) = (
        Double.random(in: -60...72, using: &random), Double.random(in: -180...180, using: &random)
      )
      let scale = exp(Double.random(in: log(2e6)...log(1.5e8), using: &random))
      let names = try await Self.names(Self.view(latitude: latitude, longitude: longitude, scale: scale))
      count += names.count
      let twice = Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
      #expect(twice.isEmpty, "\(twice) at \(latitude), \(longitude), 1:\(scale)")
    }
    #expect(count > 500, "\(count)")
  }

  @Test(
    "A country is named where it is wider than its name, at another position if one is taken or out of view")
  func countries() async throws {
    func names(_ latitude: Double, _ longitude: Double, _ scale: Double) async throws -> [String] {
      try await Self.names(Self.view(latitude: latitude, longitude: longitude, scale: scale))
    }
    #expect(try await names(-72, 20, 1e8).contains("Antarctica"))
    #expect(try await names(-30, 20, 1.5e8).contains("Antarctica"))
    for scale in [3e6, 6e6, 1.2e7, 3e7] {
      #expect(try await names(47, 2.5, scale).contains("France"), "\(scale)")
      #expect(try await names(51, 10.5, scale).contains("Germany"), "\(scale)")
    }
    // Not the middle of the country.
    #expect(try await names(62, 135, 2e7).contains("Russia"))
    #expect(try await names(-45, -72, 1.2e7).contains("Chile"))
  }

  @Test("A wide sea is named along a curve, and horizontally where the curve has no room")
  func seas() async throws {
    func item(_ latitude: Double, _ longitude: Double, _ scale: Double, _ name: String) async throws
      -> LabelItem?
    {
      let view = try Self.view(latitude: latitude, longitude: longitude, scale: scale)
      return try await view.freeze().placedLabels().layers.flatMap(\.batches).flatMap {
        batch -> [LabelItem] in
        if case .labels(let labels) = batch { labels.items } else { [] }
      }.first { $0.text.replacing("\n", with: " ") == name }
    }
    let curved = try #require(try await item(36, -40, 5e7, "North Atlantic Ocean"))
    #expect(Set(curved.glyphs.map(\.directionY)).count > 5)
    let level = try #require(try await item(52, -12, 1.2e7, "North Atlantic Ocean"))
    #expect(level.text.contains("\n"))
  }

  @Test("Names of seas lie over water, also at high latitudes in other projections")
  func water() async throws {
    let table = BasemapNames.tables(BundledBytes.names).points
    guard case .integers(let kinds) = table.columns[0].storage,
      case .text(let codes, let names) = table.columns[2].storage
    else {
      Issue.record("other columns")
      return
    }
    let waters = Set(kinds.indices.filter { kinds[$0] == 0 }.map { names[Int(codes[$0])] })
    var count = 0
    for (reference, latitude, longitude, scale) in [
      (3413, 90.0, 0.0, 4e7), (3413, 65, -60, 2e7), (3035, 60, 10, 2e7), (3857, 40, 20, 2e7),
      (3857, 0, 110, 3e7),
    ] {
      let map = Map(spatialReference: SpatialReference(wkid: reference))
      map.basemap = Basemap(style: .arcGISTopographic)
      map.basemap?.showsNames = true
      let view = try MapView(
        map: map, width: 800, height: 800,
        viewpoint: Viewpoint(latitude: latitude, longitude: longitude, scale: scale)
      ).freeze()
      let land = try await view.displayList().basemap.filter { $0.name == "basemap: land" }
        .flatMap(\.batches).compactMap { batch -> PathBatch? in
          if case .paths(let paths) = batch { paths } else { nil }
        }
      #expect(land.count == 1)
      for batch in try await view.placedLabels().layers.flatMap(\.batches) {
        guard case .labels(let labels) = batch else { continue }
        // Lakes lie in the land.
        for item in labels.items where waters.contains(item.text) && !item.text.contains("Lake") {
          count += 1
          let box = item.box
          var places: [(x: Double, y: Double)] = []
          for line in 0..<5 {
            let y = box.yMin + box.height * (Double(line) + 0.5) / 5
            for column in 0..<20 {
              places.append((box.xMin + box.width * (Double(column) + 0.5) / 20, y))
            }
          }
          let dry = places.count { place in land.contains { $0.geometry.coversPixel(place.x, place.y) } }
          #expect(dry <= 15, "\(item.text) at 1:\(scale) in \(reference): \(dry) %")
        }
      }
    }
    #expect(count >= 40, "\(count)")
  }

  @Test("At scales smaller than 1:10,000,000, only capitals have dots")
  func capitals() async throws {
    let far = try await Self.names(Self.view(latitude: 48, longitude: 8, scale: 1.0001e7))
    #expect(far.contains("Bern") && !far.contains("Munich"))
    let near = try await Self.names(Self.view(latitude: 48, longitude: 8, scale: 1e7))
    #expect(near.contains("Bern") && near.contains("Munich"))
  }

  @Test("No dot is nearer than two pixels to a marker of a layer, and no name covers one")
  func markers() async throws {
    var random = SeededGenerator(seed: 7)
    var geometry = CoordinateBuffer(kind: .point)
    for _ in 0..<400 {
      geometry.appendVertex(
        x: Double.random(in: 4...14, using: &random), y: Double.random(in: 46...52, using: &random))
      geometry.endPart()
      geometry.endRow()
    }
    let table = FeatureColumns(
      schema: FeatureSchema(fields: [], geometryKind: .point, spatialReference: .wgs84), columns: [],
      geometry: geometry, rowCount: 400)
    let layer = FeatureLayer(
      source: InMemorySource(table), id: "p", title: "p",
      renderer: SimpleRenderer(symbol: SimpleMarkerSymbol(style: .circle, color: .red, size: 8)))
    let bare = try Self.view(latitude: 49, longitude: 9, scale: 4e6, style: .arcGISTopographic)
    let view = try Self.view(latitude: 49, longitude: 9, scale: 4e6, style: .arcGISTopographic, [layer])
    let list = try await view.freeze().displayList()
    let markers = list.layers.flatMap(\.batches).flatMap { batch -> [(x: Double, y: Double)] in
      if case .markers(let markers) = batch { Array(zip(markers.x, markers.y)) } else { [] }
    }
    #expect(markers.count > 200)
    let (all, kept) = (try await Self.dots(bare), try await Self.dots(view))
    #expect(all.count > kept.count && kept.count > all.count / 4, "\(all.count) \(kept.count)")
    /// The distance of a dot from the nearest marker's box.
    func distance(_ dot: (x: Double, y: Double)) -> Double {
      markers.map { marker in
        let (dx, dy) = (max(abs(marker.x - dot.x) - 4, 0), max(abs(marker.y - dot.y) - 4, 0))
        return (dx * dx + dy * dy).squareRoot()
      }.min() ?? .infinity
    }
    // A dot is 3.5 or 5 pixels wide, with an outline of half a pixel on each side.
    #expect(kept.allSatisfy { distance($0) >= 4.25 })
    for dot in all where distance(dot) > 5 { #expect(kept.contains { $0 == dot }) }
    let labels = list.labels.flatMap(\.batches).flatMap { batch -> [LabelItem] in
      if case .labels(let labels) = batch { labels.items } else { [] }
    }
    #expect(labels.count > 20)
    for label in labels {
      #expect(!markers.contains { label.box.contains(x: $0.x, y: $0.y) }, "\(label.text)")
    }
  }
}

extension CoordinateBuffer {
  /// Returns whether a place is inside a row of polygons (even-odd rule).
  fileprivate func coversPixel(_ px: Double, _ py: Double) -> Bool {
    (0..<rowCount).contains { row in
      guard envelope(ofRow: row).contains(x: px, y: py) else { return false }
      var isInside = false
      for part in parts(ofRow: row) {
        for vertex in vertices(ofPart: part).dropFirst() {
          let (ax, ay, bx, by) = (x[vertex - 1], y[vertex - 1], x[vertex], y[vertex])
          if (ay > py) != (by > py), px < (bx - ax) * (py - ay) / (by - ay) + ax { isInside.toggle() }
        }
      }
      return isInside
    }
  }
}
