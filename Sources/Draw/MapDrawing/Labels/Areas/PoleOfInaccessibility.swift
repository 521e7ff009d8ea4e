import Glibc
import MapGeometry
import MapSystem

/// A search for the point inside an area that is farthest from its edge, where a label has most room.
///
/// - Source: the algorithm of Mapbox's polylabel (V. Agafonkin, 2016): cells of a grid, the most promising split
///   first. Design decision: the centroid of the largest ring wins when it has nearly as much room, because a label
///   looks right there.
struct PoleOfInaccessibility {
  /// The precision of the result in pixels.
  private static let precision = 1.0
  /// The maximum number of cells tested; each test is a pass over the vertices.
  private static let probeLimit = 300
  /// The maximum number of initial cells along the longer side.
  private static let gridLimit = 24.0
  /// The room that the centroid must have, as a share of the largest room.
  private static let middleShare = 0.8

  /// The number of other positions tested along each side of the bounding box, and the number returned.
  private static let (sampleCount, otherLimit) = (7, 16)

  private let x: [Double]
  private let y: [Double]
  /// For every ring, the index after its last vertex; rings are closed without a repeated vertex.
  private let ends: [Int]

  private struct Cell {
    let x: Double
    let y: Double
    let half: Double
    let distance: Double
    /// The upper bound of the room at any point of the cell.
    var bound: Double { distance + half * 2.0.squareRoot() }
  }

  /// Returns the label point of a row of polygons, in pixels; nil for a row without vertices.
  ///
  /// - Cost: at most 300 passes over the vertices; vertices within a pixel of each other count once.
  static func place(inRow row: Int, of polygons: CoordinateBuffer) -> (x: Double, y: Double)? {
    let box = polygons.envelope(ofRow: row)
    guard !box.isEmpty else { return nil }
    let search = PoleOfInaccessibility(row, of: polygons)
    return search.ends.isEmpty ? (box.center.x, box.center.y) : search.place()
  }

  /// Returns the largest distance of an inner point from the edge of a row of polygons, in pixels.
  ///
  /// - Cost: as for ``place(inRow:of:)``.
  static func depth(ofRow row: Int, of polygons: CoordinateBuffer) -> Double {
    guard !polygons.envelope(ofRow: row).isEmpty else { return 0 }
    let search = PoleOfInaccessibility(row, of: polygons)
    guard !search.ends.isEmpty else { return 0 }
    let place = search.place()
    return max(search.distance(place.x, place.y), 0)
  }

  /// Returns other positions inside a row of polygons, with the share of the room at the widest part, roomiest first.
  ///
  /// - Cost: 49 passes over the vertices.
  static func others(inRow row: Int, of polygons: CoordinateBuffer) -> [(x: Double, y: Double, room: Double)]
  {
    let box = polygons.envelope(ofRow: row)
    guard !box.isEmpty else { return [] }
    let search = PoleOfInaccessibility(row, of: polygons)
    guard !search.ends.isEmpty else { return [] }
    var found: [(x: Double, y: Double, room: Double)] = []
    for line in 1...sampleCount {
      for column in 1...sampleCount {
        let x = box.xMin + box.width * Double(column) / Double(sampleCount + 1)
        let y = box.yMin + box.height * Double(line) / Double(sampleCount + 1)
        let room = search.distance(x, y)
        if room > precision { found.append((x, y, room)) }
      }
    }
    guard let most = found.map(\.room).max() else { return [] }
    let order = found.indices.sorted { (-found[$0].room, $0) < (-found[$1].room, $1) }
    return order.prefix(otherLimit).map { (found[$0].x, found[$0].y, found[$0].room / most) }
  }

  /// Returns whether a point lies inside a row of polygons (even-odd rule).
  static func contains(_ place: (x: Double, y: Double), inRow row: Int, of polygons: CoordinateBuffer) -> Bool
  {
    PoleOfInaccessibility(row, of: polygons).distance(place.x, place.y) >= 0
  }

  /// Returns the direction of the longest axis of a row of polygons, to the right, of length 1.
  ///
  /// - Source: the main axis of the outline, from the second moments of its segments.
  static func axis(inRow row: Int, of polygons: CoordinateBuffer) -> (x: Double, y: Double) {
    let search = PoleOfInaccessibility(row, of: polygons)
    /// The middle of each segment, its vector and its length.
    var points: [(x: Double, y: Double, dx: Double, dy: Double, weight: Double)] = []
    var start = 0
    for end in search.ends {
      var previous = end - 1
      for index in start..<end {
        let (ax, ay, bx, by) = (search.x[previous], search.y[previous], search.x[index], search.y[index])
        previous = index
        let length = ((bx - ax) * (bx - ax) + (by - ay) * (by - ay)).squareRoot()
        points.append(((ax + bx) / 2, (ay + by) / 2, bx - ax, by - ay, length))
      }
      start = end
    }
    let total = points.reduce(0) { $0 + $1.weight }
    guard total > 0 else { return (1, 0) }
    let mx = points.reduce(0) { $0 + $1.x * $1.weight } / total
    let my = points.reduce(0) { $0 + $1.y * $1.weight } / total
    var (xx, xy, yy) = (0.0, 0.0, 0.0)
    for point in points {
      let (dx, dy) = (point.x - mx, point.y - my)
      // A segment has its own moments about its middle.
      xx += point.weight * (dx * dx + point.dx * point.dx / 12)
      xy += point.weight * (dx * dy + point.dx * point.dy / 12)
      yy += point.weight * (dy * dy + point.dy * point.dy / 12)
    }
    // An outline without a longest axis has horizontal labels.
    guard abs(xx - yy) + abs(xy) > 1e-3 * (xx + yy) else { return (1, 0) }
    let angle = atan2(2 * xy, xx - yy) / 2
    let axis = (x: cos(angle), y: sin(angle))
    // Vertical text reads upwards.
    return axis.x > 1e-6 ? axis : axis.x < -1e-6 ? (-axis.x, -axis.y) : (0, -1)
  }

  private init(_ row: Int, of polygons: CoordinateBuffer) {
    var (x, y): ([Double], [Double]) = ([], [])
    var ends: [Int] = []
    for part in polygons.parts(ofRow: row) {
      let start = x.count
      for vertex in polygons.vertices(ofPart: part) {
        let (vx, vy) = (polygons.x[vertex], polygons.y[vertex])
        // Detail smaller than a pixel does not affect the result.
        if x.count > start, abs(vx - x[x.count - 1]) < 1, abs(vy - y[y.count - 1]) < 1 { continue }
        x.append(vx)
        y.append(vy)
      }
      if x.count > start, x[start] == x[x.count - 1], y[start] == y[y.count - 1] {
        x.removeLast()
        y.removeLast()
      }
      if x.count >= start + 3 {
        ends.append(x.count)
      } else {
        x.removeSubrange(start...)
        y.removeSubrange(start...)
      }
    }
    (self.x, self.y, self.ends) = (x, y, ends)
  }

  private func place() -> (x: Double, y: Double) {
    var box = Envelope.empty
    for index in x.indices { box = box.union(Point(x: x[index], y: y[index]).extent) }
    let middle = cell(middleOfLargestRing(), half: 0)
    var best = cell((box.center.x, box.center.y), half: 0)
    if middle.distance >= best.distance { best = middle }
    let side = max(min(box.width, box.height), max(box.width, box.height) / Self.gridLimit, Self.precision)
    var queue: [Cell] = []
    var probes = 0
    func add(_ center: (x: Double, y: Double), half: Double) {
      let cell = cell(center, half: half)
      probes += 1
      if cell.distance > best.distance { best = cell }
      if cell.bound > best.distance + Self.precision { queue.append(cell) }
    }
    for column in 0..<Int(clamping: (box.width / side).rounded(.up)) {
      for row in 0..<Int(clamping: (box.height / side).rounded(.up)) {
        add((box.xMin + (Double(column) + 0.5) * side, box.yMin + (Double(row) + 0.5) * side), half: side / 2)
      }
    }
    while probes < Self.probeLimit,
      let index = queue.indices.max(by: { queue[$0].bound < queue[$1].bound })
    {
      let cell = queue.remove(at: index)
      guard cell.bound > best.distance + Self.precision else { break }
      let half = cell.half / 2
      for (dx, dy) in [(-half, -half), (half, -half), (-half, half), (half, half)] {
        add((cell.x + dx, cell.y + dy), half: half)
      }
    }
    let chosen = middle.distance >= Self.middleShare * best.distance ? middle : best
    return (chosen.x, chosen.y)
  }

  private func cell(_ center: (x: Double, y: Double), half: Double) -> Cell {
    Cell(x: center.x, y: center.y, half: half, distance: distance(center.x, center.y))
  }

  /// Returns the distance of a point from the edge, negative outside (even-odd rule).
  private func distance(_ px: Double, _ py: Double) -> Double {
    var isInside = false
    var nearest = Double.infinity
    var start = 0
    for end in ends {
      var previous = end - 1
      for index in start..<end {
        let (ax, ay, bx, by) = (x[previous], y[previous], x[index], y[index])
        previous = index
        if (ay > py) != (by > py), px < (bx - ax) * (py - ay) / (by - ay) + ax { isInside.toggle() }
        let (dx, dy) = (bx - ax, by - ay)
        let length = dx * dx + dy * dy
        let share = length > 0 ? min(max(((px - ax) * dx + (py - ay) * dy) / length, 0), 1) : 0
        let (ex, ey) = (px - ax - share * dx, py - ay - share * dy)
        nearest = min(nearest, ex * ex + ey * ey)
      }
      start = end
    }
    return isInside ? nearest.squareRoot() : -nearest.squareRoot()
  }

  /// Returns the centroid of the ring with the largest area.
  private func middleOfLargestRing() -> (x: Double, y: Double) {
    var largest = (area: -1.0, x: x[0], y: y[0])
    var start = 0
    for end in ends {
      var (area, mx, my) = (0.0, 0.0, 0.0)
      // Relative to the first vertex, so that large coordinates lose no precision.
      let (ox, oy) = (x[start], y[start])
      for index in start + 1..<end - 1 {
        let (ax, ay, bx, by) = (x[index] - ox, y[index] - oy, x[index + 1] - ox, y[index + 1] - oy)
        let cross = ax * by - bx * ay
        area += cross
        mx += (ax + bx) * cross
        my += (ay + by) * cross
      }
      if abs(area) > largest.area, area != 0 {
        largest = (abs(area), ox + mx / (3 * area), oy + my / (3 * area))
      }
      start = end
    }
    return (largest.x, largest.y)
  }
}
