import MapDrawing
import MapGeometry

/// The degrees of meridians and parallels along the frame of a map.
package struct FrameDegrees: Sendable {
  /// A place where a line meets a side of the map.
  struct Mark: Hashable {
    /// The distance from the centre of the map along the side, to the right or down, in view pixels.
    let place: Double
    /// The degrees as text, such as `30° W`.
    let text: String
  }

  /// The distance of the lines in degrees.
  private let spacing: Double
  /// Returns the position of a point by its distance from the centre of the map in view pixels, right and down; nil for a
  /// point without ground.
  private let position: @Sendable (Double, Double) -> (latitude: Double, longitude: Double)?

  /// The distance of the points in which the position is asked, in view pixels, and the steps that halve it.
  private static let (step, halvings) = (4.0, 12)

  package init(
    spacing: Double, position: @escaping @Sendable (Double, Double) -> (latitude: Double, longitude: Double)?
  ) {
    (self.spacing, self.position) = (spacing, position)
  }

  /// Returns the marks of meridians along a horizontal line at a distance below the centre, from -`half` to `half`.
  func meridians(down: Double, half: Double) -> [Mark] {
    marks(half: half) {
      position($0, down)?.longitude
    } text: { value in
      let turned = value.remainder(dividingBy: 360)
      return Self.text(turned, turned.magnitude == 180 ? ("", "") : ("E", "W"))
    }
  }

  /// Returns the marks of parallels along a vertical line at a distance to the right of the centre, from -`half` to `half`.
  func parallels(right: Double, half: Double) -> [Mark] {
    marks(half: half) {
      position(right, $0)?.latitude
    } text: {
      Self.text($0, ("N", "S"))
    }
  }

  private func marks(
    half: Double, _ degrees: (Double) -> Double?, text: (Double) -> String
  ) -> [Mark] {
    var marks: [Mark] = []
    let count = max((2 * half / Self.step).rounded(.up), 1)
    var last: (place: Double, degrees: Double)?
    for index in stride(from: 0, through: count, by: 1) {
      let place = -half + 2 * half * index / count
      guard let found = degrees(place) else {
        last = nil
        continue
      }
      defer { last = (place, found) }
      guard let before = last else { continue }
      // Longitudes continue past 180 degrees.
      let turn = (found - before.degrees).remainder(dividingBy: 360)
      let (start, end) = (before.degrees / spacing, (before.degrees + turn) / spacing)
      let line = end.rounded(start < end ? .down : .up)
      guard start < end ? line > start : line < start, abs(turn) < spacing else { continue }
      var (from, to) = (before.place, place)
      for _ in 0..<Self.halvings {
        let middle = (from + to) / 2
        guard let there = degrees(middle) else { break }
        let value = (before.degrees + (there - before.degrees).remainder(dividingBy: 360)) / spacing
        if (value < line) == (start < line) { from = middle } else { to = middle }
      }
      marks.append(Mark(place: (from + to) / 2, text: text(line * spacing)))
    }
    return marks
  }

  /// Returns degrees as text, such as `0°`, `30° W` or `10.25° N`.
  private static func text(_ degrees: Double, _ names: (String, String)) -> String {
    let size = degrees.magnitude
    let number = LegendNumber.text(size)
    let name = size == 0 ? "" : degrees < 0 ? names.1 : names.0
    return name.isEmpty ? "\(number)°" : "\(number)° \(name)"
  }
}

extension PageBuilder {
  private var degreeStyle: TextStyle { TextStyle(size: 9 * unit, color: tone.muted) }
  /// The distance between the frame and the degrees, in view pixels.
  private var degreeGap: Double { (5 * unit).rounded() }

  /// Makes room for degrees to the left of the map and below it; the map keeps its size if it would be too small.
  mutating func reserveDegrees() {
    let left = (setter.width("180° W", degreeStyle) + degreeGap).rounded(.up)
    let below = (degreeStyle.lineHeight + degreeGap).rounded(.up)
    guard map.width - left >= 60, map.height - below >= 45 else { return }
    hasDegrees = true
    map = Envelope(xMin: map.xMin + left, yMin: map.yMin, xMax: map.xMax, yMax: map.yMax - below)
  }

  /// Draws the degrees of the lines that meet the left and the lower side of the map, with marks outside the frame.
  mutating func addDegrees(_ degrees: FrameDegrees) {
    guard hasDegrees else { return }
    let (style, center) = (degreeStyle, map.center)
    let length = (degreeGap / 2).rounded(.up)
    var canvas = canvas("degrees")
    var end = map.xMin - degreeGap
    for mark in degrees.meridians(down: map.height / 2, half: map.width / 2) {
      let (x, width) = (center.x + mark.place, setter.width(mark.text, style))
      guard x - width / 2 >= end + degreeGap, x + width / 2 <= size.width else { continue }
      end = x + width / 2
      let left = canvas.snapped(x - 0.5)
      canvas.fill(Envelope(left: left, top: map.yMax, width: 1, height: length), tone.hairline)
      canvas.text(mark.text, style, x: x - width / 2, baseline: map.yMax + degreeGap + style.ascent * 0.9)
    }
    var bottom = map.yMin - style.lineHeight
    for mark in degrees.parallels(right: -map.width / 2, half: map.height / 2) {
      let (y, width) = (center.y + mark.place, setter.width(mark.text, style))
      guard y - style.lineHeight / 2 >= bottom, y + style.lineHeight / 2 <= map.yMax + degreeGap else {
        continue
      }
      bottom = y + style.lineHeight / 2
      let top = canvas.snapped(y - 0.5)
      canvas.fill(Envelope(left: map.xMin - length, top: top, width: length, height: 1), tone.hairline)
      canvas.text(mark.text, style, x: map.xMin - degreeGap - width, baseline: y + style.size * 0.36)
    }
    layers += canvas.finished
  }
}
