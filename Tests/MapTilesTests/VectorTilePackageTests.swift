import Foundation
import MapModel
import MapTestSupport
import MapTiles
import Testing

/// Vector tile packages: bundles, grids, indexes, and files that lie.
@Suite struct VectorTilePackageTests {
  private static func helsinki() throws -> TileArchive {
    let url = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("../../Styles/tiles/helsinki.pmtiles").standardizedFileURL
    return try TileArchive(url.path)
  }

  /// Returns all tiles of an archive with their bytes.
  private static func tiles(of archive: TileArchive) throws -> [(tile: TileIndex, bytes: [UInt8])] {
    try archive.zooms.flatMap { try archive.tiles(zoom: $0) }.map {
      ($0, try #require(try archive.bytes(at: $0)))
    }
  }

  private static func file(_ package: TestPackage, _ folder: ScratchFolder, _ name: String = "a.vtpk")
    throws -> String
  {
    try Data(package.archive).write(to: folder.url(name))
    return folder.path(name)
  }

  @Test("The tiles of a package, of its unpacked files, and of single files are those that were written")
  func sameTiles() throws {
    let original = try Self.helsinki()
    // A bundle cannot have a tile without bytes.
    let tiles = try Self.tiles(of: original).filter { !$0.bytes.isEmpty }
    #expect(tiles.count == 14)
    var package = TestPackage(name: "Helsinki")
    package.addBundles(tiles.map { ($0.tile.zoom, $0.tile.column, $0.tile.row, $0.bytes) })
    let folder = try ScratchFolder()
    var places = [try Self.file(package, folder)]
    try package.write(below: folder.path("bundles"))
    try package.write(below: folder.path("nested/p12"))
    var single = TestPackage(name: "Helsinki")
    for (tile, bytes) in tiles { single.files["tile/\(tile.zoom)/\(tile.row)/\(tile.column).pbf"] = bytes }
    try single.write(below: folder.path("single"))
    places.append(try Self.file(single, folder, "single.vtpk"))
    places += ["bundles", "nested", "single"].map { folder.path($0) }
    for place in places {
      let archive = try TileArchive(place)
      #expect(
        archive.zooms == 5...14 && archive.format == .vector && archive.takesAncestors, "\(place)")
      #expect(archive.metadata.attribution == "© Helsinki" && archive.metadata.name == "Helsinki")
      #expect(try archive.tileCounts() == original.tileCounts().filter { $0.key >= 5 }, "\(place)")
      for (tile, bytes) in tiles { #expect(try archive.bytes(at: tile) == bytes, "\(place) \(tile)") }
      #expect(try archive.bytes(at: TileIndex(zoom: 14, column: 1, row: 1)) == nil)
    }
    #expect(places.count == 5)
  }

  @Test("Tiles beyond the first bundle of a level are in the bundle of their row and column")
  func bundles() throws {
    let tiles = [(300, 10, 200), (300, 127, 128), (300, 1000, 0)].map { (level: 10, column: $0.1, row: $0.0) }
    var package = TestPackage()
    package.addBundles(
      tiles.map { ($0.level, $0.column, $0.row, [0x1A, 0x00] + [UInt8](repeating: 0, count: 0)) })
    #expect(package.files.keys.filter { $0.hasPrefix("tile/L10/R0100C") }.count == 2)
    let folder = try ScratchFolder()
    let archive = try TileArchive(Self.file(package, folder))
    defer { withExtendedLifetime(folder) {} }
    #expect(try archive.tiles(zoom: 10).count == 3)
    #expect(try archive.bytes(at: TileIndex(zoom: 10, column: 1000, row: 300)) == [0x1A, 0x00])
  }

  @Test("Levels with other numbers than the zooms are found by their resolutions")
  func levels() throws {
    var package = TestPackage(levels: 0..<4, firstZoom: 10)
    package.addBundles([(0, 5, 6, [0x1A, 0]), (3, 40, 50, [0x1A, 0])])
    let folder = try ScratchFolder()
    let archive = try TileArchive(Self.file(package, folder))
    defer { withExtendedLifetime(folder) {} }
    #expect(archive.zooms == 10...13)
    #expect(try archive.tiles(zoom: 13) == [TileIndex(zoom: 13, column: 40, row: 50)])
    #expect(try archive.bytes(at: TileIndex(zoom: 10, column: 5, row: 6)) == [0x1A, 0])
    #expect(try archive.bytes(at: TileIndex(zoom: 0, column: 5, row: 6)) == nil)
  }

  @Test(
    "A grid that is not Web Mercator's is refused with its reason",
    arguments: [
      (#""spatialReference": {"wkid": 25832}"#, "spatial reference 25832, which is not drawn"),
      (#""origin": {"x": 0, "y": 0}"#, "do not begin at the corner of the world"),
      (#""lods": [{"level": 0, "resolution": 100}]"#, "level 0 has no whole number of tiles"),
      (#""lods": []"#, "no square tiles with levels"),
      (#""cols": 256"#, "no square tiles with levels"),
      (#""lods": [{"resolution": 78271.5}]"#, "a level without a number"),
    ])
  func grids(member: String, reason: String) throws {
    var package = TestPackage()
    let key = String(member.prefix { $0 != ":" })
    let plain = [
      #""rows": 512"#, #""cols": 512"#, #""lods": [{"level": 0, "resolution": 78271.516963999937}]"#,
    ].filter { !$0.hasPrefix(key) }
    package.set("root.json", "{\"tileInfo\": {\((plain + [member]).joined(separator: ", "))}}")
    package.addBundles([(0, 0, 0, [0x1A, 0])])
    let folder = try ScratchFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = try Self.file(package, folder)
    #expect { try TileArchive(path) } throws: { "\($0)".contains(reason) }
  }

  @Test("An index of tiles with 0 gives a tile without layers, and with 1 and 2 none")
  func presence() throws {
    var package = TestPackage()
    package.addBundles([(0, 0, 0, [0x1A, 0])])
    package.set("tilemap/root.json", #"{"index": [0, 1, 2, [1, 0, 1, 1]]}"#)
    let folder = try ScratchFolder()
    let archive = try TileArchive(Self.file(package, folder))
    defer { withExtendedLifetime(folder) {} }
    func bytes(_ zoom: Int, _ column: Int, _ row: Int) throws -> [UInt8]? {
      try archive.bytes(at: TileIndex(zoom: zoom, column: column, row: row))
    }
    #expect(try bytes(1, 0, 0) == [] && bytes(5, 3, 3) == [])
    #expect(try bytes(1, 1, 0) == nil && bytes(1, 0, 1) == nil && bytes(3, 0, 4) == nil)
    #expect(try bytes(2, 3, 2) == [] && bytes(2, 2, 2) == nil && bytes(2, 2, 3) == nil)
    // What is there counts more than the index.
    #expect(try bytes(0, 0, 0) == [0x1A, 0])
  }

  @Test("Members of a style are found at relative and absolute addresses, and none outside")
  func resources() throws {
    var package = TestPackage()
    package.set("resources/styles/root.json", #"{"version": 8, "sources": {}, "layers": []}"#)
    package.set("resources/sprites/sprite.json", "{}")
    package.set("resources/fonts/Arial Regular/0-255.pbf", "glyphs")
    let folder = try ScratchFolder()
    let read = try VectorTilePackage(Self.file(package, folder))
    #expect(read.styleName == "p12/resources/styles/root.json" && read.hasGlyphs)
    for address in [
      "../sprites/sprite.json", "https://a.example/x/VectorTileServer/resources/sprites/sprite.json?token=1",
      "https://a.example/sprites/sprite.json",
    ] {
      #expect(try read.resource(at: address, limit: 100) == Array("{}".utf8), "\(address)")
    }
    for address in ["../fonts/Arial Regular/0-255.pbf", "https://a.example/fonts/Arial%20Regular/0-255.pbf"] {
      #expect(try read.resource(at: address, limit: 100) == Array("glyphs".utf8), "\(address)")
    }
    for address in ["../../../../a.vtpk", "/etc/passwd", "../sprites/other.json", ""] {
      #expect(try read.resource(at: address, limit: 100) == nil, "\(address)")
    }
    #expect { try read.resource(at: "../sprites/sprite.json", limit: 1) } throws: {
      "\($0)".contains("is larger than 1 bytes")
    }
  }

  @Test("Bundles that lie about offsets and sizes are reported for their tile")
  func hostileBundles() throws {
    let bundle = TestPackage.bundle([(0, 0, [0x1A, 0])])
    func changed(_ record: UInt64) -> [UInt8] {
      var bytes = bundle
      bytes.replaceSubrange(64..<72, with: (0..<8).map { UInt8(truncatingIfNeeded: record >> (8 * $0)) })
      return bytes
    }
    let cases: [(bytes: [UInt8], reason: String)] = [
      (changed(2 << 40 | 1 << 39), "lies outside its bundle"), (changed(.max), "lies outside its bundle"),
      (changed(5 << 40 | 3), "lies outside its bundle"),
      (Array(bundle.prefix(1000)), "ends within its index"),
      ([], "ends within its index"),
    ]
    let folder = try ScratchFolder()
    for (number, hostile) in cases.enumerated() {
      var package = TestPackage()
      package.files["tile/L00/R0000C0000.bundle"] = hostile.bytes
      let archive = try TileArchive(Self.file(package, folder, "\(number).vtpk"))
      #expect { try archive.bytes(at: TileIndex(zoom: 0, column: 0, row: 0)) } throws: {
        "\($0)".contains(hostile.reason)
      }
    }
    #expect(cases.count == 5)
  }

  @Test("A file named .vtpk that is no archive, or has no tiles, is an error")
  func damaged() throws {
    let folder = try ScratchFolder()
    let path = folder.path("a.vtpk")
    try Data(TestPackage().archive).write(to: URL(fileURLWithPath: path))
    #expect { try TileArchive(path) } throws: { "\($0)".contains("has no tiles") }
    try Data(TestPackage().archive.prefix(90)).write(to: URL(fileURLWithPath: path))
    #expect { try TileArchive(path) } throws: { "\($0)".contains("is not a complete zip archive") }
    var deep = TestPackage()
    deep.set("tilemap/root.json", "{\"index\": " + String(repeating: "[", count: 100_000))
    deep.addBundles([(0, 0, 0, [0x1A, 0])])
    try Data(deep.archive).write(to: URL(fileURLWithPath: path))
    #expect { try TileArchive(path) } throws: { "\($0)".contains("tilemap/root.json") }
  }
}
