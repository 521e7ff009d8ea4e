import Foundation
import MapDrawing
import MapGeometry
import MapJSON
import MapModel
import MapState
import MapTestSupport
import Testing

/// Labelled maps from document to image, in the bundled fonts.
@Suite struct LabelRenderingTests {
  /// A map of random points within 100 by 100 degrees, named by random words of several scripts.
  private static func document(count: Int, seed: UInt64, names: [String]? = nil, label: String = "")
    async throws
    -> MapDocument
  {
    var random = SeededGenerator(seed: seed)
    let syllables = [
      "Lon", "Å", "Wø", "AV", "Θη", "σα", "Мос", "ква", "Nộ", "i\u{301}", " ", "-", "To", "12",
    ]
    let features = (0..<count).map { index in
      let name =
        names?[index % (names?.count ?? 1)]
        ?? (0..<Int.random(in: 1...6, using: &random)).map { _ in
          syllables.randomElement(using: &random) ?? ""
        }.joined()
      return """
        {"attributes":{"n":\(JSONValue.string(name).text())},
         "geometry":{"x":\(Double.random(in: -50...50, using: &random)),"y":\(Double.random(in: -50...50, using: &random))}}
        """
    }
    let json = """
      {"operationalLayers":[{"id":"a","title":"A","showLabels":true,"opacity":0.9,"featureCollection":{"layers":[{
       "layerDefinition":{"geometryType":"esriGeometryPoint","spatialReference":{"wkid":4326},
        "fields":[{"name":"n","type":"esriFieldTypeString"}],"drawingInfo":{"labelingInfo":[{"labelExpression":"[n]",\(label)
        "symbol":{"type":"esriTS","color":[0,0,0,255],"haloColor":[255,255,255,200],"haloSize":1.5,
         "font":{"size":9}}}]}},
       "featureSet":{"features":[\(features.joined(separator: ","))]}}]}}]}
      """
    return try await MapDocument.open(json: JSONValue(parsing: json), name: "test", folder: ".")
  }

  private static func view(_ document: MapDocument, pixelRatio: Double = 1) throws -> ViewState {
    try MapView(map: document.map, width: 700, height: 500, pixelRatio: pixelRatio).freeze()
  }

  @Test("Labels are painted with the same bytes for any number of threads")
  func threads() async throws {
    let state = try Self.view(
      try await Self.document(count: 300, seed: 1, label: "\"deconflictionStrategy\":\"dynamic\","))
    let one = try await state.render(threads: 1)
    #expect(one.report.labels.classes.map(\.placed)[0] > 100)
    for threads in [2, 3, 7] {
      let other = try await state.render(threads: threads)
      #expect(other.bitmap == one.bitmap)
      #expect(other.report.labels == one.report.labels)
    }
  }

  @Test(
    "Labels do not overlap or leave the image, and their ink lies within their boxes",
    arguments: [1.0, 1.5, 2.0])
  func boxes(_ pixelRatio: Double) async throws {
    let document = try await Self.document(
      count: 400, seed: 2, label: "\"deconflictionStrategy\":\"dynamic\",")
    document.map.backgroundColor = nil
    let list = try await Self.view(document, pixelRatio: pixelRatio).displayList()
    let items = list.labels.flatMap(\.batches).flatMap { batch -> [LabelItem] in
      if case .labels(let labels) = batch { labels.items } else { [] }
    }
    #expect(items.count > 50)
    for (index, item) in items.enumerated() {
      let box = item.box
      #expect(box.xMin >= 0)
      #expect(box.yMin >= 0)
      #expect(box.xMax <= 700 * pixelRatio)
      #expect(box.yMax <= 500 * pixelRatio)
      for other in items[..<index].map(\.box) {
        let apart =
          box.xMin >= other.xMax || box.xMax <= other.xMin || box.yMin >= other.yMax || box.yMax <= other.yMin
        #expect(apart)
      }
    }
    // Without the points, every pixel that is not transparent lies in a box or half a pixel beside it.
    let layer = try #require(document.map.featureLayers.first)
    layer.renderer = SimpleRenderer(symbol: SimpleMarkerSymbol(color: nil, size: 8))
    let state = try Self.view(document, pixelRatio: pixelRatio)
    let bare = try await state.displayList().labels.flatMap(\.batches).flatMap { batch -> [Envelope] in
      if case .labels(let labels) = batch { labels.items.map { $0.box.grown(by: 1) } } else { [] }
    }
    let bitmap = try await state.render().bitmap
    var inked = 0
    for y in 0..<bitmap.height {
      for x in 0..<bitmap.width where bitmap[x, y].alpha > 0 {
        inked += 1
        guard bare.contains(where: { $0.contains(x: Double(x) + 0.5, y: Double(y) + 0.5) }) else {
          Issue.record("ink at \(x), \(y) is no label's")
          return
        }
      }
    }
    #expect(inked > 5000)
  }

  @Test("Labels are drawn when enabled, in scale and for drawn rows that match the condition")
  func conditions() async throws {
    let document = try await Self.document(count: 40, seed: 3, names: ["a", "b"])
    let layer = try #require(document.map.featureLayers.first)
    func placed() async throws -> Int {
      try await Self.view(document).render().report.labels.classes.reduce(0) {
        $0 + $1.placed + $1.collided + $1.atEdge + $1.atMarker
      }
    }
    #expect(try await placed() == 40)
    layer.definitionExpression = "n = 'b'"
    #expect(try await placed() == 20)
    layer.definitionExpression = ""
    layer.labelDefinitions[0].whereClause = "n = 'a'"
    #expect(try await placed() == 20)
    // A clause with a type mismatch is an error that names the layer.
    layer.labelDefinitions[0].whereClause = "m = 'a'"
    await #expect(throws: MapStateError.self) { try await placed() }
    layer.labelDefinitions[0].whereClause = ""
    // Features without a symbol are neither drawn nor labelled.
    layer.renderer = UniqueValueRenderer(
      fieldNames: ["n"],
      uniqueValues: [.init(values: ["a"], label: "", symbol: SimpleMarkerSymbol().form)])
    #expect(try await placed() == 20)
    layer.labelDefinitions[0].maxScale = 1e9
    #expect(try await placed() == 0)
    layer.labelDefinitions[0].maxScale = 0
    layer.labelsAreEnabled = false
    #expect(try await placed() == 0)
  }

  @Test("Areas without a symbol are neither drawn nor labelled")
  func undrawnAreas() async throws {
    let squares = ["a", "b"].enumerated().map { index, name in
      let (west, east) = (index * 20, index * 20 + 15)
      return """
        {"attributes":{"n":"\(name)"},"geometry":{"rings":[[[\(west),0],[\(west),15],[\(east),15],[\(east),0],[\(west),0]]]}}
        """
    }
    let document = try await MapDocument.open(
      json: JSONValue(
        parsing: """
          {"operationalLayers":[{"id":"a","showLabels":true,"featureCollection":{"layers":[{"layerDefinition":{
           "geometryType":"esriGeometryPolygon","spatialReference":{"wkid":4326},
           "fields":[{"name":"n","type":"esriFieldTypeString"}],"drawingInfo":{"labelingInfo":[{"labelExpression":"[n]"}]}},
           "featureSet":{"features":[\(squares.joined(separator: ","))]}}]}}]}
          """), name: "test", folder: ".")
    #expect(try await Self.view(document).render().report.labels.classes[0].placed == 2)
    try #require(document.map.featureLayers.first).renderer = UniqueValueRenderer(
      fieldNames: ["n"], uniqueValues: [.init(values: ["b"], label: "", symbol: SimpleFillSymbol().form)])
    #expect(try await Self.view(document).render().report.labels.classes[0].placed == 1)
  }

  @Test("A table in another spatial reference is labelled where it is drawn")
  func otherReference() async throws {
    // 9° east and 5,500 km north of the equator in UTM zone 32, and the same position in degrees.
    func center(_ wkid: Int, _ x: Double, _ y: Double) async throws -> Point {
      let document = try await MapDocument.open(
        json: JSONValue(
          parsing: """
            {"initialState":{"viewpoint":{"scale":100000,"targetGeometry":{"x":1001875.4,"y":6386000,"spatialReference":{"wkid":102100}}}},
             "operationalLayers":[{"id":"a","showLabels":true,"featureCollection":{"layers":[{"layerDefinition":{
             "geometryType":"esriGeometryPoint","spatialReference":{"wkid":\(wkid)},
             "drawingInfo":{"labelingInfo":[{"labelExpression":"'here'"}]}},
             "featureSet":{"spatialReference":{"wkid":\(wkid)},"features":[{"geometry":{"x":\(x),"y":\(y)}}]}}]}}]}
            """), name: "test", folder: ".")
      let list = try await Self.view(document).displayList()
      guard case .labels(let labels) = try #require(list.labels.first?.batches.first) else {
        return Point(x: 0, y: 0)
      }
      return try #require(labels.items.first).box.center
    }
    let projected = try await center(32632, 500_000, 5_500_000)
    // echo 500000 5500000 | cs2cs -f %.7f EPSG:32632 EPSG:4326
    let degrees = try await center(4326, 9, 49.652_542_9)
    #expect(abs(projected.x - degrees.x) < 0.1)
    #expect(abs(projected.y - degrees.y) < 0.1)
  }

  @Test("With a reference scale labels keep their size on the ground in layers that allow it")
  func referenceScale() async throws {
    let document = try await Self.document(count: 1, seed: 5, names: ["HHHH"])
    let (map, scale) = (document.map, try Self.view(document).viewpoint.scale)
    func width() async throws -> Double {
      guard
        case .labels(let labels) = try #require(
          try await Self.view(document).displayList().labels.first?.batches.first)
      else { return 0 }
      return try #require(labels.items.first).box.width
    }
    let plain = try await width()
    map.referenceScale = 2 * scale
    let twice = try await width()
    #expect(plain > 20)
    #expect(abs(twice - 2 * plain) < 1)
    map.featureLayers[0].scalesSymbols = false
    #expect(try await width() == plain)
  }

  @Test("Characters without a glyph are reported once each in a single warning")
  func missing() async throws {
    let report = try await Self.view(
      try await Self.document(count: 4, seed: 4, names: ["東京 Tokyo", "京都 Kyoto"])
    )
    .render().report
    #expect(report.labels.missingGlyphs.map { String($0) } == ["京", "東", "都"])
    #expect(report.warnings.count == 1)
    #expect(report.warnings.first?.contains("\"京\", \"東\", \"都\"") == true)
    #expect(report.json["libraries"]?["harfbuzz"] != nil)
    #expect(report.json["labels"]?["missingGlyphs"] == ["京", "東", "都"])
  }

  @Test("Very long and malformed names are labelled or omitted")
  func hostile() async throws {
    let names = [
      String(repeating: "Llanfair ", count: 1200), String(repeating: "e\u{301}", count: 10_000), "\u{0}",
      "\u{301}",
      "a\u{0}b\u{7}", String(repeating: "\n", count: 10_000), String(repeating: "\u{202E}", count: 10_000),
      "\u{FFFF}", "",
    ]
    for label in ["", "\"stackRowLength\":5,", "\"allowOverlapOfLabel\":\"allow\","] {
      let document = try await Self.document(count: 18, seed: 5, names: names, label: label)
      let counts = try await Self.view(document).render().report.labels.classes[0]
      #expect(counts.counts.reduce(0) { $0 + $1.count } == 18)
      #expect(counts.empty >= 6)
    }
  }

  @Test("A document with unsupported or missing labels gives a warning")
  func warnings() async throws {
    func warnings(_ geometry: String, _ info: String) async throws -> [String] {
      try await MapDocument.open(
        json: JSONValue(
          parsing: """
            {"operationalLayers":[{"id":"a","showLabels":true,"featureCollection":{"layers":[{"layerDefinition":{
             "geometryType":"esriGeometry\(geometry)","spatialReference":{"wkid":3857},"drawingInfo":{\(info)}},"featureSet":{"features":[]}}]}}]}
            """), name: "test", folder: "."
      ).warnings.map(\.description)
    }
    let usual = "\"labelingInfo\":[{\"labelExpression\":\"'x'\"}]"
    #expect(try await warnings("Point", usual).isEmpty)
    #expect(try await warnings("Polyline", usual).isEmpty)
    #expect(try await warnings("Point", "").contains { $0.contains("labelingInfo") })
    let odd =
      "\"labelingInfo\":[{\"labelExpression\":\"'x'\",\"labelPlacement\":\"esriServerPolygonPlacementAlwaysHorizontal\"}]"
    #expect(try await warnings("Point", odd).contains { $0.contains("does not suit") })
    #expect(try await warnings("Polygon", odd).isEmpty)
  }
}
