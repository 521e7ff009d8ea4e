extension CoordinateBuffer {
  /// Returns the same rows with fewer vertices; removed ones lie within `tolerance` of the remaining line.
  ///
  /// Ends and the first vertices of rings stay. A ring that would lose its whole area keeps its farthest vertices.
  /// Neighbouring areas may separate.
  ///
  /// - Units: those of the coordinates.
  /// - Source: Douglas and Peucker 1973, with a stack in place of the recursion.
  /// - Cost: O(vertices log vertices) for most lines, quadratic in the worst case.
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

  /// Returns the vertices of a line's or a polygon's part that ``generalized(tolerance:)`` keeps, in order.
  package func kept(ofPart part: Int, tolerance: Double) -> [Int] {
    let range = vertices(ofPart: part)
    guard range.count > 2, tolerance > 0 else { return Array(range) }
    let (first, last) = (range.lowerBound, range.upperBound - 1)
    var isKept = Set([first, last])
    var open: [(Int, Int)] = []
    if kind == .polygon {
      // Both ends of a ring are the same point. The vertex farthest from it splits the ring, and one more gives it
      // area.
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

/// A straight segment between two points.
package struct Segment: Sendable {
  private let (x0, y0, x1, y1): (Double, Double, Double, Double)

  package init(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) {
    (self.x0, self.y0, self.x1, self.y1) = (x0, y0, x1, y1)
  }

  /// Returns the point of the segment that is nearest to another point.
  package func nearest(x: Double, y: Double) -> (x: Double, y: Double) {
    let (dx, dy) = (x1 - x0, y1 - y0)
    let length = dx * dx + dy * dy
    guard length > 0 else { return (x0, y0) }
    let share = min(1, max(0, ((x - x0) * dx + (y - y0) * dy) / length))
    return (x0 + share * dx, y0 + share * dy)
  }

  /// Returns the distance from the segment to a point.
  package func distance(x: Double, y: Double) -> Double {
    let near = nearest(x: x, y: y)
    return ((near.x - x) * (near.x - x) + (near.y - y) * (near.y - y)).squareRoot()
  }
}
