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

  /// Returns the colours of the shapes, the lowest first; those up to each have its share of the colour's opacity together.
  ///
  /// Each colour makes up for the rounding of those below it. One that adds less than half a step of 255 is transparent.
  func colors(_ color: Color) -> [Color] {
    let opacity = Double(color.alpha) / 255
    var below = 0.0
    return (1...count).map { number in
      let rest = opacity * Double(number) / Double(count) - below
      let own = color.withAlphaComponent(below < 1 ? rest / (1 - below) : 0)
      below += (1 - below) * Double(own.alpha) / 255
      return own
    }
  }
}

extension Stroke {
  /// Returns strokes over each other whose opacity falls to 0 at the edge, over a length and one pixel.
  ///
  /// - Source: MapLibre GL JS 5.
  func blurred(by blur: Double) -> [Stroke] {
    guard blur > 0 else { return [self] }
    let steps = BlurSteps(length: blur + 1)
    return steps.colors(color).enumerated().compactMap { step, color in
      // The edges lie in the middle of their steps; antialiasing is one pixel wide.
      let inset = (Double(step) + 0.5) * steps.distance - 0.5
      let width = width - 2 * inset
      guard width > 0, color.alpha > 0 else { return nil }
      return Stroke(color: color, width: width, cap: cap, join: join, miterLimit: miterLimit)
    }
  }
}
