public import MapGeometry
public import MapModel

/// What the placement of labels asks of a text engine: shapes of lines and outlines of glyphs.
///
/// A value of functions, given from above. All lengths are in ems (the font's size is 1), y up from the baseline, so
/// that one answer serves all sizes; the answers must depend on nothing else than the arguments.
public struct TextMeasurer: Sendable {
  /// Shapes a line without line feeds and control characters.
  public let shape: @Sendable (_ line: String, _ weight: TextSymbol.FontWeight) -> ShapedLine
  /// The outline of a glyph that ``shape`` gave.
  public let outline: @Sendable (_ glyph: UInt32, _ weight: TextSymbol.FontWeight) -> GlyphOutline

  /// An engine.
  public init(
    shape: @escaping @Sendable (String, TextSymbol.FontWeight) -> ShapedLine,
    outline: @escaping @Sendable (UInt32, TextSymbol.FontWeight) -> GlyphOutline
  ) {
    (self.shape, self.outline) = (shape, outline)
  }
}

/// A line of text as glyphs at places.
public struct ShapedLine: Hashable, Sendable {
  /// A glyph of the font, its origin at a place.
  public struct Glyph: Hashable, Sendable {
    /// The font's number of it.
    public let glyph: UInt32
    /// Ems right of the line's start.
    public let x: Double
    /// Ems above the baseline.
    public let y: Double

    /// A glyph at a place.
    public init(glyph: UInt32, x: Double, y: Double) { (self.glyph, self.x, self.y) = (glyph, x, y) }
  }

  /// The glyphs from left to right.
  public let glyphs: [Glyph]
  /// The line's length in ems.
  public let advance: Double
  /// The characters for which the font has no glyph, each time they occur.
  public let missing: [Unicode.Scalar]

  /// A line.
  public init(glyphs: [Glyph], advance: Double, missing: [Unicode.Scalar] = []) {
    (self.glyphs, self.advance, self.missing) = (glyphs, advance, missing)
  }
}

/// The outline of a glyph in ems, y up, its origin at 0, 0; inside by the non-zero rule.
public struct GlyphOutline: Hashable, Sendable {
  /// A step of the pen.
  public enum Step: Hashable, Sendable {
    /// Begins a contour.
    case move(x: Double, y: Double)
    /// A straight line.
    case line(x: Double, y: Double)
    /// A cubic curve by its two control points and its end.
    case curve(x1: Double, y1: Double, x2: Double, y2: Double, x: Double, y: Double)
    /// Ends the contour where it began.
    case close
  }

  /// The steps in order; none for a blank.
  public let steps: [Step]
  /// The box of all ends and control points; nil for a blank.
  public let bounds: Envelope?

  /// An outline.
  public init(steps: [Step]) {
    self.steps = steps
    var bounds = Envelope.empty
    for step in steps {
      bounds =
        switch step {
        case .move(let x, let y), .line(let x, let y): bounds.union(Point(x: x, y: y).extent)
        case .curve(let x1, let y1, let x2, let y2, let x, let y):
          bounds.union(
            Envelope(xMin: min(x1, x2, x), yMin: min(y1, y2, y), xMax: max(x1, x2, x), yMax: max(y1, y2, y)))
        case .close: bounds
        }
    }
    self.bounds = bounds.isEmpty ? nil : bounds
  }
}
