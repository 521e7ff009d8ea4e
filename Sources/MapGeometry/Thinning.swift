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
      appendVertices(range, of: source)
      thinVertices(from: start, to: steps)
      if vertexCount == start + 1, range.count > 1 {
        removeVertices(from: start)
        appendVertices(range, of: source)
      }
      endPart()
    }
    endRow()
  }

  private mutating func thinVertices(from start: Int, to steps: Double) {
    var end = start
    moveVertices { x, y in
      var (lastX, lastY) = (Double.nan, Double.nan)
      for index in start..<x.count {
        let (ownX, ownY) = (nearest(x[index] * steps) / steps, nearest(y[index] * steps) / steps)
        // Without a branch: what is left out is written over.
        (x[end], y[end]) = (ownX, ownY)
        end &+= ownX == lastX && ownY == lastY ? 0 : 1
        (lastX, lastY) = (ownX, ownY)
      }
    }
    removeVertices(from: end)
  }
}

/// The nearest whole number, halves away from 0, of numbers below 2^51: as `rounded()` without its call, for which there is
/// no instruction on every x86-64.
@inline(__always)
private func nearest(_ value: Double) -> Double {
  // So large that what lies behind the point falls off, halves to the even one.
  let large = 0x1.8p52
  let even = (value + large) - large
  let rest = value - even
  return abs(rest) == 0.5 && (rest > 0) == (value > 0) ? even + 2 * rest : even
}
