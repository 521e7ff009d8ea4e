import MapFeatures
import MapGeometry
import MapModel
import MapStyles

extension TileIndex {
  /// The tile of the next smaller zoom that contains this one.
  var parent: TileIndex { TileIndex(zoom: zoom - 1, column: column / 2, row: row / 2) }
}

extension StyleTileContent {
  /// Returns the part of this tile in a tile of a larger zoom, in its units.
  ///
  /// Features outside the part and a buffer around it are left out.
  ///
  /// - Cost: O(n) in the vertices.
  func part(_ tile: TileIndex, of ancestor: TileIndex) -> StyleTileContent {
    let factor = Double(1 << (tile.zoom - ancestor.zoom))
    let column = Double(tile.column - ancestor.column << (tile.zoom - ancestor.zoom))
    let row = Double(tile.row - ancestor.row << (tile.zoom - ancestor.zoom))
    var (parts, bytes): ([String: Layer], Int) = ([:], 0)
    for (name, layer) in layers {
      let side = layer.extent / factor
      let (left, top, buffer) = (column * side, row * side, Self.buffer * side)
      let box = Envelope(
        xMin: left - buffer, yMin: top - buffer, xMax: left + side + buffer, yMax: top + side + buffer)
      let rows = (0..<layer.features.count).filter { row in
        layer.geometries.contains { (buffer: CoordinateBuffer) -> Bool in
          !buffer.isEmpty(row: row) && buffer.envelope(ofRow: row).meets(box)
        }
      }
      guard !rows.isEmpty else { continue }
      let geometries = layer.geometries.map { whole in
        var own = CoordinateBuffer(kind: whole.kind)
        for row in rows { own.appendRow(row, of: whole) }
        own.moveVertices { x, y in
          for vertex in x.indices {
            (x[vertex], y[vertex]) = ((x[vertex] - left) * factor, (y[vertex] - top) * factor)
          }
        }
        return own
      }
      parts[name] = Layer(
        features: StyleFeatures(
          rows.map { (tile: 0, row: $0) }, of: [layer.features],
          tile: StyleTile(zoom: ancestor.zoom, x: ancestor.column, y: ancestor.row)),
        geometries: geometries, extent: layer.extent, ids: rows.map { layer.ids[$0] })
      let vertices = geometries.reduce(0) { $0 + $1.vertexCount }
      bytes += vertices * 24 + rows.count * 128
    }
    return StyleTileContent(layers: parts, byteCount: bytes, loss: loss)
  }

  /// The width of the kept border as a part of the tile's side.
  ///
  /// - Source: design decision; wide lines and circles reach into the neighbouring tile.
  private static let buffer = 0.125
}
