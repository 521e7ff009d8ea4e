package import MapModel
import MapReaders
import MapStyles
import MapSystem

/// The lines and areas of neighbouring tiles as those of one large tile, for drawings without seams.
///
/// See ``TilePieceJoin``: what tiles have beyond their sides is left out, and points are too.
package struct JoinedStyleTiles: Sendable {
  /// The layers; the extent is the number of units along a side of one tile.
  package let content: StyleTileContent
  /// For each layer, the tile and the row of each feature's first piece.
  package let pieces: [String: [(tile: Int, row: Int)]]
  /// The least column of the tiles, counted on through all worlds.
  package let column: Int
  /// The least row of the tiles.
  package let row: Int
  /// The number of columns or of rows, whichever is larger.
  package let side: Int

  /// Joins some layers of tiles of a zoom level; nil without tiles.
  ///
  /// - Cost: O(n log n) in the vertices.
  package init?(
    _ tiles: [(column: Int, row: Int, content: StyleTileContent)], zoom: Int, layers names: Set<String>
  ) {
    guard let left = tiles.map(\.column).min(), let right = tiles.map(\.column).max(),
      let top = tiles.map(\.row).min(), let bottom = tiles.map(\.row).max()
    else { return nil }
    (column, row, side) = (left, top, max(right - left, bottom - top) + 1)
    var layers: [String: StyleTileContent.Layer] = [:]
    var pieces: [String: [(tile: Int, row: Int)]] = [:]
    let corner = StyleTile(zoom: zoom, x: left, y: top)
    for name in names {
      let present = tiles.indices.filter { tiles[$0].content.layers[name] != nil }
      let parts = present.compactMap { tiles[$0].content.layers[name] }
      guard let extent = parts.first?.extent else { continue }
      var join = TilePieceJoin(extent: Int(clamping: extent))
      let values = StyleFeatures.numbersOfValues(in: parts.map(\.features))
      for (index, part) in parts.enumerated() {
        let tile = tiles[present[index]]
        join.append(
          part.geometries, extent: part.extent, ids: part.ids, values: values[index], column: tile.column,
          row: tile.row)
      }
      let features = join.features(fromColumn: left, row: top)
      pieces[name] = features.pieces.map { (present[$0.tile], $0.row) }
      layers[name] = StyleTileContent.Layer(
        features: StyleFeatures(features.pieces, of: parts.map(\.features), tile: corner),
        geometries: features.geometries, extent: extent,
        ids: features.pieces.map { parts[$0.tile].ids[$0.row] })
    }
    content = StyleTileContent(layers: layers, byteCount: 0)
    self.pieces = pieces
  }
}
