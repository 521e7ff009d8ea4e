extension CoordinateBuffer {
  /// Returns the rings of a polygon row as polygons: each is an exterior ring and the holes directly inside it.
  ///
  /// A ring inside an even number of others is an exterior ring, whatever its direction. Whether rings that cross are
  /// nested is decided by the first vertex that is not on the other ring.
  ///
  /// - Cost: O(vertices) for each pair of rings whose envelopes intersect.
  package func polygons(ofRow row: Int) -> [[Int]] {
    let rings = Array(parts(ofRow: row))
    guard rings.count > 1 else { return rings.isEmpty ? [] : [rings] }
    let envelopes = rings.map { part in envelope(ofVertices: vertices(ofPart: part)) }
    // The rings that contain each ring.
    let around = rings.indices.map { inner in
      rings.indices.filter { outer in
        outer != inner && envelopes[outer].contains(envelopes[inner])
          && ring(rings[inner], liesIn: rings[outer])
      }
    }
    var polygons: [[Int]] = []
    var places: [Int: Int] = [:]
    for index in rings.indices where around[index].count.isMultiple(of: 2) {
      places[index] = polygons.count
      polygons.append([rings[index]])
    }
    for index in rings.indices where !around[index].count.isMultiple(of: 2) {
      // The ring directly around is the one that lies inside all other rings around.
      let outer = around[index].max { around[$0].count < around[$1].count }
      guard let outer, let place = places[outer] else {
        polygons.append([rings[index]])
        continue
      }
      polygons[place].append(rings[index])
    }
    return polygons
  }

  private func ring(_ inner: Int, liesIn outer: Int) -> Bool {
    for index in vertices(ofPart: inner) {
      let place = Envelope(xMin: x[index], yMin: y[index], xMax: x[index], yMax: y[index])
      switch ring(vertices(ofPart: outer), around: place) {
      case .encloses: return true
      case .apart: return false
      case .meets: continue
      }
    }
    // All vertices are on the other ring.
    return false
  }

  /// Returns twice the area of a ring, positive when the ring is counterclockwise with y up.
  ///
  /// - Source: the shoelace formula, relative to the first vertex.
  /// - Error: rounding of doubles; for a ring without area the sign is meaningless.
  package func doubleArea(ofPart part: Int) -> Double {
    let range = vertices(ofPart: part)
    guard let first = range.first, let last = range.last else { return 0 }
    var area = 0.0
    var (ax, ay) = (x[last] - x[first], y[last] - y[first])
    for index in range {
      let (bx, by) = (x[index] - x[first], y[index] - y[first])
      area += ax * by - bx * ay
      (ax, ay) = (bx, by)
    }
    return area
  }

  private func envelope(ofVertices range: Range<Int>) -> Envelope {
    var result = Envelope.empty
    for index in range {
      result = result.union(Envelope(xMin: x[index], yMin: y[index], xMax: x[index], yMax: y[index]))
    }
    return result
  }
}
