package import MapModel

/// The colours of the parts of a page, dark on light or light on dark.
package struct PageTone: Hashable, Sendable {
  /// The colour of titles, labels and lines.
  package let ink: Color
  /// The colour of less important text.
  package let muted: Color
  /// The colour of the page beside the map; nil is transparent.
  package let paper: Color?
  /// The colour behind parts on the map.
  package let plate: Color
  /// The colour of the line around plates, and of the frame.
  let hairline: Color

  /// The tone for dark text on a light page.
  package static let light = PageTone(
    ink: Color(red: 28, green: 28, blue: 30), muted: Color(red: 96, green: 96, blue: 100), paper: .white,
    plate: Color(red: 255, green: 255, blue: 255, alpha: 232),
    hairline: Color(red: 150, green: 150, blue: 154))

  /// Returns the tone for light text on a dark page; all text has the contrast that `lint` asks for.
  private static func dark(_ paper: Color) -> PageTone {
    // White features below a plate make it lighter.
    let below = LinearColor(paper).luminance < 0.03 ? paper : paper.outline
    let plate = Color(red: below.red, green: below.green, blue: below.blue, alpha: 232)
    let surfaces = [paper, plate.over(.white)].map { LinearColor($0) }
    func text(_ levels: [UInt8]) -> Color {
      let colors = levels.map { Color(red: $0, green: $0, blue: $0 < 250 ? $0 + 4 : $0) }
      return colors.first { color in
        surfaces.allSatisfy { LinearColor(color).contrast(to: $0) >= leastContrast }
      } ?? .white
    }
    return PageTone(
      ink: text([240, 255]), muted: text([176, 192, 208, 224, 240]), paper: paper, plate: plate,
      hairline: Color(red: 120, green: 120, blue: 126))
  }

  /// - Source: WCAG 2.1, success criterion 1.4.3.
  private static let leastContrast = 4.5

  private init(ink: Color, muted: Color, paper: Color?, plate: Color, hairline: Color) {
    (self.ink, self.muted, self.paper, self.plate) = (ink, muted, paper, plate)
    self.hairline = hairline
  }

  /// Creates the tone for a map by the ground below its layers.
  package init(_ view: ViewState) {
    // The page beside the map has the colour of the canvas, unless that would not suit the map.
    let (canvas, ground) = (view.canvasColor, view.groundColor)
    self.init(canvas: GroundTone(of: canvas) == GroundTone(of: ground) ? canvas : ground)
  }

  /// Creates the tone for a colour below all parts; nil is transparent.
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
