import Foundation
import MapFeatures
import MapFilter
import MapGeometry
import MapModel
import MapReaders
import MapTestSupport
import MapTiles
import Testing

/// The features of archives of vector tiles as tables.
@Suite struct TileTablesTests {
  private static func archive(_ name: String) throws -> TileArchive {
    try TileArchive(try #require(Bundle.module.url(forResource: "Cases/\(name)", withExtension: nil)).path)
  }

  private static func helsinki() throws -> TileArchive {
    try TileArchive(
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../../Styles/tiles/helsinki.pmtiles"
      ).standardizedFileURL.path)
  }

  /// The numbers of features of GDAL 3.6, `ogrinfo -oo ZOOM_LEVEL=Z -oo CLIP=NO helsinki.mbtiles`; others are 0.
  private static let pieces: [Int: [String: Int]] = [
    12: [
      "place": 6, "boundary": 2, "poi": 138, "waterway": 2, "transportation": 41, "transportation_name": 30,
      "landuse": 98, "landcover": 7,
    ],
    13: [
      "place": 7, "boundary": 3, "poi": 138, "waterway": 2, "transportation": 53, "transportation_name": 31,
      "building": 122, "water": 2, "landuse": 115, "landcover": 22,
    ],
    14: [
      "place": 7, "boundary": 11, "poi": 1923, "housenumber": 1480, "waterway": 6, "transportation": 2882,
      "transportation_name": 2876, "building": 514, "water": 14, "water_name": 8, "landuse": 126,
      "landcover": 121,
    ],
  ]

  @Test("Tiles of a view that are larger than the limit are refused together, for any number of threads")
  func largeView() async throws {
    let archive = try Self.helsinki()
    let wanted = try archive.tiles(zoom: 14)
    func contents(
      _ viewBytes: Int, threads: Int, first: [TileIndex] = []
    ) async -> [TileIndex: Result<StyleTileContent?, TileError>] {
      let tiles = VectorTiles(
        place: "helsinki", zooms: 0...14, extent: nil, attribution: "", layers: ["building", "landuse"],
        viewBytes: viewBytes
      ) { tile throws(TileError) in try archive.bytes(at: tile) }
      _ = await tiles.contents(of: first, threads: 1)
      return await tiles.contents(of: wanted, threads: threads)
    }
    let whole = await contents(VectorTiles.largestView, threads: 2)
    let sizes = try wanted.map { try #require(try whole[$0]?.get()).byteCount }
    #expect(wanted.count == 4 && sizes.allSatisfy { $0 > 0 })
    let sum = sizes.reduce(0, +)
    for threads in [1, 2, 4] {
      let fitting = await contents(sum, threads: threads)
      #expect(fitting.values.allSatisfy { (try? $0.get()) != nil })
      // Also if some of the tiles are known from a view before.
      for first in [[], Array(wanted.prefix(2))] {
        let refused = await contents(sum - 1, threads: threads, first: first)
        #expect(refused.count == 4)
        #expect(
          refused.values.allSatisfy { result in
            if case .failure(let error) = result { error.description.contains("the limit") } else { false }
          })
      }
    }
  }

  @Test("The numbers of pieces by layer and zoom are those of GDAL", arguments: [12, 13, 14])
  func pieces(zoom: Int) throws {
    let archive = try Self.helsinki()
    let tables = try TileTables(archive, zoom: zoom)
    let expected = try #require(Self.pieces[zoom])
    #expect(tables.tables.count == 16)
    for table in tables.tables { #expect(table.counts.pieces == expected[table.name] ?? 0, "\(table.name)") }
    let counted = TilePieces(archive)
    #expect(counted.warnings.isEmpty)
    for layer in counted.layers {
      #expect(layer.counts[zoom] ?? 0 == expected[layer.name] ?? 0, "\(layer.name)")
    }
    #expect(counted.tileCounts?.values.reduce(0, +) == 19)
  }

  @Test(
    "The largest zoom is read by default, and formats give the same tables",
    arguments: ["vector.pmtiles", "vector.mbtiles", "vector"])
  func formats(name: String) throws {
    let archive = try Self.archive(name)
    #expect(try archive.tileCounts() == [0: 1, 1: 4, 2: 15])
    let tables = try TileTables(archive)
    #expect((tables.zoom, tables.tileCount, tables.tables.count) == (2, 15, 1))
    let columns = try #require(tables.tables.first?.columns)
    #expect(columns.rowCount == 15)
    #expect(columns.schema.fields.map(\.name) == ["zoom", "column", "row"])
    // From the top row to the bottom, and from left to right.
    #expect((0..<5).map { columns.columns[1].value(at: $0) } == [0, 1, 2, 3, 0].map { .integer($0) })
    #expect(columns.columns[2].value(at: 14) == .integer(3))
    let geometry = try #require(columns.geometry)
    #expect(geometry.x[0] == -WebMercator.halfWorld * 0.75 && geometry.y[0] == WebMercator.halfWorld * 0.75)
    #expect(columns.schema.spatialReference == .webMercator)
    #expect(throws: TileFileError.self) { try TileTables(archive, zoom: 3) }
  }

  @Test("Every number of a tile in PMTiles belongs to the tile from which it is made")
  func numbers() throws {
    let archive = try Self.archive("vector.pmtiles")
    for zoom in 0...2 {
      let tiles = try archive.tiles(zoom: zoom)
      #expect(try tiles.allSatisfy { try archive.bytes(at: $0) != nil })
      #expect(tiles.count == [1, 4, 15][zoom])
    }
  }

  // MARK: Limits

  private static func varint(_ number: UInt64) -> [UInt8] {
    number < 128 ? [UInt8(number)] : [UInt8(number & 127) | 128] + varint(number >> 7)
  }

  private static func data(_ field: UInt64, _ bytes: [UInt8]) -> [UInt8] {
    varint(field << 3 | 2) + varint(UInt64(bytes.count)) + bytes
  }

  /// A tile with a number of points in one layer.
  private static func tile(points: Int, layer: String = "tile") -> [UInt8] {
    let point = data(2, [0x18, 1] + data(4, [9] + varint(4096) + varint(4096)))
    return data(
      3, [0x78, 2] + data(1, Array(layer.utf8)) + Array(repeatElement(point, count: points).joined()))
  }

  /// Writes and opens an archive with a directory of runs: the first tile's number, the number of tiles and the zoom levels.
  private static func write(
    _ runs: [(id: UInt64, count: UInt64)], zooms: (UInt8, UInt8), tile: [UInt8], leaves: [UInt8] = []
  ) throws -> TileArchive {
    var (directory, last) = (varint(UInt64(runs.count)), UInt64(0))
    for run in runs {
      directory += varint(run.id - last)
      last = run.id
    }
    for run in runs { directory += varint(run.count) }
    for run in runs { directory += varint(UInt64(run.count == 0 ? leaves.count : tile.count)) }
    for _ in runs { directory += varint(1) }
    var (bytes, place) = (Array("PMTiles".utf8) + [3], 127)
    for part in [directory, [], leaves, tile] {
      for number in [place, part.count] {
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      }
      place += part.count
    }
    bytes += [UInt8](repeating: 0, count: 24) + [1, 1, 1, 1, zooms.0, zooms.1]
    bytes += [UInt8](repeating: 0, count: 127 - bytes.count) + directory + leaves + tile
    let path = NSTemporaryDirectory() + "/tiles-\(UInt64.random(in: 0 ... .max)).pmtiles"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    // The opened archive keeps the file.
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try TileArchive(path)
  }

  private static func first(_ zoom: UInt64) -> UInt64 { ((1 << (2 * zoom)) - 1) / 3 }

  @Test("An archive with a thousand million tiles of a level is described, and that level refused")
  func tileLimit() throws {
    let archive = try Self.write(
      [(0, 1), (Self.first(15), 1 << 30)], zooms: (0, 15), tile: Self.tile(points: 1))
    #expect(throws: TileFileError(archive.path, "has more than 1048576 tiles of zoom 15, the limit")) {
      try TileTables(archive)
    }
    #expect(try archive.tileCounts() == [0: 1, 15: 1 << 30])
    let pieces = TilePieces(archive)
    #expect(pieces.layers.first?.counts == [0: 1])
    #expect(pieces.warnings.count == 1 && pieces.warnings[0].hasPrefix("pieces of zoom 15 and larger"))
  }

  @Test("A small archive with a thousand million features is refused at the limit")
  func featureLimit() throws {
    let archive = try Self.write(
      [(Self.first(10), 1 << 20)], zooms: (10, 10), tile: Self.tile(points: 1000))
    #expect(try archive.tileCounts() == [10: 1 << 20])
    var limits = VectorTileLimits.ofLevel
    limits.features = 10_000
    #expect(throws: TileFileError.self) { try TileTables(archive, limits: limits) }
    (limits.features, limits.bytes) = (1 << 24, 100_000)
    #expect(throws: TileFileError.self) { try TileTables(archive, limits: limits) }
  }

  @Test("The limit on features is one for all layers of a level")
  func limitOfLayers() throws {
    let tile = (0..<4).flatMap { Self.tile(points: 3, layer: "\($0)") }
    let archive = try Self.write([(0, 1)], zooms: (0, 0), tile: tile)
    var limits = VectorTileLimits.ofLevel
    limits.features = 12
    #expect(try TileTables(archive, limits: limits).tables.map(\.counts.features) == [3, 3, 3, 3])
    limits.features = 11
    for skips in [false, true] {
      #expect(throws: TileFileError.self) { try TileTables(archive, skipsBadTiles: skips, limits: limits) }
    }
  }

  @Test("Tiles with more layers together than a tile may have are refused", arguments: [4096, 4097])
  func layerLimit(count: Int) throws {
    let names = (0..<count).map { "\($0)" }
    // Each of two tiles has half of the layers.
    let tiles = [names[..<2048], names[2048...]].map { $0.flatMap { Self.tile(points: 1, layer: $0) } }
    let folder = NSTemporaryDirectory() + "/tiles-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (column, tile) in tiles.enumerated() {
      let place = "\(folder)/1/\(column)"
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      try Data(tile).write(to: URL(fileURLWithPath: place + "/0.pbf"))
    }
    let archive = try TileArchive(folder)
    if count > 4096 {
      let error = #expect(throws: TileFileError.self) { try TileTables(archive) }
      #expect(error?.description.hasSuffix("has more than 4096 layers, the limit") == true)
      #expect(TilePieces(archive).warnings.count == 1)
    } else {
      #expect(try TileTables(archive).tables.count == 4096)
      #expect(TilePieces(archive).layers.count == 4096)
    }
  }

  @Test("The note on pieces has the number of each")
  func notes() {
    var counts = TileLayerJoin(name: "a", zoom: 0).counts
    (counts.pieces, counts.features) = (2, 2)
    #expect(counts.note == nil)
    (counts.pieces, counts.features, counts.outside, counts.cutWithoutID) = (3, 1, 1, 1)
    let cutLine =
      "3 pieces in tiles are 1 feature; 1 piece is only in the buffer around a tile; "
      + "1 piece without an id is cut at the side of a tile and meets no other there"
    #expect(counts.note == cutLine)
    counts.cutPolygonsWithoutID = 1
    #expect(
      counts.note == cutLine + "; outlines of polygons are drawn along that side")
    (counts.outside, counts.cutWithoutID) = (2, 2)
    #expect(
      counts.note?.contains("; 2 pieces are only in the buffer around a tile; 2 pieces without an id are cut")
        == true)
  }

  @Test("A directory that names itself or numbers outside its own is refused")
  func loops() throws {
    // A leaf with one entry, which is the leaf itself.
    let leaf = Self.varint(1) + Self.varint(5) + Self.varint(0) + Self.varint(5) + Self.varint(1)
    let archive = try Self.write(
      [(0, 1), (5, 0)], zooms: (0, 3), tile: Self.tile(points: 1), leaves: leaf)
    #expect(throws: TileError("has directories that are nested too deeply")) { try archive.tileCounts() }
    #expect(throws: TileFileError.self) { try TileTables(archive, zoom: 3) }
    let other = try Self.write(
      [(0, 1), (21, 0)], zooms: (0, 3), tile: Self.tile(points: 1), leaves: leaf)
    #expect(throws: TileError("has a damaged directory: its numbers overlap")) { try other.tileCounts() }
    let overlapping = try Self.write(
      [(0, 3), (2, 1)], zooms: (0, 3), tile: Self.tile(points: 1))
    #expect(throws: TileError("has a damaged directory: its numbers overlap")) {
      try overlapping.tileCounts()
    }
  }

  @Test("A damaged tile is refused with its position, or left out with a warning")
  func damage() throws {
    let archive = try Self.write([(0, 1)], zooms: (0, 0), tile: [0x1A, 9, 1])
    let error = #expect(throws: TileFileError.self) { try TileTables(archive) }
    #expect(error?.description.contains("tile 0/0/0 is damaged") == true)
    let tables = try TileTables(archive, skipsBadTiles: true)
    #expect(tables.tables.isEmpty)
  }
}
