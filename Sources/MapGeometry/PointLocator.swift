/// Tells for many places whether they lie in a polygon, on its edge or outside, by the even-odd rule.
///
/// Its edges are sorted into strips of y, so that a place is compared with those of its own strip only.
///
/// - Error: none, see ``orientation(_:_:_:_:_:_:)``.
/// - Cost: O(edges) to make, at most eight entries an edge on average; a place costs the edges of its strip.
public struct PointLocator: Sendable {
  /// Where a place lies.
  public enum Location: Hashable, Sendable {
    case outside, boundary, inside
  }

  private let buffer: CoordinateBuffer
  private let row: Int
  private let envelope: Envelope
  private let scale: Double
  private let stripCount: Int
  /// For every strip the index after its last edge in ``edges``.
  private var ends: [Int] = []
  /// Edges by the index of their second vertex.
  private var edges: [Int32] = []

  /// A locator for a row of a buffer of polygons.
  public init(row: Int, of buffer: CoordinateBuffer) {
    precondition(buffer.kind == .polygon, "a polygon has an inside")
    (self.buffer, self.row) = (buffer, row)
    envelope = buffer.envelope(ofRow: row)
    var seconds: [Int] = []
    for part in buffer.parts(ofRow: row) { seconds += buffer.vertices(ofPart: part).dropFirst() }
    let height = envelope.yMax - envelope.yMin
    let heights = seconds.reduce(0.0) { $0 + abs(buffer.y[$1] - buffer.y[$1 - 1]) / height }
    // Strips so many that tall edges, which stand in each of them, still cost eight entries on average.
    let wanted = Double(seconds.count) * min(1, 4 / max(heights, 1))
    let count = wanted.isFinite ? max(1, min(65_536, Int(clamping: wanted))) : 1
    let scale = Double(count) / height
    // A ring as high as doubles go, or flat, or so low that its height has no inverse: one strip.
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

  /// Rises with y, so that a place on an edge finds it in its own strip.
  private func strip(of y: Double) -> Int {
    stripCount == 1 ? 0 : min(stripCount - 1, max(0, Int(clamping: (y - envelope.yMin) * scale)))
  }

  /// Where a place lies.
  public func location(x px: Double, y py: Double) -> Location {
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
      // A ray to the east crosses the edge when the place lies to the west of it.
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

  /// Those of some edges that meet an envelope, sides included.
  func edges(_ edges: [Int32], meeting envelope: Envelope) -> [Int32] {
    edges.filter { edge in
      let second = Int(edge)
      return envelope.meetsSegment(
        buffer.x[second - 1], buffer.y[second - 1], buffer.x[second], buffer.y[second])
    }
  }
}
