/// The tone of the ground below the layers of a map; every default colour exists for both.
///
/// The ground is light or dark by one colour: the background of a vector tile style below the layers, or else the water
/// of a basemap style, or else the background colour of the map. A transparent background is light. The colours of tiles
/// of images are not known: the background colour of the map decides there, too.
package enum GroundTone: Hashable, Sendable {
  case light, dark

  /// Returns the tone of a colour: dark if white text has more contrast with it than black text.
  ///
  /// Colours with an alpha up to 127 are transparent, and so is nil.
  package init(of color: Color?) { self = color?.isDark == true ? .dark : .light }
}

extension Color {
  /// The luminance with the same contrast, 4.58, to black and to white.
  ///
  /// - Source: WCAG 2.1, definition of contrast ratio: the root of 1.05 times 0.05, less 0.05.
  private static let middleLuminance = 0.17913

  /// Whether text and lines over the colour are light; false for a transparent colour.
  package var isDark: Bool { alpha > 127 && LinearColor(self).luminance < Self.middleLuminance }

  /// The colour of selected features where no caller sets one.
  ///
  /// - Source: cyan is that of the ArcGIS Maps SDK, which is hard to see on light ground; magenta is a design decision.
  package static func selection(on ground: GroundTone) -> Color {
    ground == .dark ? .cyan : Color(red: 230, green: 0, blue: 126)
  }

  /// Creates the opaque mean of colours; nil for none.
  init?(mean colors: [Color]) {
    guard !colors.isEmpty else { return nil }
    func channel(_ path: KeyPath<Color, UInt8>) -> UInt8 {
      UInt8(clamping: colors.reduce(0) { $0 + Int($1[keyPath: path]) } / colors.count)
    }
    self.init(red: channel(\.red), green: channel(\.green), blue: channel(\.blue))
  }

  /// The colour of an outline around a fill of this colour: a darker tone, and opaque.
  ///
  /// Where many symbols overlap, their outlines keep the hue; white ones would pale it.
  ///
  /// - Source: design decision.
  package var outline: Color {
    func part(_ value: UInt8) -> UInt8 { UInt8(clamping: Int(value) * 6 / 10) }
    return Color(red: part(red), green: part(green), blue: part(blue))
  }
}
