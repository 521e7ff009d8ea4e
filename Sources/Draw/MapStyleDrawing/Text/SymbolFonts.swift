package import MapDrawing
package import MapStyles
internal import Synchronization

/// The fonts of a view's symbols: shaping of texts and outlines of glyphs.
///
/// Texts are shaped once, and outlines requested once. What the fonts lack is remembered in ``problems``.
package struct SymbolFonts: Sendable {
  /// The engine that shapes with font files.
  let measurer: TextMeasurer
  /// The families of the user's font files.
  let families: [String]
  /// The images of the style's sprites, for images between letters.
  let images: StyleImages

  /// Creates the fonts of a view.
  ///
  /// - Parameters:
  ///   - measurer: the engine that shapes with font files.
  ///   - families: the families of the user's font files.
  ///   - images: the images of the style's sprites, for images between letters.
  package init(measurer: TextMeasurer, families: [String] = [], images: StyleImages = StyleImages()) {
    (self.measurer, self.families, self.images) = (measurer, families, images)
  }

  /// Returns a shaped text; nil for a text without glyphs and images.
  package func shape(_ shaping: TextShaping) -> ShapedText? { nil }

  /// Returns the outline of a glyph, in ems with y up; an empty one for a glyph that no shaped text has.
  package func outline(of key: GlyphKey) -> GlyphOutline { GlyphOutline(steps: []) }

  /// The replaced fonts, the missing glyphs and the missing images so far, one line each, sorted.
  package var problems: [String] { [] }
}
