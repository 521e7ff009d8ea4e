import MapGeometry

extension CoordinateBuffer {
  /// Appends a row of areas whose edges lie farther out by a small distance.
  ///
  /// The direction of a row's first ring decides which side is outside; holes must have the other direction.
  mutating func appendRow(_ row: Int, of source: CoordinateBuffer, grownBy distance: Double) {
    let parts = source.parts(ofRow: row)
    // A ring of positive area is clockwise where y points down, and has its outside to the left.
    let side = parts.first.map { source.doubleArea(ofPart: $0) < 0 ? -distance : distance } ?? 0
    for part in parts {
      let range = source.vertices(ofPart: part)
      var ring: [SIMD2<Double>] = []
      for vertex in range.dropLast() {
        let place = SIMD2(source.x[vertex], source.y[vertex])
        if place != ring.last { ring.append(place) }
      }
      while ring.count > 1, ring.first == ring.last { ring.removeLast() }
      for index in Array(ring.indices) + (ring.isEmpty ? [] : [0]) {
        let place = ring.count > 2 ? Self.moved(ring, index, side) : ring[index]
        appendVertex(x: place.x, y: place.y)
      }
      endPart()
    }
    endRow()
  }

  /// Returns a vertex of a ring moved to the left by a distance, along the miter of its corner.
  private static func moved(_ ring: [SIMD2<Double>], _ index: Int, _ distance: Double) -> SIMD2<Double> {
    let vertex = ring[index]
    let (from, to) = (
      vertex - ring[index == 0 ? ring.count - 1 : index - 1],
      ring[index == ring.count - 1 ? 0 : index + 1] - vertex
    )
    func normal(_ vector: SIMD2<Double>) -> SIMD2<Double> {
      SIMD2(vector.y, -vector.x) / (vector * vector).sum().squareRoot()
    }
    let sum = normal(from) + normal(to)
    // The miter is at most twice as long as the distance.
    return vertex + sum * (2 * distance / max((sum * sum).sum(), 1))
  }
}
