import MapDrawing
import MapGeometry

/// Degrees along the frame of the map.
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
