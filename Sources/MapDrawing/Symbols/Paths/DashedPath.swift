import Glibc
package import MapGeometry

/// A cutter of chains into dashes: the dashes inside a window, as chains of their own.
///
/// The pattern starts at the chain's first vertex, visible or not, and continues through all vertices. So dashes do
/// not move when the view moves along a line, and no edge of an image or band restarts them.
package struct DashedPath {
  /// The lengths of dash, gap, dash, gap …, in pixels.
  private let pattern: [Double]
  private let window: Envelope
  private let total: Double
  /// The length in pixels from which segments are skipped without dashes.
  private static let longest = 0x1p40

  /// Creates a cutter; the pattern has an even number of lengths and a sum above 0.
  package init(pattern: [Double], window: Envelope) {
    self.pattern = pattern
    self.window = window
    total = pattern.reduce(0, +)
  }

  /// Appends the dashes of a chain of vertices as parts of the current row.
  ///
  /// - Cost: proportional to the dashes inside the window plus the number of segments; segments outside it are
  ///   skipped as a whole.
  package func append(x: ArraySlice<Double>, y: ArraySlice<Double>, to path: inout CoordinateBuffer) {
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
      var (place, rest) = self.place(at: travelled + position)
      while position < end {
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
          place = (place + 1) % pattern.count
          rest = pattern[place]
        }
        position = next
      }
      if shown.upperBound < 1 { lift() }
    }
    lift()
  }

  /// Returns the pattern index at a distance along the chain, even for a dash, and the distance to the next one.
  private func place(at distance: Double) -> (index: Int, rest: Double) {
    var place = fmod(distance, total)
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
