/// Text at a point, and how labels look.
///
/// - Units: sizes in pixels of 1/96 inch, whatever the picture's pixel ratio; documents write points of 1/72 inch.
/// - Source: ArcGIS Maps SDK, whose names and defaults these are. Labels are set in Noto Sans, whatever the family.
public struct TextSymbol: Symbol, Hashable {
  /// Which side of the text is its place, and where lines of several meet; labels take their place from the placement.
  public enum HorizontalAlignment: String, Hashable, Sendable {
    case left, center, right
    /// As left: lines are not stretched.
    case justify
  }

  /// Which height of the text is its place, of several lines that of the last baseline; labels take theirs from the
  /// placement.
  public enum VerticalAlignment: String, Hashable, Sendable {
    case baseline, top, middle, bottom
  }

  /// How strong the letters are.
  public enum FontWeight: String, Hashable, Sendable, CaseIterable {
    case normal, bold
  }

  /// How upright the letters are.
  public enum FontStyle: String, Hashable, Sendable {
    case normal
    /// Drawn slanted, as oblique.
    case italic
    case oblique
  }

  /// What is written; labels have an expression instead.
  public var text: String
  /// The colour of the letters; nil paints none.
  public var color: Color?
  /// The height of the font's em in pixels.
  public var size: Double
  /// Which side of the text is its place, and where lines of several meet.
  public var horizontalAlignment: HorizontalAlignment
  /// Which height of the text is its place.
  public var verticalAlignment: VerticalAlignment
  /// The colour around the letters; nil paints none.
  public var haloColor: Color?
  /// How far the halo reaches beyond the letters, in pixels.
  public var haloWidth = 0.0
  /// The colour of the rectangle behind the text; nil paints none.
  public var backgroundColor: Color?
  /// The colour of the line around that rectangle; nil paints none.
  public var outlineColor: Color?
  /// How wide the line around the rectangle is, in pixels.
  public var outlineWidth = 0.0
  /// The font's name as a document gives it; empty is ours.
  public var fontFamily = ""
  /// How strong the letters are.
  public var fontWeight = FontWeight.normal
  /// How upright the letters are.
  public var fontStyle = FontStyle.normal
  /// Turn about the place, clockwise, in degrees; labels are level.
  public var angle = 0.0
  /// What the turn is counted from.
  public var angleAlignment = SymbolAngleAlignment.screen
  /// Shift to the right, in pixels.
  public var offsetX = 0.0
  /// Shift upwards, in pixels.
  public var offsetY = 0.0

  /// A look: black, 10 pixels high unless said.
  public init(
    text: String = "", color: Color? = .black, size: Double = 10,
    horizontalAlignment: HorizontalAlignment = .center, verticalAlignment: VerticalAlignment = .middle
  ) {
    (self.text, self.color, self.size) = (text, color, size)
    (self.horizontalAlignment, self.verticalAlignment) = (horizontalAlignment, verticalAlignment)
  }

  /// Itself, in the closed family.
  public var form: SymbolForm { .text(self) }
}
