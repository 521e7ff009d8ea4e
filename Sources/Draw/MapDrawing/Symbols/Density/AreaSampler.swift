import MapSystem

/// Random points inside an area, which lie inside by the even-odd rule.
struct AreaSampler {
  /// The tries for a point, after which an area counts as too thin.
  private static let tries = 10_000

  private var x1: [Double] = []
  private var y1: [Double] = []
  private var x2: [Double] = []
  private var y2: [Double] = []
  private var (left, right, bottom, top) = (
    Double.infinity, -Double.infinity, Double.infinity, -Double.infinity
  )
  /// The edges that meet each horizontal strip of the bounding box.
  private var strips: [[Int32]] = []

  /// Adds an edge of a ring; one that is not finite is left out.
  mutating func addEdge(from start: (x: Double, y: Double), to end: (x: Double, y: Double)) {
    guard start.x.isFinite, start.y.isFinite, end.x.isFinite, end.y.isFinite else { return }
    x1.append(start.x)
    y1.append(start.y)
    x2.append(end.x)
    y2.append(end.y)
    (left, right) = (min(left, start.x, end.x), max(right, start.x, end.x))
    (bottom, top) = (min(bottom, start.y, end.y), max(top, start.y, end.y))
  }

  /// Sorts the edges into strips, after all are added; false for an area without an inside.
  mutating func prepare() -> Bool {
    guard left < right, bottom < top, (right - left).isFinite, (top - bottom).isFinite else { return false }
    strips = Array(repeating: [], count: min(256, x1.count / 4 + 1))
    for edge in x1.indices {
      let range = (strip(min(y1[edge], y2[edge])), strip(max(y1[edge], y2[edge])))
      for strip in range.0...range.1 { strips[strip].append(Int32(edge)) }
    }
    return true
  }

  private func strip(_ y: Double) -> Int {
    min(strips.count - 1, max(0, Int(clamping: (y - bottom) / (top - bottom) * Double(strips.count))))
  }

  /// Returns a point that is equally likely everywhere inside; nil for an area that is too thin.
  func point(_ random: inout SplitMix64) -> (x: Double, y: Double)? {
    for _ in 0..<Self.tries {
      let (x, y) = (left + random.fraction() * (right - left), bottom + random.fraction() * (top - bottom))
      if contains(x: x, y: y) { return (x, y) }
    }
    return nil
  }

  private func contains(x: Double, y: Double) -> Bool {
    var isInside = false
    for edge in strips[strip(y)] {
      let edge = Int(edge)
      guard (y1[edge] <= y) != (y2[edge] <= y) else { continue }
      let cross = x1[edge] + (y - y1[edge]) / (y2[edge] - y1[edge]) * (x2[edge] - x1[edge])
      if x < cross { isInside.toggle() }
    }
    return isInside
  }
}

/// A generator of random numbers that starts at a seed.
///
/// - Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
package struct SplitMix64 {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// Returns a number from 0 to below 1.
  package mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }
}
