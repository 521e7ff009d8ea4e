import MapDocuments
import MapJSON
import MapModel
import Testing

/// Group layers in documents.
///
/// Source: Esri web map specification, `GroupLayer`.
@Suite struct GroupLayerTests {
  private static func layer(_ id: String, _ members: String = "") -> String {
    "{\"id\":\"\(id)\",\"layerType\":\"GeoJSON\",\"url\":\"\(id).geojson\"\(members.isEmpty ? "" : "," + members)}"
  }

  private static func group(_ members: String, _ layers: [String]) -> String {
    "{\"layerType\":\"GroupLayer\",\(members)\"layers\":[\(layers.joined(separator: ","))]}"
  }

  private static func read(_ layers: String...) throws -> WebMap {
    try WebMap(JSONValue(parsing: "{\"operationalLayers\":[\(layers.joined(separator: ","))]}"))
  }

  @Test("Nested groups keep layer order, multiply opacity and hide their layers")
  func order() throws {
    let inner = Self.group("\"opacity\":0.5,", [Self.layer("b", "\"opacity\":0.5"), Self.layer("c")])
    let map = try Self.read(
      Self.layer("a"), Self.group("\"title\":\"G\",\"opacity\":0.5,", [inner, Self.layer("d")]),
      Self.layer("e"), Self.group("\"visibility\":false,", [Self.layer("f")]))
    #expect(map.layers.map(\.id) == ["a", "b", "c", "d", "e", "f"])
    #expect(map.layers.map(\.opacity) == [1, 0.125, 0.25, 0.5, 1, 1])
    #expect(map.layers.map(\.isVisible) == [true, true, true, true, true, false])
    #expect(map.warnings.isEmpty, "\(map.warnings)")
    let again = try WebMap(JSONValue(parsing: map.json.text()))
    #expect(again.layers.map(\.opacity) == map.layers.map(\.opacity))
    #expect(again.layers.map(\.isVisible) == map.layers.map(\.isVisible))
  }

  @Test("A group's visibility mode decides which of its layers are visible")
  func modes() throws {
    let hidden = "\"visibility\":false"
    func visible(_ mode: String, _ isShown: Bool = true) throws -> [Bool] {
      try Self.read(
        Self.group(
          "\"visibilityMode\":\"\(mode)\",\"visibility\":\(isShown),",
          [
            Self.layer("a"), Self.layer("b", hidden),
            Self.group("\"visibility\":true,", [Self.layer("c"), Self.layer("d", hidden)]),
            Self.layer("e", hidden),
          ])
      ).layers.map(\.isVisible)
    }
    #expect(try visible("independent") == [true, false, true, false, false])
    #expect(try visible("exclusive") == [false, false, true, false, false])
    #expect(try visible("inherited") == [true, true, true, true, true])
    for mode in ["independent", "exclusive", "inherited"] {
      #expect(try !visible(mode, false).contains(true))
    }
    let odd = try Self.read(Self.group("\"visibilityMode\":\"some\",", [Self.layer("a")]))
    #expect(odd.warnings.map { $0.path?.description } == ["$.operationalLayers[0].visibilityMode"])
  }

  @Test(
    "A layer in a group uses both scale ranges, and faults name their path in the group")
  func scalesAndFaults() throws {
    func scales(_ group: String, _ own: String) throws -> [Double] {
      let map = try Self.read(Self.group(group, [Self.layer("a", "\"layerDefinition\":{\(own)}")]))
      return [map.layers[0].minScale, map.layers[0].maxScale]
    }
    let range = "\"minScale\":5000,\"maxScale\":100,"
    #expect(try scales(range, "") == [5000, 100])
    #expect(try scales(range, "\"minScale\":2000,\"maxScale\":50") == [2000, 100])
    #expect(try scales(range, "\"minScale\":9000,\"maxScale\":500") == [5000, 500])
    #expect(try scales("", "\"minScale\":9000") == [9000, 0])
    let tiled = try Self.read(Self.group("", ["{\"id\":\"t\",\"layerType\":\"WebTiledLayer\"}"]))
    #expect(tiled.warnings.map { $0.path?.description } == ["$.operationalLayers[0].layers[0]"])
    #expect(throws: JSONDecodingError.self) { try Self.read("{\"layerType\":\"GroupLayer\"}") }
    #expect(throws: JSONDecodingError.self) { try Self.read(Self.group("\"opacity\":2,", [])) }
  }
}
