package import MapStyles

/// The layout values of a symbol's text, and with them the key of its shape in caches.
package struct TextShaping: Hashable, Sendable {
  /// The sections of `text-field`.
  package var sections: [FormattedSection]
  /// The font stack of `text-font`, for sections without their own.
  package var fonts: [String]
  /// The text size in CSS pixels at the whole zoom, by which inline images are measured.
  package var size: Double
  /// The width of lines in ems; infinity for text along lines.
  package var maxWidth: Double
  /// The distance between lines in ems.
  package var lineHeight: Double
  /// The space between letters in ems.
  package var letterSpacing: Double
  /// The part of the text that is at the symbol's anchor point.
  package var anchor: SymbolAnchor
  /// The alignment of lines; `auto` is resolved by ``SymbolAnchor/justification``.
  package var justification: TextJustification
  /// The offset of the text to the right, in ems.
  package var offsetX: Double
  /// The offset of the text down, in ems.
  package var offsetY: Double
  /// The case of the letters.
  package var transform: TextTransform
  /// The direction of the text.
  package var direction: TextDirection

  /// Creates the values of a text; all but the sections are the defaults of the style specification.
  package init(
    sections: [FormattedSection], fonts: [String] = ["Open Sans Regular", "Arial Unicode MS Regular"],
    size: Double = 16, maxWidth: Double = 10, lineHeight: Double = 1.2, letterSpacing: Double = 0,
    anchor: SymbolAnchor = .center, justification: TextJustification = .center, offsetX: Double = 0,
    offsetY: Double = 0, transform: TextTransform = .none, direction: TextDirection = .horizontal
  ) {
    (self.sections, self.fonts, self.size, self.maxWidth) = (sections, fonts, size, maxWidth)
    (self.lineHeight, self.letterSpacing, self.anchor) = (lineHeight, letterSpacing, anchor)
    (self.justification, self.offsetX, self.offsetY) = (justification, offsetX, offsetY)
    (self.transform, self.direction) = (transform, direction)
  }

  /// Whether the text has a character that is upright in vertical text, so that it may be vertical.
  package var allowsVertical: Bool {
    sections.contains { $0.text.unicodeScalars.contains { $0.isUprightInVerticalText } }
  }
}

/// The direction of a text.
package enum TextDirection: Hashable, Sendable {
  case horizontal
  /// Vertical along a line: characters without an upright form are rotated.
  case verticalAlongLine
  /// Vertical at a point: all characters but those of Arabic are upright.
  case verticalAtPoint
}
