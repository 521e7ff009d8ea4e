import MapGeometry

extension StyledTileLayer {
  /// Appends the lines of a row, or the rings of an area as lines, as a row in pixels.
  ///
  /// Segments along a side of the tile, or along a line beyond it, are where the area was cut. They are left out, and
  /// the ring falls into lines between them. A whole ring repeats its first two vertices, so that they are joined.
  func appendChains(ofRow row: Int, _ index: Int, to chains: inout CoordinateBuffer) {
    let buffer = pixels[index]
    guard buffer.kind == .polygon else { return chains.appendRow(row, of: buffer) }
    let units = geometries[index]
    for part in buffer.parts(ofRow: row) {
      let range = buffer.vertices(ofPart: part)
      guard let firstCut = range.dropFirst().first(where: { isCut(units, $0) }) else {
        chains.appendVertices(range, of: buffer)
        if range.count > 3 {
          chains.appendVertices(range.lowerBound + 1..<range.lowerBound + 2, of: buffer)
        }
        chains.endPart()
        continue
      }
      // From the end of a cut once around, back to its start; the last vertex of a ring is its first.
      let count = range.count - 1
      var vertex = firstCut
      for _ in 0..<count {
        let next = vertex + 1 < range.upperBound ? vertex + 1 : range.lowerBound + 1
        if isCut(units, next) {
          chains.endPart()
        } else {
          if chains.vertexCount == (chains.partEnds.last ?? 0) {
            chains.appendVertex(x: buffer.x[vertex], y: buffer.y[vertex])
          }
          chains.appendVertex(x: buffer.x[next], y: buffer.y[next])
        }
        vertex = next
      }
      chains.endPart()
    }
    chains.endRow()
  }

  /// Returns whether the segment that ends at a vertex lies along or beyond a side of the tile.
  private func isCut(_ units: CoordinateBuffer, _ vertex: Int) -> Bool {
    let (x, y) = (units.x[vertex], units.y[vertex])
    if x == units.x[vertex - 1], x <= 0 || x >= extent { return true }
    return y == units.y[vertex - 1] && (y <= 0 || y >= extent)
  }
}
