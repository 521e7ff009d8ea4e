import MapJSON
import MapState
import Testing

/// Faults between a layer and its table that are reported on opening and refused on rendering.
@Suite struct LayerCheckTests {
  private static let collection = """
    "featureCollection":{"layers":[{"layerDefinition":{"geometryType":"esriGeometryPoint","objectIdField":"OBJECTID",
    "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"},{"name":"name","type":"esriFieldTypeString"},
    {"name":"pop","type":"esriFieldTypeInteger"},{"name":"seen","type":"esriFieldTypeDate"}]},
    "featureSet":{"spatialReference":{"wkid":4326},"features":[
    {"attributes":{"OBJECTID":1,"name":"a","pop":5,"seen":0},"geometry":{"x":1,"y":1}}]}}]}
    """

  private static func warnings(_ definition: String, _ members: String = "") async throws -> [String] {
    let json = """
      {"operationalLayers":[{"id":"a","title":"A",\(collection)\(members),"layerDefinition":\(definition)}]}
      """
    let document = try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
    return document.warnings.map(\.description)
  }

  private static func drawing(_ info: String) -> String { "{\"drawingInfo\":\(info)}" }

  @Test(
    "An unknown field is reported with what uses it and the nearest name",
    arguments: [
      (
        drawing(#"{"renderer":{"type":"uniqueValue","field1":"nam","uniqueValueInfos":[]}}"#),
        #"the renderer reads field "nam", which is not there; did you mean "name"?"#
      ),
      (
        drawing(
          #"{"renderer":{"type":"simple","symbol":{"type":"esriSMS"},"visualVariables":[{"type":"rotationInfo","field":"popp"}]}}"#
        ), #"reads field "popp", which is not there; did you mean "pop"?"#
      ),
      (
        #"{"orderBy":[{"field":"ppo"}]}"#,
        #"the drawing order reads field "ppo", which is not there; did you mean "pop"?"#
      ),
      (
        #"{"timeInfo":{"startTimeField":"sen"}}"#,
        #"timeInfo reads field "sen", which is not there; did you mean "seen"?"#
      ),
      (#"{"timeInfo":{"startTimeField":"name"}}"#, #"timeInfo: field "name" has no dates"#),
      (#"{"orderBy":[{"field":"name"}]}"#, #"field "name" is neither a number nor a date"#),
      (
        drawing(#"{"labelingInfo":[{"labelExpression":"[nmae]"}]}"#),
        #"a label class reads field "nmae", which is not there; did you mean "name"?"#
      ),
      (
        drawing(#"{"labelingInfo":[{"labelExpression":"[name]","where":"popp > 3"}]}"#),
        "label class: unknown field 'popp'; did you mean 'pop'?"
      ),
      (#"{"definitionExpression":"popp > 3"}"#, "definition expression: unknown field 'popp'"),
      (
        #"{"displayFilterInfo":{"filterMode":"manual","filters":[{"id":"x","where":"popp > 3"}]}}"#,
        "display filter: unknown field 'popp'"
      ),
      (
        drawing(#"{"renderer":{"type":"simple","symbol":{"type":"esriSFS"}}}"#),
        "a symbol does not suit point features"
      ),
    ])
  func faults(_ definition: String, _ message: String) async throws {
    let warnings = try await Self.warnings(
      definition, ",\"showLabels\":\(definition.contains("labelingInfo"))")
    #expect(warnings.count == 1, "\(warnings)")
    #expect(warnings.first?.hasPrefix("$.operationalLayers[0]") == true, "\(warnings)")
    #expect(warnings.first?.contains(message) == true, "\(warnings)")
  }

  @Test("Unknown popup fields are reported together")
  func popups() async throws {
    let infos = ["pop", "nam", "expression/expr0", "zzzzzz"].map { "{\"fieldName\":\"\($0)\"}" }
    let warnings = try await Self.warnings(
      "{}", ",\"popupInfo\":{\"fieldInfos\":[\(infos.joined(separator: ","))]}")
    #expect(warnings.count == 1)
    #expect(
      warnings[0].hasSuffix(
        #"popupInfo lists unknown fields: "nam" (did you mean "name"?), "zzzzzz""#))
  }

  @Test("A valid layer has no warnings")
  func sound() async throws {
    #expect(
      try await Self.warnings(
        #"{"orderBy":[{"field":"pop"}],"timeInfo":{"startTimeField":"seen"},"definitionExpression":"pop > 1"}"#
      ).isEmpty)
  }

  @Test("A document's copyright text is the attribution of the layer and the view")
  func attribution() async throws {
    let json = """
      {"operationalLayers":[{"id":"a","title":"A",\(Self.collection),"layerDefinition":{"copyrightText":"City of A"}}]}
      """
    let document = try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
    #expect(document.layers[0].layer.attribution == "City of A")
  }
}
