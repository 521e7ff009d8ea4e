import MapGeometry

/// A rectangle in pixels that a label or a marker covers.
package struct LabelBox: Hashable, Sendable {
  package var xMin: Double
  package var yMin: Double
  package var xMax: Double
  package var yMax: Double

  package init(xMin: Double, yMin: Double, xMax: Double, yMax: Double) {
    (self.xMin, self.yMin, self.xMax, self.yMax) = (xMin, yMin, xMax, yMax)
  }

  init(_ envelope: Envelope) {
    self.init(xMin: envelope.xMin, yMin: envelope.yMin, xMax: envelope.xMax, yMax: envelope.yMax)
  }

  /// Creates the box around one or more boxes.
  init(around boxes: [LabelBox]) { self = boxes.dropFirst().reduce(boxes[0]) { $0.union($1) } }

  /// Creates the square whose sides have a distance from a point.
  init(around place: (x: Double, y: Double), reach: Double) {
    self.init(xMin: place.x - reach, yMin: place.y - reach, xMax: place.x + reach, yMax: place.y + reach)
  }

  var envelope: Envelope { Envelope(xMin: xMin, yMin: yMin, xMax: xMax, yMax: yMax) }
  var center: (x: Double, y: Double) { ((xMin + xMax) / 2, (yMin + yMax) / 2) }

  /// Returns whether the two rectangles share area; a shared side alone does not count.
  func overlaps(_ other: LabelBox) -> Bool {
    xMin < other.xMax && xMax > other.xMin && yMin < other.yMax && yMax > other.yMin
  }

  /// Returns whether the two rectangles share a point, which may be on their sides.
  func meets(_ other: LabelBox) -> Bool {
    xMin <= other.xMax && xMax >= other.xMin && yMin <= other.yMax && yMax >= other.yMin
  }

  func contains(_ other: LabelBox) -> Bool {
    xMin <= other.xMin && yMin <= other.yMin && xMax >= other.xMax && yMax >= other.yMax
  }

  func grown(by distance: Double) -> LabelBox {
    LabelBox(xMin: xMin - distance, yMin: yMin - distance, xMax: xMax + distance, yMax: yMax + distance)
  }

  func moved(x: Double, y: Double) -> LabelBox {
    LabelBox(xMin: xMin + x, yMin: yMin + y, xMax: xMax + x, yMax: yMax + y)
  }

  func union(_ other: LabelBox) -> LabelBox {
    LabelBox(
      xMin: min(xMin, other.xMin), yMin: min(yMin, other.yMin), xMax: max(xMax, other.xMax),
      yMax: max(yMax, other.yMax))
  }

  var area: Double { max(xMax - xMin, 0) * max(yMax - yMin, 0) }

  /// Returns the area of the part that both rectangles share.
  func sharedArea(with other: LabelBox) -> Double {
    let (width, height) = (
      min(xMax, other.xMax) - max(xMin, other.xMin), min(yMax, other.yMax) - max(yMin, other.yMin)
    )
    return max(width, 0) * max(height, 0)
  }

  /// Returns the distance between the nearest points of the two rectangles; 0 when they meet.
  func distance(to other: LabelBox) -> Double {
    let x = max(other.xMin - xMax, xMin - other.xMax, 0)
    let y = max(other.yMin - yMax, yMin - other.yMax, 0)
    return (x * x + y * y).squareRoot()
  }

  /// Returns the distance from the circle that touches the sides of a square; 0 when they meet.
  func distance(toCircleIn square: LabelBox) -> Double {
    let (center, radius) = (square.center, (square.xMax - square.xMin) / 2)
    let x = max(center.x - xMax, xMin - center.x, 0)
    let y = max(center.y - yMax, yMin - center.y, 0)
    return max((x * x + y * y).squareRoot() - radius, 0)
  }
}
