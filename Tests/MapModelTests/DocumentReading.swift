import MapDocuments
import MapJSON
import MapModel
import Testing

/// Documents of one layer, for tests of single members.
enum DocumentReading {
  /// A web map of one layer over a file, with these members and layer definition.
  static func map(_ members: String = "", definition: String = "{}") throws -> WebMap {
    try WebMap(
      JSONValue(
        parsing: """
          {"operationalLayers":[{"id":"a","title":"A","layerType":"ArcGISFeatureLayer","url":"a.geojson",
          \(members.isEmpty ? "" : members + ",")"layerDefinition":\(definition)}]}
          """))
  }

  static func layer(_ members: String = "", definition: String = "{}") throws -> WebMapLayer {
    try #require(try map(members, definition: definition).layers.first)
  }

  /// A renderer and the warnings of its document.
  static func renderer(_ json: String) throws -> (form: RendererForm?, warnings: [String]) {
    let map = try map(definition: "{\"drawingInfo\":{\"renderer\":\(json)}}")
    return (map.layers[0].renderer, map.warnings.map(\.description))
  }

  /// The symbol of a simple renderer and the warnings of its document.
  static func symbol(_ json: String) throws -> (form: SymbolForm, warnings: [String]) {
    let (form, warnings) = try renderer("{\"type\":\"simple\",\"symbol\":\(json)}")
    guard case .simple(let simple) = try #require(form) else { throw Unexpected() }
    return (simple.symbol, warnings)
  }

  /// The renderer after a round trip through a document.
  static func rewritten(_ form: RendererForm) throws -> RendererForm? {
    let layer = WebMapLayer(id: "a", title: "A", url: "a.geojson", renderer: form)
    let text = WebMap(layers: [layer]).json.text()
    return try WebMap(JSONValue(parsing: text)).layers[0].renderer
  }

  struct Unexpected: Error {}
}
