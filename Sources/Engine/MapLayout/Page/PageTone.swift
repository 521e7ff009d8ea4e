package import MapModel

/// The colours of the parts of a page, dark on light or light on dark.
package struct PageTone: Hashable, Sendable {
  /// The colour of titles, labels and lines.
  package let ink: Color
  /// The colour of less important text.
  let muted: Color
  /// The colour of the page beside the map; nil is transparent.
  package let paper: Color?
  /// The colour behind parts on the map.
  let plate: Color
  /// The colour of the line around plates, and of the frame.
  let hairline: Color

  /// Whether text is light on a dark page.
  package var isDark: Bool { ink.red > 127 }

  /// The tone for dark text on a light page.
  package static let light = PageTone(
    ink: Color(red: 28, green: 28, blue: 30), muted: Color(red: 96, green: 96, blue: 100), paper: .white,
    plate: Color(red: 255, green: 255, blue: 255, alpha: 232),
    hairline: Color(red: 150, green: 150, blue: 154))

  private static func dark(_ paper: Color) -> PageTone {
    PageTone(
      ink: Color(red: 240, green: 240, blue: 242), muted: Color(red: 176, green: 176, blue: 182),
      paper: paper,
      plate: Color(red: paper.red, green: paper.green, blue: paper.blue, alpha: 232),
      hairline: Color(red: 120, green: 120, blue: 126))
  }

  private init(ink: Color, muted: Color, paper: Color?, plate: Color, hairline: Color) {
    (self.ink, self.muted, self.paper, self.plate) = (ink, muted, paper, plate)
    self.hairline = hairline
  }

  /// Creates the tone for a map by the colour below its layers; nil is transparent.
  package init(canvas: Color?) {
    guard let canvas, canvas.alpha > 127 else {
      let light = Self.light
      self.init(
        ink: light.ink, muted: light.muted, paper: nil, plate: light.plate, hairline: light.hairline)
      return
    }
    self = canvas.isDark ? .dark(canvas.withAlphaComponent(1)) : .light
  }
}
