package import MapFeatures
import MapGeometry
package import MapModel

/// The tiles of Web Mercator that a view shows, found from its pixels.
package enum TileCover {
  /// Returns the size of a pixel of the image in metres of Web Mercator at the view's centre; nil for a view without any
  /// position on the world.
  ///
  /// A centre without a position is replaced by the usual size.
  ///
  /// - Throws: ``TileError`` for a spatial reference that cannot be projected.
  package static func resolution(
    of view: ViewState, width: Int, height: Int, operations: SpatialOperations
  ) throws(TileError) -> Double? {
    do throws(SpatialOperationError) {
      for lattice in [1, TileMapping.lattice] {
        let found = try TileMapping.resolution(
          view, width: width, height: height, to: .webMercator, operations: operations, lattice: lattice)
        if let found { return found }
      }
      return nil
    } catch { throw TileError("\(error)") }
  }

  /// Returns the tiles of a level that a view shows, and some beside them.
  ///
  /// - Throws: ``TileError`` for a spatial reference that cannot be projected, and for too many tiles.
  package static func tiles(
    of view: ViewState, width: Int, height: Int, zoom: Int, operations: SpatialOperations
  ) throws(TileError) -> [TileIndex] {
    guard let scheme = TileScheme.webMercator(zooms: zoom...zoom, tileSize: 512) else { return [] }
    let cells: [TileMapping.Cell]
    do throws(SpatialOperationError) {
      cells = try TileMapping(view, width: width, rows: 0..<height, to: .webMercator, operations: operations)
        .cells
    } catch { throw TileError("\(error)") }
    let grid = TileGrid(scheme, scheme.levels[0])
    guard let tiles = grid.tiles(of: cells, limit: TileDrawing.mostTiles) else {
      throw tooMany(zoom)
    }
    return tiles.sorted()
  }

  /// The error for a view of more tiles than are drawn.
  package static func tooMany(_ zoom: Int) -> TileError {
    TileError(
      "more than \(TileDrawing.mostTiles) tiles are in the view at zoom level \(zoom); show a smaller extent")
  }
}
