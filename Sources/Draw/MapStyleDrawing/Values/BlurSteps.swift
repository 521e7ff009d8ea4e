import MapDrawing
import MapModel
import MapSystem

/// A soft edge as shapes over each other, each smaller than the one below, so that every format can draw it.
struct BlurSteps {
  /// The number of shapes.
  let count: Int
  /// The distance between the edges of two shapes, in pixels.
  let distance: Double

  /// The largest number of shapes.
  ///
  /// - Source: design decision; a step of opacity is 10 of 255.
  private static let limit = 24

  /// Creates the steps of an edge that fades over a length in pixels.
  init(length: Double) {
    count = min(max(Int(clamping: length.rounded(.up)), 1), Self.limit)
    distance = length / Double(count)
  }

  /// Returns the colour of a shape, with which all shapes up to it have the share of the colour's opacity.
  func color(_ color: Color, _ step: Int) -> Color {
    let opacity = Double(color.alpha) / 255
    let (below, sum) = (opacity * Double(step) / Double(count), opacity * Double(step + 1) / Double(count))
    return color.withAlphaComponent(below < 1 ? (sum - below) / (1 - below) : 0)
  }
}

extension Stroke {
  /// Returns strokes over each other whose opacity falls to 0 at the edge, over a length and one pixel.
  ///
  /// - Source: MapLibre GL JS 5.
  func blurred(by blur: Double) -> [Stroke] {
    guard blur > 0 else { return [self] }
    let steps = BlurSteps(length: blur + 1)
    return (0..<steps.count).compactMap { step in
      // The edges lie in the middle of their steps; antialiasing is one pixel wide.
      let inset = (Double(step) + 0.5) * steps.distance - 0.5
      let width = width - 2 * inset
      let color = steps.color(color, step)
      guard width > 0, color.alpha > 0 else { return nil }
      return Stroke(color: color, width: width, cap: cap, join: join, miterLimit: miterLimit)
    }
  }
}
