/// A symbol that draws text at a point or as a label.
///
/// - Units: sizes in pixels of 1/96 inch, independent of the image's pixel ratio; documents use points of 1/72 inch.
/// - Source: names and defaults of the ArcGIS Maps SDK. Text is drawn in the font of its family, if ``Map/fonts`` has one,
///   else in Noto Sans.
public struct TextSymbol: Hashable, Sendable {
  /// The horizontal anchor of the text at its position, and the alignment of its lines.
  ///
  /// Labels take their position from the placement instead.
  public enum HorizontalAlignment: String, Hashable, Sendable {
    /// The left side, the centre or the right side.
    case left, center, right
    /// The same as `left`: lines are not stretched.
    case justify
  }

  /// The vertical anchor of the text at its position; labels take theirs from the placement.
  public enum VerticalAlignment: String, Hashable, Sendable {
    /// The baseline of the last line, the top, the middle or the bottom.
    case baseline, top, middle, bottom
  }

  /// The weight of the letters.
  public enum FontWeight: String, Hashable, Sendable, CaseIterable {
    /// Normal or bold letters.
    case normal, bold
  }

  /// The style of the letters.
  public enum FontStyle: String, Hashable, Sendable {
    /// Upright letters.
    case normal
    /// Italic letters; those of a font without italics are slanted.
    case italic
    /// Slanted letters.
    case oblique
  }

  /// The text; labels use an expression instead.
  public var text: String
  /// The colour of the letters; nil paints none.
  public var color: Color?
  /// The height of the font's em, in pixels.
  public var size: Double
  /// The horizontal anchor of the text, and the alignment of its lines.
  public var horizontalAlignment: HorizontalAlignment
  /// The vertical anchor of the text.
  public var verticalAlignment: VerticalAlignment
  /// The colour of the halo around the letters; nil paints none.
  public var haloColor: Color?
  /// The distance that the halo extends beyond the letters, in pixels.
  public var haloWidth = 0.0
  /// The colour of the rectangle behind the text; nil paints none.
  public var backgroundColor: Color?
  /// The colour of the rectangle's outline; nil paints none.
  public var outlineColor: Color?
  /// The width of the rectangle's outline, in pixels.
  public var outlineWidth = 0.0
  /// The font family named in the document; empty for the default font.
  public var fontFamily = ""
  /// The weight of the letters.
  public var fontWeight = FontWeight.normal
  /// The style of the letters.
  public var fontStyle = FontStyle.normal
  /// Whether the spaces between letters are adjusted, as the font says.
  public var isKerned = true
  /// The rotation about the position, clockwise in degrees; labels stay horizontal.
  public var angle = 0.0
  /// The direction that the angle is measured from.
  public var angleAlignment = SymbolAngleAlignment.screen
  /// The offset to the right, in pixels.
  public var offsetX = 0.0
  /// The offset upwards, in pixels.
  public var offsetY = 0.0

  /// Creates a symbol: black text, 10 pixels high, centred on its position, unless specified otherwise.
  public init(
    text: String = "", color: Color? = .black, size: Double = 10,
    horizontalAlignment: HorizontalAlignment = .center, verticalAlignment: VerticalAlignment = .middle
  ) {
    (self.text, self.color, self.size) = (text, color, size)
    (self.horizontalAlignment, self.verticalAlignment) = (horizontalAlignment, verticalAlignment)
  }
}
