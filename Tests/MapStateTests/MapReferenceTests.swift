import Foundation
import MapState
import MapTestSupport
import Testing

/// Maps in other spatial references than Web Mercator: the choice of the spatial reference, and agreement of
/// counts, images and positions.
@Suite struct MapReferenceTests {
  static let etrs89 = SpatialReference(wkid: 3035)
  static let utm32 = SpatialReference(wkid: 25832)

  /// Points over Europe, in degrees or projected by PROJ, numbered by `n`.
  static func places(_ reference: SpatialReference, count: Int = 2000) throws -> InMemorySource {
    var random = SeededGenerator(seed: 5)
    var x = (0..<count).map { _ in Double.random(in: -10...35, using: &random) }
    var y = (0..<count).map { _ in Double.random(in: 36...68, using: &random) }
    try SpatialOperations.installed.project(x: &x, y: &y, from: .wgs84, to: reference)
    var geometry = CoordinateBuffer(kind: .point)
    for row in 0..<count { geometry.appendPoint(x: x[row], y: y[row]) }
    return try source(geometry, reference)
  }

  static func source(_ geometry: CoordinateBuffer, _ reference: SpatialReference) throws -> InMemorySource {
    let rows = geometry.rowCount
    return try InMemorySource(
      FeatureColumns(
        schema: FeatureSchema(
          fields: [Field(name: "n", type: .int64)], geometryKind: geometry.kind, spatialReference: reference),
        columns: [Column(.integers((0..<rows).map { Int64($0) }))], geometry: geometry, rowCount: rows),
      operations: .installed)
  }

  static func view(
    _ reference: SpatialReference, _ layers: [FeatureLayer], _ viewpoint: Viewpoint? = nil,
    width: Double = 300, height: Double = 200
  ) throws -> MapView {
    let map = Map(spatialReference: reference)
    map.addOperationalLayers(layers)
    return try MapView(map: map, width: width, height: height, viewpoint: viewpoint)
  }

  @Test(
    "A map's spatial reference is its own, its basemap's, its first layer's or Web Mercator"
  )
  func rule() throws {
    let map = Map()
    #expect(map.spatialReference == .webMercator)
    let (degrees, own) = (
      FeatureLayer(source: try Self.places(.wgs84, count: 1)),
      FeatureLayer(source: try Self.places(Self.utm32, count: 1))
    )
    map.addOperationalLayer(own)
    #expect(map.spatialReference == Self.utm32)
    map.insertOperationalLayer(degrees, at: 0)
    #expect(map.spatialReference == .wgs84)
    map.basemap = Basemap(baseLayer: FeatureLayer(source: try Self.places(Self.etrs89, count: 1)))
    #expect(map.spatialReference == Self.etrs89)
    map.basemap = Basemap(style: .arcGISLightGray)
    #expect(map.spatialReference == .webMercator)
    map.basemap = nil
    map.removeAllOperationalLayers()
    #expect(map.spatialReference == .webMercator)
    let given = Map(spatialReference: Self.utm32)
    given.basemap = Basemap(style: .arcGISLightGray)
    #expect(given.spatialReference == Self.utm32)
    #expect(JSONNode(try JSONValue(parsing: given.toJSON()))["spatialReference"]?.value["wkid"] == 25832)
  }

  @Test("A view keeps its centre and scale when its map changes its spatial reference")
  func goingOver() throws {
    let map = Map(basemapStyle: .arcGISLightGray)
    map.addOperationalLayer(FeatureLayer(source: try Self.places(Self.utm32)))
    let view = try MapView(
      map: map, width: 300, height: 200,
      viewpoint: Viewpoint(latitude: 50, longitude: 9, scale: 1_000_000, rotation: 30))
    #expect(view.visibleArea?.spatialReference == .webMercator)
    map.basemap = nil
    let middle = try #require(view.location(fromScreenPoint: ScreenPoint(x: 150, y: 100)))
    #expect(middle.spatialReference == Self.utm32)
    // Nine degrees east is the zone's central meridian, at 500 km by EPSG.
    #expect(abs(middle.x - 500_000) < 0.001)
    #expect(abs(middle.y - 5_538_630.702) < 0.01)
    #expect(view.viewpoint.scale == 1_000_000)
    #expect(view.viewpoint.rotation == 30)
    #expect(view.freeze().extent.spatialReference == Self.utm32)
    map.basemap = Basemap(style: .arcGISLightGray)
    #expect(view.visibleArea?.spatialReference == .webMercator)
  }

  @Test("A view is the same whether its layers load before or after it is created")
  func loadedLater() async throws {
    let box = Envelope(xMin: 6, yMin: 47, xMax: 12, yMax: 53, spatialReference: .wgs84)
    func view(isLoaded: Bool) async throws -> MapView {
      let source = try Self.places(Self.utm32)
      let table = LocalFeatureTable(name: "places") { TableState.Opened(source, name: "places") }
      let map = Map()
      map.addOperationalLayer(FeatureLayer(featureTable: table))
      if isLoaded { try await table.load() }
      return try MapView(map: map, width: 300, height: 200, viewpoint: Viewpoint(boundingGeometry: box))
    }
    let (early, late) = (try await view(isLoaded: true), try await view(isLoaded: false))
    #expect(early.freeze().spatialReference == Self.utm32)
    #expect(late.freeze().spatialReference == .webMercator)
    await late.load()
    #expect(late.viewpoint == early.viewpoint)
    // A new size keeps centre and scale.
    try late.resize(width: 100, height: 100)
    #expect(late.viewpoint == early.viewpoint)
  }

  @Test("The table's count in the visible area equals the number of drawn features")
  func visibleArea() async throws {
    let (source, plain) = (try Self.places(.wgs84), try Self.places(Self.utm32))
    let bare = InMemorySource(plain.columns())
    for (source, reference) in [
      (source, Self.etrs89), (bare, .webMercator), (bare, Self.etrs89), (bare, .wgs84),
    ] {
      let layer = FeatureLayer(featureTable: LocalFeatureTable(source: source))
      let view = try Self.view(reference, [layer], Viewpoint(latitude: 50, longitude: 15, scale: 2e7))
      let state = view.freeze()
      let count = try await state.counts(CountOptions()).layers[0].count
      let drawn = try await state.render().report.layers[0].funnel?.drawn
      #expect(count == drawn)
      #expect(count > 50)
      // Tables opened by the library itself use PROJ.
      guard source.shownExtent.spatialReference?.isBuiltIn == true else { continue }
      let parameters = QueryParameters()
      parameters.geometry = view.visibleArea?.extent
      #expect(try await layer.featureTable?.queryFeatureCount(using: parameters) == count)
    }
  }

  @Test(
    "Counted and drawn features of a view are those that PROJ places in it",
    arguments: [etrs89, utm32, .wgs84, SpatialReference(wkid: 2154)])
  func counts(_ reference: SpatialReference) async throws {
    let tables = try [.wgs84, .webMercator, Self.utm32].map { FeatureLayer(source: try Self.places($0)) }
    let view = try Self.view(reference, tables)
    var random = SeededGenerator(seed: 6)
    var all = 0
    for _ in 0..<40 {
      try view.setViewpoint(
        Viewpoint(
          latitude: .random(in: 40...60, using: &random), longitude: .random(in: 0...20, using: &random),
          scale: .random(in: 2e6...5e7, using: &random)))
      let state = view.freeze()
      #expect(state.extent.spatialReference == reference)
      for (index, layer) in state.layers.enumerated() {
        let own = try #require((layer.source as? InMemorySource)?.columns().geometry)
        var (x, y) = (own.x, own.y)
        try SpatialOperations.installed.project(
          x: &x, y: &y, from: try #require(layer.source.schema.spatialReference), to: reference)
        // In degrees and Web Mercator, a table is queried in its own spatial reference, and sides are
        // rounded.
        let slack = reference == .wgs84 ? state.extent.width * 1e-12 : 0
        let most = x.indices.count { state.extent.grown(by: slack).contains(x: x[$0], y: y[$0]) }
        let count = try await state.counts(CountOptions()).layers[index].count
        #expect(count == most)
        let drawing = try await state.drawing(of: layer, index: index)
        #expect(drawing.drawn.count == count)
        all += count
      }
    }
    #expect(all > 10_000)
  }

  @Test("A table is drawn like one that PROJ projected to the map's spatial reference")
  func pictures() async throws {
    var degrees = CoordinateBuffer(kind: .polygon)
    for (x, y) in [(5.0, 45.0), (15, 45), (16, 55), (9, 58), (5, 45)] { degrees.appendVertex(x: x, y: y) }
    degrees.endPart()
    degrees.endRow()
    let (projected, lost) = try SpatialOperations.installed.projected(degrees, from: .wgs84, to: Self.etrs89)
    #expect(lost == 0)
    var pictures: [Bitmap] = []
    for (geometry, reference) in [(degrees, SpatialReference.wgs84), (projected, Self.etrs89)] {
      let layers = [
        FeatureLayer(source: try Self.source(geometry, reference)),
        FeatureLayer(source: try Self.places(reference, count: 200)),
      ]
      let viewpoint = Viewpoint(latitude: 50, longitude: 10, scale: 20_000_000, rotation: 20)
      pictures.append(try await Self.view(Self.etrs89, layers, viewpoint).exportImage())
    }
    #expect(pictures[0] == pictures[1])
    #expect(pictures[0][150, 100] != pictures[0][0, 0])
  }

  @Test("A table in the map's spatial reference is queried without rounding")
  func sides() async throws {
    var geometry = CoordinateBuffer(kind: .point)
    for x in [600_000.0, 600_000.0.nextDown, 700_000.0, 700_000.0.nextUp] {
      geometry.appendPoint(x: x, y: 5_500_000)
    }
    let layer = FeatureLayer(source: try Self.source(geometry, Self.utm32))
    let view = try Self.view(Self.utm32, [layer])
    let state = view.freeze()
    // A view without a viewpoint contains all of them.
    #expect(try await state.counts(CountOptions()).layers[0].count == 4)
    var options = CountOptions()
    options.question.area = .envelope(
      Envelope(xMin: 600_000, yMin: 5_500_000, xMax: 700_000, yMax: 5_500_000, spatialReference: Self.utm32))
    #expect(try await state.counts(options).layers[0].count == 2)
  }

  @Test(
    "The scale takes account of the spatial reference's unit",
    arguments: [(25832, 1.0), (2263, 1200.0 / 3937), (4326, 111_319.49079327358 / 0.0254 / 39.37)])
  func scales(wkid: Int, metres: Double) throws {
    let view = try Self.view(
      SpatialReference(wkid: wkid), [],
      Viewpoint(latitude: 41, longitude: wkid == 2263 ? -74 : 9, scale: 50_000))
    #expect(abs(view.unitsPerPoint * metres * 96 * 39.37 / 50_000 - 1) < 1e-12)
    #expect(view.viewpoint.scale == 50_000)
  }

  @Test("The tiling scheme in degrees has the expected scale per pixel")
  func degrees() throws {
    let view = try Self.view(.wgs84, [], Viewpoint(latitude: 0, longitude: 0, scale: 295_829_355.45))
    #expect(abs(view.unitsPerPoint / 0.703125 - 1) < 1e-10)
  }

  @Test("Positions convert between map and screen, and a bounding geometry lies in the view")
  func places() throws {
    let view = try Self.view(Self.etrs89, [])
    let box = Envelope(xMin: 5, yMin: 45, xMax: 15, yMax: 55, spatialReference: .wgs84)
    try view.setViewpoint(Viewpoint(boundingGeometry: box))
    var corners = (x: [5.0, 15, 15, 5, 10], y: [45.0, 45, 55, 55, 55])
    try SpatialOperations.installed.project(x: &corners.x, y: &corners.y, from: .wgs84, to: Self.etrs89)
    let extent = view.freeze().extent
    for place in corners.x.indices {
      #expect(extent.contains(x: corners.x[place], y: corners.y[place]))
    }
    let brussels = Point(latitude: 50.85, longitude: 4.35)
    let screen = try #require(view.screenPoint(fromLocation: brussels))
    let back = try #require(view.location(fromScreenPoint: screen))
    let found = try #require(GeometryEngine.project(back, into: .wgs84))
    #expect(abs(found.x - 4.35) < 1e-7)
    #expect(abs(found.y - 50.85) < 1e-7)
  }

  @Test("World copies are shown in degrees but not in a national grid")
  func worlds() async throws {
    var geometry = CoordinateBuffer(kind: .point)
    for x in [179.0, -179] { geometry.appendPoint(x: x, y: 0) }
    let layer = FeatureLayer(source: try Self.source(geometry, .wgs84))
    let view = try Self.view(.wgs84, [layer], Viewpoint(latitude: 0, longitude: 180, scale: 10_000_000))
    #expect(try await view.freeze().counts(CountOptions()).layers[0].count == 2)
    let image = try await view.exportImage()
    let marked = (0..<300).count { image[$0, 100] != image[0, 0] }
    #expect(marked > 16)
  }

  @Test("Identify finds the features drawn at a position")
  func identify() async throws {
    let layer = FeatureLayer(source: try Self.places(.wgs84, count: 50))
    let view = try Self.view(Self.utm32, [layer])
    var found = 0
    for feature in try await layer.featureTable?.queryFeatures(using: QueryParameters()).features() ?? [] {
      let place = try #require(feature.geometry as? Point)
      let screen = try #require(view.screenPoint(fromLocation: place))
      let result = try await view.identify(on: layer, screenPoint: screen, tolerance: 1, maximumResults: 50)
      #expect(
        result.geoElements.contains { $0.attributes["n"] as? Int64 == feature.attributes["n"] as? Int64 })
      found += result.geoElements.count
    }
    #expect(found >= 50)
  }

  @Test("A view of a map with an unknown spatial reference is refused with its code")
  func unknown() throws {
    #expect(throws: MapStateError.self) { try Self.view(SpatialReference(wkid: 999_999), []) }
    do { _ = try Self.view(SpatialReference(wkid: 999_999), []) } catch {
      #expect("\(error)".contains("WKID 999999"))
    }
  }

  @Test("Geometries that cannot be projected to the map are reported, and the others are drawn")
  func lost() async throws {
    var geometry = CoordinateBuffer(kind: .point)
    for (x, y) in [(9.0, 50.0), (99, 0)] { geometry.appendPoint(x: x, y: y) }
    let layer = FeatureLayer(source: try Self.source(geometry, .wgs84))
    let view = try Self.view(
      Self.utm32, [layer], Viewpoint(latitude: 50, longitude: 9, scale: 10_000_000))
    let report = try await view.freeze().render().report
    #expect(report.layers[0].funnel?.drawn == 1)
    #expect(
      report.layers[0].warnings == [
        "1 geometries cannot be projected to EPSG:25832: views in it neither show nor count them"
      ])
  }

  @Test(
    "The basemap is projected to the map's spatial reference",
    arguments: [
      (25832, 52.5, 13.4, 5e7, true), (25832, 56, 3, 2e6, false), (2193, -43.5, 172, 1e6, true),
      (3832, 67, 180, 1e6, true), (3832, 58, 180, 5e6, false), (3031, -90, 0, 5e7, true),
      (3413, 90, 0, 5e7, false), (5070, 49.02, -110, 1e6, true), (54030, 0, 20, 1e8, true),
      (4326, 48, 20, 1e8, true),
    ] as [(Int, Double, Double, Double, Bool)])
  func basemap(wkid: Int, latitude: Double, longitude: Double, scale: Double, isLand: Bool) async throws {
    let view = try Self.view(
      SpatialReference(wkid: wkid), [],
      Viewpoint(latitude: latitude, longitude: longitude, scale: scale))
    view.map.basemap = Basemap(style: .arcGISTopographic)
    let water = try #require(view.freeze().basemap?.water)
    let middle = try await view.exportImage()[150, 100]
    #expect((middle.red == water.red && middle.blue == water.blue) == !isLand)
  }

  @Test("A document is drawn in its spatial reference, and an unknown one is a warning")
  func documents() async throws {
    for (wkid, reference) in [(25832, Self.utm32), (102100, .webMercator), (999_999, .webMercator)] {
      let json = try JSONValue(
        parsing: "{\"operationalLayers\":[],\"spatialReference\":{\"wkid\":\(wkid)},\"version\":\"2.31\"}")
      let document = try await MapDocument.open(json: json, name: "test", folder: ".")
      #expect(document.map.spatialReference == reference)
      #expect(
        document.warnings.map(\.description).count { $0.contains("WKID 999999") } == (wkid == 999_999 ? 1 : 0)
      )
      #expect(try JSONValue(parsing: document.map.toJSON())["spatialReference"]?["wkid"] == .number(wkid))
      let view = try MapView(map: document.map, width: 100, height: 100)
      #expect(view.freeze().spatialReference == reference)
    }
  }

  @Test(
    "A vertical, geocentric or compound spatial reference is refused",
    arguments: [4978, 4936, 5703, 7405])
  func noPlanes(wkid: Int) throws {
    #expect(throws: MapStateError.self) { try Self.view(SpatialReference(wkid: wkid), []) }
  }

  @Test("A view without a viewpoint shows every feature that can be projected to the map")
  func allOfThem() async throws {
    var random = SeededGenerator(seed: 8)
    var geometry = CoordinateBuffer(kind: .point)
    for _ in 0..<3000 {
      geometry.appendPoint(
        x: .random(in: -180...180, using: &random), y: .random(in: -84...84, using: &random))
    }
    let source = try Self.source(geometry, .wgs84)
    for wkid in [32631, 3035, 3031, 54030, 4326, 3857, 4807] {
      let reference = SpatialReference(wkid: wkid)
      let view = try Self.view(reference, [FeatureLayer(source: source)])
      let shown = try #require(try source.shownColumns(on: reference).geometry)
      let all = (0..<3000).count { !shown.isEmpty(row: $0) }
      #expect(try await view.freeze().counts(CountOptions()).layers[0].count == all, "\(wkid)")
      #expect(all > 2000)
    }
  }

  @Test("Bounds in the map's spatial reference are contained in the view")
  func ownBounds() async throws {
    let view = try Self.view(Self.utm32, [FeatureLayer(source: try Self.places(.wgs84))])
    for reach in [1e5, 1e7, 2e8] {
      let box = Envelope(xMin: -reach, yMin: -reach, xMax: reach, yMax: reach, spatialReference: Self.utm32)
      try view.setViewpoint(Viewpoint(boundingGeometry: box))
      #expect(view.freeze().extent.contains(box))
    }
    #expect(try await view.freeze().counts(CountOptions()).layers[0].count == 2000)
  }

  @Test("Groups and overlays in two spatial references have an extent in that of the map, around all points")
  func extents() throws {
    let tables = [try Self.places(Self.utm32, count: 50), try Self.places(.wgs84, count: 400)]
    let group = GroupLayer(layers: tables.map { FeatureLayer(source: $0) })
    let overlay = GraphicsOverlay()
    for table in tables {
      let geometry = try #require(table.columns().geometry)
      for (x, y) in zip(geometry.x, geometry.y) {
        overlay.addGraphic(
          Graphic(geometry: Point(x: x, y: y, spatialReference: table.schema.spatialReference)))
      }
    }
    // Outside a map the first spatial reference is used.
    #expect(group.fullExtent.spatialReference == Self.utm32)
    #expect(overlay.extent?.spatialReference == Self.utm32)
    for reference in [.webMercator, Self.etrs89] {
      let map = Map(spatialReference: reference)
      map.addOperationalLayer(group)
      let view = try MapView(map: map, width: 100, height: 100, graphicsOverlays: [overlay])
      let extents = [group.fullExtent, try #require(overlay.extent)]
      for table in tables {
        let geometry = try #require(table.columns().geometry)
        var (x, y) = (geometry.x, geometry.y)
        let own = try #require(table.schema.spatialReference)
        try SpatialOperations.installed.project(x: &x, y: &y, from: own, to: reference)
        for extent in extents {
          #expect(extent.spatialReference == reference)
          for row in x.indices { #expect(extent.grown(by: 1).contains(x: x[row], y: y[row])) }
        }
      }
      // The envelopes are projected, not the points: the result may be larger, but not much.
      #expect(extents.allSatisfy { $0.width < 8_000_000 && $0.height < 10_000_000 })
      view.graphicsOverlays = []
      #expect(overlay.extent?.spatialReference == Self.utm32)
      map.removeAllOperationalLayers()
    }
  }
}
