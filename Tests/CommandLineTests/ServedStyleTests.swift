import Foundation
import MapImages
import MapJSON
import MapTestSupport
import Testing

/// Styles, and the tiles, images and glyphs that they name, on a server of this machine.
@Suite("Styles on servers")
struct ServedStyleTests {
  /// A folder on a server, with a cache of its own.
  private struct Site {
    let tiles: StyleTiles
    let server: TestServer

    init() throws {
      tiles = try StyleTiles()
      let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "style_server.py")
      server = try TestServer(program, [tiles.folder.root.path])
    }

    /// The requests since the last look: their paths, the bytes of their bodies, and the most at once.
    func log() async throws -> (paths: [String], sent: Int, most: Int) {
      let run = try await Tool.run(
        [
          "python3", "-c",
          "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode())",
          server.address + "/log",
        ], program: URL(fileURLWithPath: "/usr/bin/env"))
      let json = try JSONValue(parsing: Array(run.out.utf8))
      return (
        (json["paths"]?.array ?? []).compactMap(\.string), json["sent"]?.integer ?? -1,
        json["most"]?.integer ?? -1
      )
    }

    /// Runs the tool with the cache of the site.
    func run(_ arguments: String...) async throws -> Tool.Run {
      try await Tool.run(
        arguments, environment: ["XDG_CACHE_HOME": tiles.folder.path("cache"), "MAPSTATE_SERVICES": ""])
    }

    /// Draws a map, and returns its PNG.
    func picture(_ arguments: String...) async throws -> (run: Tool.Run, png: Data?) {
      let path = tiles.folder.path("picture-\(UInt64.random(in: 0 ... .max)).png")
      let run = try await Tool.run(
        ["render"] + arguments + ["-o", path, "--size", "300x200"],
        environment: ["XDG_CACHE_HOME": tiles.folder.path("cache"), "MAPSTATE_SERVICES": ""])
      return (run, try? Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Copies the archive of Helsinki and writes its style, with the source at another address.
    func addHelsinki(source: String = #"{"type": "vector", "url": "pmtiles://helsinki.pmtiles"}"#) throws {
      let archive = tiles.folder.url("helsinki.pmtiles")
      if !FileManager.default.fileExists(atPath: archive.path) {
        try FileManager.default.copyItem(atPath: Tool.style("tiles/helsinki.pmtiles"), toPath: archive.path)
      }
      let text = try String(contentsOfFile: Tool.style("tiles/helsinki.style.json"), encoding: .utf8)
      guard var style = try JSONValue(parsing: Array(text.utf8)).object else { return }
      style["sources"] = ["openmaptiles": try JSONValue(parsing: Array(source.utf8))]
      try tiles.write("style.json", JSONValue.object(style).text(style: .compact))
    }
  }

  private static func style(_ source: String, more: String = "", layers: String = "") -> String {
    """
    {"version": 8, "center": [0, 0], "zoom": 1, \(more) "sources": {"own": {\(source)}}, "layers": [
      {"id": "ground", "type": "background", "paint": {"background-color": "#ffffff"}},
      {"id": "areas", "type": "fill", "source": "own", "source-layer": "areas",
       "paint": {"fill-color": "#ff0000"}}\(layers)]}
    """
  }

  @Test(
    "A style on a server gives the image of the same files, by few requests that ask for parts of the archive"
  )
  func archive() async throws {
    let site = try Site()
    try site.addHelsinki()
    let local = try await site.picture(site.tiles.folder.path("style.json"))
    let address = site.server.address + "/plain/style.json"
    let first = try await site.picture(address, "--online")
    #expect(first.run.code == 0 && first.png != nil && first.png == local.png, "\(first.run)")
    let log = try await site.log()
    // The style, the header with the root directory, the metadata if they are farther, and the tiles together.
    #expect(log.paths.first == "/plain/style.json")
    #expect((3...4).contains(log.paths.count), "\(log.paths)")
    #expect(log.paths.dropFirst().allSatisfy { $0.hasPrefix("/plain/helsinki.pmtiles bytes=") })
    let size = try Data(contentsOf: site.tiles.folder.url("helsinki.pmtiles")).count
    #expect(log.sent < size, "\(log.sent) of \(size)")
    let (inspected, file) = (
      try await site.run("inspect", address, "--online"),
      try await site.run("inspect", site.tiles.folder.path("style.json"))
    )
    #expect(inspected.code == 0 && inspected.out.contains("openmaptiles"), "\(inspected)")
    #expect(inspected.out.split(separator: "\n").dropFirst() == file.out.split(separator: "\n").dropFirst())
    _ = try await site.log()
    // From the cache, also without a network.
    let again = try await site.picture(address, "--online")
    #expect(again.png == local.png)
    #expect(try await site.log().paths == [])
    site.server.stop()
    let offline = try await site.picture(address, "--offline")
    #expect(offline.run.code == 0 && offline.png == local.png, "\(offline.run)")
  }

  @Test("Nothing is fetched without --online, and each thing that is missing is named once")
  func permission() async throws {
    let site = try Site()
    let address = site.server.address
    try site.addHelsinki(
      source: #"{"type": "vector", "url": "pmtiles://\#(address)/plain/helsinki.pmtiles"}"#)
    let style = site.tiles.folder.path("style.json")
    let closed = try await site.picture(style)
    #expect(closed.run.code == 0, "\(closed.run)")
    let lines = closed.run.err.split(separator: "\n").filter { $0.contains("fetched only with --online") }
    #expect(lines.count == 1 && lines[0].contains("--tiles openmaptiles=FILE"), "\(closed.run)")
    // A document may not name an address of this machine.
    let refused = try await site.picture(style, "--online")
    #expect(refused.run.err.contains("allow it with --allow-private"), "\(refused.run)")
    let named = try await site.run("render", address + "/plain/styles/dark", "-o", "a.png")
    #expect(named.code != 0 && named.err.contains("fetched only with --online"), "\(named)")
    #expect(try await site.log().paths == [])
    let open = try await site.picture(style, "--online", "--allow-private")
    #expect(open.run.code == 0 && open.png != closed.png, "\(open.run)")
    let local = try await site.picture(style, "--tiles", site.tiles.folder.path("helsinki.pmtiles"))
    #expect(open.png == local.png)
  }

  /// A fault of a server, a part of the message, and the most bytes that may be read of it.
  private static let faults: [(mode: String, reason: String, bytes: Int)] = [
    ("whole", "answers a request for a part with the whole file, which is not downloaded", 16 << 20),
    ("wrong", "was asked for bytes 0-16383 and answered with bytes 1-16384", 1 << 17),
    ("unstated", "answered 206 without a valid field Content-Range", 1 << 17),
    ("less", "announced 16384 bytes and sent 16374", 1 << 17),
    ("html", "answers a request for a part with the whole file", 1 << 17),
    ("bomb", "larger than 65536 bytes", 1 << 21),
    ("endless", "larger than 65536 bytes", 1 << 17),
    ("moved", "refused", 1 << 17),
    ("restless", "changed", 1 << 19),
  ]

  @Test(
    "An archive on a server with a fault is not drawn, for a reason, once, and with few bytes",
    arguments: faults)
  func fault(_ fault: (mode: String, reason: String, bytes: Int)) async throws {
    let site = try Site()
    try site.addHelsinki(
      source:
        #"{"type": "vector", "url": "pmtiles://\#(site.server.address)/\#(fault.mode)/helsinki.pmtiles"}"#)
    let drawn = try await site.picture(site.server.address + "/plain/style.json", "--online")
    #expect(drawn.run.code == 0 && drawn.png != nil, "\(drawn.run)")
    let lines = drawn.run.err.split(separator: "\n").filter { $0.contains(fault.reason) }
    #expect(lines.count == 1, "\(drawn.run)")
    let log = try await site.log()
    #expect(log.sent < fault.bytes && log.paths.count < 8, "\(log)")
  }

  @Test("A file that changes between two requests is opened again, and one without a tag is read")
  func change() async throws {
    let site = try Site()
    try site.addHelsinki()
    let local = try await site.picture(site.tiles.folder.path("style.json"))
    for mode in ["changing", "unnamed", "here"] {
      try site.addHelsinki(
        source: #"{"type": "vector", "url": "pmtiles://\#(site.server.address)/\#(mode)/helsinki.pmtiles"}"#)
      let drawn = try await site.picture(site.server.address + "/plain/style.json", "--online")
      #expect(drawn.run.code == 0 && drawn.png == local.png, "\(mode): \(drawn.run)")
      let log = try await site.log()
      #expect(log.paths.count <= (mode == "unnamed" ? 4 : 8), "\(mode): \(log.paths)")
    }
  }

  @Test(
    "Templates, TileJSON and Esri services give the same image, with bounds, levels and rows from the south")
  func descriptions() async throws {
    let site = try Site()
    let server = site.server.address + "/plain"
    let square = [StyleTiles.square(0, 2048, id: 5)]
    for tile in ["0/0/0", "1/0/0", "1/1/0", "1/0/1", "1/1/1"] {
      try site.tiles.write(tile: tile, layer: "areas", square)
      // The same with rows from the south, and with the row before the column.
      let parts = tile.split(separator: "/").compactMap { Int($0) }
      try site.tiles.write(
        tile: "../tms/\(parts[0])/\(parts[1])/\((1 << parts[0]) - 1 - parts[2])", layer: "areas", square)
      try site.tiles.write(
        tile: "../Streets/VectorTileServer/tile/\(parts[0])/\(parts[2])/\(parts[1])", layer: "areas", square)
    }
    func write(_ name: String, _ text: String) throws {
      let url = site.tiles.folder.url(name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    try write(
      "own.json",
      #"{"tilejson": "3.0.0", "tiles": ["tiles/{z}/{x}/{y}.pbf"], "maxzoom": 1}"#)
    let half = 20037508.342787
    let lods = (0...1).map {
      #"{"level": \#($0), "resolution": \#(2 * half / 512 / Double(1 << $0)), "scale": \#(295828763.8 / Double(1 << $0))}"#
    }.joined(separator: ",")
    try write(
      "Streets/VectorTileServer/index.json",
      """
      {"name": "Streets", "tiles": ["tile/{z}/{y}/{x}.pbf"], "tileInfo": {
       "rows": 512, "cols": 512, "origin": {"x": \(-half), "y": \(half)}, "lods": [\(lods)],
       "spatialReference": {"wkid": 102100, "latestWkid": 3857}}}
      """)
    try write(
      "style.json", Self.style(#""type": "vector", "tiles": ["tiles/{z}/{x}/{y}.pbf"], "maxzoom": 1"#))
    let local = try await site.picture(site.tiles.folder.path("style.json"))
    let sources = [
      ("template", #""type": "vector", "tiles": ["tiles/{z}/{x}/{y}.pbf"], "maxzoom": 1"#),
      ("absolute", #""type": "vector", "tiles": ["\#(server)/tiles/{z}/{x}/{y}.pbf"], "maxzoom": 1"#),
      ("tms", #""type": "vector", "tiles": ["tms/{z}/{x}/{y}.pbf"], "scheme": "tms", "maxzoom": 1"#),
      ("tilejson", #""type": "vector", "url": "own.json""#),
      ("esri", #""type": "vector", "url": "Streets/VectorTileServer""#),
    ]
    for (name, source) in sources {
      try write("style.json", Self.style(source))
      _ = try await site.log()
      let drawn = try await site.picture(server + "/style.json?of=\(name)", "--online")
      #expect(drawn.run.code == 0 && drawn.png == local.png, "\(name): \(drawn.run)")
      let log = try await site.log()
      let isDescribed = ["tilejson", "esri"].contains(name)
      #expect(log.paths.count <= (isDescribed ? 6 : 5) && log.most <= 4, "\(name): \(log.paths)")
    }
    // The style of the service itself.
    try write(
      "Streets/VectorTileServer/resources/styles/root.json", Self.style(#""type": "vector", "url": "../../""#)
    )
    let root = try await site.picture(server + "/Streets/VectorTileServer", "--online")
    #expect(root.run.code == 0 && root.png == local.png, "\(root.run)")
    // As a basemap.
    let basemap = try await site.picture(
      Tool.cities, "--basemap", server + "/Streets/VectorTileServer", "--online", "--viewpoint", "0,0",
      "--zoom", "1")
    #expect(basemap.run.code == 0 && !basemap.run.err.contains("not drawn"), "\(basemap.run)")
    // Bounds leave out the tiles in the east.
    try write(
      "style.json",
      Self.style(
        #""type": "vector", "tiles": ["tiles/{z}/{x}/{y}.pbf"], "maxzoom": 1, "bounds": [-180, -85, 0, 85]"#))
    _ = try await site.log()
    let west = try await site.picture(server + "/style.json?of=bounds", "--online")
    #expect(west.run.code == 0 && west.png != local.png, "\(west.run)")
    #expect(try await site.log().paths.allSatisfy { !$0.contains("/tiles/1/1/") })
  }

  @Test("A missing tile of an Esri service has the part of the nearest tile above it")
  func ancestors() async throws {
    let site = try Site()
    func write(_ name: String, _ text: String) throws {
      let url = site.tiles.folder.url(name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    let half = 20037508.342787
    let lods = (0...6).map {
      #"{"level": \#($0), "resolution": \#(2 * half / 512 / Double(1 << $0)), "scale": \#(295828763.8 / Double(1 << $0))}"#
    }.joined(separator: ",")
    try write(
      "A/VectorTileServer/index.json",
      """
      {"tiles": ["tile/{z}/{y}/{x}.pbf"], "tileInfo": {"rows": 512, "cols": 512, "origin": {"x": \(-half), "y": \(half)},
       "lods": [\(lods)], "spatialReference": {"wkid": 102100}}}
      """)
    // The north-western quarter of the world, in one tile of level 1, with a square hole of its own to its side.
    try site.tiles.write(
      tile: "../A/VectorTileServer/tile/1/0/0", layer: "areas", [StyleTiles.square(3072, 4096, id: 1)])
    try write("style.json", Self.style(#""type": "vector", "url": "A/VectorTileServer""#))
    let server = site.server.address + "/plain"
    let drawn = try await site.picture(
      server + "/style.json", "--online", "--viewpoint", "2,-2", "--zoom", "4")
    #expect(drawn.run.code == 0, "\(drawn.run)")
    let picture = try Bitmap(pngData: Array(try #require(drawn.png)))
    // At zoom 4, a degree has 22.8 pixels: Greenwich is 46 pixels to the east of the centre, and the equator to the south.
    let (inside, east, south) = (picture[190, 100], picture[200, 100], picture[150, 150])
    #expect(inside.red == 255 && inside.green == 0, "\(inside)")
    #expect(east.green == 255 && south.green == 255, "\(east) \(south)")
    let before = try await site.log().paths.filter { $0.contains("/tile/") }
    #expect(before.contains("/plain/A/VectorTileServer/tile/1/0/0.pbf") && before.count > 4, "\(before)")
    // With the index of the service, only the tile that exists is asked for.
    try write(
      "A/VectorTileServer/index.json",
      try String(contentsOf: site.tiles.folder.url("A/VectorTileServer/index.json"), encoding: .utf8)
        .replacingOccurrences(of: "{\"tiles\"", with: "{\"tileMap\": \"tilemap\", \"tiles\""))
    try write("A/VectorTileServer/tilemap/index.json", #"{"index": [1, 0, 0, 0]}"#)
    try FileManager.default.removeItem(at: site.tiles.folder.url("cache"))
    let indexed = try await site.picture(
      server + "/style.json", "--online", "--viewpoint", "2,-2", "--zoom", "4")
    #expect(indexed.run.code == 0 && indexed.png == drawn.png, "\(indexed.run)")
    let asked = try await site.log().paths.filter { $0.contains("/tile/") }
    #expect(asked == ["/plain/A/VectorTileServer/tile/1/0/0.pbf"])
  }

  @Test("Sprites and glyph files of a server are used, and those that it does not have are named once")
  func resources() async throws {
    let site = try Site()
    try site.tiles.write(tile: "0/0/0", layer: "areas", [StyleTiles.square(0, 2048, id: 5)])
    let symbols = """
      , {"id": "names", "type": "symbol", "source": "own", "source-layer": "areas",
       "layout": {"text-field": "Ab", "text-font": ["Nowhere Bold"], "icon-image": "star"}}
      """
    try site.tiles.write(
      "style.json",
      Self.style(
        #""type": "vector", "tiles": ["tiles/{z}/{x}/{y}.pbf"], "maxzoom": 0"#,
        more: #""sprite": "images/sprite", "glyphs": "fonts/{fontstack}/{range}.pbf","#, layers: symbols))
    let drawn = try await site.picture(
      site.server.address + "/plain/style.json", "--online", "--pixel-ratio", "2")
    #expect(drawn.run.code == 0, "\(drawn.run)")
    let log = try await site.log()
    let wanted = ["images/sprite@2x.json", "images/sprite.json", "fonts/Nowhere%20Bold/0-255.pbf"]
    for path in wanted {
      #expect(log.paths.filter { $0 == "/plain/\(path)" }.count == 1, "\(path): \(log.paths)")
    }
    let lines = drawn.run.err.split(separator: "\n")
    #expect(lines.filter { $0.contains("there are no images") }.count == 1, "\(drawn.run)")
    #expect(lines.filter { $0.contains("no font 'Nowhere Bold'") }.count == 1, "\(drawn.run)")
  }

  @Test("A key in the address of a style is sent to its own host in the place {key}, and is in no message")
  func key() async throws {
    let site = try Site()
    try site.tiles.write(tile: "0/0/0", layer: "areas", [StyleTiles.square(0, 2048, id: 5)])
    let source = #""type": "vector", "tiles": ["tiles/{z}/{x}/{y}.pbf?key={key}"], "maxzoom": 0"#
    try site.tiles.write("style.json", Self.style(source))
    let address = site.server.address + "/keyed/style.json"
    let open = try await site.picture(address + "?key=secret-0123456789", "--online")
    #expect(open.run.code == 0 && !open.run.err.contains("warning"), "\(open.run)")
    #expect(!open.run.err.contains("secret-0123456789") && !open.run.out.contains("secret-0123456789"))
    let log = try await site.log()
    #expect(log.paths.contains("/keyed/tiles/0/0/0.pbf?key=secret-0123456789"), "\(log.paths)")
    // Without a key, the tiles are not asked for.
    let closed = try await site.picture(site.server.address + "/plain/style.json", "--online")
    #expect(closed.run.err.contains("has the place {key}, and no key is given"), "\(closed.run)")
    #expect(try await site.log().paths == ["/plain/style.json"])
  }
}
