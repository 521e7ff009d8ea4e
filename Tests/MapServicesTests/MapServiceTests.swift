import Foundation
import MapFeatures
import MapJSON
import MapModel
import MapServices
import MapState
import Testing

/// The sublayers of map services in documents.
@Suite struct MapServiceTests {
  private static let service = "https://gis.example.com/rest/services/Town/MapServer"

  /// A service with two layers, a group of two, a raster layer and a hidden layer.
  private static let description = """
    {"layers":[
      {"id":0,"name":"Signs","parentLayerId":-1,"defaultVisibility":true,"subLayerIds":null},
      {"id":1,"name":"Streets","parentLayerId":-1,"defaultVisibility":true,"subLayerIds":[2,3],"type":"Group Layer"},
      {"id":2,"name":"Names","parentLayerId":1,"defaultVisibility":true,"subLayerIds":null,"type":"Feature Layer"},
      {"id":3,"name":"Lines","parentLayerId":1,"defaultVisibility":false,"subLayerIds":null,"minScale":5000},
      {"id":4,"name":"Photo","parentLayerId":-1,"defaultVisibility":true,"subLayerIds":null,"type":"Raster Layer"},
      {"id":5,"name":"Ground","parentLayerId":-1,"defaultVisibility":true,"subLayerIds":null}]}
    """

  /// Opens a document with one map service; without an answer, the service cannot be reached.
  private static func open(
    _ members: String, answer: String? = description
  ) async throws -> (document: MapDocument, asked: [String]) {
    let stub = StubTransport { request throws(ServiceError) in
      let path = request.url.prefix { $0 != "?" }
      if path == service {
        guard let answer else { throw ServiceError("is down", at: request.url) }
        return HTTPResponse(json: answer)
      }
      guard path.hasSuffix("/query") else {
        let number = path.split(separator: "/").last ?? ""
        return HTTPResponse(
          json: """
            {"type":"Feature Layer","name":"Own \(number)","geometryType":"esriGeometryPoint",
             "spatialReference":{"wkid":4326},
             "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"},{"name":"n","type":"esriFieldTypeInteger"}],
             "drawingInfo":{"renderer":{"type":"simple","symbol":{"type":"esriSMS","style":"esriSMSCircle","size":6,
             "color":[\(number),0,0,255]}},"labelingInfo":[{"labelExpression":"[n]",
             "symbol":{"type":"esriTS","color":[0,0,0,255],"font":{"size":9}}}]},
             "advancedQueryCapabilities":{"supportsPagination":true}}
            """)
      }
      return HTTPResponse(json: "{\"count\":0}")
    }
    let json = """
      {"operationalLayers":[{"id":"s","title":"Town","layerType":"ArcGISMapServiceLayer","url":"\(service)"\
      \(members.isEmpty ? "" : "," + members)}]}
      """
    let catalog = SourceCatalog(standIns: StandInCatalog(), services: ServiceAccess(transport: stub))
    var choice = LayerChoice()
    choice.skipsUnavailable = true
    let document = try await MapDocument.open(
      json: JSONValue(parsing: json), name: "map", folder: ".", catalog: catalog, choice: choice)
    return (document, stub.requests.map(\.url))
  }

  private static func titles(_ document: MapDocument) -> [String] {
    document.layers.map { "\($0.layer.name)\($0.layer.isVisible ? "" : " (hidden)")" }
  }

  /// The warnings that are not about what the service leaves to us.
  private static func warnings(_ document: MapDocument) -> [String] {
    document.warnings.map(\.description).filter { !$0.contains(" locally: ") }
  }

  private static func color(_ layer: OpenedLayer) -> Int? {
    guard case .simple(let simple) = layer.layer.frozen.renderer, let color = simple.symbol.mainColor else {
      return nil
    }
    return Int(color.red)
  }

  @Test("Sublayers are feature layers in the order of the service, with its drawing, labels and groups")
  func sublayers() async throws {
    let (document, _) = try await Self.open(#""opacity":0.5"#)
    #expect(Self.titles(document) == ["Ground", "Lines (hidden)", "Names", "Signs"])
    #expect(document.layers.map(Self.color) == [5, 3, 2, 0])
    #expect(document.layers.map { $0.layer.frozen.opacity } == [0.5, 0.5, 0.5, 0.5])
    #expect(document.layers[1].layer.minScale == 5000)
    #expect(document.layers.allSatisfy { $0.layer.frozen.labelsAreEnabled })
    #expect(document.layers[2].layer.frozen.definition.groupTitles == ["Town", "Streets"])
    #expect(
      Self.warnings(document)
        == [
          "$.operationalLayers[0]: not drawn: the sublayer \"Photo\" is a Raster Layer, which has no features"
        ])
  }

  @Test(
    "The list of visible sublayers replaces the visibility of the service",
    arguments: [
      ("[0,3]", ["Ground (hidden)", "Lines", "Names (hidden)", "Signs"]),
      ("[1]", ["Ground (hidden)", "Lines", "Names", "Signs (hidden)"]),
      ("[1,2]", ["Ground (hidden)", "Lines (hidden)", "Names", "Signs (hidden)"]),
      ("[]", ["Ground (hidden)", "Lines (hidden)", "Names (hidden)", "Signs (hidden)"]),
    ])
  func visibleLayers(_ list: String, _ titles: [String]) async throws {
    #expect(Self.titles(try await Self.open("\"visibleLayers\":\(list)").document) == titles)
  }

  @Test("The document changes filters, drawing, scales and names of sublayers, and warnings have their paths")
  func overrides() async throws {
    let (document, _) = try await Self.open(
      """
      "visibleLayers":[0,5],"layers":[{"id":5,"name":"Soil","layerDefinition":{"definitionExpression":"n > 3",
        "source":{"type":"mapLayer","mapLayerId":2},"minScle":3}},
        {"id":0,"minScale":9000,"maxScale":10,"showLabels":false,"layerDefinition":{"drawingInfo":{"renderer":{
        "type":"simple","symbol":{"type":"esriSMS","style":"esriSMSCircle","size":6,"color":[77,0,0,255]}}}}}]
      """)
    #expect(Self.titles(document) == ["Soil", "Lines (hidden)", "Names (hidden)", "Signs"])
    #expect(document.layers[0].layer.definitionExpression == "n > 3")
    #expect(document.layers.map(Self.color) == [2, 3, 2, 77])
    let signs = document.layers[3].layer
    #expect(signs.minScale == 9000 && signs.maxScale == 10 && !signs.labelsAreEnabled)
    #expect(
      Self.warnings(document)
        == [
          "$.operationalLayers[0].layers[0].layerDefinition.minScle: unknown member; did you mean \"minScale\"?"
        ])
  }

  @Test("Dynamic layers replace the sublayers and their drawing")
  func dynamicLayers() async throws {
    let layers =
      #"[{\"id\":5,\"source\":{\"type\":\"mapLayer\",\"mapLayerId\":5},\"definitionExpression\":\"n = 1\"}]"#
    let (document, asked) = try await Self.open(
      "\"customParameters\":{\"dynamicLayers\":\"\(layers)\",\"a\":1,\"b\":[]}")
    #expect(Self.titles(document) == ["Ground", "Lines (hidden)", "Names (hidden)", "Signs (hidden)"])
    #expect(document.layers[0].layer.definitionExpression == "n = 1")
    #expect(
      document.warnings.map(\.description)
        .contains(
          "$.operationalLayers[0].customParameters.b: not sent to the service: is not text, a number or a boolean"
        ))
    #expect(asked.allSatisfy { $0.hasSuffix("a=1") && !$0.contains("dynamicLayers") }, "\(asked)")
  }

  @Test("Without an answer, the sublayers that the document lists are drawn, and without a list none")
  func unreachable() async throws {
    let (listed, _) = try await Self.open(#""layers":[{"id":3,"name":"Lines"},{"id":0}]"#, answer: nil)
    #expect(Self.titles(listed) == ["Lines", "Town"])
    #expect(listed.layers.map(Self.color) == [3, 0])
    let (unknown, _) = try await Self.open("", answer: nil)
    #expect(unknown.layers.isEmpty)
    #expect(unknown.unsupported == ["Town"])
    #expect(unknown.warnings.count == 1)
    #expect(
      unknown.warnings[0].description.hasPrefix(
        "$.operationalLayers[0]: not drawn: the sublayers of the map service are not known: \(Self.service)"))
    let (refused, _) = try await Self.open("", answer: #"{"error":{"code":499,"message":"Token Required"}}"#)
    #expect(refused.warnings[0].description.contains("Token Required"))
  }

  @Test("Stand-ins of sublayers replace the service, which is not asked")
  func standIns() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sublayers-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("x,y,n\n1,2,3\n".utf8).write(to: folder.appending(path: "a.csv"))
    try Data(
      "{\"\(Self.service)/2\":\"a.csv\",\"\(Self.service)/10\":\"a.csv\",\"\(Self.service)/1\":\"a.csv\"}"
        .utf8
    ).write(to: folder.appending(path: "services.json"))
    let catalog = SourceCatalog(
      standIns: try StandInCatalog(file: folder.appending(path: "services.json").path),
      services: ServiceAccess(
        transport: StubTransport { request throws(ServiceError) in
          throw ServiceError("was asked", at: request.url)
        }))
    // Documents before version 2.0 have no types.
    let json = "{\"operationalLayers\":[{\"id\":\"s\",\"title\":\"Town\",\"url\":\"\(Self.service)/?f=x\"}]}"
    let document = try await MapDocument.open(
      json: JSONValue(parsing: json), name: "map", folder: ".", catalog: catalog)
    #expect(document.warnings.isEmpty, "\(document.warnings)")
    #expect(document.layers.map(\.layer.frozen.id) == ["s_10", "s_2", "s_1"])
    #expect(document.layers.map(\.layer.source.metadata.rowCount).allSatisfy { $0 == 1 })
  }

  @Test("A map is written with the service as it was, and with feature layers after a change of one of them")
  func written() async throws {
    let (document, _) = try await Self.open(
      #""visibleLayers":[0,5],"layers":[{"id":5,"layerDefinition":{"definitionExpression":"n > 3"}}]"#)
    let entry = try #require(try JSONValue(parsing: document.map.toJSON())["operationalLayers"]?.array)
    #expect(entry.count == 1)
    #expect(entry[0]["layerType"] == "ArcGISMapServiceLayer")
    #expect(entry[0]["visibleLayers"] == [0, 5])
    document.layers[0].layer.definitionExpression = "n > 4"
    let changed = try #require(try JSONValue(parsing: document.map.toJSON())["operationalLayers"]?.array)
    #expect(changed.map { $0["layerType"]?.string } == Array(repeating: "ArcGISFeatureLayer", count: 4))
    #expect(changed.map { $0["url"]?.string } == [5, 3, 2, 0].map { "\(Self.service)/\($0)" })
    #expect(changed[0]["layerDefinition"]?["definitionExpression"] == "n > 4")
    #expect(changed.map { $0["visibility"]?.boolean ?? true } == [true, false, false, true])
  }
}
