import MapJSON
import MapModel
import MapState
import Testing

/// The result for every member of a document.
@Suite struct DocumentPartTests {
  private static func document(_ layer: String) async throws -> MapDocument {
    try await MapDocument.open(
      json: JSONValue(parsing: "{\"operationalLayers\":[\(layer)],\"version\":\"2.31\"}"), name: "map",
      folder: ".")
  }

  private static func layer(_ members: String, _ definition: String) -> String {
    """
    {"id":"a","title":"A",\(members)"featureCollection":{"layers":[{"layerDefinition":
    {"geometryType":"esriGeometryPoint",\(definition)"fields":[{"name":"v","type":"esriFieldTypeInteger"}]},
    "featureSet":{"features":[{"attributes":{"v":1},"geometry":{"x":1,"y":1}}]}}]}}
    """
  }

  private static func outcomes(_ document: MapDocument) -> [String: DocumentPart] {
    Dictionary(uniqueKeysWithValues: document.members.map { ("\($0.path)", $0) })
  }

  @Test("A document that is drawn as written has all its members, each drawn")
  func drawn() async throws {
    let document = try await Self.document(Self.layer("", ""))
    let members = document.members
    #expect(members.allSatisfy { $0.outcome == .drawn })
    #expect(document.losses.isEmpty)
    #expect(members.map(\.property).contains("geometryType"))
    #expect(members.map(\.property).contains("features"))
    // Features are not listed one by one.
    #expect(!members.map(\.property).contains("attributes"))
    #expect(Self.outcomes(document)["$.version"]?.reason == "has no effect on images")
  }

  @Test("A lost member is dropped with its reason, and the objects around it are approximated")
  func dropped() async throws {
    let document = try await Self.document(
      Self.layer("\"visibilityTimeExtent\":[1,2],\"mode\":2,", ""))
    let found = Self.outcomes(document)
    let layer = "$.operationalLayers[0]"
    #expect(found["\(layer).visibilityTimeExtent"]?.outcome == .dropped)
    #expect(
      found["\(layer).visibilityTimeExtent"]?.reason == "not applied yet: the layer is drawn at any time")
    #expect(found["\(layer).mode"]?.outcome == .approximated)
    #expect(found["\(layer).title"]?.outcome == .drawn)
    #expect(found["$.operationalLayers"]?.outcome == .approximated)
    #expect(document.losses.map(\.property) == ["visibilityTimeExtent", "mode"])
    #expect(document.losses.map(\.outcome) == [.dropped, .approximated])
  }

  @Test("The members of a renderer that another one replaces are dropped with it")
  func replaced() async throws {
    let document = try await Self.document(
      Self.layer(
        "", #""drawingInfo":{"renderer":{"type":"dictionary","url":"a","fieldMap":{"a":"v"}}},"#))
    let found = Self.outcomes(document)
    let renderer = "$.operationalLayers[0].featureCollection.layers[0].layerDefinition.drawingInfo.renderer"
    #expect(found["\(renderer).type"]?.outcome == .approximated)
    #expect(found["\(renderer).url"]?.outcome == .dropped)
    #expect(found["\(renderer).fieldMap"]?.outcome == .dropped)
    #expect(found[renderer]?.outcome == .approximated)
  }

  @Test("Everything inside a layer that is not drawn is dropped")
  func layer() async throws {
    let document = try await Self.document(
      #"{"id":"w","title":"W","layerType":"WMS","url":"https://example.com/wms","opacity":0.5}"#)
    let found = Self.outcomes(document)
    for name in ["id", "title", "url", "opacity"] {
      #expect(found["$.operationalLayers[0].\(name)"]?.outcome == .dropped, "\(name)")
    }
  }

  @Test("Members that are switched off are drawn as written")
  func switchedOff() async throws {
    let document = try await Self.document(
      Self.layer("", #""disableFeatureReduction":true,"featureReduction":{"type":"cluster"},"#))
    let found = Self.outcomes(document)
    let definition = "$.operationalLayers[0].featureCollection.layers[0].layerDefinition"
    #expect(found["\(definition).featureReduction"]?.outcome == .drawn)
    #expect(found["\(definition).featureReduction"]?.reason == "switched off by disableFeatureReduction")
    #expect(found["\(definition).featureReduction.type"]?.outcome == .drawn)
  }

  @Test("The report and the inspection have one JSON form")
  func json() async throws {
    let document = try await Self.document(Self.layer("\"visibilityTimeExtent\":[1,2],", ""))
    #expect(
      document.losses.first?.json
        == [
          "path": "$.operationalLayers[0].visibilityTimeExtent", "property": "visibilityTimeExtent",
          "outcome": "dropped", "reason": "not applied yet: the layer is drawn at any time",
        ])
  }
}
