import MapSystem

/// A test of many points against one polygon: inside, on the boundary or outside, by the even-odd rule.
///
/// The edges are sorted into strips of y, so that a point is compared only with the edges of its own strip.
///
/// - Error: none, see ``orientation(_:_:_:_:_:_:)``.
/// - Cost: O(edges) to build, on average at most eight entries per edge; a test compares the edges of one strip.
package struct PointLocator: Sendable {
  /// The location of a point relative to the polygon.
  package enum Location: Hashable, Sendable {
    /// Outside the polygon.
    case outside
    /// On an edge or a vertex.
    case boundary
    /// Inside the polygon.
    case inside
  }

  private let buffer: CoordinateBuffer
  private let row: Int
  private let envelope: Envelope
  private let scale: Double
  private let stripCount: Int
  /// For every strip the index after its last edge in ``edges``.
  private var ends: [Int] = []
  /// The edges, each by the index of its second vertex.
  private var edges: [Int32] = []

  /// Creates a locator for a row of a buffer of polygons.
  package init(row: Int, of buffer: CoordinateBuffer) {
    precondition(buffer.kind == .polygon, "a polygon has an inside")
    (self.buffer, self.row) = (buffer, row)
    envelope = buffer.envelope(ofRow: row)
    var seconds: [Int] = []
    for part in buffer.parts(ofRow: row) { seconds += buffer.vertices(ofPart: part).dropFirst() }
    let height = envelope.yMax - envelope.yMin
    let heights = seconds.reduce(0.0) { $0 + abs(buffer.y[$1] - buffer.y[$1 - 1]) / height }
    // The number of strips is limited so that tall edges, which are in many strips, cost eight entries on average.
    let wanted = Double(seconds.count) * min(1, 4 / max(heights, 1))
    let count = wanted.isFinite ? max(1, min(65_536, Int(clamping: wanted))) : 1
    let scale = Double(count) / height
    // A single strip is used when the height is zero, too small to have an inverse, or the greatest possible.
    (stripCount, self.scale) = count > 1 && scale.isNormal ? (count, scale) : (1, 0)
    var counts = [Int](repeating: 0, count: stripCount)
    for second in seconds { for strip in strips(of: second) { counts[strip] += 1 } }
    var starts: [Int] = []
    var total = 0
    for count in counts {
      starts.append(total)
      total += count
    }
    edges = [Int32](repeating: 0, count: total)
    for second in seconds {
      for strip in strips(of: second) {
        edges[starts[strip]] = Int32(truncatingIfNeeded: second)
        starts[strip] += 1
      }
    }
    ends = starts
  }

  private func strips(of second: Int) -> ClosedRange<Int> {
    let (a, b) = (strip(of: buffer.y[second - 1]), strip(of: buffer.y[second]))
    return min(a, b)...max(a, b)
  }

  /// Returns the strip of a y; it never decreases as y grows, so a point on an edge finds that edge in its own strip.
  private func strip(of y: Double) -> Int {
    stripCount == 1 ? 0 : min(stripCount - 1, max(0, Int(clamping: (y - envelope.yMin) * scale)))
  }

  /// Returns the location of a point.
  package func location(x px: Double, y py: Double) -> Location {
    guard envelope.contains(x: px, y: py) else { return .outside }
    let strip = strip(of: py)
    var isInside = false
    for entry in (strip == 0 ? 0 : ends[strip - 1])..<ends[strip] {
      let second = Int(edges[entry])
      let (ax, ay) = (buffer.x[second - 1], buffer.y[second - 1])
      let (bx, by) = (buffer.x[second], buffer.y[second])
      guard min(ay, by) <= py, py <= max(ay, by), max(ax, bx) >= px else { continue }
      let side = orientation(ax, ay, bx, by, px, py)
      if side == 0, min(ax, bx) <= px { return .boundary }
      // A ray to the east crosses the edge when the point lies west of it.
      if (ay > py) != (by > py), (by > ay) == (side > 0) { isInside.toggle() }
    }
    return isInside ? .inside : .outside
  }
}

extension PointLocator {
  /// Every edge by the index of its second vertex.
  var allEdges: [Int32] {
    var edges: [Int32] = []
    for part in buffer.parts(ofRow: row) {
      for second in buffer.vertices(ofPart: part).dropFirst() {
        edges.append(Int32(truncatingIfNeeded: second))
      }
    }
    return edges
  }

  /// Returns those of some edges that intersect an envelope, including its sides.
  func edges(_ edges: [Int32], meeting envelope: Envelope) -> [Int32] {
    edges.filter { edge in
      let second = Int(edge)
      return envelope.meetsSegment(
        buffer.x[second - 1], buffer.y[second - 1], buffer.x[second], buffer.y[second])
    }
  }
}
