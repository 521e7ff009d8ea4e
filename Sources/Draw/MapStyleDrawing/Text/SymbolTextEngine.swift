import MapDrawing

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
