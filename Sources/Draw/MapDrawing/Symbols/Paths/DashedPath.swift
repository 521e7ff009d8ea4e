import Glibc
package import MapGeometry
package import MapModel

/// A pattern of dashes and gaps, and the way in which it fits a line.
package struct DashPattern: Sendable {
  /// The lengths of dash, gap, dash, gap …, in pixels: an even number.
  let lengths: [Double]
  /// The parts of the pattern that both ends of a line have.
  let ending: SimpleLineSymbol.DashEnding
  /// The distance from the start of the pattern at which a line starts, in pixels.
  let start: Double

  /// Creates a pattern.
  package init(
    lengths: [Double], ending: SimpleLineSymbol.DashEnding = .unconstrained, start: Double = 0
  ) {
    (self.lengths, self.ending, self.start) = (lengths, ending, start)
  }

  /// Returns the lengths and the start for a line of a length.
  ///
  /// - Source: Esri CIM specification, line dash endings. Design decision: the whole number of repetitions whose
  ///   stretching is least, and at least one.
  func fitting(_ length: Double) -> (lengths: [Double], start: Double) {
    let period = lengths.reduce(0, +)
    let (first, last) = (lengths.first ?? 0, lengths.last ?? 0)
    // The pattern starts within a dash or gap, and of whole endings one more is at the end.
    let (own, more) =
      switch ending {
      case .unconstrained: (start, 0.0)
      case .halfDash: (first / 2, 0.0)
      case .halfGap: (period - last / 2, 0.0)
      case .fullDash: (0.0, first)
      case .fullGap: (period - last, last)
      }
    guard ending != .unconstrained, length > 0, period > 0 else { return (lengths, own) }
    let count = max(((length - more) / period).rounded(), 1)
    let factor = length / (count * period + more)
    return (lengths.map { $0 * factor }, own * factor)
  }
}

/// A cutter of chains into dashes: the dashes inside a window, as chains of their own.
///
/// The pattern starts at the chain's first vertex, visible or not, and continues through all vertices. So dashes do
/// not move when the view moves along a line, and no edge of an image or band restarts them.
package struct DashedPath {
  private let pattern: DashPattern
  private let window: Envelope
  /// The number of vertices of the path from which on no dash is added.
  private let vertexLimit: Int
  /// The length in pixels from which segments are skipped without dashes.
  private static let longest = 0x1p40

  /// Creates a cutter; the pattern has an even number of lengths and a sum above 0.
  package init(pattern: DashPattern, window: Envelope, vertexLimit: Int = .max) {
    (self.pattern, self.window, self.vertexLimit) = (pattern, window, vertexLimit)
  }

  /// Appends the dashes of a chain of vertices as parts of the current row.
  ///
  /// - Cost: proportional to the dashes inside the window plus the number of segments; segments outside it are
  ///   skipped as a whole.
  package func append(x: ArraySlice<Double>, y: ArraySlice<Double>, to path: inout CoordinateBuffer) {
    let pattern = fitted(x, y)
    var travelled = 0.0
    var isDrawing = false
    func lift() {
      if isDrawing { path.endPart() }
      isDrawing = false
    }
    for index in x.indices.dropFirst() {
      let (ax, ay, bx, by) = (x[index - 1], y[index - 1], x[index], y[index])
      let length = hypot(bx - ax, by - ay)
      guard length > 0 else { continue }
      // On longer segments rounding loses the shortest dash. The comparison is false for NaN.
      guard length < Self.longest else {
        lift()
        continue
      }
      defer { travelled += length }
      guard let shown = shownRange(ax, ay, bx, by) else {
        lift()
        continue
      }
      if shown.lowerBound > 0 { lift() }
      var position = shown.lowerBound * length
      let end = shown.upperBound * length
      // Looked up once per segment, then advanced: far along a path a lookup would not see small steps.
      var (place, rest) = Self.place(at: travelled + position + pattern.start, in: pattern.lengths)
      while position < end, path.vertexCount < vertexLimit {
        let next = min(end, position + rest)
        if place.isMultiple(of: 2) {
          if !isDrawing {
            path.appendVertex(x: ax + (bx - ax) * position / length, y: ay + (by - ay) * position / length)
            isDrawing = true
          }
          path.appendVertex(x: ax + (bx - ax) * next / length, y: ay + (by - ay) * next / length)
          if next == position + rest { lift() }
        } else {
          lift()
        }
        if next == position + rest {
          place = (place + 1) % pattern.lengths.count
          rest = pattern.lengths[place]
        }
        position = next
      }
      if shown.upperBound < 1 { lift() }
    }
    lift()
  }

  /// Returns the pattern that fits a chain.
  private func fitted(_ x: ArraySlice<Double>, _ y: ArraySlice<Double>) -> (lengths: [Double], start: Double)
  {
    guard pattern.ending != .unconstrained else { return (pattern.lengths, pattern.start) }
    var length = 0.0
    for index in x.indices.dropFirst() {
      let own = hypot(x[index] - x[index - 1], y[index] - y[index - 1])
      if own < Self.longest { length += own }
    }
    return pattern.fitting(length)
  }

  /// Returns the pattern index at a distance along the chain, even for a dash, and the distance to the next one.
  private static func place(at distance: Double, in pattern: [Double]) -> (index: Int, rest: Double) {
    let total = pattern.reduce(0, +)
    var place = fmod(distance, total)
    if place < 0 { place += total }
    for (index, length) in pattern.enumerated() {
      if place < length { return (index, length - place) }
      place -= length
    }
    // Rounding has passed the end of the pattern, which is its start.
    return (0, pattern[0])
  }

  /// Returns the part of a segment inside the window, as fractions of its length; nil when it is outside.
  ///
  /// - Source: Liang and Barsky, "A new concept and method for line clipping", ACM TOG 3(1), 1984.
  func shownRange(_ ax: Double, _ ay: Double, _ bx: Double, _ by: Double) -> ClosedRange<Double>? {
    var (first, last) = (0.0, 1.0)
    for (delta, room) in [
      (ax - bx, ax - window.xMin), (bx - ax, window.xMax - ax), (ay - by, ay - window.yMin),
      (by - ay, window.yMax - ay),
    ] {
      if delta == 0 {
        if room < 0 { return nil }
      } else if delta < 0 {
        first = max(first, room / delta)
      } else {
        last = min(last, room / delta)
      }
    }
    return first < last ? first...last : nil
  }
}
