#if Labels
  internal import CHarfBuzz
  package import MapDrawing
  package import MapModel
  internal import Synchronization

  extension TextMeasurer {
    /// A measurer that shapes text with HarfBuzz and the Noto Sans fonts inside the program.
    ///
    /// It uses HarfBuzz alone, without Pango. The fonts are bytes inside the program and HarfBuzz itself supplies the
    /// outlines. There is no font configuration and no font of the machine. The same text gives the same numbers on
    /// every machine.
    package static let notoSans = TextMeasurer(userFonts: [])

    /// Creates a measurer that also uses fonts of the user.
    ///
    /// A text is set in the font of its family, if there is one, else in Noto Sans. Characters that this font lacks come
    /// from Noto Sans, then from the other fonts in order.
    ///
    /// - Cost: O(bytes of the fonts).
    package init(fonts: [FontFile]) { self.init(userFonts: fonts.map { FontFace($0.bytes) }) }

    private init(userFonts: [FontFace]) {
      let chains = FontChains(userFonts)
      self.init(
        shapeSections: { sections in
          FontChain.shape(sections.map { (Array($0.text.unicodeScalars), chains.chain($0.font)) })
        },
        levels: { BidirectionalOrder($0).levels },
        outline: { glyph, font in chains.chain(font).outline(of: glyph) })
    }

    /// The version of the HarfBuzz library in use.
    package static var libraryVersion: String { FontFace.libraryVersion }
  }

  extension FontFile {
    /// Reads the names of a font from its bytes; nil for bytes that are no font.
    package init?(name: String, bytes: [UInt8]) {
      let face = FontFace(bytes)
      guard face.glyphCount > 0, face.has("A") || face.glyphCount > 1 else { return nil }
      self.init(name: name, bytes: bytes, family: face.family)
    }
  }

  /// The chains of fonts by choice; each is created once.
  private final class FontChains: Sendable {
    private let userFonts: [FontFace]
    private let known = Mutex<[FontChoice: FontChain]>([:])

    init(_ userFonts: [FontFace]) { self.userFonts = userFonts }

    func chain(_ choice: FontChoice) -> FontChain {
      known.withLock { known in
        if let chain = known[choice] { return chain }
        let chain = FontChain(choice, userFonts: userFonts)
        // Families come from documents, so their number is limited.
        if known.count < 1000 { known[choice] = chain }
        return chain
      }
    }
  }
#endif
