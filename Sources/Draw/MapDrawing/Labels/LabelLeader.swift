package import MapGeometry
import MapSystem

/// A line from a symbol to its name, which has no room beside the symbol.
package struct LabelLeader: Hashable, Sendable {
  /// The x coordinate of the end at the symbol, in pixels.
  let startX: Double
  /// The y coordinate of that end.
  let startY: Double
  /// The x coordinate of the end at the name.
  let endX: Double
  /// The y coordinate of that end.
  let endY: Double
  /// The width in pixels.
  let width: Double

  init(startX: Double, startY: Double, endX: Double, endY: Double, width: Double) {
    (self.startX, self.startY, self.endX, self.endY) = (startX, startY, endX, endY)
    self.width = width
  }

  /// Creates a line from a point to the nearest point of a label's block.
  init(from start: (x: Double, y: Double), to block: LabelBox, width: Double) {
    self.init(
      startX: start.x, startY: start.y, endX: min(max(start.x, block.xMin), block.xMax),
      endY: min(max(start.y, block.yMin), block.yMax), width: width)
  }

  /// Returns the line from the label to a distance inside its area, where a function is true; nil if it is nowhere so far inside.
  func ending(_ inside: Double, where isInside: ((x: Double, y: Double)) -> Bool) -> LabelLeader? {
    let count = max(Int(clamping: length.rounded(.up)), 1)
    var reached = 0.0
    for index in 0...count {
      let share = Double(index) / Double(count)
      let place = (x: endX + share * (startX - endX), y: endY + share * (startY - endY))
      reached = isInside(place) ? reached + length / Double(count) : 0
      guard reached > inside else { continue }
      return LabelLeader(startX: place.x, startY: place.y, endX: endX, endY: endY, width: width)
    }
    return nil
  }

  /// The line with the middle of pixels below it if it is horizontal or vertical, which is sharpest.
  var onPixels: LabelLeader {
    func middle(_ place: Double) -> Double { place.rounded(.down) + 0.5 }
    if startY == endY {
      return LabelLeader(
        startX: startX, startY: middle(startY), endX: endX, endY: middle(endY), width: width)
    }
    guard startX == endX else { return self }
    return LabelLeader(startX: middle(startX), startY: startY, endX: middle(endX), endY: endY, width: width)
  }

  /// The length of a part of the line for which a box is kept free, in pixels.
  private static let step = 4.0

  /// The length in pixels.
  var length: Double {
    let (x, y) = (endX - startX, endY - startY)
    return (x * x + y * y).squareRoot()
  }

  /// The line as the outline of a letter, in pixels.
  package var steps: [GlyphOutline.Step] {
    let length = length
    guard length > 0 else { return [] }
    let (x, y) = ((endY - startY) / length * width / 2, (startX - endX) / length * width / 2)
    return [
      .move(x: startX + x, y: startY + y), .line(x: endX + x, y: endY + y),
      .line(x: endX - x, y: endY - y), .line(x: startX - x, y: startY - y), .close,
    ]
  }

  /// The box around the line, in pixels.
  package var box: Envelope {
    Envelope(
      xMin: min(startX, endX), yMin: min(startY, endY), xMax: max(startX, endX), yMax: max(startY, endY)
    ).grown(by: width / 2)
  }

  /// Returns boxes that cover the line and a distance beside it, each a few pixels long.
  func boxes(grownBy distance: Double) -> [LabelBox] {
    let count = max(Int(clamping: (length / Self.step).rounded(.up)), 1)
    func place(_ index: Int) -> (x: Double, y: Double) {
      let share = Double(index) / Double(count)
      return (startX + share * (endX - startX), startY + share * (endY - startY))
    }
    return (0..<count).map { index in
      let (a, b) = (place(index), place(index + 1))
      return LabelBox(xMin: min(a.x, b.x), yMin: min(a.y, b.y), xMax: max(a.x, b.x), yMax: max(a.y, b.y))
        .grown(by: distance)
    }
  }

  func moved(x: Double, y: Double) -> LabelLeader {
    LabelLeader(startX: startX + x, startY: startY + y, endX: endX + x, endY: endY + y, width: width)
  }
}
