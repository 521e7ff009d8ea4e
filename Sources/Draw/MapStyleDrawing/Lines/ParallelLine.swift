import Glibc
import MapGeometry
import MapModel
import MapSystem

/// The corners of lines that are parallel to others.
struct ParallelCorners: Hashable {
  let join: SimpleLineSymbol.Join
  /// The length of a miter over the width of a line, up to which corners are sharp.
  let limit: Double

  /// The limit of lines that are bevelled or round.
  ///
  /// - Source: MapLibre GL JS 5.
  private static let slightLimit = 1.05
  /// The length of a miter over the width beyond which the inner sides of a corner cross.
  private static let crossingLimit = 2.0

  /// The largest number of vertices of the round corners of a line, unless that is less than two for each.
  ///
  /// - Source: design decision: 64 MB.
  private static let vertexLimit = 1 << 22

  init(_ join: SimpleLineSymbol.Join, miterLimit: Double) {
    self.join = join
    limit = join == .miter ? miterLimit : Self.slightLimit
  }

  /// The largest distance of a vertex from that of the line, in offsets.
  var reach: Double { max(limit, Self.crossingLimit) }

  /// Appends the parallel line of a chain at a distance to its left, as parts of the current row.
  ///
  /// At a corner too sharp for a miter, the line is bevelled or round outside. At a very sharp corner, a line that is not
  /// round falls into two lines, which end or cross beside the vertex.
  ///
  /// - Source: MapLibre GL JS 5.
  func append(
    x: ArraySlice<Double>, y: ArraySlice<Double>, at distance: Double, to path: inout CoordinateBuffer
  ) {
    let chain = Self.withoutRepeats(x, y)
    let last = chain.count - 1
    guard last > 0, distance.isFinite else { return }
    let mostSteps = max(Self.vertexLimit / chain.count, 2)
    // A ring repeats its first two vertices.
    let isRing = last > 2 && chain[0] == chain[last - 1] && chain[1] == chain[last]
    for index in 0...last {
      let before = index > 0 ? index : isRing ? last - 1 : 1
      let after = index < last ? index + 1 : isRing ? 2 : last
      let (from, to) = (chain[before] - chain[before - 1], chain[after] - chain[after - 1])
      addCorner(
        at: chain[index], from / length(from), to / length(to), distance, isEnd: (index == 0, index == last),
        mostSteps: mostSteps, to: &path)
    }
    path.endPart()
  }

  /// Appends the parallel line's vertices at a corner between two directions.
  private func addCorner(
    at vertex: SIMD2<Double>, _ from: SIMD2<Double>, _ to: SIMD2<Double>, _ distance: Double,
    isEnd: (first: Bool, last: Bool), mostSteps: Int, to path: inout CoordinateBuffer
  ) {
    func add(_ place: SIMD2<Double>) { path.appendVertex(x: place.x, y: place.y) }
    // To the left of a direction, where y points down.
    let (first, second) = (SIMD2(from.y, -from.x), SIMD2(to.y, -to.x))
    let cosine = (from * to).sum()
    // The length of the miter over the width, squared; infinite for a line that turns back.
    let miter = 2 / max(1 + cosine, 0)
    let sharp = vertex + (first + second) * (distance / max(1 + cosine, 1e-12))
    if miter <= limit * limit { return add(sharp) }
    // Positive for a turn to the right, where y points down.
    let turn = from.x * to.y - from.y * to.x
    let isInner = turn * distance < 0
    let isCrossing = miter > Self.crossingLimit * Self.crossingLimit
    if isInner, !isCrossing { return add(sharp) }
    if isCrossing, join != .round {
      // The places on both parallel lines whose connection is perpendicular to the miter.
      let aside = (first - second) * (distance / (1 - cosine))
      if !isEnd.first { add(vertex + aside) }
      if isEnd == (false, false) { path.endPart() }
      if !isEnd.last { add(vertex - aside) }
      return
    }
    add(vertex + first * distance)
    if !isInner, join == .round {
      let angle = atan2(abs(turn), cosine)
      let exact = Int(clamping: (angle * abs(distance).squareRoot() * 2).rounded(.up))
      let steps = min(max(exact, 2), mostSteps)
      let start = atan2(first.y * distance, first.x * distance)
      for step in 1..<steps {
        let place = start + (turn > 0 ? 1 : -1) * angle * Double(step) / Double(steps)
        add(vertex + SIMD2(cos(place), sin(place)) * abs(distance))
      }
    } else if isCrossing, isEnd == (false, false) {
      path.endPart()
    }
    add(vertex + second * distance)
  }

  private func length(_ vector: SIMD2<Double>) -> Double { hypot(vector.x, vector.y) }

  private static func withoutRepeats(_ x: ArraySlice<Double>, _ y: ArraySlice<Double>) -> [SIMD2<Double>] {
    var chain: [SIMD2<Double>] = []
    chain.reserveCapacity(x.count)
    for index in x.indices {
      let vertex = SIMD2(x[index], y[index])
      if vertex != chain.last { chain.append(vertex) }
    }
    return chain
  }
}
