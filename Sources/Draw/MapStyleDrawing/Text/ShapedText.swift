package import MapDrawing
package import MapStyles

/// A text of a symbol as glyphs with positions.
///
/// Lengths are in ems of the layer's `text-size`: x to the right and y down from the symbol's anchor point. Vertical
/// text is laid out as a line from left to right, and is drawn rotated by 90 degrees clockwise around the anchor point.
package struct ShapedText: Hashable, Sendable {
  /// A glyph with the position of its origin.
  package struct Glyph: Hashable, Sendable {
    /// The key of the outline, see ``SymbolFonts/outline(of:)``.
    package let key: GlyphKey
    /// The index of the first character that it shows, in the Unicode scalars of the text.
    package let character: Int
    /// The x coordinate of the origin.
    package let x: Double
    /// The y coordinate of the origin.
    package let y: Double
    /// The x coordinate of the centre of the letter, which follows a line when the text does.
    package let middle: Double
    /// The size relative to the text's.
    package let scale: Double
    /// The index of the section.
    package let section: Int
    /// Whether the glyph is rotated by 90 degrees counter-clockwise around its origin, so that it is upright in
    /// vertical text.
    package let isRotated: Bool

    /// Creates a glyph at a position.
    package init(
      key: GlyphKey, character: Int = 0, x: Double, y: Double, middle: Double, scale: Double = 1,
      section: Int = 0, isRotated: Bool = false
    ) {
      self.character = character
      (self.key, self.x, self.y, self.middle, self.scale) = (key, x, y, middle, scale)
      (self.section, self.isRotated) = (section, isRotated)
    }
  }

  /// An image between the letters.
  package struct InlineImage: Hashable, Sendable {
    /// The name in the sprites.
    package let name: String
    /// The position and size.
    package let box: SymbolBox
    /// The index of the section.
    package let section: Int
    /// Whether the image is rotated by 90 degrees counter-clockwise around the centre of its box, so that it is
    /// upright in vertical text.
    package let isRotated: Bool

    /// Creates an image at a position.
    package init(name: String, box: SymbolBox, section: Int, isRotated: Bool = false) {
      (self.name, self.box, self.section, self.isRotated) = (name, box, section, isRotated)
    }
  }

  /// The text in the case of its letters, in one line without blanks at its ends.
  package let text: String
  /// The glyphs line by line, from left to right.
  package let glyphs: [Glyph]
  /// The images line by line, from left to right.
  package let images: [InlineImage]
  /// The lines without padding, as MapLibre measures them: all of the line height, not the ink.
  package let box: SymbolBox
  /// The number of lines.
  package let lineCount: Int
  /// Whether the text is vertical.
  package let isVertical: Bool
  /// The colour of each section; nil for the layer's.
  package let colors: [StyleColor?]

  /// Creates a shaped text.
  package init(
    text: String, glyphs: [Glyph], images: [InlineImage] = [], box: SymbolBox, lineCount: Int = 1,
    isVertical: Bool = false, colors: [StyleColor?] = [nil]
  ) {
    (self.text, self.glyphs, self.images, self.box) = (text, glyphs, images, box)
    (self.lineCount, self.isVertical, self.colors) = (lineCount, isVertical, colors)
  }
}

/// A glyph of a font.
package struct GlyphKey: Hashable, Sendable {
  /// The font.
  package let font: SymbolFont
  /// The index of the glyph in the font.
  package let glyph: UInt32

  /// Creates a key.
  package init(font: SymbolFont, glyph: UInt32) { (self.font, self.glyph) = (font, glyph) }
}

/// The font that sets a font stack.
package enum SymbolFont: Hashable, Sendable {
  /// A bundled font or a file of the user.
  case file(FontChoice)
  /// The glyph files of a stack, by its names with commas between them.
  case glyphFiles(String)
}

/// A rectangle around a symbol's anchor point, y down.
package struct SymbolBox: Hashable, Sendable {
  package var left: Double
  package var top: Double
  package var right: Double
  package var bottom: Double

  /// The distance from left to right.
  package var width: Double { right - left }
  /// The distance from top to bottom.
  package var height: Double { bottom - top }

  /// Creates a rectangle.
  package init(left: Double, top: Double, right: Double, bottom: Double) {
    (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
  }

  /// Returns whether another rectangle lies in this one.
  func contains(_ other: SymbolBox) -> Bool {
    other.left >= left && other.top >= top && other.right <= right && other.bottom <= bottom
  }

  /// Returns the rectangle with all lengths multiplied by a factor.
  package func scaled(by factor: Double) -> SymbolBox {
    SymbolBox(left: left * factor, top: top * factor, right: right * factor, bottom: bottom * factor)
  }

  /// Returns the rectangle moved by an offset.
  package func moved(x: Double, y: Double) -> SymbolBox {
    SymbolBox(left: left + x, top: top + y, right: right + x, bottom: bottom + y)
  }
}

/// The part of a text or an icon that is at the symbol's anchor point.
package enum SymbolAnchor: String, Hashable, Sendable, CaseIterable {
  case center, left, right, top, bottom
  case topLeft = "top-left"
  case topRight = "top-right"
  case bottomLeft = "bottom-left"
  case bottomRight = "bottom-right"

  /// The share of the width that is left of the anchor point: 0, 0.5 or 1.
  package var horizontal: Double {
    switch self {
    case .left, .topLeft, .bottomLeft: 0
    case .center, .top, .bottom: 0.5
    case .right, .topRight, .bottomRight: 1
    }
  }

  /// The share of the height that is above the anchor point: 0, 0.5 or 1.
  package var vertical: Double {
    switch self {
    case .top, .topLeft, .topRight: 0
    case .center, .left, .right: 0.5
    case .bottom, .bottomLeft, .bottomRight: 1
    }
  }

  /// The justification of lines that `auto` means at the anchor.
  package var justification: TextJustification {
    switch horizontal {
    case 0: .left
    case 1: .right
    default: .center
    }
  }
}

/// The side at which lines of a text are aligned.
package enum TextJustification: String, Hashable, Sendable {
  case left, center, right

  /// The share of a line's free width that is left of it.
  var share: Double {
    switch self {
    case .left: 0
    case .center: 0.5
    case .right: 1
    }
  }
}

/// The case of a text's letters.
package enum TextTransform: String, Hashable, Sendable {
  case none, uppercase, lowercase
}
