import Glibc

/// The part of a line around an anchor point that a text follows, in output pixels.
///
/// - Source: MapLibre GL JS 5: a text with an offset follows a line beside it, whose segments meet.
struct GlyphPath {
  /// The vertices from the anchor point forwards, and backwards.
  private let forward: Side
  private let backward: Side

  /// The vertices on one side of the anchor point.
  private struct Side {
    var x: [Double]
    var y: [Double]
    /// The distance of each vertex from the anchor point along the path.
    var lengths: [Double] = [0]
    /// The direction of each segment away from the anchor point, of the line itself.
    var directions: [(x: Double, y: Double)] = []

    init(x: Double, y: Double) { (self.x, self.y) = ([x], [y]) }

    mutating func append(_ newX: Double, _ newY: Double, direction: (x: Double, y: Double)) {
      let (dx, dy) = (newX - x[x.count - 1], newY - y[y.count - 1])
      let length = (dx * dx + dy * dy).squareRoot()
      guard length > 0 else { return }
      x.append(newX)
      y.append(newY)
      lengths.append(lengths[lengths.count - 1] + length)
      directions.append(direction)
    }
  }

  /// Creates the path around a point on a line.
  ///
  /// - Parameters:
  ///   - line: the line.
  ///   - segment: the index of the vertex before the point.
  ///   - point: the point in pixels.
  ///   - move: the offset of all points of the line.
  ///   - offset: the distance of the path from the line, to the right of its direction.
  ///   - reach: the largest distance from the point that is needed.
  init(
    _ line: SymbolLine, segment: Int, point: (x: Double, y: Double), move: (x: Double, y: Double),
    offset: Double, reach: Double
  ) {
    func vertex(_ index: Int) -> (x: Double, y: Double) {
      (line.pixelX[index] + move.x, line.pixelY[index] + move.y)
    }
    let anchor = (x: point.x + move.x, y: point.y + move.y)
    func side(step: Int) -> Side {
      var index = step > 0 ? segment + 1 : segment
      var first = (segment, segment + 1)
      // At a vertex, each side begins with its own segment.
      if vertex(index) == anchor, index + step >= 0, index + step < line.count {
        first = step > 0 ? (index, index + 1) : (index - 1, index)
        index += step
      }
      let normal = Self.normal(vertex(first.0), vertex(first.1), offset)
      var side = Side(x: anchor.x + normal.x, y: anchor.y + normal.y)
      var previous = anchor
      while index >= 0, index < line.count, side.lengths[side.lengths.count - 1] <= reach {
        let current = vertex(index)
        let place = offset == 0 ? current : Self.corner(line, index, offset, move)
        let direction = (x: current.x - previous.x, y: current.y - previous.y)
        if direction != (0, 0) { side.append(place.x, place.y, direction: direction) }
        (previous, index) = (current, index + step)
      }
      return side
    }
    forward = side(step: 1)
    backward = side(step: -1)
  }

  /// Returns the point at a distance from the anchor point, with the direction of the line; nil beyond its ends.
  func point(at distance: Double) -> (x: Double, y: Double, rotation: SymbolRotation)? {
    let isForward = distance > 0
    let side = isForward ? forward : backward
    let length = abs(distance)
    guard let last = side.lengths.last, length < last else { return nil }
    var (low, high) = (0, side.lengths.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if side.lengths[middle] <= length { low = middle } else { high = middle }
    }
    let share = (length - side.lengths[low]) / (side.lengths[low + 1] - side.lengths[low])
    let direction = side.directions[low]
    let sign = isForward ? 1.0 : -1.0
    return (
      side.x[low] + share * (side.x[low + 1] - side.x[low]),
      side.y[low] + share * (side.y[low + 1] - side.y[low]),
      SymbolRotation(x: sign * direction.x, y: sign * direction.y)
    )
  }

  /// Returns the points of the path between two distances from the anchor point; nil if it does not reach them.
  func points(from start: Double, to end: Double) -> [(x: Double, y: Double)]? {
    guard start <= end, let first = point(at: start), let last = point(at: end) else { return nil }
    var points = [(x: first.x, y: first.y)]
    for index in backward.lengths.indices.reversed() where index > 0 {
      let distance = -backward.lengths[index]
      if distance > start, distance < end { points.append((backward.x[index], backward.y[index])) }
    }
    for index in forward.lengths.indices {
      let distance = forward.lengths[index]
      if distance > start, distance < end { points.append((forward.x[index], forward.y[index])) }
    }
    points.append((last.x, last.y))
    return points
  }

  /// Returns a vector to the right of a segment, of a length; none for a segment without length.
  private static func normal(
    _ a: (x: Double, y: Double), _ b: (x: Double, y: Double), _ length: Double
  ) -> (x: Double, y: Double) {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let size = (dx * dx + dy * dy).squareRoot()
    return size > 0 ? (-dy / size * length, dx / size * length) : (0, 0)
  }

  /// Returns the corner of a path beside a line at a vertex of the line.
  private static func corner(
    _ line: SymbolLine, _ index: Int, _ offset: Double, _ move: (x: Double, y: Double)
  ) -> (x: Double, y: Double) {
    func vertex(_ index: Int) -> (x: Double, y: Double) {
      (line.pixelX[index] + move.x, line.pixelY[index] + move.y)
    }
    let current = vertex(index)
    let before = index > 0 ? normal(vertex(index - 1), current, offset) : nil
    let after = index + 1 < line.count ? normal(current, vertex(index + 1), offset) : nil
    guard let a = before ?? after, let b = after ?? before else { return current }
    // Half the sum of both normals, longer by the square of its share: where the two sides meet.
    let (sumX, sumY) = (a.x + b.x, a.y + b.y)
    let square = sumX * sumX + sumY * sumY
    guard square > 1e-6 * offset * offset else { return (current.x + a.x, current.y + a.y) }
    let factor = 2 * offset * offset / square
    return (current.x + sumX * factor, current.y + sumY * factor)
  }
}
