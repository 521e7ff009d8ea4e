#if Labels
  public import MapDrawing
  internal import MapModel

  extension TextMeasurer {
    /// A measurer that shapes text with HarfBuzz and the Noto Sans fonts inside the program.
    ///
    /// It uses HarfBuzz alone, without Pango. The fonts are bytes inside the program and HarfBuzz itself supplies the
    /// outlines. There is no font configuration, no file to find, no cache and no lock. The same text gives the same
    /// numbers on every machine. Pango would add the ordering of right-to-left text, but the fonts have no
    /// right-to-left letters.
    public static let notoSans = TextMeasurer(
      shape: { line, weight in faces[weight]?.shape(line) ?? ShapedLine(glyphs: [], advance: 0) },
      outline: { glyph, weight in faces[weight]?.outline(of: glyph) ?? GlyphOutline(steps: []) })

    /// The faces of all weights, created when the first text is shaped.
    private static let faces: [TextSymbol.FontWeight: FontFace] = {
      var faces: [TextSymbol.FontWeight: FontFace] = [:]
      for weight in TextSymbol.FontWeight.allCases { faces[weight] = FontFace(notoSans: weight) }
      return faces
    }()

    /// The version of the HarfBuzz library in use.
    public static var libraryVersion: String { FontFace.libraryVersion }
  }
#endif
