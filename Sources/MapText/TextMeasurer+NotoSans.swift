public import MapDrawing
internal import MapModel

extension TextMeasurer {
  /// Shapes text with HarfBuzz and the Noto Sans that is part of the program.
  ///
  /// HarfBuzz alone, and not Pango: the fonts are bytes of ours and the outlines come from HarfBuzz itself, so there is
  /// no font configuration, no file to find, no cache and no lock, and the same text gives the same numbers on every
  /// machine. Pango would add the order of right-to-left text, of which the fonts have no letter.
  public static let notoSans = TextMeasurer(
    shape: { line, weight in faces[weight]?.shape(line) ?? ShapedLine(glyphs: [], advance: 0) },
    outline: { glyph, weight in faces[weight]?.outline(of: glyph) ?? GlyphOutline(steps: []) })

  /// The faces, made when the first text is shaped and kept.
  private static let faces: [TextSymbol.FontWeight: FontFace] = {
    var faces: [TextSymbol.FontWeight: FontFace] = [:]
    for weight in TextSymbol.FontWeight.allCases { faces[weight] = FontFace(notoSans: weight) }
    return faces
  }()

  /// The version of the HarfBuzz in use.
  public static var libraryVersion: String { FontFace.libraryVersion }
}
