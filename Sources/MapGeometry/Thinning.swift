extension CoordinateBuffer {
  /// Adds a row of another buffer of the same kind, its vertices on a grid and those that come to lie on the one before
  /// left out.
  ///
  /// Where a vertex goes depends on its place alone, so that neighbours keep the border that they share. A vertex moves
  /// by half a step across and down at most. A part that would become a single place stays as it is.
  /// - Parameter steps: steps of the grid to one unit.
  package mutating func appendRow(_ row: Int, of source: CoordinateBuffer, thinnedTo steps: Double) {
    for part in source.parts(ofRow: row) {
      let range = source.vertices(ofPart: part)
      let start = vertexCount
      for index in range {
        let (x, y) = (
          (source.x[index] * steps).rounded() / steps, (source.y[index] * steps).rounded() / steps
        )
        if vertexCount > start, x == self.x[vertexCount - 1], y == self.y[vertexCount - 1] { continue }
        appendVertex(x: x, y: y)
      }
      if vertexCount == start + 1, range.count > 1 {
        removeVertices(from: start)
        appendVertices(range, of: source)
      }
      endPart()
    }
    endRow()
  }
}
