import MapSystem

/// The union of polygons that overlap, as rings of a row that is filled by the even-odd rule.
///
/// All edges are split where they meet. An edge is kept if one of its sides is in no polygon and the other in some.
///
/// - Error: points where edges cross are rounded to doubles; the sides are decided exactly.
struct PolygonUnion {
  typealias Edge = EdgeGrid.Edge

  /// A position, for comparison by value.
  struct Place: Hashable {
    let x, y: Double

    init(_ x: Double, _ y: Double) {
      // Adding 0 turns -0 into 0.
      (self.x, self.y) = (x + 0, y + 0)
    }
  }

  /// An edge between two ends, the lower first, or the western first if both are as high.
  fileprivate struct Segment: Hashable {
    let low, high: Place

    init(_ edge: Edge) {
      let (a, b) = (Place(edge.ax, edge.ay), Place(edge.bx, edge.by))
      (low, high) = a.y < b.y || a.y == b.y && a.x < b.x ? (a, b) : (b, a)
    }

    var isLevel: Bool { low.y == high.y }
  }

  /// The rings of the union, closed; nil if the polygons do not overlap.
  private(set) var rings: [[Place]]?

  /// The greatest number of rounds in which edges are split; each rounds points, which may cause new crossings.
  private static let rounds = 16

  /// Joins polygons; nil if that takes too long, or if rounding makes it impossible.
  init?(_ edges: [Edge]) {
    guard let segments = Self.segments(of: edges) else { return nil }
    let list = segments.filter { !$0.polygons.isEmpty }
    guard let rows = SpanIndex(list.map { ($0.segment, $0.polygons) }, isSwapped: false),
      let columns = SpanIndex(list.map { ($0.segment, $0.polygons) }, isSwapped: true)
    else { return nil }
    var kept: [(from: Place, to: Place)] = []
    var overlaps = false
    var cover = PolygonCover(polygons: Int(edges.map(\.polygon).max() ?? 0) + 1)
    for (segment, polygons) in list {
      (segment.isLevel ? columns : rows).count(beyond: segment.low, segment.high, into: &cover)
      let beyond = cover.count
      cover.toggle(polygons)
      let before = cover.count
      overlaps = overlaps || beyond > 1 || before > 1
      guard (beyond == 0) != (before == 0) else { continue }
      // The interior is on the left: west of an edge upwards, and north of an edge to the east.
      let isForward = segment.isLevel == (beyond > 0)
      kept.append(isForward ? (segment.low, segment.high) : (segment.high, segment.low))
    }
    guard overlaps else { return }
    guard let rings = Self.rings(of: kept) else { return nil }
    self.rings = rings
  }

  // MARK: Splitting

  /// Returns each edge between two points where edges meet once, with the polygons that are on one side only.
  private static func segments(of edges: [Edge]) -> [(segment: Segment, polygons: [Int32])]? {
    var edges = edges
    let limit = 16 * edges.count + 100_000
    for round in 0...rounds {
      guard round < rounds, edges.count <= limit, let grid = EdgeGrid(edges, limit: limit) else { return nil }
      var splits: [Int: [Place]] = [:]
      var (count, budget) = (0, 50 * limit)
      grid.forEachPair(edges, budget: &budget) { a, b in
        func split(_ index: Int, at place: Place) {
          let edge = edges[index]
          if place == Place(edge.ax, edge.ay) || place == Place(edge.bx, edge.by) { return }
          splits[index, default: []].append(place)
          count += 1
        }
        meetings(of: edges[a], edges[b], first: { split(a, at: $0) }, second: { split(b, at: $0) })
        return count <= 4 * limit
      }
      guard budget >= 0, count <= 4 * limit else { return nil }
      if splits.isEmpty { break }
      var next: [Edge] = []
      next.reserveCapacity(edges.count + count)
      for (index, edge) in edges.enumerated() {
        guard var places = splits[index] else {
          next.append(edge)
          continue
        }
        let isFlat = abs(edge.bx - edge.ax) > abs(edge.by - edge.ay)
        let isRising = isFlat ? edge.ax < edge.bx : edge.ay < edge.by
        places.sort {
          let (p, q) = isFlat ? ($0.x, $1.x) : ($0.y, $1.y)
          let (r, s) = isFlat ? ($0.y, $1.y) : ($0.x, $1.x)
          return p != q ? (p < q) == isRising : r < s
        }
        var last = Place(edge.ax, edge.ay)
        for place in places + [Place(edge.bx, edge.by)] where place != last {
          next.append(Edge(ax: last.x, ay: last.y, bx: place.x, by: place.y, polygon: edge.polygon))
          last = place
        }
      }
      edges = next
    }
    var indexes: [Segment: Int] = [:]
    var segments: [(segment: Segment, polygons: [Int32])] = []
    for edge in edges where edge.ax != edge.bx || edge.ay != edge.by {
      let segment = Segment(edge)
      let index = indexes[segment] ?? segments.count
      if index == segments.count {
        indexes[segment] = index
        segments.append((segment, []))
      }
      // A polygon with an edge twice has the same on both sides of it.
      if let known = segments[index].polygons.firstIndex(of: edge.polygon) {
        segments[index].polygons.remove(at: known)
      } else {
        segments[index].polygons.append(edge.polygon)
      }
    }
    return segments
  }

  /// Calls functions with the points at which two edges meet, other than at the end of both.
  static func meetings(of a: Edge, _ b: Edge, first: (Place) -> Void, second: (Place) -> Void) {
    let (c, d) = (
      orientation(a.ax, a.ay, a.bx, a.by, b.ax, b.ay), orientation(a.ax, a.ay, a.bx, a.by, b.bx, b.by)
    )
    if c * d > 0 { return }
    let (e, f) = (
      orientation(b.ax, b.ay, b.bx, b.by, a.ax, a.ay), orientation(b.ax, b.ay, b.bx, b.by, a.bx, a.by)
    )
    if e * f > 0 { return }
    if c * d < 0, e * f < 0 {
      let place = crossing(a, b)
      first(place)
      second(place)
      return
    }
    if c == 0, a.spans(b.ax, b.ay) { first(Place(b.ax, b.ay)) }
    if d == 0, a.spans(b.bx, b.by) { first(Place(b.bx, b.by)) }
    if e == 0, b.spans(a.ax, a.ay) { second(Place(a.ax, a.ay)) }
    if f == 0, b.spans(a.bx, a.by) { second(Place(a.bx, a.by)) }
  }

  private static func crossing(_ a: Edge, _ b: Edge) -> Place {
    // Relative to an end, which keeps precision far from the origin.
    let (dx, dy) = (a.bx - a.ax, a.by - a.ay)
    let (ex, ey) = (b.bx - b.ax, b.by - b.ay)
    let share = ((b.ax - a.ax) * ey - (b.ay - a.ay) * ex) / (dx * ey - dy * ex)
    let part = share.isFinite ? min(max(share, 0), 1) : 0.5
    func inside(_ value: Double, _ p: Double, _ q: Double, _ r: Double, _ s: Double) -> Double {
      let (low, high) = (max(min(p, q), min(r, s)), min(max(p, q), max(r, s)))
      return min(max(value, low), high)
    }
    let place = Place(
      inside(a.ax + part * dx, a.ax, a.bx, b.ax, b.bx), inside(a.ay + part * dy, a.ay, a.by, b.ay, b.by))
    // Beside an end, each rounded point would make a new crossing one double farther, without an end.
    let ends = [Place(a.ax, a.ay), Place(a.bx, a.by), Place(b.ax, b.ay), Place(b.bx, b.by)]
    return ends.first { abs($0.x - place.x) <= 4 * place.x.ulp && abs($0.y - place.y) <= 4 * place.y.ulp }
      ?? place
  }

  // MARK: Rings

  /// Returns edges, whose interior is on the left, as closed rings; nil if they are not the edges of an area.
  private static func rings(of edges: [(from: Place, to: Place)]) -> [[Place]]? {
    var leaving: [Place: [Int]] = [:]
    for (index, edge) in edges.enumerated() { leaving[edge.from, default: []].append(index) }
    var isUsed = [Bool](repeating: false, count: edges.count)
    var rings: [[Place]] = []
    for start in edges.indices where !isUsed[start] {
      var (ring, index) = ([edges[start].from], start)
      while true {
        isUsed[index] = true
        let edge = edges[index]
        ring.append(edge.to)
        if edge.to == edges[start].from { break }
        let back = (x: edge.from.x - edge.to.x, y: edge.from.y - edge.to.y)
        // The next edge of the same interior is the first clockwise from the way back.
        let next = leaving[edge.to, default: []].filter { !isUsed[$0] }.min {
          turn(from: back, to: edges[$0]) < turn(from: back, to: edges[$1])
        }
        guard let next else { return nil }
        index = next
      }
      rings.append(ring)
    }
    return rings
  }

  /// Returns a measure of the clockwise turn from a direction to an edge, above 0 to 4.
  private static func turn(from back: (x: Double, y: Double), to edge: (from: Place, to: Place)) -> Double {
    let (x, y) = (edge.to.x - edge.from.x, edge.to.y - edge.from.y)
    let (dot, cross) = (back.x * x + back.y * y, back.y * x - back.x * y)
    let size = abs(dot) + abs(cross)
    guard size > 0 else { return 4 }
    let share = dot / size
    return cross > 0 || cross == 0 && dot < 0 ? 1 - share : 3 + share
  }

  // MARK: Sides

  /// The polygons that contain a point.
  fileprivate struct PolygonCover {
    private var isInside: [Bool]
    private var touched: [Int32] = []
    private(set) var count = 0

    init(polygons: Int) { isInside = Array(repeating: false, count: polygons) }

    mutating func removeAll() {
      for polygon in touched { isInside[Int(polygon)] = false }
      touched.removeAll(keepingCapacity: true)
      count = 0
    }

    mutating func toggle(_ changed: [Int32]) {
      for polygon in changed {
        isInside[Int(polygon)].toggle()
        touched.append(polygon)
        count += isInside[Int(polygon)] ? 1 : -1
      }
    }
  }

  /// Segments in strips, which finds those that a ray to the east, or swapped to the north, crosses.
  fileprivate struct SpanIndex {
    /// A segment by u, along the ray, and v, across it; the end with the lesser v is first.
    fileprivate struct Span {
      let (au, av, bu, bv): (Double, Double, Double, Double)
      let polygons: [Int32]
    }

    private var spans: [Span] = []
    private var ends: [Int] = []
    private var entries: [Int32] = []
    private var (low, scale): (Double, Double)
    private let isSwapped: Bool

    init?(_ segments: [(segment: Segment, polygons: [Int32])], isSwapped: Bool) {
      self.isSwapped = isSwapped
      for (segment, polygons) in segments {
        let (p, q) = (segment.low, segment.high)
        let (a, b) = isSwapped ? (Place(p.y, p.x), Place(q.y, q.x)) : (p, q)
        guard a.y != b.y else { continue }
        let (first, last) = a.y < b.y ? (a, b) : (b, a)
        spans.append(Span(au: first.x, av: first.y, bu: last.x, bv: last.y, polygons: polygons))
      }
      low = spans.lazy.map(\.av).min() ?? 0
      let height = (spans.lazy.map(\.bv).max() ?? 1) - low
      let heights = spans.reduce(0.0) { $0 + ($1.bv - $1.av) / height }
      let wanted = Double(spans.count) * min(1, 4 / max(heights, 1))
      let count = wanted.isFinite ? max(1, min(65_536, Int(clamping: wanted))) : 1
      scale = Double(count) / height
      if !scale.isNormal { scale = 0 }
      var counts = [Int](repeating: 0, count: count + 1)
      for span in spans { for strip in strips(of: span, count) { counts[strip] += 1 } }
      var start = 0
      for strip in 0..<count {
        ends.append(start)
        start += counts[strip]
      }
      entries = [Int32](repeating: 0, count: start)
      for (index, span) in spans.enumerated() {
        for strip in strips(of: span, count) {
          entries[ends[strip]] = Int32(truncatingIfNeeded: index)
          ends[strip] += 1
        }
      }
    }

    private func strip(_ v: Double, _ count: Int) -> Int {
      min(count - 1, max(0, Int(clamping: (v - low) * scale)))
    }

    private func strips(of span: Span, _ count: Int) -> ClosedRange<Int> {
      strip(span.av, count)...strip(span.bv, count)
    }

    /// Finds the polygons that contain the points just beyond a segment, in the direction of the ray.
    func count(beyond low: Place, _ high: Place, into cover: inout PolygonCover) {
      cover.removeAll()
      let (p, q) = isSwapped ? (Place(low.y, low.x), Place(high.y, high.x)) : (low, high)
      let (a, b) = p.y < q.y ? (p, q) : (q, p)
      let strip = strip(a.y, ends.count)
      for entry in (strip == 0 ? 0 : ends[strip - 1])..<ends[strip] {
        let span = spans[Int(entries[entry])]
        // The spans at the height of the lower end, as seen just above it.
        guard span.av <= a.y, a.y < span.bv, span.isBeyond(a, b) else { continue }
        cover.toggle(span.polygons)
      }
    }
  }
}

extension PolygonUnion.SpanIndex.Span {
  /// Whether this segment, which begins at or below the lower end of another, lies beyond it; both do not cross.
  fileprivate func isBeyond(_ a: PolygonUnion.Place, _ b: PolygonUnion.Place) -> Bool {
    // The lower end of the other is left of this segment.
    let side = orientation(au, av, bu, bv, a.x, a.y)
    if side != 0 { return side > 0 }
    // Both begin at one point: the first upper end decides.
    return bv <= b.y ? orientation(a.x, a.y, b.x, b.y, bu, bv) < 0 : orientation(au, av, bu, bv, b.x, b.y) > 0
  }
}

extension EdgeGrid.Edge {
  /// Whether a point on the line of the edge is on the edge.
  fileprivate func spans(_ x: Double, _ y: Double) -> Bool {
    min(ax, bx) <= x && x <= max(ax, bx) && min(ay, by) <= y && y <= max(ay, by)
  }
}
