import MapDrawing
import MapStyles
internal import Synchronization

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
    guard shaping.isShort else { return result }
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

extension TextShaping {
  /// Whether the text is short enough to be kept.
  ///
  /// - Source: design decision; labels have some ten characters, and a glyph takes some hundred bytes.
  fileprivate var isShort: Bool { sections.reduce(0) { $0 + $1.text.utf8.count + 64 } <= 512 }
}
