import Foundation
import MapGeometry
import MapModel
import MapReaders
import MapTiles
import Testing

/// Archives of vector tiles by their bytes.
@Suite struct TileArchiveTests {
  private static func archive(_ name: String) throws -> TileArchive {
    try TileArchive(try #require(Bundle.module.url(forResource: "Cases/\(name)", withExtension: nil)).path)
  }

  private static let tiles = (0...2).flatMap { zoom in
    (0..<1 << zoom).flatMap { x in (0..<1 << zoom).map { TileIndex(zoom: zoom, column: x, row: $0) } }
  }

  /// - Source: `Servers/make_vector_archives.py`.
  @Test(
    "PMTiles, MBTiles and folders of vector tiles have the same tiles and descriptions",
    arguments: ["vector.pmtiles", "vector.mbtiles", "vector"])
  func formats(name: String) throws {
    let archive = try Self.archive(name)
    #expect(archive.format == .vector)
    #expect(archive.zooms == 0...2)
    #expect(archive.metadata.name == "Vector")
    #expect(archive.metadata.attribution == "© Test")
    let extent = try #require(archive.metadata.extent)
    #expect(extent.xMin == -WebMercator.halfWorld && extent.yMax < WebMercator.halfWorld)
    let layer = try #require(archive.metadata.vectorLayers.first)
    #expect(
      (layer.name, layer.text, layer.minimumZoom, layer.maximumZoom) == ("tile", "One point a tile", 0, 2))
    #expect(layer.fieldNames == ["zoom", "column", "row"])
    var read = 0
    for tile in Self.tiles {
      guard let bytes = try archive.bytes(at: tile) else { continue }
      #expect(bytes.first == 0x1A)
      let layer = try #require(try VectorTile(bytes).layer(named: "tile"))
      let values = layer.fields.indices.map { layer.value(ofField: $0, inRow: 0) }
      let expected = [tile.zoom, tile.column, tile.row].map { VectorTileValue.unsigned(UInt64($0)) }
      #expect(values == expected, "\(tile)")
      read += 1
    }
    #expect(read == 20)
    #expect(try archive.bytes(at: TileIndex(zoom: 2, column: 3, row: 3)) == nil)
    #expect(try archive.bytes(at: TileIndex(zoom: 9, column: 3, row: 3)) == nil)
  }

  @Test(
    "A template may have several numbers in one name",
    arguments: ["{z}-{x}-{y}.mvt", "{z}/{x}_{y}.mvt", "t{z}/{y}/{x}-{z}.mvt"])
  func namesWithNumbers(text: String) throws {
    let source = try Self.archive("vector.pmtiles")
    let folder = NSTemporaryDirectory() + "/names-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let template = try TileTemplate("\(folder)/\(text)")
    for tile in try (0...2).flatMap({ try source.tiles(zoom: $0) }) {
      let url = URL(fileURLWithPath: template.place(of: tile))
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(try #require(try source.bytes(at: tile))).write(to: url)
    }
    // Names that do not fit the template are no tiles.
    for name in ["2-1.mvt", "2--1-1.mvt", "2-1-1-1.mvt", "2-x-1.mvt", "2-1-1.mvt.bak"] {
      try Data().write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    let archive = try TileArchive(template.text)
    #expect(archive.zooms == 0...2)
    for zoom in 0...2 { #expect(try archive.tiles(zoom: zoom) == source.tiles(zoom: zoom)) }
    let tile = TileIndex(zoom: 2, column: 1, row: 2)
    #expect(try archive.bytes(at: tile) == source.bytes(at: tile))
  }

  @Test("Archives of images keep their bytes, and are no vector tiles")
  func images() throws {
    for name in ["sine.pmtiles", "sine.mbtiles"] {
      let archive = try Self.archive(name)
      #expect(archive.format == .image)
      #expect(archive.metadata.vectorLayers.isEmpty)
      let bytes = try #require(try archive.bytes(at: TileIndex(zoom: 0, column: 0, row: 0)))
      #expect(TileDecoder.isImage(bytes))
      #expect(throws: VectorTileError("is a PNG image, not a vector tile")) { try VectorTile(bytes) }
    }
  }

  @Test(
    "Archives of vector tiles are not opened as images",
    arguments: ["vector.pmtiles", "vector.mbtiles", "vector"])
  func vectorTilesAsImages(name: String) throws {
    let path = try Self.archive(name).path
    #expect(
      throws: TileFileError(
        path, "has vector tiles, which need a style; give a MapLibre style that names them")
    ) {
      try TileFile.open(path)
    }
    #expect(TileFile.isTiles(path))
  }
}
