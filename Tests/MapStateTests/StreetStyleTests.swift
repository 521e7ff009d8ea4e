import Foundation
import MapBasemap
import MapGeometry
import MapJSON
import MapModel
import MapState
import MapStyles
import Testing

/// The bundled styles over vector tiles of streets.
@Suite struct StreetStyleTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Styles/tiles").path
  private static let area: JSONValue = ["type": "Polygon", "coordinates": []]

  private static func document(
    _ style: Basemap.Style, _ schema: StreetSchema, language: String? = nil, fields: [String]? = nil
  ) throws -> JSONValue {
    try #require(
      StreetStyle.document(style, over: schema, language: language, area: area) { _ in fields })
  }

  @Test(
    "A schema is recognised by its source layers",
    arguments: [
      (["water", "place", "transportation", "transportation_name", "building"], "OpenMapTiles"),
      (["ocean", "streets", "street_labels", "place_labels", "land"], "Shortbread"),
      (["earth", "water", "roads", "places", "pois"], "Protomaps 4"),
      (["transportation", "water"], nil), (["roads", "places"], nil), ([], nil),
    ] as [([String], String?)])
  func schemas(_ layers: [String], _ name: String?) {
    #expect(StreetSchema.of(layers: layers)?.name == name)
    #expect(StreetSchema.all.count == 3)
  }

  @Test("Layers of an older version, which have other fields, are not those of a schema")
  func versions() throws {
    let layers = ["earth", "roads", "places"]
    func schema(_ fields: [String]?) -> StreetSchema? { StreetSchema.of(layers: layers) { _ in fields } }
    #expect(schema(["kind", "kind_detail"]) != nil && schema([]) != nil && schema(nil) != nil)
    #expect(schema(["pmap:kind"]) == nil)
  }

  @Test("Layers that the tiles do not have are left out of the style")
  func missingLayers() throws {
    let schema = try #require(StreetSchema.all.last)
    let json = try #require(
      StreetStyle.document(
        .arcGISStreets, over: schema, layers: ["earth", "roads", "places"], language: nil, area: Self.area
      ) { _ in nil })
    let found = Set((json["layers"]?.array ?? []).compactMap { $0["source-layer"]?.string })
    #expect(found == ["roads", "places"])
  }

  @Test("Every style reads without a problem over every schema, and no definition is missing")
  func documents() throws {
    #expect(StreetStyle.styles.count == 5)
    var ids: [String: Set<String>] = [:]
    for style in StreetStyle.styles {
      for schema in StreetSchema.all {
        let json = try Self.document(style, schema)
        #expect(!json.text().contains("\"@"), "\(style) \(schema.name)")
        let document = try StyleDocument(json)
        #expect(document.problems.isEmpty, "\(style) \(schema.name): \(document.problems)")
        #expect(document.layers.allSatisfy { $0.minzoom >= 6 })
        ids[schema.name, default: []].formUnion(document.layers.map(\.id))
      }
    }
    // Shortbread has no peaks and no parks with names.
    #expect(ids["OpenMapTiles"]?.contains("peaks") == true && ids["Shortbread"]?.contains("peaks") == false)
    for id in [
      "water", "woods", "buildings", "roads", "road-bridges", "road-tunnels", "railways", "street-names",
      "cities",
    ] {
      #expect(ids.values.allSatisfy { $0.contains(id) }, "\(id)")
    }
  }

  @Test("The ground and the water have the colours of the bundled basemap")
  func colors() async throws {
    for style in StreetStyle.styles {
      let view = try BasemapRenderingTests.view(style, scale: 4e6).freeze()
      let basemap = try #require(view.basemap)
      func text(_ color: Color?) -> String {
        let color = color ?? .black
        return String(format: "#%02x%02x%02x", color.red, color.green, color.blue)
      }
      let json = try Self.document(style, StreetSchema.all[0])
      let layers = try #require(json["layers"]?.array)
      func color(_ id: String) -> JSONValue? {
        layers.first { $0["id"] == .string(id) }?["paint"]?["fill-color"]
      }
      #expect(color("water") == .string(text(basemap.water)), "\(style)")
      #expect(color("land")?.array?.contains(.string(text(basemap.land))) == true, "\(style)")
    }
  }

  @Test("Base variants have no names, and a style without streets has no document")
  func variants() throws {
    let schema = StreetSchema.all[0]
    let named = try StyleDocument(Self.document(.arcGISLightGray, schema))
    let plain = try StyleDocument(Self.document(.arcGISLightGrayBase, schema))
    #expect(named.layers.contains { $0.type == .symbol })
    #expect(!plain.layers.isEmpty && !plain.layers.contains { $0.type == .symbol })
    #expect(
      StreetStyle.document(.arcGISOceans, over: schema, language: nil, area: Self.area) { _ in nil } == nil)
  }

  @Test("Names are those of the language, then those in use at the place, of the fields that the tiles have")
  func languages() throws {
    let schema = try #require(StreetSchema.of(layers: ["transportation", "transportation_name", "place"]))
    func names(_ language: String?, _ fields: [String]?) throws -> String {
      let layers = try Self.document(.arcGISStreets, schema, language: language, fields: fields)["layers"]?
        .array
      return layers?.first { $0["id"] == "cities" }?["layout"]?["text-field"]?.text() ?? ""
    }
    #expect(try names("sv", nil) == #"["coalesce",["get","name:sv"],["get","name"],["get","name:latin"],""]"#)
    #expect(try names(nil, ["name", "class"]) == #"["coalesce",["get","name"],""]"#)
    #expect(try names("sv", ["name", "name:sv"]) == #"["coalesce",["get","name:sv"],["get","name"],""]"#)
    #expect(schema.languages(among: ["name", "name:latin", "name:sv", "name:fi"]) == ["sv", "fi"])
  }

  @Test("Tiles cover all, some or none of a view, also across the antimeridian")
  func cover() {
    let extent = Envelope(xMin: 0, yMin: 0, xMax: 100, yMax: 100, spatialReference: .webMercator)
    let streets = OpenedStreets(name: "a", extent: extent)
    func cover(_ x: ClosedRange<Double>) -> OpenedStreets.Cover {
      streets.cover(
        of: Envelope(
          xMin: x.lowerBound, yMin: 10, xMax: x.upperBound, yMax: 90, spatialReference: .webMercator))
    }
    #expect(cover(10...90) == .all && cover(50...150) == .some && cover(200...300) == .none)
    let world = 2 * WebMercator.halfWorld
    #expect(cover((world + 10)...(world + 90)) == .all)
    #expect(streets.areDrawn(atScale: 4_000_000) && !streets.areDrawn(atScale: 5_000_000))
  }

  @Test("The bundled basemap is drawn where tiles of streets end, and left out where they cover the view")
  func ground() async throws {
    let json = try JSONValue(
      parsing: """
        {"operationalLayers": [], "baseMap": {"style": "arcGISStreets", "tiles": "helsinki.pmtiles", "baseMapLayers": []}}
        """)
    let map = try await MapDocument.open(
      json: json, name: "map.json", folder: Self.folder, catalog: SourceCatalog()
    ).map
    func basemap(_ zoom: Double) throws -> BasemapState {
      let viewpoint = Viewpoint(latitude: 60.168, longitude: 24.945, zoom: zoom)
      return try #require(
        try MapView(map: map, width: 300, height: 200, viewpoint: viewpoint).freeze().basemap)
    }
    let (inside, edge, far) = (try basemap(15), try basemap(11), try basemap(4))
    #expect(inside.layers.isEmpty && inside.attribution.isEmpty && inside.water != nil)
    // Names of tiles take the place of the bundled ones.
    #expect(inside.referenceLayers.isEmpty)
    func condition(_ state: BasemapState) -> String? {
      state.referenceLayers.last?.definition.definitionExpression
    }
    #expect(condition(edge)?.hasSuffix(" AND (X < 2492 OR X > 2497 OR Y < 6015 OR Y > 6018)") == true)
    #expect(condition(far)?.contains("X <") == false)
    for drawn in [edge, far] {
      #expect(!drawn.layers.isEmpty && drawn.attribution == "Made with Natural Earth")
    }
  }

  @Test("A basemap keeps its tiles of streets in copies and in documents")
  func documentsWithTiles() async throws {
    let json = try JSONValue(
      parsing: """
        {"operationalLayers": [], "baseMap": {"style": "arcGISStreets", "tiles": "helsinki.pmtiles", "language": "sv",
         "baseMapLayers": []}}
        """)
    let document = try await MapDocument.open(
      json: json, name: "map.json", folder: Self.folder, catalog: SourceCatalog())
    let basemap = try #require(document.map.basemap)
    #expect(basemap.streets?.streets == StreetTiles(place: "helsinki.pmtiles", language: "sv"))
    #expect(
      document.warnings.map(\.description).allSatisfy { $0.contains("no names in the language \"sv\"") })
    #expect(document.warnings.count == 1)
    let copy = basemap.clone()
    #expect(copy.streets?.streets == basemap.streets?.streets)
    let map = Map(basemap: copy)
    let written = try JSONValue(parsing: map.toJSON())["baseMap"]
    #expect(written?["tiles"] == "helsinki.pmtiles" && written?["language"] == "sv")
    #expect(written?["baseMapLayers"]?.array?.isEmpty == true)
  }
}
