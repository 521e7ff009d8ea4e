import Foundation
import MapJSON
import MapState
import MapTestSupport
import Testing

/// Maps written as documents and read again.
@Suite struct MapRoundTripTests {
  private static let styles = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Styles")

  private static func table(_ name: String, at x: Int, _ members: String = "") -> String {
    """
    {"layerDefinition":{"name":"\(name)","geometryType":"esriGeometryPoint"\(members),
      "fields":[{"name":"N","type":"esriFieldTypeInteger"}]},
     "featureSet":{"features":[{"attributes":{"N":1},"geometry":{"x":\(x),"y":0,"spatialReference":{"wkid":102100}}},
       {"attributes":{"N":2},"geometry":{"x":\(x),"y":30}}]},"custom":{"of":"\(name)"}}
    """
  }

  private static func layer(_ name: String, at x: Int, _ members: String = "") -> String {
    "{\"id\":\"\(name)\",\"title\":\"\(name)\",\"note\":[1,2.50,null]\(members),"
      + "\"featureCollection\":{\"layers\":[\(table(name, at: x))]}}"
  }

  /// Nested groups, collections of two layers, kinds that are not drawn, and unknown keys.
  private static let text = """
    {"operationalLayers":[{"id":"k","layerType":"GeoRSS","url":"https://example.com/a.xml"},
     \(layer("a", at: -80, ",\"opacity\":0.5")),
     {"layerType":"GroupLayer","title":"G","opacity":0.8,"visibility":true,"odd":"kept","layers":[
       \(layer("b", at: -60)),{"id":"w","layerType":"WMS"},
       {"layerType":"GroupLayer","title":"H","visibilityMode":"exclusive","layers":[
         \(layer("c", at: -40)),\(layer("d", at: -20))]}]},
     {"id":"pair","title":"pair","featureCollection":{"layers":[
       \(table("e", at: 0, ",\"definitionExpression\":\"N = 1\"")),\(table("f", at: 20))]}},
     {"id":"z","layerType":"WebTiledLayer"},
     \(layer("g", at: 40))],
     "baseMap":{"baseMapLayers":[],"title":"none","x":1},
     "initialState":{"environment":{},"viewpoint":{"scale":4000,"targetGeometry":{"x":0,"y":0},"rotation":0}},
     "bookmarks":[{"name":"p","thumbnail":"t","extent":{"xmin":0,"ymin":0,"xmax":9,"ymax":9}},{"name":"bad"}],
     "tables":[{"id":"t","title":"T","url":"none.csv","k":1}],"widgets":{"timeSlider":{}},
     "spatialReference":{"wkid":102100},"version":"2.20"}
    """

  private static func open(_ text: String) async throws -> Map {
    let map = try Map.fromJSON(text)
    try await map.load()
    return map
  }

  private static func picture(_ map: Map) async throws -> Bitmap {
    try await MapView(map: map, width: 200, height: 100).exportImage()
  }

  /// Checks that the document of a map draws the same when read again.
  private static func check(_ map: Map, _ comment: Comment? = nil) async throws {
    let again = try await open(map.toJSON())
    #expect(again.featureLayers.map(\.title) == map.featureLayers.map(\.title), comment)
    #expect(
      again.featureLayers.map(\.definitionExpression) == map.featureLayers.map(\.definitionExpression),
      comment)
    #expect(try await picture(again) == picture(map), comment)
  }

  @Test("An unchanged document is written as it was read")
  func unchanged() async throws {
    let read = try JSONValue(parsing: Self.text)
    let map = try Map.fromJSON(Self.text)
    #expect(try JSONValue(parsing: map.toJSON()) == read)
    try await map.load()
    #expect(map.featureLayers.map(\.title) == ["a", "b", "c", "d", "e", "f", "g"])
    #expect(try JSONValue(parsing: map.toJSON()) == read)
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.styles.path)
      .filter { $0.hasSuffix(".json") }
    var seen = 0
    for file in files {
      let path = Self.styles.appending(path: file).path
      guard let document = try? await MapDocument.open(path) else { continue }
      var before = try JSONValue(parsing: [UInt8](Data(contentsOf: URL(filePath: path)))).object
      let after = try JSONValue(parsing: document.map.toJSON())
      for name in ["spatialReference", "version"] where before?[name] == nil { before?[name] = after[name] }
      #expect(after == before.map { .object($0) }, "\(file)")
      seen += 1
    }
    #expect(seen >= 4)
    #expect(throws: MapStateError.self) { try Map.fromJSON("{") }
    #expect(throws: MapStateError.self) { try Map.fromJSON("{\"operationalLayers\":1}") }
  }

  @Test("Unknown and unsupported members of a document are accessible")
  func unread() async throws {
    let map = try Map.fromJSON(
      """
      {"operationalLayers":[],"version":"2.31","widgets":{"timeSlider":{"n":1}},"authoringApp":"x",
       "odd":{"a":[1,2.5,null,"t",true]},"none":null}
      """)
    for _ in 0...1 {
      #expect(map.unsupportedJSON.keys.sorted() == ["authoringApp", "widgets"])
      #expect(map.unsupportedJSON["authoringApp"] as? String == "x")
      #expect(map.unknownJSON.keys.sorted() == ["odd"])
      let odd = try #require((map.unknownJSON["odd"] as? [String: any Sendable])?["a"] as? [any Sendable])
      try #require(odd.count == 4)
      #expect(odd[0] as? Int == 1)
      #expect(odd[1] as? Double == 2.5)
      #expect(odd[2] as? String == "t")
      #expect(odd[3] as? Bool == true)
      try await map.load()
    }
    #expect(Map().unknownJSON.isEmpty)
    #expect(Map().unsupportedJSON.isEmpty)
  }

  @Test("Settings made before loading are written beside the document's own")
  func beforeLoading() async throws {
    let map = try Map.fromJSON(Self.text)
    map.minScale = 9000
    map.addBookmark(Bookmark(name: "q", viewpoint: Viewpoint(latitude: 1, longitude: 2, scale: 3)))
    map.addOperationalLayer(FeatureLayer(source: TableFixtures.cities, title: "mine"))
    for isLoaded in [false, true] {
      if isLoaded { try await map.load() }
      let json = try JSONValue(parsing: map.toJSON())
      #expect(json["minScale"]?.double == 9000)
      #expect(json["bookmarks"]?.array?.compactMap { $0["name"]?.string } == ["p", "q", "bad"])
      #expect(json["bookmarks"]?[0]?["thumbnail"]?.string == "t")
      #expect(json["operationalLayers"]?.array?.count == 7)
      #expect(json["operationalLayers"]?[6]?["title"]?.string == "mine")
      #expect(json["initialState"]?["viewpoint"]?["scale"]?.double == 4000)
    }
    try await Self.check(map)
  }

  @Test("Only edited properties are changed in a written document")
  func changes() async throws {
    let map = try await Self.open(Self.text)
    let layers = map.featureLayers
    layers[0].definitionExpression = "N = 2"
    layers[4].displayFilterDefinition = ManualDisplayFilterDefinition(
      activeFilter: DisplayFilter(name: "x", whereClause: "N > 5"),
      availableFilters: [DisplayFilter(name: "x", whereClause: "N > 5")])
    layers[6].renderer = SimpleRenderer(symbol: SimpleMarkerSymbol(style: .square, color: .red, size: 9))
    map.initialViewpoint = Viewpoint(latitude: 0, longitude: 0, scale: 5000)
    map.backgroundColor = .yellow
    map.referenceScale = 7000
    try await Self.check(map)
    let (before, after) = (try JSONValue(parsing: Self.text), try JSONValue(parsing: map.toJSON()))
    let (old, new) = (
      try #require(before["operationalLayers"]?.array), try #require(after["operationalLayers"]?.array)
    )
    // The pair is written as two layers, because only one of them changed.
    try #require(new.count == 7)
    #expect(new[0] == old[0])
    #expect(new[2] == old[2])
    #expect(new[5] == old[4])
    #expect(new[1]["note"] == old[1]["note"])
    #expect(new[1]["opacity"]?.double == 0.5)
    #expect(new[3]["featureCollection"]?["layers"]?[0]?["custom"]?["of"]?.string == "e")
    #expect(after["widgets"] == before["widgets"])
    #expect(after["baseMap"] == before["baseMap"])
    #expect(after["initialState"]?["environment"] == [:])
    #expect(after["version"]?.string == "2.20")
    // After undoing the changes, the document equals the original except for the set properties.
    layers[0].definitionExpression = ""
    layers[4].displayFilterDefinition = nil
    #expect(try JSONValue(parsing: map.toJSON())["operationalLayers"]?.array?.prefix(5) == old.prefix(5))
  }

  @Test("Changed, removed and moved layers of groups are written")
  func groups() async throws {
    let map = try await Self.open(Self.text)
    let layers = map.featureLayers
    #expect(layers.map(\.isVisible) == [true, true, false, true, true, true, true])
    layers[1].definitionExpression = "N = 1"
    var entry = try #require(try JSONValue(parsing: map.toJSON())["operationalLayers"]?[2])
    // A filter alone does not change the group.
    #expect(entry["opacity"]?.double == 0.8)
    #expect(entry["layers"]?[2]?["visibilityMode"]?.string == "exclusive")
    layers[2].isVisible = true
    try await Self.check(map)
    entry = try #require(try JSONValue(parsing: map.toJSON())["operationalLayers"]?[2])
    #expect(entry["opacity"] == nil)
    #expect(entry["odd"]?.string == "kept")
    #expect(entry["layers"]?.array?.count == 3)
    #expect(entry["layers"]?[2]?["layers"]?[0]?["opacity"]?.double == 0.8)
    map.removeOperationalLayer(layers[3])
    try await Self.check(map)
    map.moveOperationalLayer(from: 1, to: 4)
    try await Self.check(map)
    // Layers that are not drawn are kept wherever the others moved.
    #expect(map.toJSON().contains("WMS"))
    #expect(map.toJSON().contains("GeoRSS"))
    map.removeAllOperationalLayers()
    let json = try JSONValue(parsing: map.toJSON())
    #expect(
      json["operationalLayers"]?.array?.compactMap { $0["layerType"]?.string } == ["GeoRSS", "WebTiledLayer"])
  }

  @Test("Added layers are written with their features or their address")
  func added() async throws {
    let map = Map(basemapStyle: .arcGISOceans)
    map.initialViewpoint = Viewpoint(
      boundingGeometry: Envelope(
        xMin: -1000, yMin: -1000, xMax: 60_000, yMax: 9000, spatialReference: .webMercator))
    let cities = FeatureLayer(source: TableFixtures.cities, title: "cities")
    cities.definitionExpression = "POP > 60"
    let roads = FeatureLayer(source: TableFixtures.roads, title: "roads")
    let group = GroupLayer(layers: [roads], name: "g")
    group.opacity = 0.5
    let file = Self.styles.appending(path: "data/world-cities.csv")
    let far = FeatureLayer(featureTable: LocalFeatureTable(fileURL: file))
    far.timeOffset = TimeValue(duration: 3, unit: .months)
    let url = try #require(URL(string: "https://example.com/FeatureServer/0?token=secret"))
    let service = FeatureLayer(featureTable: ServiceFeatureTable(url: url))
    map.addOperationalLayers([cities, group, far, service])
    map.addTable(LocalFeatureTable(source: TableFixtures.cities, tableName: "t"))
    let json = try JSONValue(parsing: map.toJSON())
    let entries = try #require(json["operationalLayers"]?.array)
    #expect(entries[2]["url"]?.string == file.path)
    #expect(entries[1]["layerType"]?.string == "GroupLayer")
    #expect(entries[3]["url"]?.string == "https://example.com/FeatureServer/0")
    #expect(
      entries[2]["layerDefinition"]?["timeInfo"]?["exportOptions"]?["timeOffsetUnits"]?.string
        == "esriTimeUnitsMonths")
    #expect(!map.toJSON().contains("secret"))
    map.removeOperationalLayers([far, service])
    try await Self.check(map)
    let again = try await Self.open(map.toJSON())
    #expect(again.basemap?.style == .arcGISOceans)
    #expect(again.initialViewpoint?.target == map.initialViewpoint?.target)
    for (own, read) in zip(map.featureLayers, again.featureLayers) {
      #expect(own.source.schema.fields.map(\.name) == read.source.schema.fields.map(\.name))
      #expect(own.source.schema.fields.map(\.type) == read.source.schema.fields.map(\.type))
      let asked = QueryParameters()
      let (a, b) = (
        try await own.featureTable?.queryFeatures(using: asked).features() ?? [],
        try await read.featureTable?.queryFeatures(using: asked).features() ?? []
      )
      #expect(a.count == b.count)
      #expect(a.count > 2)
      #expect(
        a.map { "\($0.attributes.sorted { $0.key < $1.key })" }
          == b.map { "\($0.attributes.sorted { $0.key < $1.key })" })
      #expect(a.map { $0.geometry?.extent } == b.map { $0.geometry?.extent })
    }
    #expect(try await again.tables.first?.queryFeatureCount() == 6)
  }

  @Test(
    "A document written after random changes draws the same map", arguments: 1...12 as ClosedRange<UInt64>)
  func chance(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let map = try await Self.open(Self.text)
    for step in 0..<6 {
      let count = map.featureLayers.count
      guard count > 2 else { break }
      let layer = map.featureLayers[.random(in: 0..<count, using: &random)]
      switch Int.random(in: 0..<9, using: &random) {
      case 0: layer.isVisible.toggle()
      case 1: layer.opacity = [0.25, 0.5, 1].randomElement(using: &random) ?? 1
      case 2: layer.definitionExpression = ["", "N = 1", "N = 2"].randomElement(using: &random) ?? ""
      case 3: layer.minScale = [0, 3000, 8000].randomElement(using: &random) ?? 0
      case 4:
        layer.renderer = SimpleRenderer(
          symbol: SimpleMarkerSymbol(
            color: [.red, .blue, .green].randomElement(using: &random),
            size: .random(in: 5...30, using: &random)))
      case 5: map.removeOperationalLayer(layer)
      case 6:
        map.moveOperationalLayer(
          from: .random(in: 0..<map.operationalLayers.count, using: &random),
          to: .random(in: 0..<map.operationalLayers.count, using: &random))
      case 7:
        map.insertOperationalLayer(
          FeatureLayer(source: TableFixtures.cities, title: "new \(step)"),
          at: .random(in: 0...map.operationalLayers.count, using: &random))
      default:
        map.removeOperationalLayer(layer)
        let group = GroupLayer(layers: [layer], name: "new")
        group.opacity = 0.5
        map.addOperationalLayer(group)
      }
      try await Self.check(map, "seed \(seed), step \(step)")
    }
  }
}
