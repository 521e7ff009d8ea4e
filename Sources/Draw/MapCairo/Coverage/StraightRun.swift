/// A run of consecutive vertices of a path that lie on a straight line, except for invisible differences.
///
/// - Source: the sleeve of Imai and Iri, "Computational-geometric methods for polygonal approximations of a curve",
///   1986, grown greedily: no dropped vertex lies farther than the tolerance from the line that replaces it.
struct StraightRun {
  /// The maximum distance of a vertex from the line, in pixels.
  private let tolerance: Double
  /// The shortest step that counts, in pixels.
  private let shortest: Double
  /// The share of a step to the side that its part ahead must exceed.
  private let lean: Double

  /// The start of the line, its end, and its length.
  private(set) var start: Place
  private(set) var end: Place
  private(set) var length = 0.0
  /// The limits on either side of the directions that all vertices so far allow.
  private var left = Place.zero
  private var right = Place.zero

  init(from start: Place, _ tolerance: Tolerance) {
    (self.start, end) = (start, start)
    (self.tolerance, shortest, lean) = (tolerance.distance, tolerance.step, tolerance.lean)
  }

  /// Adds a point and returns true if it belongs to the line, which then ends there.
  @inline(__always)
  mutating func take(_ place: Place) -> Bool {
    let step = place - end
    if max(abs(step.x), abs(step.y)) < shortest { return true }
    let way = place - start
    if length > 0 {
      // Ahead of the last point, and within the sleeve.
      let isAhead = way.x * step.x + way.y * step.y > lean * abs(cross(way, step))
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

extension StraightRun {
  /// The differences of a part that are invisible.
  struct Tolerance {
    /// The maximum distance of a dropped vertex from the line that replaces it, in pixels.
    let distance: Double
    /// The length below which steps do not count, in pixels.
    let step: Double
    /// The share of a step to the side of the line that its part along the line must exceed.
    let lean: Double

    /// The size of small parts and the mean width of thin rings, in pixels.
    ///
    /// - Source: design decision; squares of 4 pixels are small in any direction.
    private static let (smallSize, thinWidth) = (6.0, 2.0)
    /// The numbers of vertices of lines and of rings up to which only vertices on a straight line are dropped from small
    /// and thin ones.
    private static let (fewOfLine, fewOfSmallRing, fewOfThinRing) = (4, 64, 16)

    /// Creates the tolerance of a part, whose greater side is `size`; an infinite size keeps nothing.
    ///
    /// The corner of a stroke is as large as the stroke is wide, even where both segments are short. So the corners of
    /// small parts are kept, unless the steps there are much smaller than the part.
    @inline(__always)
    init(_ x: Span<Double>, _ y: Span<Double>, _ vertices: Range<Int>, size: Double, isRing: Bool) {
      let isSmall =
        size <= Self.smallSize && vertices.count <= (isRing ? Self.fewOfSmallRing : Self.fewOfLine)
      let isThin =
        isRing && vertices.count <= Self.fewOfThinRing && size.isFinite
        && Self.meanWidth(x, y, vertices) <= Self.thinWidth
      if isSmall || isThin {
        // Repeated vertices have no direction.
        (distance, step, lean) = (0, .leastNonzeroMagnitude, 0.5)
      } else if size <= Self.smallSize {
        (distance, step, lean) = (min(size, 1) / 64, min(size, 1) / 256, 0.5)
      } else {
        // A step of 1/256 is Cairo's resolution.
        (distance, step, lean) = (isRing ? 1 / 16 : 1 / 64, 1 / 256, 0)
      }
    }

    /// Returns twice the area of a ring, divided by its length along both axes.
    private static func meanWidth(_ x: Span<Double>, _ y: Span<Double>, _ vertices: Range<Int>) -> Double {
      var (area, length) = (0.0, 0.0)
      for vertex in vertices.dropFirst() {
        area += x[vertex - 1] * y[vertex] - x[vertex] * y[vertex - 1]
        length += abs(x[vertex] - x[vertex - 1]) + abs(y[vertex] - y[vertex - 1])
      }
      return length > 0 ? abs(area) / length : 0
    }
  }
}
