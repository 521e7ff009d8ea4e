#if Labels
  internal import CHarfBuzz
  internal import MapDrawing
  internal import MapModel

  /// The fonts in which a text is set, in the order in which they are searched for a character.
  struct FontChain: Sendable {
    /// A font, with the slant that replaces italic letters that it lacks.
    private struct Link {
      let face: FontFace
      let slant: Double
    }

    /// The bundled fonts, created when the first text is shaped; by the numbers of `cfonts_noto_sans`.
    private static let bundled: [FontFace] = (0..<8).map { FontFace(notoSans: $0) }

    private let links: [Link]
    /// The number of the bundled font, whose box replaces characters that no font has.
    private let bundledNumber: Int
    private let isKerned: Bool

    /// Creates the chain for a choice: the user's font of its family, the bundled font, then the other fonts of the user.
    init(_ choice: FontChoice, userFonts: [FontFace]) {
      let isBold = choice.weight == .bold
      let own = userFonts.indices.filter { Self.isSame(userFonts[$0].family, choice.family) }
      // The font with the right weight and style, else the right weight, else the first.
      let best = own.max { a, b in
        func value(_ index: Int) -> Int {
          (userFonts[index].isBold == isBold ? 2 : 0) + (userFonts[index].isItalic == choice.isItalic ? 1 : 0)
        }
        return (value(a), -a) < (value(b), -b)
      }
      let isCondensed = Self.isSame(choice.family, "Noto Sans Condensed")
      let style = (isBold ? 1 : 0) + (choice.isItalic ? 2 : 0) + (isCondensed ? 4 : 0)
      func link(_ face: FontFace, _ isItalic: Bool) -> Link {
        Link(face: face, slant: choice.isItalic && !isItalic ? LabelStyle.obliqueSlant : 0)
      }
      var links = best.map { [link(userFonts[$0], userFonts[$0].isItalic)] } ?? []
      bundledNumber = links.count
      links.append(Link(face: Self.bundled[style], slant: 0))
      links += userFonts.indices.filter { $0 != best }.map { link(userFonts[$0], userFonts[$0].isItalic) }
      (self.links, isKerned) = (links, choice.isKerned)
    }

    /// Returns whether two names of families are equal but for the case of letters.
    static func isSame(_ a: String, _ b: String) -> Bool { !a.isEmpty && a.lowercased() == b.lowercased() }

    /// Returns the number of a glyph of a font in the chain; fonts have fewer than 65,536 glyphs.
    static func glyph(_ glyph: UInt32, ofFace number: Int) -> UInt32 {
      UInt32(truncatingIfNeeded: number) << 24 | (glyph & 0xFF_FFFF)
    }

    /// Shapes a line: runs of one script, direction and font, in the order in which they are seen.
    ///
    /// - Parameter sections: the parts of the line with their chains.
    /// - Cost: O(characters), times the number of fonts for characters that the first font lacks.
    static func shape(_ sections: [(scalars: [Unicode.Scalar], chain: FontChain)]) -> ShapedLine {
      let scalars = sections.count == 1 ? sections[0].scalars : sections.flatMap(\.scalars)
      let order = BidirectionalOrder(scalars)
      let scripts = ScriptRun.runs(of: scalars)
      var runs: [TextRun] = []
      var start = 0
      for (number, section) in sections.enumerated() {
        let part = start..<start + section.scalars.count
        start = part.upperBound
        for script in scripts where script.range.overlaps(part) {
          for range in section.chain.ranges(script.range.clamped(to: part), of: scalars, order) {
            runs.append(
              TextRun(
                range: range.range, script: script.script, level: order.level(range.range.lowerBound),
                section: number, face: range.face))
          }
        }
      }
      var glyphs: [ShapedLine.Glyph] = []
      var missing: [Unicode.Scalar] = []
      var pen = 0.0
      for run in TextRun.visual(runs) {
        let chain = sections[run.section].chain
        let link = chain.links[run.face]
        link.face.append(
          run, of: scalars, number: run.face, slant: link.slant, isKerned: chain.isKerned, to: &glyphs,
          missing: &missing, pen: &pen)
      }
      return ShapedLine(glyphs: glyphs, advance: pen, missing: missing, problem: order.problem)
    }

    /// Splits a run of one script where the level or the font changes.
    private func ranges(
      _ range: Range<Int>, of scalars: [Unicode.Scalar], _ order: BidirectionalOrder
    ) -> [(range: Range<Int>, face: Int)] {
      guard links.count > 1 || order.hasLevels else { return [(range, 0)] }
      var found: [(range: Range<Int>, face: Int)] = []
      var (start, face) = (range.lowerBound, -1)
      for index in range {
        let own = self.face(for: scalars[index], after: face)
        let isNew = face >= 0 && (own != face || order.level(index) != order.level(index - 1))
        if isNew {
          found.append((start..<index, face))
          start = index
        }
        face = own
      }
      if start < range.upperBound { found.append((start..<range.upperBound, max(face, 0))) }
      return found
    }

    /// Returns the first font with a character; the font before it for marks, joiners and blanks.
    private func face(for scalar: Unicode.Scalar, after last: Int) -> Int {
      if last >= 0 {
        let category = scalar.properties.generalCategory
        let joins = [.nonspacingMark, .enclosingMark, .spacingMark, .format].contains(category)
        if joins || (scalar.properties.isWhitespace && links[last].face.has(scalar)) { return last }
      }
      return links.firstIndex { $0.face.has(scalar) } ?? bundledNumber
    }

    /// Returns the outline of a glyph that ``shape(_:)`` returned; an empty one for any other.
    func outline(of glyph: UInt32) -> GlyphOutline {
      let number = Int(glyph >> 24)
      guard links.indices.contains(number) else { return GlyphOutline(steps: []) }
      return links[number].face.outline(of: glyph & 0xFF_FFFF, slant: links[number].slant)
    }
  }

  /// Consecutive characters of one script, direction, section and font.
  struct TextRun {
    /// The indexes of the characters in the line.
    let range: Range<Int>
    /// The script, as a HarfBuzz constant.
    let script: hb_script_t
    /// The embedding level; odd levels read from right to left.
    let level: Int
    /// The number of the section of the line.
    let section: Int
    /// The number of the font in the chain.
    let face: Int

    var isRightToLeft: Bool { level % 2 == 1 }

    /// Returns runs from left to right.
    ///
    /// - Source: Unicode Standard Annex 9, rule L2: from the highest level to the lowest odd one, every sequence of runs
    ///   at that level or higher is reversed.
    static func visual(_ runs: [TextRun]) -> [TextRun] {
      let highest = runs.map(\.level).max() ?? 0
      guard highest > 0 else { return runs }
      var runs = runs
      for level in stride(from: highest, to: 0, by: -1) {
        var start = 0
        while start < runs.count {
          guard runs[start].level >= level else {
            start += 1
            continue
          }
          let end = runs[start...].firstIndex { $0.level < level } ?? runs.count
          runs[start..<end].reverse()
          start = end
        }
      }
      return runs
    }
  }
#endif
