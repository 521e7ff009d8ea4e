import Foundation
import MapGeometry
import MapImages
import MapModel
import MapTiles
import Testing

@Suite struct TileFileTests {
  private static func path(_ name: String) throws -> String {
    try #require(Bundle.module.url(forResource: "Cases/\(name)", withExtension: nil)).path
  }

  /// A file that is removed at the end of its life.
  private final class Scratch {
    let path: String
    init(_ bytes: [UInt8], _ ending: String) throws {
      path = NSTemporaryDirectory() + "/tiles-\(UInt64.random(in: 0 ... .max)).\(ending)"
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  /// - Source: `Scripts/compare/make_tiles.py FOLDER 2 2 64`, with the packages pmtiles and Pillow of PyPI.
  @Test("PMTiles and MBTiles that Python wrote have the same tiles")
  func formats() async throws {
    let first = try TileFile.open(try Self.path("sine.pmtiles"))
    let second = try TileFile.open(try Self.path("sine.mbtiles"))
    #expect(first.scheme.levels.map(\.zoom) == [0, 1, 2])
    #expect(first.scheme.tileSize == 64)
    #expect(first.attribution == "© Test")
    #expect(second.attribution == "© Test")
    let tiles = (0...2).flatMap { zoom in
      (0..<1 << zoom).flatMap { x in (0..<1 << zoom).map { TileIndex(zoom: zoom, column: x, row: $0) } }
    }
    #expect(tiles.count == 21)
    let (left, right) = (await first.images(at: tiles), await second.images(at: tiles))
    for tile in tiles {
      let image = try #require(try left[tile]?.get())
      #expect(image.bitmap == (try right[tile]?.get())?.bitmap)
    }
    // Red grows to the right of the first tile, and green downwards: rows count from the top.
    let corner = try #require(try left[TileIndex(zoom: 2, column: 0, row: 0)]?.get()).bitmap
    #expect(corner[20, 0].red > corner[0, 0].red)
    #expect(corner[0, 20].green > corner[0, 0].green)
  }

  @Test("A written archive gives its tiles back, and equal tiles are stored once")
  func writing() async throws {
    let source = try TileFile.open(try Self.path("sine.pmtiles"))
    let tiles = (0..<16).map { TileIndex(zoom: 2, column: $0 % 4, row: $0 / 4) }
    let images = await source.images(at: tiles)
    let all = try tiles.map { tile in
      (tile: tile, bytes: try #require(try images[tile]?.get()).bitmap.pngData())
    }
    let contents = Dictionary(uniqueKeysWithValues: all.map { ($0.tile, $0.bytes) })
    func written(_ tiles: [TileIndex]) throws -> Scratch {
      let file = try Scratch([], "pmtiles")
      try PMTilesWriter.write(
        tiles, metadata: Array("{}".utf8), zooms: 2...2, bounds: [-180, -85, 180, 85], to: file.path
      ) { try #require(contents[$0]) }
      return file
    }
    let (file, other) = (try written(tiles.reversed()), try written(tiles))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file.path))
    #expect(bytes == (try Data(contentsOf: URL(fileURLWithPath: other.path))))
    #expect(bytes.count < all.reduce(0) { $0 + $1.bytes.count } + 1000)
    let back = try TileFile.open(file.path)
    let again = await back.images(at: tiles)
    for tile in tiles {
      #expect(try again[tile]?.get()?.bitmap == images[tile]?.get()?.bitmap)
    }
  }

  @Test("Damaged archives are refused or lack tiles, and never trap")
  func damage() async throws {
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: Self.path("sine.pmtiles"))))
    var (opened, refused) = (0, 0)
    let tiles = [TileIndex(zoom: 0, column: 0, row: 0), TileIndex(zoom: 2, column: 3, row: 3)]
    func tryOpening(_ bytes: [UInt8]) async throws {
      let file = try Scratch(bytes, "pmtiles")
      do {
        _ = await (try TileFile.open(file.path)).images(at: tiles)
        opened += 1
      } catch { refused += 1 }
    }
    for length in [0, 7, 8, 126, 127, 130, 200, bytes.count / 2, bytes.count - 1] {
      try await tryOpening(Array(bytes.prefix(length)))
    }
    // Every byte of the header and the root directory, set to its extremes.
    for place in 0..<180 {
      for value: UInt8 in [0, 0x7F, 0xFF] {
        var changed = bytes
        changed[place] = value
        try await tryOpening(changed)
      }
    }
    #expect(opened + refused == 9 + 180 * 3)
    #expect(refused > 100)
  }

  @Test(
    "A template names the tile of each place",
    arguments: [
      ("a/{z}/{x}/{y}.png", "a/3/5/2.png"), ("a/{level}/{row}/{col}", "a/3/2/5"),
      ("{z}/{x}/{-y}.jpg", "3/5/5.jpg"),
    ])
  func templates(_ text: String, _ expected: String) throws {
    #expect(try TileTemplate(text).place(of: TileIndex(zoom: 3, column: 5, row: 2)) == expected)
  }

  @Test("A template without a place for the column is refused")
  func incompleteTemplate() {
    #expect(throws: TileFileError.self) { try TileTemplate("a/{z}/{y}.png") }
  }
}
