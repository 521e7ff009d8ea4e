import Foundation
import MapDocuments
import MapFeatures
import MapGeometry
import MapJSON
import MapModel
import Testing

@Suite struct WebMapTests {
  struct Document: CustomTestStringConvertible {
    let name: String
    let layers: Int
    let drawable: Int
    /// Paths that warnings must name, and the number of warnings.
    let paths: [String]
    let warnings: Int
    var testDescription: String { name }
  }

  static func read(_ name: String) throws -> WebMap {
    guard let url = Bundle.module.url(forResource: "Cases/webmap-\(name)", withExtension: "json") else {
      throw CocoaError(.fileNoSuchFile)
    }
    return try WebMap(JSONValue(parsing: [UInt8](Data(contentsOf: url))))
  }

  /// Source: see Cases/SOURCES.md.
  @Test(
    "Published web maps are read with the expected layers and warnings",
    arguments: [
      Document(
        name: "adopt-a-stop-manager", layers: 2, drawable: 2,
        paths: ["$.baseMap"], warnings: 1),
      Document(name: "adopt-a-stop-public", layers: 1, drawable: 1, paths: ["$.baseMap"], warnings: 1),
      Document(
        name: "wsdot-layer-list-demo", layers: 15, drawable: 0,
        paths: ["$.operationalLayers[0]", "$.operationalLayers[14]", "$.baseMap"], warnings: 16),
    ])
  func wild(_ document: Document) throws {
    let map = try Self.read(document.name)
    #expect(map.layers.count == document.layers)
    let drawable = map.layers.filter { if case .url = $0.content { true } else { false } }
    #expect(drawable.count == document.drawable)
    #expect(map.warnings.count == document.warnings, "\(map.warnings)")
    for path in document.paths { #expect(map.warnings.contains { $0.path?.description == path }) }
    #expect(map.warnings.allSatisfy { $0.path != nil })
  }

  @Test(
    "A web map's rotation is read and written with its direction reversed",
    arguments: [(0, 0), (30, 330), (360, 0)])
  func rotation(_ json: Double, _ model: Double) throws {
    let map = try WebMap(
      JSONValue(
        parsing: """
          {"operationalLayers":[],"initialState":{"viewpoint":{"rotation":\(json),"scale":20000,
          "targetGeometry":{"x":4018000,"y":3842000,"spatialReference":{"wkid":102100}}}}}
          """))
    let viewpoint = try #require(map.viewpoint)
    #expect(viewpoint.rotation == model)
    #expect(
      viewpoint.target
        == .center(Point(x: 4_018_000, y: 3_842_000, spatialReference: .webMercator), scale: 20_000))
    let again = try WebMap(map.json).viewpoint
    #expect(again == viewpoint)
  }

  @Test("A viewpoint fits its target geometry, or shows its centre when a scale is given")
  func targets() throws {
    func target(_ geometry: String, _ scale: String = "") throws -> Viewpoint.Target? {
      try WebMap(
        JSONValue(
          parsing: """
            {"operationalLayers":[],"initialState":{"viewpoint":{\(scale)"targetGeometry":\(geometry)}}}
            """)
      ).viewpoint?.target
    }
    let extent = "{\"xmin\":1,\"ymin\":2,\"xmax\":3,\"ymax\":6,\"spatialReference\":{\"wkid\":4326}}"
    let box = Envelope(xMin: 1, yMin: 2, xMax: 3, yMax: 6, spatialReference: .wgs84)
    #expect(try target(extent) == .boundingGeometry(box))
    #expect(
      try target(extent, "\"scale\":10,")
        == .center(Point(x: 2, y: 4, spatialReference: .wgs84), scale: 10))
    let polygon = "{\"rings\":[[[1,2],[1,6,9],[3,6],[1,2]]],\"spatialReference\":{\"wkid\":4326}}"
    #expect(try target(polygon) == .boundingGeometry(box))
    for bad in [
      "{}", "{\"rings\":[]}", "{\"rings\":[[[1]]]}", "{\"x\":\"NaN\",\"y\":1}",
    ] {
      #expect(throws: JSONDecodingError.self) { try target(bad) }
    }
    #expect(throws: JSONDecodingError.self) { try target(extent, "\"scale\":0,") }
  }

  @Test("A layer's opacity combines with the transparency of its drawing info")
  func opacity() throws {
    let layer = try DocumentReading.layer(
      "\"opacity\":0.5", definition: "{\"drawingInfo\":{\"transparency\":20}}")
    #expect(abs(layer.opacity - 0.4) < 1e-15)
    #expect(try DocumentReading.layer().opacity == 1)
    #expect(throws: JSONDecodingError.self) { try DocumentReading.layer("\"opacity\":1.5") }
    #expect(throws: JSONDecodingError.self) {
      try DocumentReading.layer(definition: "{\"drawingInfo\":{\"transparency\":-1}}")
    }
  }

  @Test("Unknown keys are reported with their path, and null ones are ignored")
  func unknownKeys() throws {
    let map = try DocumentReading.map("\"mode\":2,\"effect\":null,\"opacity\":null")
    #expect(map.warnings.map { $0.path?.description } == ["$.operationalLayers[0].mode"])
    let blended = try DocumentReading.map("\"blendMode\":\"color-burn\"")
    #expect(blended.warnings.isEmpty && blended.layers[0].blendMode == .colorBurn)
    let misspelt = try DocumentReading.map("\"blendMode\":\"multipy\"")
    #expect(misspelt.warnings.count == 1)
    #expect("\(misspelt.warnings[0])".contains("did you mean \"multiply\"?"))
    let said = try DocumentReading.map(
      "\"mode\":2",
      definition: """
        {"visibilityField":"v","featureReduction":{"type":"binning","binType":"flatTriangle"},
         "timeInfo":{"startTimeField":"t","endTimeField":null,"exportOptions":{"useTime":false}}}
        """)
    #expect(
      said.warnings.map { $0.path?.description.dropFirst(22) } == [
        ".mode", ".layerDefinition.featureReduction.binType",
      ])
    #expect(said.layers[0].visibilityField == "v")
    #expect(!said.layers[0].filtersByTime)
    #expect(said.layers[0].timeInfo == TimeInfo(startField: "t"))
  }

  @Test("A layer is shown when it is visible and the scale is within its range")
  func scaleRange() throws {
    let table = FeatureColumns(
      schema: FeatureSchema(fields: [], geometryKind: nil, spatialReference: nil), columns: [],
      geometry: nil, rowCount: 0)
    let layer = FeatureLayer(source: InMemorySource(table))
    func shown(_ minScale: Double, _ maxScale: Double) -> [Bool] {
      (layer.minScale, layer.maxScale) = (minScale, maxScale)
      return [999, 1000, 1001, 4999, 5000, 5001].map(layer.frozen.isShown)
    }
    #expect(shown(0, 0) == [true, true, true, true, true, true])
    #expect(shown(5000, 1000) == [false, true, true, true, true, false])
    #expect(shown(0, 1000) == [false, true, true, true, true, true])
    #expect(shown(5000, 0) == [true, true, true, true, true, false])
    layer.isVisible = false
    #expect(shown(0, 0) == [false, false, false, false, false, false])
  }

  @Test("A drawing order survives a round trip, and unreadable entries are reported")
  func drawingOrder() throws {
    let orders = "[{\"field\":\"a\"},{\"field\":\"b\",\"order\":\"descending\"}]"
    let map = try DocumentReading.map(definition: "{\"orderBy\":\(orders)}")
    #expect(map.warnings.isEmpty)
    #expect(
      map.layers[0].drawingOrder == [
        DrawingOrder(fieldName: "a", direction: .ascending),
        DrawingOrder(fieldName: "b", direction: .descending),
      ])
    #expect(
      try WebMap(JSONValue(parsing: map.json.text())).layers[0].drawingOrder == map.layers[0].drawingOrder)
    let odd = try DocumentReading.map(
      definition: "{\"orderBy\":[{\"valueExpression\":\"1\"},{\"field\":\"a\",\"order\":\"up\"}]}")
    #expect(odd.layers[0].drawingOrder == [DrawingOrder(fieldName: "a")])
    #expect(
      odd.warnings.map { $0.path?.description } == [
        "$.operationalLayers[0].layerDefinition.orderBy[0].valueExpression",
        "$.operationalLayers[0].layerDefinition.orderBy[1].order",
      ])
  }

  @Test("Each layer of a feature collection becomes a layer with its own table")
  func featureCollections() throws {
    func table(_ name: String) -> String {
      """
      {"layerDefinition":{"name":"\(name)","geometryType":"esriGeometryPoint","definitionExpression":"N = 1"},
       "featureSet":{"features":[{"attributes":{"N":1},"geometry":{"x":1,"y":2}}]}}
      """
    }
    let map = try WebMap(
      JSONValue(
        parsing: """
          {"operationalLayers":[{"id":"c","title":"C","visibility":false,"opacity":0.5,
            "featureCollection":{"layers":[\(table("p")),\(table("q"))]}},
           {"id":"d","title":"D","featureCollection":{"layers":[\(table("p"))]}},
           {"id":"e","layerType":"KML"}]}
          """))
    #expect(map.layers.map(\.id) == ["c_0", "c_1", "d", "e"])
    #expect(map.layers.map(\.title) == ["p", "q", "D", ""])
    #expect(map.layers.map(\.isVisible) == [false, false, true, true])
    #expect(map.layers.map(\.opacity) == [0.5, 0.5, 1, 1])
    #expect(map.layers.map(\.definitionExpression) == ["N = 1", "N = 1", "N = 1", ""])
    guard case .features(let columns) = map.layers[1].content else { throw DocumentReading.Unexpected() }
    #expect(columns.rowCount == 1)
    guard case .unsupported("KML") = map.layers[3].content else { throw DocumentReading.Unexpected() }
    #expect(map.warnings.map { $0.path?.description } == ["$.operationalLayers[2].url"])
  }
}
