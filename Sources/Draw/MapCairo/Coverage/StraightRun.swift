/// A run of consecutive vertices of a path that lie on a straight line, except for invisible differences.
///
/// - Source: the sleeve of Imai and Iri, "Computational-geometric methods for polygonal approximations of a curve",
///   1986, grown greedily: no dropped vertex lies farther than the tolerance from the line that replaces it.
struct StraightRun {
  /// The maximum distance of a vertex from the line, in pixels.
  private let tolerance: Double
  /// The shortest step that counts, in pixels: Cairo's resolution.
  private static let shortest = 1.0 / 256

  /// The start of the line, its end, and its length.
  private(set) var start: Place
  private(set) var end: Place
  private(set) var length = 0.0
  /// The limits on either side of the directions that all vertices so far allow.
  private var left = Place.zero
  private var right = Place.zero

  init(from start: Place, tolerance: Double) { (self.start, end, self.tolerance) = (start, start, tolerance) }

  /// Adds a point and returns true if it belongs to the line, which then ends there.
  @inline(__always)
  mutating func take(_ place: Place) -> Bool {
    let step = place - end
    if max(abs(step.x), abs(step.y)) < Self.shortest { return true }
    let way = place - start
    if length > 0 {
      // Ahead of the last point, and within the sleeve.
      let isAhead = way.x * step.x + way.y * step.y > 0
      guard isAhead, cross(right, way) >= 0, cross(way, left) >= 0 else { return false }
    } else {
      // Perpendicular to either side, because no vertex is dropped yet.
      (left, right) = (Place(-way.y, way.x), Place(way.y, -way.x))
    }
    end = place
    // Keep the directions that pass this point within the tolerance.
    length = (way.x * way.x + way.y * way.y).squareRoot()
    // Only directions count, so both are multiplied by the length; a division would delay the next test.
    let (ahead, aside) = (way * length, Place(-way.y, way.x) * tolerance)
    if cross(ahead + aside, left) > 0 { left = ahead + aside }
    if cross(right, ahead - aside) > 0 { right = ahead - aside }
    return true
  }

  /// The line as a segment of a stroke; nil while it has no length.
  @inline(__always)
  var segment: StrokeSegment? { length > 0 ? StrokeSegment(from: start, to: end, length: length) : nil }

  /// Begins a line where the last one ended.
  @inline(__always)
  mutating func restart() { (start, length) = (end, 0) }

  @inline(__always)
  private func cross(_ a: Place, _ b: Place) -> Double { a.x * b.y - a.y * b.x }
}
