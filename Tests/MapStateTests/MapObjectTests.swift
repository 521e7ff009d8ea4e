import Foundation
import MapState
import Testing

/// The parts of a map besides its layers, and their effect on views.
@Suite struct MapObjectTests {
  private static func view(
    _ map: Map, scale: Double = 100_000, rotation: Double = 0, width: Double = 200, height: Double = 100
  ) throws -> MapView {
    try MapView(
      map: map, width: width, height: height,
      viewpoint: Viewpoint(
        center: Point(x: 0, y: 0, spatialReference: .webMercator), scale: scale, rotation: rotation))
  }

  @Test("A view's centre stays within the map's maximum extent at the same scale")
  func maxExtent() async throws {
    let map = Map()
    let view = try Self.view(map)
    map.maxExtent = Envelope(xMin: -1000, yMin: -500, xMax: 2000, yMax: 500, spatialReference: .webMercator)
    func centerX(at x: Double, _ y: Double = 0) async -> [Double] {
      await view.setViewpointCenter(Point(x: x, y: y, spatialReference: .webMercator))
      return [view.viewpoint.center.x, view.viewpoint.center.y, view.viewpoint.scale]
    }
    #expect(await centerX(at: 1500, 100) == [1500, 100, 100_000])
    #expect(await centerX(at: 2000, 500) == [2000, 500, 100_000])
    #expect(await centerX(at: 9000, -501) == [2000, -500, 100_000])
    // A step back starts from the actual view and not from the requested one.
    try view.pan(right: -1, down: 0)
    #expect(view.viewpoint.center.x < 2000)
    map.maxExtent = map.maxExtent?.projected(to: .wgs84)
    #expect(abs(await centerX(at: -7000)[0] + 1000) < 1e-6)
    #expect(view.visibleArea?.extent == view.freeze().extent)
    map.maxExtent = .empty
    #expect(await centerX(at: 9000) == [9000, 0, 100_000])
  }

  @Test("With a reference scale symbols keep their size on the ground in layers that allow it")
  func referenceScale() async throws {
    let map = Map()
    let layer = FeatureLayer(
      source: TableFixtures.cities,
      renderer: SimpleRenderer(symbol: SimpleMarkerSymbol(style: .square, color: .red, size: 12)))
    map.addOperationalLayer(layer)
    let view = try Self.view(map, scale: 50_000)
    /// The red pixels of the middle row: the marker's width.
    func width() async throws -> Int {
      let image = try await view.exportImage()
      return (0..<200).count { image[$0, 50].green == 0 }
    }
    #expect(try await width() == 12)
    map.referenceScale = 50_000
    #expect(view.drawStatus == .inProgress)
    #expect(try await width() == 12)
    await view.setViewpointScale(25_000)
    #expect(try await width() == 24)
    await view.setViewpointScale(100_000)
    #expect(try await width() == 6)
    layer.scalesSymbols = false
    #expect(try await width() == 12)
    map.referenceScale = 0
    layer.scalesSymbols = true
    #expect(try await width() == 12)
    // An enlarged symbol reaches farther in from outside.
    await view.setViewpointCenter(
      Point(x: 108 * view.viewpoint.resolution, y: 0, spatialReference: .webMercator))
    #expect(try await width() == 0)
    map.referenceScale = 200_000
    #expect(try await width() == 4)
    // Graphics keep their size by default.
    let overlay = GraphicsOverlay(graphics: [
      Graphic(
        geometry: view.viewpoint.center,
        symbol: SimpleMarkerSymbol(style: .square, color: .black, size: 10))
    ])
    view.graphicsOverlays = [overlay]
    layer.isVisible = false
    #expect(try await width() == 10)
    overlay.scalesSymbols = true
    #expect(try await width() == 20)
    // The factor has limits.
    for (scale, factor) in [(1e12, 1000), (1e-3, 0.001)] {
      map.referenceScale = scale
      let state = view.freeze()
      #expect(state.symbolFactor(of: state.layers[0]) == factor)
    }
  }

  @Test("Insets reduce the visible area, its viewpoint and where geometries are shown")
  func insets() async throws {
    for rotation in [0.0, 30] {
      let map = Map()
      let view = try Self.view(map, rotation: rotation)
      let whole = try #require(view.visibleArea)
      let canvas = view.viewpoint
      view.contentInsets = EdgeInsets(top: 10, leading: 40, bottom: 30, trailing: 20)
      // The map does not move; the visible area is a part of it.
      #expect(view.viewpoint == canvas)
      let area = try #require(view.visibleArea)
      let corners = [(40, 10), (180, 10), (180, 70), (40, 70)] as [(Double, Double)]
      for (corner, place) in zip(area.parts[0], corners) {
        let ground = try #require(view.location(fromScreenPoint: ScreenPoint(x: place.0, y: place.1)))
        #expect(abs(corner.x - ground.x) < 1e-6)
        #expect(abs(corner.y - ground.y) < 1e-6)
      }
      let center = try #require(
        view.currentViewpoint(kind: .centerAndScale)?.targetGeometry as? Point)
      let middle = try #require(view.location(fromScreenPoint: ScreenPoint(x: 110, y: 40)))
      #expect(abs(center.x - middle.x) < 1e-6)
      #expect(abs(center.y - middle.y) < 1e-6)
      let bounds = view.currentViewpoint(kind: .boundingGeometry)?.targetGeometry as? Envelope
      #expect(bounds == area.extent)
      // The whole view is still drawn and counted.
      #expect(view.freeze().extent == whole.extent)
      let frame = ScreenRect(x: 0, y: 0, width: view.width, height: view.height)
      #expect(view.envelope(fromViewRect: frame) == whole.extent)
      var box = Envelope.empty
      // The first fills the width of the visible area, the second its height.
      for (width, height) in [(2000, 50), (1000, 500)] as [(Double, Double)] {
        box = Envelope(xMin: 0, yMin: 0, xMax: width, yMax: height, spatialReference: .webMercator)
        #expect(await view.setViewpointGeometry(box, padding: 5))
        let shown = try #require(view.screenPoint(fromLocation: box.center))
        #expect(abs(shown.x - 110) < 1e-6)
        #expect(abs(shown.y - 40) < 1e-6)
        for (x, y) in [(0.0, 0.0), (width, 0), (0, height), (width, height)] {
          let place = try #require(
            view.screenPoint(fromLocation: Point(x: x, y: y, spatialReference: .webMercator)))
          #expect(place.x > 44.999)
          #expect(place.x < 175.001)
          #expect(place.y > 14.999)
          #expect(place.y < 65.001)
        }
      }
      // Zoom and rotation are about the centre of the visible area.
      try view.zoom(by: 2)
      try view.rotate(by: 40)
      await view.setViewpointScale(3000)
      let still = try #require(view.screenPoint(fromLocation: box.center))
      #expect(abs(still.x - 110) < 1e-6)
      #expect(abs(still.y - 40) < 1e-6)
      map.maxExtent = Envelope(
        xMin: 5000, yMin: 5000, xMax: 6000, yMax: 6000, spatialReference: .webMercator)
      #expect(
        (view.currentViewpoint(kind: .centerAndScale)?.targetGeometry as? Point).map {
          abs($0.x - 5000) < 1e-6
        }
          == true)
    }
    let view = try Self.view(Map())
    let whole = view.visibleArea
    for odd in [EdgeInsets(leading: 100, trailing: 100), EdgeInsets(top: -1), EdgeInsets(top: .nan)] {
      view.contentInsets = odd
      #expect(view.visibleArea == whole)
    }
  }

  @Test("A map has bookmarks, tables and the requested spatial reference")
  func holdings() async throws {
    let map = Map(spatialReference: .wgs84)
    #expect(map.spatialReference == .wgs84)
    #expect(map.warnings.isEmpty)
    let home = Bookmark(name: "Home", viewpoint: Viewpoint(latitude: 1, longitude: 2, scale: 5000))
    let away = Bookmark(name: "Away", viewpoint: Viewpoint(latitude: 50, longitude: 9, scale: 7000))
    map.addBookmark(home)
    map.addBookmarks([away, home])
    #expect(map.bookmarks.map(\.name) == ["Home", "Away", "Home"])
    let view = try Self.view(map)
    #expect(await view.setBookmark(away))
    #expect(view.viewpoint.scale == 7000)
    map.removeBookmark(home)
    #expect(map.bookmarks == [away])
    let table = LocalFeatureTable(source: TableFixtures.cities, tableName: "t")
    map.addTable(table)
    #expect(map.tables.map(\.tableName) == ["t"])
    #expect(view.freeze().layers.isEmpty)
    map.removeTable(table)
    #expect(map.tables.isEmpty)
  }

  @Test("A map from an address has its document's bookmarks, tables and warnings")
  func document() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "map-object-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("N,NAME\n1,a\n2,b\n".utf8).write(to: folder.appending(path: "names.csv"))
    let file = folder.appending(path: "map.json")
    try Data(
      """
      {"operationalLayers":[{"id":"k","layerType":"KML","title":"K"}],"referenceScale":9000,
       "bookmarks":[{"name":"Here","viewpoint":{"scale":4000,"targetGeometry":{"x":1,"y":2}}},
         {"extent":{"xmin":0,"ymin":0,"xmax":9,"ymax":9}},{"name":"Nowhere"}],
       "tables":[{"id":"t","title":"Names","url":"names.csv"},{"id":"m","title":"Missing","url":"none.csv"},
         {"featureCollection":{}},7]}
      """.utf8
    ).write(to: file)
    let map = Map(url: file)
    #expect(map.warnings.isEmpty)
    #expect(map.tables.isEmpty)
    map.addBookmark(Bookmark(name: "Mine", viewpoint: Viewpoint(latitude: 0, longitude: 0, scale: 1)))
    try await map.load()
    #expect(
      map.warnings.map { $0.path?.description } == [
        "$.tables[3]", "$.operationalLayers[0].url", "$.tables[2].featureCollection.layers", "$.bookmarks[2]",
      ])
    #expect(map.referenceScale == 9000)
    #expect(map.bookmarks.map(\.name) == ["Here", "Untitled", "Mine"])
    #expect(map.bookmarks[0].viewpoint.targetScale == 4000)
    #expect(map.bookmarks[1].viewpoint.kind == .boundingGeometry)
    #expect(map.tables.map(\.tableName) == ["Names", "Missing"])
    #expect(try await map.tables[0].queryFeatureCount() == 2)
    await #expect(throws: MapStateError.self) { try await map.tables[1].load() }
  }

  @Test("A layer's time offset shifts the view's time, and time filtering can be disabled")
  func timeOffset() async throws {
    let day = 86_400_000_000 as Int64
    var geometry = CoordinateBuffer(kind: .point)
    for _ in 0..<40 { geometry.appendPoint(x: 0, y: 0) }
    let layer = FeatureLayer(
      source: InMemorySource(
        FeatureColumns(
          schema: FeatureSchema(
            fields: [Field(name: "t", type: .date)], geometryKind: .point, spatialReference: .webMercator),
          columns: [Column(of: (0..<40).map { .instant(Instant(microseconds: $0 * day)) }, type: .date)],
          geometry: geometry, rowCount: 40)))
    layer.timeInfo = TimeInfo(startField: "t")
    let map = Map()
    map.addOperationalLayer(layer)
    let view = try Self.view(map)
    view.timeExtent = TimeExtent(
      start: Instant(microseconds: 30 * day), end: Instant(microseconds: 33 * day))
    func drawn() async throws -> Range<Int64>? {
      let state = view.freeze()
      let rows = try await state.rows(of: state.layers[0], for: .drawing).map { Int64($0) }
      guard let first = rows.first, let last = rows.last else { return nil }
      return first..<last + 1
    }
    #expect(try await drawn() == 30..<34)
    layer.timeOffset = TimeValue(duration: 10, unit: .days)
    #expect(view.drawStatus == .inProgress)
    #expect(try await drawn() == 20..<24)
    layer.timeOffset = TimeValue(duration: 1, unit: .months)
    // 31 January and 3 February 1970 minus a month: 31 December 1969 and 3 January.
    #expect(try await drawn() == 0..<3)
    layer.timeOffset = TimeValue(duration: -0.5, unit: .weeks)
    #expect(try await drawn() == 34..<37)
    for endless in [Double.infinity, .nan, 1e300] {
      layer.timeOffset = TimeValue(duration: endless, unit: .years)
      #expect(try await drawn() == 30..<34)
    }
    layer.timeOffset = nil
    layer.timeFilteringIsEnabled = false
    #expect(try await drawn() == 0..<40)
  }

  @Test("Layers of a map are added, inserted, moved and removed in order")
  func layers() {
    let map = Map()
    let all = ["a", "b", "c", "d"].map { FeatureLayer(source: TableFixtures.cities, title: $0) }
    var titles: [String] { map.featureLayers.map(\.title) }
    map.addOperationalLayers([all[0], all[1]])
    map.insertOperationalLayer(all[2], at: 0)
    map.insertOperationalLayer(all[3], at: 99)
    #expect(titles == ["c", "a", "b", "d"])
    map.moveOperationalLayer(from: 0, to: 2)
    #expect(titles == ["a", "b", "c", "d"])
    map.removeOperationalLayer(all[1])
    map.removeOperationalLayers([all[1], all[3]])
    #expect(titles == ["a", "c"])
    map.removeAllOperationalLayers()
    #expect(titles.isEmpty)
  }
}
