package import MapGeometry
package import MapModel

/// A text engine for the placement of labels: shapes of lines and outlines of glyphs.
///
/// The functions are supplied by a higher module. All lengths are in ems (the font's size is 1), y up from the
/// baseline, so that one result serves all sizes. Results must depend on the arguments only.
package struct TextMeasurer: Sendable {
  /// Shapes a line whose sections have their own fonts, in one reading order.
  package let shapeSections: @Sendable (_ sections: [LineSection]) -> ShapedLine
  /// Returns the level of each character in the bidirectional order; none for a line from left to right.
  package let levels: @Sendable (_ characters: [Unicode.Scalar]) -> [Int8]
  /// Returns the outline of a glyph of a shaped line.
  package let outline: @Sendable (_ glyph: UInt32, _ font: FontChoice) -> GlyphOutline

  /// Creates a text engine; all lines are from left to right unless it has levels.
  package init(
    shapeSections: @escaping @Sendable ([LineSection]) -> ShapedLine,
    levels: @escaping @Sendable ([Unicode.Scalar]) -> [Int8] = { _ in [] },
    outline: @escaping @Sendable (UInt32, FontChoice) -> GlyphOutline
  ) {
    (self.shapeSections, self.levels, self.outline) = (shapeSections, levels, outline)
  }

  /// Returns the shape of a line in one font.
  package func shape(_ line: String, _ font: FontChoice) -> ShapedLine {
    shapeSections([LineSection(line, font)])
  }
}

/// A part of a line in one font.
package struct LineSection: Hashable, Sendable {
  /// The text, without line feeds and control characters.
  package var text: String
  /// The font.
  package var font: FontChoice

  /// Creates a part of a line.
  package init(_ text: String, _ font: FontChoice) { (self.text, self.font) = (text, font) }
}

/// The font that a text symbol asks for.
package struct FontChoice: Hashable, Sendable {
  /// The family, such as `Noto Sans Condensed`; empty for the default font.
  package let family: String
  /// The weight of the letters.
  package let weight: TextSymbol.FontWeight
  /// Whether the letters are italic.
  package let isItalic: Bool
  /// Whether the spaces between letters are adjusted.
  package let isKerned: Bool

  /// Creates a choice: the default font, normal, upright and kerned, unless specified otherwise.
  package init(
    family: String = "", weight: TextSymbol.FontWeight = .normal, isItalic: Bool = false,
    isKerned: Bool = true
  ) {
    (self.family, self.weight, self.isItalic, self.isKerned) = (family, weight, isItalic, isKerned)
  }
}

extension FontChoice {
  /// The same letters in the narrower face of the bundled font; nil for other fonts.
  var condensed: FontChoice? {
    guard family.isEmpty || family.lowercased() == "noto sans" else { return nil }
    return FontChoice(
      family: "Noto Sans Condensed", weight: weight, isItalic: isItalic, isKerned: isKerned)
  }
}

extension TextSymbol {
  /// The font of the text; oblique letters are slanted when they are painted.
  var font: FontChoice {
    FontChoice(
      family: fontFamily, weight: fontWeight, isItalic: fontStyle == .italic, isKerned: isKerned)
  }
}

/// A line of text as glyphs with positions.
package struct ShapedLine: Hashable, Sendable {
  /// A glyph of the font and the position of its origin.
  package struct Glyph: Hashable, Sendable {
    /// The index of the glyph in the font.
    package let glyph: UInt32
    /// The distance right of the line's start, in ems.
    package let x: Double
    /// The distance above the baseline, in ems.
    package let y: Double
    /// The distance to the origin of the next letter, in ems; 0 for marks.
    package let advance: Double
    /// The index of the first character that the glyph shows, in the line's Unicode scalars.
    package let character: Int

    /// Creates a glyph at a position.
    package init(glyph: UInt32, x: Double, y: Double, advance: Double = 0, character: Int = 0) {
      (self.glyph, self.x, self.y) = (glyph, x, y)
      (self.advance, self.character) = (advance, character)
    }
  }

  /// The glyphs from left to right.
  package let glyphs: [Glyph]
  /// The length of the line in ems.
  package let advance: Double
  /// The characters for which the font has no glyph, once per occurrence.
  package let missing: [Unicode.Scalar]
  /// The reason if the line is not shaped as it should be; nil for none.
  package let problem: String?

  /// Creates a shaped line.
  package init(glyphs: [Glyph], advance: Double, missing: [Unicode.Scalar] = [], problem: String? = nil) {
    (self.glyphs, self.advance, self.missing, self.problem) = (glyphs, advance, missing, problem)
  }
}

/// The outline of a glyph in ems, y up, with its origin at (0, 0); its inside follows the non-zero rule.
package struct GlyphOutline: Hashable, Sendable {
  /// A step of an outline.
  package enum Step: Hashable, Sendable {
    /// The start of a contour.
    case move(x: Double, y: Double)
    /// A straight line to a point.
    case line(x: Double, y: Double)
    /// A cubic curve, by its two control points and its end.
    case curve(x1: Double, y1: Double, x2: Double, y2: Double, x: Double, y: Double)
    /// The end of a contour, which closes it.
    case close
  }

  /// The steps in order; empty for a space.
  package let steps: [Step]
  /// The box of all end points and control points; nil for a space.
  package let bounds: Envelope?
  /// The distance to the origin of the next letter in ems; nil if it is unknown.
  package let advance: Double?

  /// Creates an outline from its steps.
  package init(steps: [Step], advance: Double? = nil) {
    (self.steps, self.advance) = (steps, advance)
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
