/// The point inside a polygon that is farthest from its edge.
///
/// - Source: the algorithm of Mapbox's polylabel (V. Agafonkin, 2016) with the precision of MapLibre GL JS 5.
struct TilePole {
  /// Points of the rings as segments, from each vertex to the one before.
  private let x: [Double]
  private let y: [Double]
  /// The index after the last vertex of each ring.
  private let ends: [Int]

  private struct Cell {
    let x: Double
    let y: Double
    let half: Double
    let distance: Double
    var bound: Double { distance + half * 2.0.squareRoot() }
  }

  /// The largest number of cells that are tested; each test is a pass over the vertices.
  private static let limit = 300

  /// Returns the pole of a polygon whose first ring is its outer one; nil for one without area.
  ///
  /// - Parameter precision: the largest difference from the farthest distance.
  static func point(of rings: [[(x: Double, y: Double)]], precision: Double) -> (x: Double, y: Double)? {
    guard let outer = rings.first, outer.count > 2, precision > 0 else { return nil }
    return TilePole(rings).point(of: outer, precision: precision)
  }

  private init(_ rings: [[(x: Double, y: Double)]]) {
    x = rings.flatMap { $0.map(\.x) }
    y = rings.flatMap { $0.map(\.y) }
    var ends: [Int] = []
    for ring in rings { ends.append((ends.last ?? 0) + ring.count) }
    self.ends = ends
  }

  private func point(of outer: [(x: Double, y: Double)], precision: Double) -> (x: Double, y: Double)? {
    var box = SymbolBox(left: .infinity, top: .infinity, right: -.infinity, bottom: -.infinity)
    for (x, y) in outer { box = box.union(SymbolBox(left: x, top: y, right: x, bottom: y)) }
    let side = min(box.width, box.height)
    guard side.isFinite else { return nil }
    guard side > 0 else { return (box.left, box.top) }
    var queue: [Cell] = []
    // A long polygon begins with at most so many cells.
    let step = max(side, max(box.width, box.height) / 64)
    var left = box.left
    // A step may be too small to change a coordinate, so the cells are counted, too.
    while left < box.right, queue.count < Self.limit {
      var top = box.top
      while top < box.bottom, queue.count < Self.limit {
        queue.append(cell(left + step / 2, top + step / 2, step / 2))
        top += step
      }
      left += step
    }
    var best = middle(of: outer)
    var tests = queue.count
    while tests < Self.limit, let index = queue.indices.max(by: { queue[$0].bound < queue[$1].bound }) {
      let next = queue.remove(at: index)
      if next.distance > best.distance { best = next }
      guard next.bound - best.distance > precision else { break }
      let half = next.half / 2
      for (dx, dy) in [(-half, -half), (half, -half), (-half, half), (half, half)] {
        queue.append(cell(next.x + dx, next.y + dy, half))
      }
      tests += 4
    }
    return (best.x, best.y)
  }

  private func cell(_ x: Double, _ y: Double, _ half: Double) -> Cell {
    Cell(x: x, y: y, half: half, distance: distance(x, y))
  }

  /// Returns the cell at the centroid of a ring.
  private func middle(of ring: [(x: Double, y: Double)]) -> Cell {
    var (area, sumX, sumY) = (0.0, 0.0, 0.0)
    let origin = ring[0]
    var previous = ring[ring.count - 1]
    for point in ring {
      let (ax, ay) = (previous.x - origin.x, previous.y - origin.y)
      let (bx, by) = (point.x - origin.x, point.y - origin.y)
      let cross = ax * by - bx * ay
      area += 3 * cross
      sumX += (ax + bx) * cross
      sumY += (ay + by) * cross
      previous = point
    }
    return area == 0 ? cell(origin.x, origin.y, 0) : cell(origin.x + sumX / area, origin.y + sumY / area, 0)
  }

  /// Returns the distance of a point from the edge, negative outside (even-odd rule).
  private func distance(_ px: Double, _ py: Double) -> Double {
    var (isInside, nearest, start) = (false, Double.infinity, 0)
    for end in ends {
      var previous = end - 1
      for index in start..<end {
        let (ax, ay, bx, by) = (x[previous], y[previous], x[index], y[index])
        previous = index
        if (ay > py) != (by > py), px < (bx - ax) * (py - ay) / (by - ay) + ax { isInside.toggle() }
        let (dx, dy) = (bx - ax, by - ay)
        let square = dx * dx + dy * dy
        let share = square > 0 ? min(max(((px - ax) * dx + (py - ay) * dy) / square, 0), 1) : 0
        let (ex, ey) = (px - ax - share * dx, py - ay - share * dy)
        nearest = min(nearest, ex * ex + ey * ey)
      }
      start = end
    }
    return (isInside ? 1 : -1) * nearest.squareRoot()
  }
}
