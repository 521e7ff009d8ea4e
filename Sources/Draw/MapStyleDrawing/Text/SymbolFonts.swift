package import MapDrawing
import MapModel
internal import Synchronization

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
  ///     nil where there is none.
  package init(
    measurer: TextMeasurer, families: [String] = [], images: StyleImages = StyleImages(),
    glyphs: (@Sendable (_ stack: String, _ range: Int) -> [UInt8]?)? = nil
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

/// The engines that set the texts of symbols.
struct SymbolTextEngine: Sendable {
  let measurer: TextMeasurer
  let families: [String]
  let images: StyleImages
  let files: GlyphFiles?

  /// Returns the font of a stack.
  func font(of names: [String]) -> FontStack {
    FontStack(names, families: families, hasGlyphs: { files?.has($0) ?? false })
  }

  /// Returns the outline of a glyph.
  func outline(of key: GlyphKey) -> GlyphOutline {
    switch key.font {
    case .file(let font): measurer.outline(key.glyph, font)
    case .glyphFiles(let stack): files?.outline(of: key.glyph, stack) ?? GlyphOutline(steps: [])
    }
  }
}

/// A text as it was shaped, with what its fonts lack.
struct TextResult: Sendable {
  let text: ShapedText?
  let problems: Set<TextProblem>
}

/// Shaped texts and outlines for several views.
final class SymbolShapes: Sendable {
  private let texts = Mutex<[TextShaping: TextResult]>([:])
  private let outlines = Mutex<[GlyphKey: GlyphOutline]>([:])

  /// The largest number of texts and of outlines that are kept.
  ///
  /// - Source: design decision; a view has some hundred texts.
  private static let limit = 20_000

  /// Returns a known text, or shapes it.
  func text(_ shaping: TextShaping, _ shape: () -> TextResult) -> TextResult {
    if let known = texts.withLock({ $0[shaping] }) { return known }
    let result = shape()
    texts.withLock { texts in
      if texts.count >= Self.limit { texts = [:] }
      texts[shaping] = result
    }
    return result
  }

  /// Returns a known outline, or requests it.
  func outline(_ key: GlyphKey, _ request: () -> GlyphOutline) -> GlyphOutline {
    if let known = outlines.withLock({ $0[key] }) { return known }
    let outline = request()
    outlines.withLock { outlines in
      if outlines.count >= Self.limit { outlines = [:] }
      outlines[key] = outline
    }
    return outline
  }
}
