import Foundation
import MapFeatures
import MapJSON
import MapModel
import MapServices
import MapState
import Testing

/// Layers of subtypes, and collections of OGC APIs, in documents.
@Suite struct SubtypeLayerTests {
  /// Opens a document with one layer over a service that names, or does not name, its field of subtypes.
  private static func open(
    _ members: String, type: String = "SubtypeGroupLayer", resource: String = "\"subtypeField\":\"kind\",",
    list: String = "operationalLayers", isReachable: Bool = true
  ) async throws -> MapDocument {
    let stub = StubTransport { request throws(ServiceError) in
      guard isReachable else { throw ServiceError("is down", at: request.url) }
      if request.url.contains("/query") {
        // Three of the nine features have the subtype of the clause.
        let count = (request.parameters["where"] ?? "").contains("kind") ? 3 : 9
        if request.parameters["returnCountOnly"] == "true" {
          return HTTPResponse(json: "{\"count\":\(count)}")
        }
        let features = (1...count).map {
          "{\"attributes\":{\"OBJECTID\":\($0),\"kind\":\($0 > 3 ? 2 : 1),\"n\":5},\"geometry\":{\"x\":\($0),\"y\":0.5}}"
        }
        return HTTPResponse(json: "{\"features\":[\(features.joined(separator: ","))]}")
      }
      return HTTPResponse(
        json: """
          {"type":"Feature Layer","name":"Pipes","geometryType":"esriGeometryPoint",\(resource)
           "spatialReference":{"wkid":4326},
           "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"},{"name":"kind","type":"esriFieldTypeInteger"},
           {"name":"n","type":"esriFieldTypeInteger"}],"advancedQueryCapabilities":{"supportsPagination":true}}
          """)
    }
    let json = """
      {\(list == "tables" ? "\"operationalLayers\":[]," : "")"\(list)":[{"id":"g","title":"Pipes","layerType":"\(type)",
       "url":"https://gis.example.com/Net/FeatureServer/0"\(members.isEmpty ? "" : "," + members)}]}
      """
    return try await MapDocument.open(
      json: JSONValue(parsing: json), name: "map", folder: ".",
      catalog: SourceCatalog(standIns: StandInCatalog(), services: ServiceAccess(transport: stub)))
  }

  private static let two = """
    "layers":[{"id":"a","title":"Mains","subtypeCode":1,"layerDefinition":{"definitionExpression":"n > 3"}},
      {"id":"b","title":"Valves","subtypeCode":2,"visibility":false}]
    """

  private static func expressions(_ document: MapDocument) -> [String] {
    document.layers.map(\.layer.definitionExpression)
  }

  @Test("Each layer shows the rows of its subtype, by the field that the service or the document names")
  func layers() async throws {
    let document = try await Self.open(
      Self.two + #","opacity":0.5,"layerDefinition":{"definitionExpression":"n < 9","minScale":5000}"#)
    #expect(document.layers.map(\.layer.name) == ["Mains", "Valves"])
    #expect(
      Self.expressions(document)
        == [#""kind" = 1 AND ((n < 9) AND (n > 3))"#, #""kind" = 2 AND (n < 9)"#])
    #expect(document.layers.map(\.layer.isVisible) == [true, false])
    #expect(document.layers.map(\.layer.minScale) == [5000, 5000])
    #expect(document.layers.map { $0.layer.frozen.opacity } == [0.5, 0.5])
    #expect(document.layers.map { $0.layer.frozen.definition.groupTitles } == [["Pipes"], ["Pipes"]])
    #expect(document.warnings.filter { !"\($0)".contains(" locally: ") }.isEmpty)

    let named = try await Self.open(
      Self.two + #","layerDefinition":{"subtypeField":"n"}"#, resource: "")
    #expect(Self.expressions(named) == [#""n" = 1 AND (n > 3)"#, #""n" = 2"#])
    let typed = try await Self.open(Self.two, resource: #""subtypeField":"","typeIdField":"kind","#)
    #expect(Self.expressions(typed)[1] == #""kind" = 2"#)
  }

  @Test("Members that a group of subtypes lacks are errors or warnings with their paths")
  func faults() async throws {
    let error = await #expect(throws: MapStateError.self) { try await Self.open(Self.two, resource: "") }
    #expect("\(try #require(error))".contains("$.operationalLayers[0].layers[0]: the field of the subtypes"))
    let document = try await Self.open(#""layers":[{"title":"A"},{"title":"B","subtypeCode":"2"}]"#)
    #expect(Self.expressions(document) == [#""kind" = 2"#])
    let warnings = document.warnings.map(\.description)
    #expect(
      warnings.contains("$.operationalLayers[0].layers[0].subtypeCode: missing: the layer is not drawn"))
    let empty = try await Self.open(#""layers":[]"#).warnings.map(\.description)
    #expect(empty.contains("$.operationalLayers[0].layers: missing: nothing of the layer is drawn"))
    #expect(warnings.contains { $0.contains("layers[1].subtypeCode") && $0.contains("written as text") })
  }

  @Test("The address that cannot be read is named by the path of its group")
  func unreachable() async throws {
    let error = await #expect(throws: MapStateError.self) {
      try await Self.open(Self.two, isReachable: false)
    }
    #expect("\(try #require(error))".contains("$.operationalLayers[0].url: "))
  }

  private static let described = """
    "subtypeField":"kind","subtypes":[
      {"code":1,"name":"Mains","domains":{"n":{"type":"codedValue","name":"d","codedValues":[{"name":"wide","code":7}]}}},
      {"code":2,"name":"Valves","domains":{"n":{"type":"inherited"}}}],
    """

  @Test("Fields have the domains of the layer's subtype, and its name is the title of a layer without one")
  func domains() async throws {
    let document = try await Self.open(
      #""layers":[{"id":"a","subtypeCode":1},{"id":"b","title":"Own","subtypeCode":2}]"#,
      resource: Self.described)
    #expect(document.layers.map(\.layer.name) == ["Mains", "Own"])
    let domains = document.layers.map { item in
      item.layer.frozen.source.schema.fields.first { $0.name == "n" }?.domain
    }
    #expect(
      domains == [.codedValues(name: "d", [.init(name: "wide", code: .integer(7))]), nil])
  }

  @Test("A table of subtypes is a table for each, with the rows of its subtype and of both expressions")
  func tables() async throws {
    let members = """
      "layerDefinition":{"definitionExpression":"n < 9"},
      "tables":[{"id":"a","subtypeCode":1,"layerType":"ArcGISFeatureLayer"},{"id":"b","title":"Own","subtypeCode":2},{}]
      """
    let document = try await Self.open(
      members, type: "SubtypeGroupTable", resource: Self.described, list: "tables")
    let tables = document.map.tables
    #expect(
      document.warnings.map(\.description) == [
        "$.tables[0].tables[2].subtypeCode: missing: the layer is not drawn"
      ])
    #expect(tables.map(\.tableName) == ["", "Own"])
    for table in tables { try await table.load() }
    #expect(tables.map(\.tableName) == ["Mains", "Own"])
    #expect(try await tables[0].queryFeatureCount() == 3)
    let saved = try JSONValue(parsing: document.map.toJSON())["tables"]?.array
    #expect(saved?.count == 1 && saved?[0]["layerType"] == "SubtypeGroupTable")
  }

  @Test("A group of subtypes is saved unchanged, and as feature layers if one of them has changed")
  func saving() async throws {
    let document = try await Self.open(Self.two)
    let saved = try JSONValue(parsing: document.map.toJSON())
    #expect(saved["operationalLayers"]?[0]?["layerType"] == "SubtypeGroupLayer")
    document.layers[0].layer.isVisible = false
    let changed = try #require(try JSONValue(parsing: document.map.toJSON())["operationalLayers"]?.array)
    #expect(changed.map { $0["layerType"] } == ["ArcGISFeatureLayer", "ArcGISFeatureLayer"])
    #expect(changed.map { $0["title"] } == ["Mains", "Valves"])
    #expect(changed.map { $0["visibility"]?.boolean ?? true } == [false, false])
    #expect(changed[1]["layerDefinition"]?["definitionExpression"] == #""kind" = 2"#)
  }

  @Test(
    "A layer of an OGC API reads the collection that it names",
    arguments: [
      (OGCStub.root + "/", #","collectionId":"places""#),
      (OGCStub.root + "/collections/places", ""),
      (OGCStub.root + "/collections/places", #","collectionId":"roads""#),
    ])
  func collections(_ url: String, _ members: String) async throws {
    var settings = OGCStub.Settings()
    settings.features = OGCStub.features(30)
    let json = """
      {"operationalLayers":[{"id":"o","title":"Places","layerType":"OGCFeatureLayer","url":"\(url)"\(members)}]}
      """
    let document = try await MapDocument.open(
      json: JSONValue(parsing: json), name: "map", folder: ".",
      catalog: SourceCatalog(
        standIns: StandInCatalog(), services: ServiceAccess(transport: OGCStub(settings))))
    let source = document.layers[0].layer.frozen.source
    #expect(try await source.count(OGCStub.query()) == 30)
    let warnings = document.warnings.map(\.description)
    // These are about the service.
    #expect(
      warnings.allSatisfy { $0.contains("declares no fields") || $0.contains("locally: ") }, "\(warnings)")
  }

  @Test("A layer of an OGC API without a collection is reported, and not drawn")
  func collectionMissing() async throws {
    let json = """
      {"operationalLayers":[{"id":"o","layerType":"OGCFeatureLayer","url":"\(OGCStub.root)"}]}
      """
    let document = try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
    #expect(document.layers.isEmpty)
    #expect(
      document.warnings.map(\.description)
        == ["$.operationalLayers[0].collectionId: missing: the layer is not drawn"])
  }
}
