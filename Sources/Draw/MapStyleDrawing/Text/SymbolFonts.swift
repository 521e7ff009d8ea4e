package import MapDrawing

/// The fonts of a style's symbols: shaping of texts and outlines of glyphs.
///
/// Texts are shaped once, and outlines requested once. Any number of threads may use the same fonts.
package struct SymbolFonts: Sendable {
  let engine: SymbolTextEngine
  private let shapes: SymbolShapes
  private let record = TextProblems()

  /// Creates the fonts of a style.
  ///
  /// - Parameters:
  ///   - measurer: the engine that shapes with font files.
  ///   - families: the families of the user's font files.
  ///   - images: the images of the style's sprites, for images between letters.
  ///   - glyphs: the bytes of a glyph file, by its font stack and by the first of its 256 characters divided by 256;
  ///     nil where there is none. It throws for a file that cannot be read.
  package init(
    measurer: TextMeasurer, families: [String] = [], images: StyleImages = StyleImages(),
    glyphs: (@Sendable (_ stack: String, _ range: Int) throws -> [UInt8]?)? = nil
  ) {
    engine = SymbolTextEngine(
      measurer: measurer, families: families, images: images, files: glyphs.map { GlyphFiles($0) })
    shapes = SymbolShapes()
  }

  private init(_ other: SymbolFonts) { (engine, shapes) = (other.engine, other.shapes) }

  /// Returns fonts that share all shapes and outlines, with their own ``problems``.
  package func forView() -> SymbolFonts { SymbolFonts(self) }

  /// Returns a shaped text; nil for a text without glyphs and images.
  package func shape(_ shaping: TextShaping) -> ShapedText? {
    let result = shapes.text(shaping) { TextSetting(shaping, engine).result }
    record.add(result.problems)
    return result.text
  }

  /// Returns the outline of a glyph, in ems with y up; an empty one for a glyph that no shaped text has.
  package func outline(of key: GlyphKey) -> GlyphOutline {
    shapes.outline(key) { engine.outline(of: key) }
  }

  /// The replaced fonts, the missing glyphs and the missing images so far, one line each, sorted.
  package var problems: [String] { record.lines }
}

extension TextShaping {
  /// Returns the shaped text; nil for a text without glyphs and images.
  package func shaped(by fonts: SymbolFonts) -> ShapedText? { fonts.shape(self) }
}

extension SymbolFonts {
  /// Returns a line about the font that replaces those of a stack; nil if one of them is used.
  ///
  /// - Parameters:
  ///   - names: the names, the preferred one first.
  ///   - families: the families of the user's font files.
  ///   - hasGlyphs: whether there are glyph files of a stack.
  package static func replacement(
    of names: [String], families: [String], hasGlyphs: (String) -> Bool
  ) -> String? {
    FontStack(names, families: families, hasGlyphs: hasGlyphs).replacement
  }
}
