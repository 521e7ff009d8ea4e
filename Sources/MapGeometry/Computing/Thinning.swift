extension CoordinateBuffer {
  /// Adds a row of another buffer of the same kind with vertices snapped to a grid, omitting repeated vertices.
  ///
  /// The snapped position depends only on the vertex itself, so that neighbours keep their shared border. A vertex
  /// moves by at most half a grid step in x and in y. A part that would become a single point stays unchanged.
  ///
  /// - Parameter steps: the number of grid steps per unit.
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
        // This avoids a branch: an omitted vertex is overwritten by the next one.
        (x[end], y[end]) = (ownX, ownY)
        end &+= ownX == lastX && ownY == lastY ? 0 : 1
        (lastX, lastY) = (ownX, ownY)
      }
    }
    removeVertices(from: end)
  }
}

/// Returns the nearest integer, halves away from 0, for numbers below 2^51.
///
/// It equals `rounded()` without the function call, since not every x86-64 processor has an instruction for it.
@inline(__always)
private func nearest(_ value: Double) -> Double {
  // Adding a number this large drops the fraction, with halves rounded to even.
  let large = 0x1.8p52
  let even = (value + large) - large
  let rest = value - even
  return abs(rest) == 0.5 && (rest > 0) == (value > 0) ? even + 2 * rest : even
}
