import Glibc
package import MapGeometry

/// Cuts chains into dashes: the pieces that show in a window, as chains of their own.
///
/// The pattern runs from the chain's first vertex, whether or not that shows, on through all vertices: so dashes stand
/// still when the view moves along a line, and no edge of a picture or band begins them anew.
package struct DashedPath {
  /// Dash, gap, dash, gap …, in pixels.
  private let pattern: [Double]
  private let window: Envelope
  private let total: Double
  /// Longer segments, in pixels, have no dashes and are left out.
  private static let longest = 0x1p40

  /// A cutter; the pattern has an even number of lengths and a sum above 0.
  package init(pattern: [Double], window: Envelope) {
    self.pattern = pattern
    self.window = window
    total = pattern.reduce(0, +)
  }

  /// Adds the dashes of a chain of vertices as parts of the row under way.
  ///
  /// - Cost: by the length inside the window in patterns, and one a segment; segments outside are stepped over whole.
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
      // Farther, the least dash is lost in rounding; NaN compares false.
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
      // Looked up once a segment and then counted on: far along a path a look-up would not see small steps.
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

  /// Which length of the pattern a distance along the chain is in, a dash for an even number, and how far it is to the next.
  private func place(at distance: Double) -> (index: Int, rest: Double) {
    var place = fmod(distance, total)
    for (index, length) in pattern.enumerated() {
      if place < length { return (index, length - place) }
      place -= length
    }
    // Rounding has stepped over the pattern's end, which is its beginning.
    return (0, pattern[0])
  }

  /// The part of a segment that lies in the window, as fractions of it; nil when none does.
  ///
  /// - Source: Liang and Barsky, "A new concept and method for line clipping", ACM TOG 3(1), 1984.
  private func shownRange(_ ax: Double, _ ay: Double, _ bx: Double, _ by: Double) -> ClosedRange<Double>? {
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
