import MapDrawing

/// The glyph files of a style; see ``GlyphFile``.
final class GlyphFiles: Sendable {
  init(_ bytes: @escaping @Sendable (_ stack: String, _ range: Int) -> [UInt8]?) { _ = bytes }
  func has(_ stack: String) -> Bool { false }
  func shape(_ characters: ArraySlice<Unicode.Scalar>, _ stack: String) -> ShapedLine {
    ShapedLine(glyphs: [], advance: 0)
  }
  func outline(of glyph: UInt32, _ stack: String) -> GlyphOutline { GlyphOutline(steps: []) }
}
