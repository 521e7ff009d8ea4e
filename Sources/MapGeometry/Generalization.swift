extension CoordinateBuffer {
  /// The same rows with vertices left out, so that no vertex lies farther than `tolerance` from the line that is left.
  ///
  /// Ends and the first vertices of rings stay; a ring that would have no area left keeps its farthest vertices.
  /// Neighbours may part.
  ///
  /// - Units: those of the coordinates.
  /// - Source: Douglas and Peucker 1973; a stack stands for the recursion.
  /// - Cost: O(vertices log vertices) on most lines, the square at worst.
  package func generalized(tolerance: Double) -> CoordinateBuffer {
    guard tolerance > 0, kind == .polyline || kind == .polygon else { return self }
    var result = CoordinateBuffer(kind: kind)
    result.reserve(rows: rowCount, vertices: 0)
    for row in 0..<rowCount {
      for part in parts(ofRow: row) {
        for vertex in kept(ofPart: part, tolerance: tolerance) {
          result.appendVertex(x: x[vertex], y: y[vertex])
        }
        result.endPart()
      }
      result.endRow()
    }
    return result
  }

  /// The vertices of a part of a line or an area that ``generalized(tolerance:)`` leaves, in order.
  package func kept(ofPart part: Int, tolerance: Double) -> [Int] {
    let range = vertices(ofPart: part)
    guard range.count > 2, tolerance > 0 else { return Array(range) }
    let (first, last) = (range.lowerBound, range.upperBound - 1)
    var isKept = Set([first, last])
    var open: [(Int, Int)] = []
    if kind == .polygon {
      // Closed, both ends are one place: the vertex farthest from it splits the ring, and one more gives it area.
      let far = farthest(first, last)
      isKept.insert(far.index)
      for (start, end) in [(first, far.index), (far.index, last)] { open.append((start, end)) }
      let sides = open.map { farthest($0.0, $0.1) }
      if let widest = sides.max(by: { $0.distance < $1.distance }), widest.distance > 0 {
        isKept.insert(widest.index)
      }
    } else {
      open.append((first, last))
    }
    while let (start, end) = open.popLast() {
      guard end - start > 1 else { continue }
      let far = farthest(start, end)
      guard far.distance > tolerance else { continue }
      isKept.insert(far.index)
      open.append((start, far.index))
      open.append((far.index, end))
    }
    return range.filter { isKept.contains($0) }
  }

  private func farthest(_ start: Int, _ end: Int) -> (index: Int, distance: Double) {
    var best = (index: start, distance: -1.0)
    for index in start + 1..<max(start + 1, end) {
      let distance = Segment(x[start], y[start], x[end], y[end]).distance(x: x[index], y: y[index])
      if distance > best.distance { best = (index, distance) }
    }
    return best
  }
}

/// A straight line between two places.
package struct Segment: Sendable {
  private let (x0, y0, x1, y1): (Double, Double, Double, Double)

  package init(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) {
    (self.x0, self.y0, self.x1, self.y1) = (x0, y0, x1, y1)
  }

  /// The place on it that is nearest to another.
  package func nearest(x: Double, y: Double) -> (x: Double, y: Double) {
    let (dx, dy) = (x1 - x0, y1 - y0)
    let length = dx * dx + dy * dy
    guard length > 0 else { return (x0, y0) }
    let share = min(1, max(0, ((x - x0) * dx + (y - y0) * dy) / length))
    return (x0 + share * dx, y0 + share * dy)
  }

  /// How far it is from a place.
  package func distance(x: Double, y: Double) -> Double {
    let near = nearest(x: x, y: y)
    return ((near.x - x) * (near.x - x) + (near.y - y) * (near.y - y)).squareRoot()
  }
}
