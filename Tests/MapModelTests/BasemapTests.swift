import MapDocuments
import MapJSON
import MapModel
import Testing

@Suite struct BasemapTests {
  static func read(_ baseMap: String) throws -> (style: String?, warnings: [String]) {
    let map = try WebMap(JSONValue(parsing: "{\"operationalLayers\":[],\"baseMap\":\(baseMap)}"))
    return (map.basemap?.style?.rawValue, map.warnings.map(\.description))
  }

  @Test(
    "A basemap style is read by name, and one that is not drawn is approximated",
    arguments: [
      ("arcGISOceans", "arcGISOceans", 0), ("arcGISDarkGrayBase", "arcGISDarkGray", 0),
      ("arcGISLightGrayBase", "arcGISLightGray", 0), ("arcGISImagery", "arcGISLightGray", 1),
      ("arcGISNavigation", "arcGISNavigation", 0), ("somethingElse", "arcGISLightGray", 1),
    ])
  func styleByName(_ name: String, _ drawn: String, _ warnings: Int) throws {
    let read = try Self.read("{\"style\":\"\(name)\",\"baseMapLayers\":[]}")
    #expect(read.style == name)
    #expect(read.warnings.count == warnings)
    #expect(Basemap.Style(rawValue: name).drawn.rawValue == drawn)
    #expect(read.warnings.allSatisfy { $0.hasPrefix("$.baseMap.style: approximated") && $0.contains(drawn) })
  }

  @Test(
    "A tiled basemap is replaced by the style that matches its names",
    arguments: [
      (#"[{"id":"World_Topo_Map","layerType":"ArcGISTiledMapServiceLayer"}]"#, "arcGISTopographic"),
      (#"[{"id":"World_Hillshade_1"},{"title":"World Street Map"}]"#, "arcGISStreets"),
      (#"[{"title":"Dark Gray Base","styleUrl":"https://example.com/5e9b/root.json"}]"#, "arcGISDarkGray"),
      (#"[{"url":"https://example.com/Canvas/World_Light_Gray_Base/MapServer"}]"#, "arcGISLightGray"),
      (#"[{"id":"layer","title":"World Ocean Base"}]"#, "arcGISOceans"),
      (#"[{"id":"defaultBasemap","title":"OpenStreetMap"}]"#, "arcGISStreets"),
      (#"[{"id":"mine","title":"Orthophotos of the town"}]"#, "arcGISLightGray"),
      (#"[{"title":"Ocean","visibility":false},{"title":"Topographic"}]"#, "arcGISTopographic"),
      (#"[{"title":"Ocean Reference","isReference":true},{"title":"Streets"}]"#, "arcGISStreets"),
    ])
  func standIn(_ layers: String, _ style: String) throws {
    let read = try Self.read("{\"title\":\"Basemap\",\"baseMapLayers\":\(layers)}")
    #expect(read.style == style)
    #expect(read.warnings.count == 1)
    #expect(read.warnings.allSatisfy { $0.hasPrefix("$.baseMap: approximated") && $0.contains(style) })
  }

  @Test(
    "A document without visible base layers has no basemap style",
    arguments: [
      (#"{"title":"Oceans","baseMapLayers":[]}"#, 0), (#"{"baseMapLayers":[{"visibility":false}]}"#, 0),
      (#"{"baseMapLayers":[{"title":"Places","isReference":true}]}"#, 1), ("null", 0),
    ])
  func none(_ baseMap: String, _ warnings: Int) throws {
    let read = try Self.read(baseMap)
    #expect(read.style == nil)
    #expect(read.warnings.count == warnings)
  }

  @Test("Published documents use the nearest basemap style")
  func wild() throws {
    #expect(try WebMapTests.read("adopt-a-stop-manager").basemap?.style == .arcGISDarkGray)
    #expect(try WebMapTests.read("adopt-a-stop-public").basemap?.style == .arcGISTopographic)
    #expect(try WebMapTests.read("wsdot-layer-list-demo").basemap?.style == .arcGISLightGray)
  }

  @Test("A basemap survives a round trip through its document")
  func written() throws {
    var map = WebMap(layers: [])
    #expect(try WebMap(map.json).basemap == nil)
    map.basemap = Basemap(style: .arcGISOceans)
    let read = try WebMap(JSONValue(parsing: map.json.text()))
    #expect(read.basemap?.style == .arcGISOceans)
    #expect(read.warnings.isEmpty)
  }

  @Test("The names and the graticule of a basemap survive a round trip, also without a style")
  func parts() throws {
    let text = #"{"operationalLayers":[],"baseMap":{"names":true,"baseMapLayers":[]}}"#
    let basemap = try #require(try WebMap(JSONValue(parsing: text)).basemap)
    #expect(basemap.style == nil)
    #expect(basemap.showsNames)
    #expect(!basemap.showsGraticule)
    let copy = basemap.clone()
    copy.showsGraticule = true
    #expect(copy.showsNames)
    #expect(!basemap.showsGraticule)
    var map = WebMap(layers: [])
    map.basemap = copy
    let again = try #require(try WebMap(JSONValue(parsing: map.json.text())).basemap)
    #expect(again.showsNames)
    #expect(again.showsGraticule)
    map.basemap = Basemap(style: .arcGISOceans)
    #expect(map.json["baseMap"]?["names"] == nil)
    #expect(throws: (any Error).self) {
      try WebMap(JSONValue(parsing: #"{"operationalLayers":[],"baseMap":{"names":"yes"}}"#))
    }
  }
}
