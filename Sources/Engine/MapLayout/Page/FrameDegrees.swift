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
