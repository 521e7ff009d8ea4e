import Foundation
import MapGeometry
import MapImages
import MapJSON
import MapTestSupport
import Testing

/// Styles of vector tiles as maps.
@Suite("Drawing styles")
struct StyleDrawingTests {
  static let helsinki = Tool.style("tiles/helsinki.style.json")

  /// A style with a red fill over white, whose tiles are in the folder beside it.
  static func style(
    source: String = #""type": "vector", "tiles": ["tiles/{z}/{x}/{y}.pbf"], "attribution": "<b>Ours</b>""#,
    view: String = #""center": [0, 0], "zoom": 0,"#, opacity: Double = 1
  ) -> String {
    """
    {"version": 8, \(view) "sources": {"own": {\(source)}}, "layers": [
      {"id": "ground", "type": "background", "paint": {"background-color": "#ffffff"}},
      {"id": "areas/red", "type": "fill", "source": "own", "source-layer": "areas",
       "filter": ["==", ["get", "kind"], "red"],
       "paint": {"fill-color": "#ff0000", "fill-antialias": false, "fill-opacity": \(opacity)}},
      {"id": "areas/all", "type": "fill", "source": "own", "source-layer": "areas", "minzoom": 20,
       "paint": {"fill-color": "#0000ff"}}]}
    """
  }

  /// The north-western quarter of the world in one tile.
  static func quarter() throws -> (tiles: StyleTiles, style: String) {
    let tiles = try StyleTiles()
    try tiles.write(
      tile: "0/0/0", layer: "areas",
      [StyleTiles.square(0, 2048, id: 5, [("kind", "red")]), StyleTiles.square(3000, 3500, [("kind", "x")])])
    return (tiles, try tiles.write("style.json", style()))
  }

  static let (red, white) = ("255,0,0", "255,255,255")

  @Test("Tiles are placed by zoom, rotation and world copy, and above the largest level by their parent")
  func placing() async throws {
    let (tiles, style) = try Self.quarter()
    let cases: [(options: [String], red: (Int, Int), white: (Int, Int))] = [
      (["--size", "512x512"], (250, 250), (262, 250)),
      (["--size", "512x512", "--rotation", "90"], (250, 262), (250, 250)),
      (["--size", "1024x512"], (900, 128), (1023, 300)),
      (["--size", "256x256", "--viewpoint", "40,-90", "--zoom", "5"], (10, 250), (-1, -1)),
      (["--size", "400x400", "--zoom", "7.5"], (195, 195), (205, 195)),
      (["--size", "200x200", "--zoom", "1", "--pixel-ratio", "2"], (195, 195), (205, 195)),
      (["--size", "400x200", "--reference", "4326"], (195, 95), (205, 95)),
    ]
    for (index, item) in cases.enumerated() {
      let path = tiles.folder.path("\(index).png")
      let run = try await Tool.run(["render", style, "-o", path] + item.options)
      #expect(run.code == 0 && run.err == "", "\(item.options) \(run)")
      let picture = try Bitmap(file: path)
      #expect(picture.color(item.red.0, item.red.1) == Self.red, "\(item.options)")
      if item.white.0 >= 0 {
        #expect(picture.color(item.white.0, item.white.1) == Self.white, "\(item.options)")
      }
    }
    #expect(cases.count == 7)
  }

  @Test("Half-transparent areas show no seam at the sides of tiles, rotated and in another spatial reference")
  func seams() async throws {
    let tiles = try StyleTiles()
    for tile in ["4/8/5", "4/9/5", "4/8/6", "4/9/6"] {
      try tiles.write(tile: tile, layer: "areas", [StyleTiles.square(-64, 4160, [("kind", "red")])])
    }
    let style = try tiles.write("style.json", Self.style(view: "", opacity: 0.5))
    for options in [[], ["--rotation", "30"], ["--reference", "25832"], ["--reference", "3035"]] {
      let path = tiles.folder.path("seam.png")
      let run = try await Tool.run(
        [
          "render", style, "-o", path, "--viewpoint", "40.98,22.5", "--zoom", "4.3", "--size", "300x200",
          "--no-attribution",
        ]
          + options)
      #expect(run.code == 0, "\(run)")
      let picture = try Bitmap(file: path)
      var colors: [String: Int] = [:]
      for y in 0..<picture.height {
        for x in 0..<picture.width { colors[picture.color(x, y), default: 0] += 1 }
      }
      #expect(
        Array(colors.keys) == ["255,127,127"] || Array(colors.keys) == ["255,128,128"], "\(options) \(colors)"
      )
    }
  }

  @Test(
    "The report counts tiles, missing tiles and the features of each style layer; the image names the sources"
  )
  func report() async throws {
    let (tiles, style) = try Self.quarter()
    try tiles.write(tile: "1/0/0", layer: "areas", [StyleTiles.square(3000, 3200, [("kind", "red")])])
    let (path, report) = (tiles.folder.path("a.png"), tiles.folder.path("a.json"))
    let run = try await Tool.run(
      "render", style, "-o", path, "--report", report, "--zoom", "1", "--size", "512x512")
    #expect(run.code == 0 && run.err == "", "\(run)")
    let json = try JSONValue(parsing: Array(try Data(contentsOf: URL(fileURLWithPath: report))))
    #expect(json["attribution"]?.string == "Ours")
    let layer = json["tiles"]?.array?.first
    #expect(
      layer?["layer"]?.string == "style" && layer?["zoom"]?.integer == 1 && layer?["tiles"]?.integer == 4)
    #expect(layer?["missing"]?.array?.compactMap(\.string) == ["1/1/0", "1/0/1", "1/1/1"], "\(json)")
    let shown = layer?["styleLayers"]?.array ?? []
    #expect(shown.compactMap { $0["layer"]?.string } == ["ground", "areas/red"])
    #expect(shown.compactMap { $0["features"]?.integer } == [0, 1])
    let strict = try await Tool.run(
      "render", style, "-o", path, "--zoom", "1", "--size", "512x512", "--missing-tiles", "fail")
    #expect(strict.code != 0 && strict.err.contains("source \"own\": tile 1/1/0 is missing"), "\(strict)")
  }

  @Test(
    "--tiles puts an archive in the place of an address; without it the source is named, and the rest is drawn"
  )
  func replacedSource() async throws {
    let (tiles, _) = try Self.quarter()
    let remote = try tiles.write(
      "remote.json", Self.style(source: #""type": "vector", "url": "https://tiles.test/own.json?key=secret""#)
    )
    let path = tiles.folder.path("a.png")
    let without = try await Tool.run("render", remote, "-o", path, "--size", "512x512")
    #expect(without.code == 0, "\(without)")
    #expect(
      without.err.contains("source \"own\": 1 layer is not drawn: https://tiles.test/own.json"), "\(without)")
    #expect(without.err.contains("--tiles own=FILE") && !without.err.contains("secret"), "\(without)")
    #expect(try Bitmap(file: path).color(100, 100) == Self.white)
    for given in ["own=" + tiles.folder.path("tiles"), tiles.folder.path("tiles")] {
      let run = try await Tool.run("render", remote, "--tiles", given, "-o", path, "--size", "512x512")
      #expect(run.code == 0 && run.err == "", "\(run)")
      #expect(try Bitmap(file: path).color(100, 100) == Self.red)
    }
    let unknown = try await Tool.run("render", remote, "--tiles", "other=x.pmtiles", "-o", path)
    #expect(
      unknown.code != 0 && unknown.err.contains("has no source of this name; available: \"own\""),
      "\(unknown)")
    let useless = try await Tool.run("count", Tool.cityData, "--tiles", "x.pmtiles")
    #expect(useless.code == 0 && useless.err.contains("--tiles has no effect"), "\(useless)")
  }

  @Test("Layers of a style are hidden and shown by patterns, in options and in steps")
  func visibility() async throws {
    let (tiles, style) = try Self.quarter()
    let path = tiles.folder.path("a.png")
    for (options, expected) in [
      (["--hide", "style#areas/*"], Self.white), (["--hide", "areas/r?d"], Self.white),
      (["--only", "style#areas/red"], Self.red), (["--hide", "style#ground"], Self.red),
    ] {
      let run = try await Tool.run(["render", style, "-o", path, "--size", "512x512"] + options)
      #expect(run.code == 0, "\(run)")
      #expect(try Bitmap(file: path).color(100, 100) == expected, "\(options)")
    }
    let unknown = try await Tool.run("render", style, "-o", path, "--hide", "style#areas/rd")
    #expect(unknown.code != 0 && unknown.err.contains("did you mean \"areas/red\"?"), "\(unknown)")
    let steps = """
      {"step": "open", "source": "\(style)", "size": "512x512", "hide": "style#areas/*"}
      {"step": "render", "output": "\(path)"}
      """
    let run = try await Tool.run("run", "-", input: steps)
    #expect(run.code == 0, "\(run)")
    #expect(try Bitmap(file: path).color(100, 100) == Self.white)
  }

  @Test("explain --at names the layers at a pixel from top to bottom, with their features")
  func explanation() async throws {
    let (tiles, style) = try Self.quarter()
    let json = try await Tool.run(
      "explain", style, "--at", "100,100", "--size", "512x512", "--format", "json",
      folder: tiles.folder.root)
    #expect(json.code == 0, "\(json)")
    let layers = try JSONValue(parsing: json.out)["layers"]?.array ?? []
    #expect(layers.compactMap { $0["layer"]?.string } == ["areas/red", "ground"], "\(json.out)")
    #expect(layers.first?["feature"]?["id"]?.integer == 5)
    #expect(layers.first?["feature"]?["properties"]?["kind"]?.string == "red")
    #expect(layers.first?["feature"]?["tile"]?.string == "0/0/0")
    let text = try await Tool.run(
      "explain", style, "--at", "400,400", "--size", "512x512", folder: tiles.folder.root)
    #expect(
      text.code == 0 && text.out.contains("ground  (background)") && !text.out.contains("areas"), "\(text)")
  }

  @Test("A TileJSON file states the attribution and the levels of its tiles")
  func tileJSON() async throws {
    let (tiles, _) = try Self.quarter()
    try tiles.write(tile: "1/0/0", layer: "areas", [StyleTiles.square(3000, 3200, [("kind", "red")])])
    try tiles.write(
      "own.json",
      #"{"tilejson": "3.0.0", "tiles": ["tiles/{z}/{x}/{y}.pbf"], "maxzoom": 0, "attribution": "<i>Theirs</i>"}"#
    )
    for (members, attribution) in [("", "Theirs"), (#", "attribution": "Ours""#, "Ours")] {
      let style = try tiles.write(
        "style.json", Self.style(source: #""type": "vector", "url": "own.json"\#(members)"#))
      let report = tiles.folder.path("report.json")
      let run = try await Tool.run(
        "render", style, "-o", tiles.folder.path("a.png"), "--report", report, "--zoom", "1", "--size",
        "512x512")
      #expect(run.code == 0 && run.err == "", "\(run)")
      let json = try JSONValue(parsing: Array(try Data(contentsOf: URL(fileURLWithPath: report))))
      #expect(json["attribution"]?.string == attribution)
      #expect(json["tiles"]?.array?.first?["zoom"]?.integer == 0)
    }
    let none = try tiles.write(
      "style.json", Self.style(source: #""type": "vector", "url": "own.json", "minzoom": 5"#))
    let run = try await Tool.run("render", none, "-o", tiles.folder.path("a.png"), "--size", "64x64")
    #expect(
      run.code == 0 && run.err.contains("has tiles of zoom 0 to 1, which 'minzoom' and 'maxzoom' exclude"),
      "\(run)")
  }

  @Test("A file that a style reads is kept from being replaced by the image")
  func inputs() async throws {
    let tiles = try StyleTiles()
    let data = try tiles.write("data.geojson", #"{"type": "Point", "coordinates": [0, 0]}"#)
    let style = try tiles.write(
      "style.json", Self.style(source: #""type": "geojson", "data": "data.geojson""#))
    let run = try await Tool.run(
      "render", style, "-o", tiles.folder.path("a.png"), "--report", data, "--size", "64x64")
    #expect(run.code != 0, "\(run)")
    #expect(try String(contentsOfFile: data, encoding: .utf8).contains("Point"))
  }

  @Test("An empty first tile is a vector tile, and losses in reading tiles are reported")
  func lossyTiles() async throws {
    let tiles = try StyleTiles()
    let style = try tiles.write("style.json", Self.style(view: #""center": [40, -40], "zoom": 1,"#))
    try tiles.write(
      tile: "1/1/1", layer: "areas",
      [
        StyleTiles.square(0, 4096, [("kind", "red")]),
        StyleTiles.Feature(parts: [], texts: [("kind", "red")]),
      ])
    try FileManager.default.createDirectory(
      at: tiles.folder.url("tiles/1/0"), withIntermediateDirectories: true)
    try tiles.write("tiles/1/0/0.pbf", "")
    let path = tiles.folder.path("a.png")
    let run = try await Tool.run("render", style, "-o", path, "--size", "100x100")
    #expect(run.code == 0 && run.err.contains("source \"own\": 1 tile violates the specification"), "\(run)")
    #expect(try Bitmap(file: path).color(50, 50) == Self.red)
  }

  @Test("Options that have no use for a style are refused or reported")
  func uselessOptions() async throws {
    let (tiles, style) = try Self.quarter()
    let cases: [(arguments: [String], message: String)] = [
      (["inspect", style, "--tiles", "x"], "--tiles has no effect"),
      (["inspect", style, "--delimiter", ";"], "--delimiter has no effect"),
      (["inspect", tiles.folder.path("tiles"), "--tile-zoom", "0"], "--tile-zoom has no effect"),
      (["explain", style, "--at", "9,9", "--properties", "{}"], "--properties has no use"),
      (["explain", style, "--at", "9,9", "--id", "5"], "--id has no use"),
      (["render", style, "-o", tiles.folder.path("a.png"), "--tile-zoom", "0"], "--tile-zoom has no effect"),
    ]
    for item in cases {
      let run = try await Tool.run(item.arguments + ["--strict"])
      #expect(run.code != 0 && run.err.contains(item.message), "\(item.arguments) \(run)")
    }
    let join = try await Tool.run(
      "render", style, "-o", tiles.folder.path("a.png"), "--join", "\(Tool.cityData):name")
    #expect(join.code != 0, "\(join)")
  }

  @Test("diff finds equal styles equal, and names what differs in others")
  func difference() async throws {
    let (tiles, style) = try Self.quarter()
    let same = try await Tool.run("diff", style, style)
    #expect(same.code == 0 && same.out == "same\tview\n", "\(same)")
    let other = try tiles.write(
      "other.json", Self.style().replacingOccurrences(of: "#0000ff", with: "#00ff00"))
    let changed = try await Tool.run("diff", style, other)
    #expect(
      changed.code != 0 && changed.out.contains("areas/all") && changed.out.contains("fill-color"),
      "\(changed)")
  }

  @Test("A snapshot case of a style records the owners of pixels when it asks for ids")
  func snapshot() async throws {
    let (tiles, style) = try Self.quarter()
    let folder = tiles.folder
    try FileManager.default.createDirectory(at: folder.url("cases/one"), withIntermediateDirectories: true)
    try tiles.write(
      "cases/one/case.json",
      """
      {"document": "../../style.json", "size": [256, 256], "zoom": 0, "hide": "style#ground", "idsOf": "style",
       "tiles": "own=../../tiles"}
      """)
    let recorded = try await Tool.run("snapshot", "record", folder.path("cases"), "one", folder: folder.root)
    #expect(recorded.code == 0, "\(recorded)")
    let verified = try await Tool.run("snapshot", "verify", folder.path("cases"), folder: folder.root)
    #expect(verified.code == 0, "\(verified)")
    let owners = try Bitmap(file: folder.path("cases/one/reference-owners.png"))
    #expect(owners.color(60, 60) != "0,0,0" && owners.color(200, 200) == "0,0,0")
    let svg = try await Tool.run(
      "render", style, "-o", folder.path("a.svg"), "--size", "256x256", "--svg-ids", "--ids-of", "style")
    #expect(svg.code == 0, "\(svg)")
    #expect(try String(contentsOf: folder.url("a.svg"), encoding: .utf8).contains("data-id=\"5\""))
  }

  @Test("A style is a basemap, and the bytes do not depend on the number of threads")
  func basemap() async throws {
    let folder = try ScratchFolder()
    var images: [Data] = []
    for threads in ["1", "2"] {
      let path = folder.path("\(threads).png")
      let run = try await Tool.run(
        "render", Tool.cityData, "--basemap", Self.helsinki, "--viewpoint", "60.168,24.945", "--zoom", "13.5",
        "--threads", threads, "-o", path)
      #expect(run.code == 0, "\(run)")
      images.append(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    #expect(images[0] == images[1])
    let alone = try await Tool.run("render", Self.helsinki, "-o", folder.path("a.svg"))
    #expect(alone.code == 0, "\(alone)")
    let svg = try String(contentsOf: folder.url("a.svg"), encoding: .utf8)
    #expect(svg.contains("data-name=\"helsinki.style#roads\""))
  }

  @Test("--zoom sets the scale of a question's view; features of a style are not counted")
  func zoom() async throws {
    let byZoom = try await Tool.run(
      "count", Tool.cityData, "--viewpoint", "50,10", "--zoom", "5", "--in-view")
    let byScale = try await Tool.run(
      "count", Tool.cityData, "--viewpoint", "50,10,9244648.868618", "--in-view")
    #expect(byZoom.code == 0 && byZoom.out == byScale.out && byZoom.out != "0\n", "\(byZoom) \(byScale)")
    let missing = try await Tool.run("count", Tool.cityData, "--viewpoint", "50,10", "--in-view")
    #expect(missing.code != 0 && missing.err.contains("has no scale"), "\(missing)")
    let refused = try await Tool.run("count", Self.helsinki)
    #expect(refused.code != 0 && refused.err.contains("ask the tiles themselves"), "\(refused)")
  }

  @Test("A view without tiles is reported")
  func warnings() async throws {
    let folder = try ScratchFolder()
    let far = try await Tool.run(
      "render", Self.helsinki, "-o", folder.path("a.png"), "--viewpoint", "0,0", "--zoom", "12")
    #expect(far.err.contains("source \"openmaptiles\" has no tiles in the view"), "\(far)")
  }
}
