import Foundation
import MapBasemap
import MapJSON
import MapModel
import MapScript
import MapState
import MapTestSupport
import Testing

/// Basemaps over vector tiles of streets, drawn and checked by the built tool.
@Suite("Street basemaps")
struct StreetCommandTests {
  private static let archive = Tool.style("tiles/helsinki.pmtiles")
  private static let bicycles = Tool.style("tiles/bicycles.csv")
  private static let place = ["--viewpoint", "60.168,24.945", "--zoom", "15", "--size", "300x200"]

  private static func render(
    _ style: String, _ options: [String], in folder: ScratchFolder, place: [String] = StreetCommandTests.place
  ) async throws -> (run: Tool.Run, bitmap: Bitmap?) {
    let image = folder.path("\(style).png")
    let run = try await Tool.run(
      ["render", bicycles, "--basemap", style, "-o", image] + place + options)
    return (run, run.code == 0 ? try Bitmap(file: image) : nil)
  }

  @Test("Each style draws streets that the bundled basemap lacks, and no two styles look the same")
  func styles() async throws {
    let folder = try ScratchFolder()
    var colors: Set<Set<String>> = []
    for style in StreetStyle.styles.map(\.rawValue) {
      let plain = try #require(try await Self.render(style, [], in: folder).bitmap)
      let (run, bitmap) = try await Self.render(style, ["--tiles", Self.archive, "--strict"], in: folder)
      let drawn = try #require(bitmap, "\(run.err)")
      func found(_ bitmap: Bitmap) -> Set<String> {
        Set((0..<200).flatMap { y in (0..<300).map { bitmap.color($0, y) } })
      }
      #expect(found(drawn).count > 2 * found(plain).count, "\(style)")
      colors.insert(found(drawn))
    }
    #expect(colors.count == 5)
  }

  @Test("A note says that the bundled basemap goes on beyond the tiles; far away, its warnings stay")
  func edges() async throws {
    let folder = try ScratchFolder()
    func messages(_ viewpoint: String, _ zoom: String) async throws -> String {
      try await Self.render(
        "arcGISStreets", ["--tiles", Self.archive], in: folder,
        place: ["--viewpoint", viewpoint, "--zoom", zoom, "--size", "300x200"]
      ).run.err
    }
    let inside = try await messages("60.168,24.945", "15")
    #expect(!inside.contains("basemap:"), "\(inside)")
    let edge = try await messages("60.168,24.945", "11")
    #expect(edge.contains("note: basemap: the tiles of") && edge.contains("end inside the view"), "\(edge)")
    #expect(!edge.contains("warning: basemap"))
    let outside = try await messages("61,26", "11")
    #expect(outside.contains("lie outside the view") && outside.contains("lines are off"), "\(outside)")
    #expect(!outside.contains("--tiles"))
    // No water there has a name, which is no mistake.
    let unnamed = try await messages("60.1676,24.9368", "15")
    #expect(!unnamed.contains("draws no text"), "\(unnamed)")
    let far = try await messages("60.168,24.945", "4")
    #expect(!far.contains("note: basemap"), "\(far)")
    let none = try await Self.render("arcGISStreets", [], in: folder).run.err
    #expect(none.contains("--tiles names vector tiles that have them"), "\(none)")
  }

  @Test("Tiles of an unknown schema are refused with their source layers, and so are styles without streets")
  func refusals() async throws {
    let tiles = try StyleTiles()
    try tiles.write(tile: "0/0/0", layer: "areas", [StyleTiles.square(0, 2048)])
    let folder = tiles.folder
    let unstated = try await Self.render("arcGISStreets", ["--tiles", folder.path("tiles")], in: folder).run
    #expect(unstated.code == 2 && unstated.err.contains("its schema is unknown"), "\(unstated.err)")
    try tiles.write(
      "tiles/metadata.json",
      #"{"format": "pbf", "vector_layers": [{"id": "zones", "fields": {}}, {"id": "areas", "fields": {}}]}"#)
    let stated = try await Self.render("arcGISStreets", ["--tiles", folder.path("tiles")], in: folder).run
    #expect(stated.code == 2 && stated.err.contains("its source layers: areas, zones"), "\(stated.err)")
    #expect(stated.err.contains("known are OpenMapTiles, Shortbread, Protomaps"))
    let oceans = try await Self.render("arcGISOceans", ["--tiles", Self.archive], in: folder).run
    #expect(oceans.code == 64 && oceans.err.contains("draws no streets"), "\(oceans.err)")
    let two = ["--tiles", Self.archive, "--tiles", Self.archive]
    let several = try await Self.render("arcGISStreets", two, in: folder).run
    #expect(several.code == 64 && several.err.contains("takes one archive"), "\(several.err)")
  }

  /// The version before had the kinds of features in fields of other names.
  @Test("Tiles in the schema of Protomaps 4 are drawn, and those of the version before are refused")
  func protomaps() async throws {
    let tiles = try StyleTiles()
    let folder = tiles.folder
    try FileManager.default.createDirectory(at: folder.url("tiles/6/32"), withIntermediateDirectories: true)
    let road = StyleTiles.Feature(
      kind: .line, parts: [[(0, 2048), (4096, 2048)]],
      texts: [("kind", "highway"), ("kind_detail", "motorway")])
    let layers = [
      ("earth", [StyleTiles.square(0, 4096, [("kind", "earth")])]),
      ("water", [StyleTiles.square(2100, 4096, [("kind", "lake")])]), ("roads", [road]),
    ]
    try Data(layers.flatMap { StyleTiles.tile($0.0, $0.1) }).write(to: folder.url("tiles/6/32/31.pbf"))
    func run(_ kind: String) async throws -> (run: Tool.Run, bitmap: Bitmap?) {
      let stated = ["earth", "water", "roads", "places"].map {
        #"{"id": "\#($0)", "fields": {"\#(kind)": "String", "\#(kind)_detail": "String"}}"#
      }
      try tiles.write(
        "tiles/metadata.json",
        #"{"format": "pbf", "minzoom": 6, "maxzoom": 6, "vector_layers": [\#(stated.joined(separator: ", "))]}"#
      )
      return try await Self.render(
        "arcGISStreets", ["--tiles", folder.path("tiles")], in: folder,
        place: ["--viewpoint", "2.81135,2.8", "--zoom", "12", "--size", "300x200"])
    }
    let drawn = try await run("kind")
    let bitmap = try #require(drawn.bitmap, "\(drawn.run.err)")
    #expect(bitmap.color(150, 100) == "234,147,93", "\(drawn.run.err)")
    #expect(!drawn.run.err.contains("has no layer"), "\(drawn.run.err)")
    let older = try await run("pmap:kind")
    #expect(older.run.code == 2 && older.run.err.contains("known are OpenMapTiles, Shortbread, Protomaps 4"))
  }

  @Test("A language that the tiles do not have is a warning, and a text that is none is refused")
  func languages() async throws {
    let folder = try ScratchFolder()
    let tiles = ["--tiles", Self.archive, "--basemap-language"]
    let other = try await Self.render("arcGISStreets", tiles + ["sv"], in: folder).run
    #expect(other.err.contains("has no names in the language \"sv\""), "\(other.err)")
    let wrong = try await Self.render("arcGISStreets", tiles + ["s v"], in: folder).run
    #expect(wrong.code == 64 && wrong.err.contains("is no language"), "\(wrong.err)")
    let useless = try await Self.render("arcGISStreets", ["--basemap-language", "sv"], in: folder).run
    #expect(useless.err.contains("--basemap-language has no effect"), "\(useless.err)")
  }

  /// A maker of tiles may leave out fields of its schema, so `missing-field` does not apply.
  @Test("Lint finds nothing in any style, and finds text of low contrast")
  func lint() async throws {
    let folder = try ScratchFolder()
    for (name, bytes) in [
      ("images.png", Data(StreetStyle.images)), ("images.json", Data(StreetStyle.imagePlaces.text().utf8)),
    ] {
      try bytes.write(to: folder.url(name))
    }
    let schema = try #require(StreetSchema.of(layers: ["transportation", "transportation_name", "place"]))
    for style in StreetStyle.styles {
      let json = try #require(
        StreetStyle.document(
          style, over: schema, language: nil, area: ["type": "Polygon", "coordinates": []]
        ) { _ in ["name:latin"] })
      let text = json.text().replacing(#""url":"tiles""#, with: #""url":"pmtiles://\#(Self.archive)""#)
        .replacing(#""version":8"#, with: #""version":8,"sprite":"images""#)
      func findings(_ text: String) async throws -> Tool.Run {
        try Data(text.utf8).write(to: folder.url("style.json"))
        return try await Tool.run(
          "lint", folder.path("style.json"), "--disable", "missing-field", "--allow-path", "/")
      }
      let run = try await findings(text)
      #expect(run.code == 0, "\(style): \(run.out) \(run.err)")
      let faulty = try await findings(
        text.replacing(##""text-color":"##, with: ##""text-color":"#808080","x-color":"##)
          .replacing(##""text-halo-color":"##, with: ##""text-halo-color":"#888888","x-halo":"##))
      #expect(faulty.code == 1 && faulty.out.contains("text-contrast"), "\(style): \(faulty.out)")
    }
  }

  /// Returns the colours of the layers of some type in a style.
  private static func colors(_ type: JSONValue, of style: JSONValue) -> Set<Color> {
    func found(_ value: JSONValue?) -> [Color] {
      switch value {
      case .string(let text)?: text.hasPrefix("#") ? [Color(text: text)].compactMap { $0 } : []
      case .array(let elements)?: elements.flatMap { found($0) }
      case .object(let object)?: object.members.flatMap { found($0.value) }
      default: []
      }
    }
    let layers = (style["layers"]?.array ?? []).filter { $0["type"] == type }
    return Set(layers.flatMap { found($0["paint"]) })
  }

  /// Light Gray: 3.77 for contrast and 19.0 for difference; Dark Gray: 3.78 and 20.0; other styles: differences below 9.
  ///
  /// - Source: WCAG 2.1, 1.4.11, for contrast; the difference is that of standard symbols to areas.
  @Test("Default colours stand out on all colours of the grey styles, and not on all of the others")
  func standingOut() throws {
    let schema = try #require(StreetSchema.all.first)
    for style in StreetStyle.styles {
      let json = try #require(
        StreetStyle.document(
          style, over: schema, language: nil, area: ["type": "Polygon", "coordinates": []]
        ) {
          _ in nil
        })
      let (areas, lines) = (Self.colors("fill", of: json), Self.colors("line", of: json))
      #expect(areas.count > 10 && lines.count > 10, "\(style)")
      let tone: GroundTone = style == .arcGISDarkGray ? .dark : .light
      guard case .line(let symbol)? = RendererForm.standard(for: .polyline, on: tone).classSymbols.first,
        let standard = symbol.color
      else {
        Issue.record("no line")
        return
      }
      let defaults = [standard] + ClassPalette.qualitative(on: tone).prefix(9)
      let least = defaults.flatMap { color in areas.union(lines).map { color.difference(to: $0) } }.min() ?? 0
      let isGrey = [.arcGISLightGray, .arcGISDarkGray].contains(style)
      #expect((least >= 15) == isGrey, "\(style): \(least)")
      let contrast = areas.map { LinearColor(standard).contrast(to: LinearColor($0)) }.min() ?? 0
      #expect(contrast >= 3 || !isGrey, "\(style): \(contrast)")
    }
  }
}
