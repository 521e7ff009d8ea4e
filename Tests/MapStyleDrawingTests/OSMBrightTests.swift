import Foundation
import MapDrawing
import MapGeometry
import MapImages
import MapJSON
import MapModel
import MapReaders
import MapStyleDrawing
import MapStyles
import MapTiles
import Testing

/// OSM Bright over the tiles of Helsinki in the folder Styles.
@Suite struct OSMBrightTests {
  private static let width = 800
  private static let height = 600

  /// Returns a file of this repository.
  private static func url(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("../../\(name)").standardizedFileURL
  }

  /// Returns the tiles of a view of central Helsinki.
  private static func tiles(zoom: Double) throws -> [StyledTile] {
    let archive = try TileArchive(url("Styles/tiles/helsinki.pmtiles").path)
    let level = min(Int(zoom), archive.zooms.upperBound)
    let side = 512 * exp2(zoom - Double(level))
    let count = exp2(Double(level))
    let (east, north) = (24.945 / 360, log(tan(.pi / 4 + 60.1675 * .pi / 360)) / (2 * .pi))
    let (x, y) = ((0.5 + east) * count * side, (0.5 - north) * count * side)
    let (left, top) = (x - Double(width) / 2, y - Double(height) / 2)
    var tiles: [StyledTile] = []
    for row in Int(top / side)...Int((top + Double(height)) / side) {
      for column in Int(left / side)...Int((left + Double(width)) / side) {
        let index = TileIndex(zoom: level, column: column, row: row)
        guard let bytes = try archive.bytes(at: index) else { continue }
        tiles.append(
          tile(
            index, try VectorTile(bytes), x: Double(column) * side - left, y: Double(row) * side - top, side))
      }
    }
    return tiles
  }

  private static func tile(
    _ index: TileIndex, _ tile: VectorTile, x: Double, y: Double, _ side: Double
  ) -> StyledTile {
    let layers = tile.layers.map { layer in
      let scale = side / Double(layer.extent)
      let pixels = layer.geometries.map { buffer in
        var buffer = buffer
        buffer.moveVertices { columns, rows in
          for vertex in columns.indices {
            columns[vertex] = x + columns[vertex] * scale
            rows[vertex] = y + rows[vertex] * scale
          }
        }
        return buffer
      }
      return (
        layer.name,
        StyledTileLayer(
          features: StyleFeatures(layer, in: index), geometries: layer.geometries,
          extent: Double(layer.extent),
          pixels: pixels, ids: (0..<layer.rowCount).map { Int32($0) })
      )
    }
    let region = PixelRegion(
      ring: [x, x + side, x + side, x, x], y: [y, y, y + side, y + side, y], width: width, height: height)
    return StyledTile(
      index: StyleTile(zoom: index.zoom, x: index.column, y: index.row), corner: (x, y), region: region,
      unitsPerPixel: 4096 / side, bearing: 0, layers: Dictionary(layers) { first, _ in first })
  }

  @Test(
    "Every visible layer but symbols is drawn without a problem but missing images",
    arguments: [13.4, 14, 16.2])
  func layers(zoom: Double) throws {
    let style = try StyleDocument(
      JSONValue(
        parsing: [UInt8](try Data(contentsOf: Self.url("Tests/MapStylesTests/Cases/osm-bright.json")))))
    let tiles = try Self.tiles(zoom: zoom)
    #expect(!tiles.isEmpty)
    let painter = StylePainter(
      context: StyleContext(zoom: zoom), pixelRatio: 1, width: Self.width, height: Self.height)
    let drawings = style.layers.map { painter.drawing(of: $0, tiles: tiles) }
    func drawing(_ id: String) throws -> StyleLayerDrawing {
      try #require(drawings.first { $0.layer.id == id })
    }
    #expect(try drawing("building").featureCount > 20)
    if zoom >= 14 { #expect(try drawing("highway-minor").featureCount > 5) }
    #expect(try drawing("highway-path").paths.allSatisfy { $0.geometry.partEnds.count > $0.row.count })
    for drawing in drawings {
      #expect(drawing.problems.allSatisfy { $0.contains("the sprite has no image") }, "\(drawing.problems)")
      for batch in drawing.paths {
        #expect(batch.geometry.rowCount == batch.row.count && batch.row.count == batch.style.count)
        #expect(batch.style.allSatisfy { $0 < batch.styles.count })
        #expect(Set(batch.styles).count == batch.styles.count)
      }
    }
  }
}
