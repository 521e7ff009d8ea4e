import Foundation
import MapState
import MapTestSupport
import MapTiles
import Testing

/// Layers of vector tiles in web maps, and vector tile packages as documents.
@Suite("Vector tile layers of web maps")
struct VectorTileLayerTests {
  private static let item =
    "https://www.arcgis.com/sharing/rest/content/items/0123456789abcdef0123456789abcdef"
  private static let service = "https://tiles.example.com/arcgis/rest/services/Base/VectorTileServer"

  /// A package with squares of one colour over the whole world, or over a part of it.
  private static func package(_ color: String, _ square: (Int, Int) = (0, 4096), extra: String = "") throws
    -> TestPackage
  {
    var package = TestPackage(name: color)
    package.addBundles([(0, 0, 0, StyleTiles.tile("areas", [StyleTiles.square(square.0, square.1)]))])
    package.set(
      "resources/styles/root.json",
      """
      {"version": 8, "sources": {"esri": {"type": "vector", "url": "../../"}}, "layers": [
        {"id": "Area/\(color)/0", "type": "fill", "source": "esri", "source-layer": "areas",
         "paint": {"fill-color": "\(color)", "fill-antialias": false}}\(extra)]}
      """)
    return package
  }

  private static let square = """
    {"id": "s", "title": "square", "featureCollection": {"layers": [{
      "layerDefinition": {"name": "square", "geometryType": "esriGeometryPolygon", "fields": [], "drawingInfo": {
        "renderer": {"type": "simple", "symbol": {"type": "esriSFS", "style": "esriSFSSolid",
          "color": [0, 255, 0, 255]}}}},
      "featureSet": {"geometryType": "esriGeometryPolygon", "features": [{"attributes": {}, "geometry": {
        "spatialReference": {"wkid": 3857},
        "rings": [[[-5e6, -5e6], [-5e6, 5e6], [5e6, 5e6], [5e6, -5e6], [-5e6, -5e6]]]}}]}}]}}
    """

  /// A web map with layers in its basemap and among its operational layers.
  private static func webMap(base: [String], operational: [String] = [square]) -> String {
    """
    {"baseMap": {"title": "b", "baseMapLayers": [\(base.joined(separator: ","))]},
     "operationalLayers": [\(operational.joined(separator: ","))],
     "initialState": {"viewpoint": {"scale": 591657527.591555,
       "targetGeometry": {"x": 0, "y": 0, "spatialReference": {"wkid": 102100}}}},
     "spatialReference": {"wkid": 102100}, "version": "2.31"}
    """
  }

  private static func layer(_ address: String, _ members: String = "") -> String {
    #"{"id": "v", "title": "v", "layerType": "VectorTileLayer", "styleUrl": "\#(address)"\#(members)}"#
  }

  private static func color(_ file: String, _ x: Int, _ y: Int) throws -> [UInt8] {
    let pixel = try Bitmap(file: file)[x, y]
    return [pixel.red, pixel.green, pixel.blue]
  }

  /// Renders a web map with stand-ins, in 256 × 256 pixels that show the world.
  private static func render(
    _ map: String, _ standIns: [String: String], in folder: ScratchFolder, _ options: [String] = ["--strict"]
  ) async throws -> Tool.Run {
    let path = try folder.write(map, to: "map.json")
    let services = try folder.write(
      String(decoding: JSONEncoder().encode(standIns), as: UTF8.self), to: "services.json")
    return try await Tool.run(
      ["render", path, "--services", services, "--size", "256x256", "-o", folder.path("a.png")] + options)
  }

  @Test(
    "A style address finds the stand-in of the style, its folder, its service, its item, or a package",
    arguments: [
      ("\(item)/resources/styles/root.json", "\(item)/resources/styles/root.json", "a.vtpk"),
      ("\(item)/resources/styles/root.json", item, "a.vtpk"),
      ("\(item)/resources/styles/root.json", "\(item)/resources/styles", "folder"),
      (
        "https://portal.example/sharing/rest/content/items/0123456789abcdef0123456789abcdef/resources/styles/root.json",
        item, "folder/resources/styles/root.json"
      ),
      ("\(service)/resources/styles", service, "folder"),
      ("\(service)/resources/styles/root.json?token=x", "\(service)/resources/styles/root.json", "a.vtpk"),
      (service, service, "a.vtpk"),
    ])
  func addresses(styleUrl: String, standIn: String, file: String) async throws {
    let folder = try ScratchFolder()
    let package = try Self.package("#ff0000")
    try Data(package.archive).write(to: folder.url("a.vtpk"))
    try package.write(below: folder.path("folder"))
    let run = try await Self.render(Self.webMap(base: [Self.layer(styleUrl)]), [standIn: file], in: folder)
    #expect(run.code == 0 && run.err == "", "\(run)")
    #expect(try Self.color(folder.path("a.png"), 10, 10) == [255, 0, 0])
    #expect(try Self.color(folder.path("a.png"), 128, 128) == [0, 255, 0])
  }

  @Test("A layer that has only the url of its service or the id of its item is drawn from their stand-ins")
  func otherMembers() async throws {
    let folder = try ScratchFolder()
    try Data(Self.package("#ff0000").archive).write(to: folder.url("a.vtpk"))
    for (members, standIn) in [
      (#""url": "\#(Self.service)""#, Self.service),
      (#""itemId": "0123456789abcdef0123456789abcdef""#, Self.item),
    ] {
      let layer = #"{"id": "v", "layerType": "VectorTileLayer", \#(members)}"#
      let run = try await Self.render(Self.webMap(base: [layer]), [standIn: "a.vtpk"], in: folder)
      #expect(run.code == 0 && run.err == "", "\(run)")
      #expect(try Self.color(folder.path("a.png"), 10, 10) == [255, 0, 0])
    }
  }

  @Test("Base layers are below the operational ones, reference layers above them, with opacity and scales")
  func order() async throws {
    let folder = try ScratchFolder()
    try Data(Self.package("#ff0000").archive).write(to: folder.url("base.vtpk"))
    try Data(Self.package("#0000ff", (0, 2048)).archive).write(to: folder.url("above.vtpk"))
    let standIns = [Self.service: "base.vtpk", Self.item: "above.vtpk"]
    let base = Self.layer("\(Self.service)/resources/styles/root.json")
    let above = "\(Self.item)/resources/styles/root.json"
    func colors(_ members: String) async throws -> [[UInt8]] {
      let map = Self.webMap(base: [Self.layer(above, #", "isReference": true"# + members), base])
      let run = try await Self.render(map, standIns, in: folder)
      #expect(run.code == 0 && run.err == "", "\(run)")
      // Beside the green square: below the reference layer, and without it; then within the square.
      return try [(10, 10), (250, 200), (120, 120), (136, 136)].map {
        try Self.color(folder.path("a.png"), $0.0, $0.1)
      }
    }
    #expect(try await colors("") == [[0, 0, 255], [255, 0, 0], [0, 0, 255], [0, 255, 0]])
    #expect(try await colors(#", "opacity": 0"#)[2] == [0, 255, 0])
    #expect(try await colors(#", "visibility": false"#)[2] == [0, 255, 0])
    #expect(try await colors(#", "minScale": 1000000"#)[2] == [0, 255, 0])
    #expect(try await colors(#", "maxScale": 1000000"#)[2] == [0, 0, 255])
    let half = try await colors(#", "opacity": 0.5"#)
    #expect(abs(Int(half[0][0]) - 128) <= 1 && abs(Int(half[0][2]) - 128) <= 1, "\(half)")
  }

  @Test("Operational layers of vector tiles keep their position, and follow their groups")
  func operational() async throws {
    let folder = try ScratchFolder()
    try Data(Self.package("#ff0000").archive).write(to: folder.url("a.vtpk"))
    let standIns = [Self.service: "a.vtpk"]
    let tiles = Self.layer("\(Self.service)/resources/styles")
    func color(_ layers: [String]) async throws -> [UInt8] {
      let run = try await Self.render(Self.webMap(base: [], operational: layers), standIns, in: folder)
      #expect(run.code == 0 && run.err == "", "\(run)")
      return try Self.color(folder.path("a.png"), 128, 128)
    }
    func group(_ layers: String, _ members: String) -> String {
      #"{"id": "g", "title": "g", "layerType": "GroupLayer"\#(members), "layers": [\#(layers)]}"#
    }
    #expect(try await color([tiles, Self.square]) == [0, 255, 0])
    #expect(try await color([Self.square, tiles]) == [255, 0, 0])
    #expect(try await color([Self.square, group(tiles, "")]) == [255, 0, 0])
    #expect(try await color([Self.square, group(tiles, #", "visibility": false"#)]) == [0, 255, 0])
    #expect(try await color([Self.square, group(tiles, #", "opacity": 0"#)]) == [0, 255, 0])
    let multiplied = Self.layer("\(Self.service)/resources/styles", #", "blendMode": "multiply""#)
    #expect(try await color([Self.square, multiplied]) == [0, 0, 0])
  }

  @Test("A layer without a stand-in is not drawn, and says what would help")
  func missing() async throws {
    let folder = try ScratchFolder()
    let layer = Self.layer("\(Self.service)/resources/styles")
    let alone = try await Self.render(
      Self.webMap(base: [], operational: [layer, Self.square]), [:], in: folder, [])
    #expect(
      alone.err.contains(
        "$.operationalLayers[0]: not drawn: tiles of a service are fetched only with --online"), "\(alone)")
    let none = #"{"id": "v", "layerType": "VectorTileLayer"}"#
    let empty = try await Self.render(
      Self.webMap(base: [], operational: [none, Self.square]), [:], in: folder, [])
    #expect(
      empty.err.contains("$.operationalLayers[0].styleUrl: missing: the layer is not drawn"), "\(empty)")
    let lost = try await Self.render(Self.webMap(base: [layer]), [Self.service: "no.vtpk"], in: folder, [])
    #expect(lost.code == 0 && lost.err.contains("its stand-in") && lost.err.contains("no.vtpk"), "\(lost)")
    // Beside vector tiles, the bundled basemap takes no part.
    try Data(Self.package("#ff0000", (0, 2048)).archive).write(to: folder.url("a.vtpk"))
    let hillshade = """
      {"id": "h", "layerType": "ArcGISTiledMapServiceLayer", "url": "https://tiles.example.com/H/MapServer"}
      """
    let beside = try await Self.render(
      Self.webMap(base: [hillshade, layer]), [Self.service: "a.vtpk"], in: folder, ["--background", "white"])
    #expect(beside.err.contains("$.baseMap.baseMapLayers[0]: not drawn: tiles of a service"), "\(beside)")
    #expect(!beside.err.contains("approximated"), "\(beside)")
    #expect(try Self.color(folder.path("a.png"), 250, 200) == [255, 255, 255])
    // The tiles of a service are no style.
    let plain = try await Self.render(
      Self.webMap(base: [layer]), [Self.service: Tool.style("tiles/helsinki.pmtiles")], in: folder, [])
    #expect(plain.err.contains("has tiles without a style"), "\(plain)")
  }

  @Test("Faults of a layer's style are reported at the layer")
  func faults() async throws {
    let folder = try ScratchFolder()
    let extra =
      #", {"id": "x", "type": "fill", "source": "esri", "source-layer": "areas", "paint": {"fill-colour": "red"}}"#
    try Data(Self.package("#ff0000", extra: extra).archive).write(to: folder.url("a.vtpk"))
    let run = try await Self.render(
      Self.webMap(base: [Self.layer(Self.service)]), [Self.service: "a.vtpk"], in: folder, [])
    #expect(
      run.err.contains("$.baseMap.baseMapLayers[0]: its style: $.layers[1].paint['fill-colour']"), "\(run)")
    #expect(run.err.contains("fill-color"), "\(run)")
  }

  @Test("The attribution of the service of a layer's tiles is drawn and reported")
  func attribution() async throws {
    let folder = try ScratchFolder()
    try Data(Self.package("#ff0000").archive).write(to: folder.url("a.vtpk"))
    let run = try await Self.render(
      Self.webMap(base: [Self.layer(Self.service)]), [Self.service: "a.vtpk"], in: folder,
      ["--strict", "--report", folder.path("r.json")])
    #expect(run.code == 0, "\(run)")
    #expect(try WrittenReport(folder.path("r.json")).json["attribution"] as? String == "© #ff0000")
  }

  @Test("A package with the tiles and style of a folder gives the same image, and the same features")
  func package() async throws {
    let folder = try ScratchFolder()
    let archive = try TileArchive(Tool.style("tiles/helsinki.pmtiles"))
    var package = TestPackage(name: "helsinki.style")
    for zoom in archive.zooms {
      package.addBundles(
        try archive.tiles(zoom: zoom).map { ($0.zoom, $0.column, $0.row, try archive.bytes(at: $0) ?? []) })
    }
    let style = try String(contentsOfFile: Tool.style("tiles/helsinki.style.json"), encoding: .utf8)
    package.set(
      "resources/styles/root.json", style.replacing("pmtiles://helsinki.pmtiles", with: "../../"))
    try Data(package.archive).write(to: folder.url("helsinki.style.vtpk"))
    let path = folder.path("helsinki.style.vtpk")
    for (name, source) in [("a.png", Tool.style("tiles/helsinki.style.json")), ("b.png", path)] {
      let run = try await Tool.run("render", source, "-o", folder.path(name), "--size", "500x400")
      #expect(run.code == 0, "\(run)")
    }
    #expect(try Data(contentsOf: folder.url("a.png")) == Data(contentsOf: folder.url("b.png")))
    let count = try await Tool.run("count", path + "#place", "--tile-zoom", "12")
    #expect(count.out == "6\n" && count.code == 0, "\(count)")
    let below = try await Tool.run(
      "render", Tool.cityData, "--basemap", path, "--viewpoint", "60.168,24.945", "--zoom", "13.5", "-o",
      folder.path("c.png"), "--report", folder.path("c.json"))
    #expect(below.code == 0, "\(below)")
    #expect(
      try WrittenReport(folder.path("c.json")).json["attribution"] as? String
        == "© OpenStreetMap contributors")
    let unknown = try await Tool.run("count", path + "#places")
    #expect(unknown.code != 0 && unknown.err.contains("no layer named \"places\""), "\(unknown)")
  }

  @Test(
    "Sprites, glyphs and tokens of a stand-in are drawn, without a warning, from a package and from a folder")
  func resources() async throws {
    let folder = try ScratchFolder()
    var package = try Self.package(
      "#ff0000",
      extra: """
        , {"id": "Name/1", "type": "symbol", "source": "esri", "source-layer": "areas",
           "filter": ["==", "_symbol", "3"], "minzoom": 0.02,
           "layout": {"icon-image": "dot", "text-field": "{_name_global}", "text-font": ["Esri Letters"],
             "text-size": {"stops": [[0, 40], [5, 40]]}},
           "paint": {"text-color": "#0000ff", "icon-color": "#00ff00"}}
        """)
    let name = StyleTiles.Feature(
      kind: .point, parts: [[(1700, 1700)]], texts: [("_symbol", "3"), ("_name_global", "AB")])
    package.files["tile/L00/R0000C0000.bundle"] = nil
    package.addBundles([(0, 0, 0, StyleTiles.tile("areas", [StyleTiles.square(0, 4096), name]))])
    let style = String(decoding: package.files["resources/styles/root.json"] ?? [], as: UTF8.self)
    package.set(
      "resources/styles/root.json",
      style.replacing(
        "\"version\": 8,",
        with: """
          "version": 8, "sprite": "../sprites/sprite", "glyphs": "../fonts/{fontstack}/{range}.pbf",
          """))
    func file(_ name: String) throws -> [UInt8] {
      [UInt8](try Data(contentsOf: Tool.project.appendingPathComponent(name)))
    }
    for ending in ["json", "png"] {
      package.files["resources/sprites/sprite.\(ending)"] = try file(
        "Snapshots/styles/names/sprite.\(ending)")
    }
    let glyphs = "resources/fonts/Esri Letters/0-255.pbf"
    package.files[glyphs] = try file("Tests/Fuzzing/Inputs/glyph-files/letters")
    try Data(package.archive).write(to: folder.url("a.vtpk"))
    try package.write(below: folder.path("folder"))
    let map = Self.webMap(
      base: [Self.layer("\(Self.item)/resources/styles/root.json")], operational: [])
    var images: [Data] = []
    for standIn in ["a.vtpk", "folder"] {
      let run = try await Self.render(
        map, [Self.item: standIn], in: folder, ["--strict", "--zoom", "0.1", "--viewpoint", "0,0"])
      #expect(run.code == 0 && run.err == "", "\(run)")
      images.append(try Data(contentsOf: folder.url("a.png")))
      let picture = try Bitmap(pngData: Array(images[images.count - 1]))
      let pixels = (0..<256 * 256).map { picture[$0 % 256, $0 / 256] }
      let colors = Set(pixels.map { [$0.red, $0.green, $0.blue] })
      #expect(colors.contains([0, 0, 255]) && colors.contains([255, 0, 0]))
    }
    #expect(images[0] == images[1])
    package.files[glyphs] = nil
    try Data(package.archive).write(to: folder.url("a.vtpk"))
    let plain = try await Self.render(
      map, [Self.item: "a.vtpk"], in: folder, ["--zoom", "0.1", "--viewpoint", "0,0"])
    #expect(plain.err.contains("Esri Letters") && plain.err.split(separator: "\n").count == 1, "\(plain)")
    #expect(try Data(contentsOf: folder.url("a.png")) != images[0])
  }

  @Test(
    "The nearest ancestor of an absent tile is drawn at the view's zoom, unless the index has no data")
  func ancestors() async throws {
    let folder = try ScratchFolder()
    var package = try Self.package("#ff0000", (0, 2000))
    // With a tile elsewhere, the level of the view has tiles.
    package.addBundles([(3, 7, 7, StyleTiles.tile("areas", []))])
    for index in [nil, #"{"index": [[1, 1, 0, 1], 1, 1, 1]}"#] {
      package.files["tilemap/root.json"] = index.map { Array($0.utf8) }
      try Data(package.archive).write(to: folder.url("a.vtpk"))
      let run = try await Tool.run(
        "render", folder.path("a.vtpk"), "--zoom", "3", "--viewpoint", "60,-100", "--size", "200x200",
        "--background", "white", "-o", folder.path("a.png"))
      #expect(run.code == 0 && run.err == "", "\(run)")
      // The view is in the upper left quarter of the world, at (0.22, 0.29) of its sides.
      #expect(
        try Self.color(folder.path("a.png"), 195, 100) == (index == nil ? [255, 0, 0] : [255, 255, 255]))
    }
  }
}
