import MapDrawing

/// The glyphs of a line from left to right, in ems of their sections.
struct TextLine {
  /// A glyph, relative to the end of the glyph before it.
  struct Glyph {
    let glyph: UInt32
    /// The index of its first character in the text.
    let character: Int
    /// The position of its origin.
    let x: Double
    /// The position above the baseline.
    let y: Double
    /// The width of the letter; 0 for marks.
    let advance: Double
    /// The centre of the letter; marks have that of their letter.
    let middle: Double
    /// Whether this is a mark of the letter before it.
    let followsLetter: Bool
  }

  private(set) var glyphs: [Glyph] = []
  private(set) var missing: [Unicode.Scalar] = []
  private(set) var problem: String?

  /// Shapes a range of characters; characters without a glyph are left out.
  init(_ range: Range<Int>, of text: SectionedText, _ engine: SymbolTextEngine) {
    var start = range.lowerBound
    while start < range.upperBound {
      let section = text.section(start)
      if section.image != nil {
        glyphs.append(
          Glyph(glyph: 0, character: start, x: 0, y: 0, advance: 0, middle: 0, followsLetter: false))
        start += 1
        continue
      }
      // Sections of files are shaped together, so that letters join and read in one order across their borders.
      var end = start + 1
      let font = text.font(start)
      while end < range.upperBound, text.section(end).image == nil,
        font.file != nil ? text.font(end).file != nil : text.font(end) == font
      {
        end += 1
      }
      append(start..<end, of: text, engine)
      start = end
    }
  }

  private mutating func append(_ range: Range<Int>, of text: SectionedText, _ engine: SymbolTextEngine) {
    var line = ShapedLine(glyphs: [], advance: 0)
    var first = range.lowerBound
    // A mark that is not shown gives a line the direction of its paragraph.
    let mark = text.isRightToLeft(range.lowerBound) ? "\u{200F}" : ""
    if case .glyphFiles(let stack) = text.font(first) {
      let characters = text.characters[range]
      let levels = engine.measurer.levels(Array(mark.unicodeScalars) + characters)
      line = engine.files?.shape(characters, stack, levels: Array(levels.suffix(range.count))) ?? line
    } else {
      var sections = text.lineSections(range)
      if !sections.isEmpty, !mark.isEmpty {
        sections[0].text = mark + sections[0].text
        first -= 1
      }
      line = engine.measurer.shapeSections(sections)
    }
    problem = problem ?? line.problem
    let lacking = Set(line.missing)
    missing += line.missing
    var (pen, letter, last) = (0.0, 0.0, -1)
    for (index, glyph) in line.glyphs.enumerated() {
      let character = first + glyph.character
      defer { (pen, last) = (pen + glyph.advance, glyph.character) }
      guard range.contains(character) else { continue }
      if !lacking.isEmpty, lacking.contains(text.characters[character]) { continue }
      // A mark belongs to the letter before it, or in text from right to left to the letter after it.
      let isMark = glyph.advance == 0 && glyph.character > last && letter > 0
      if glyph.advance > 0 { letter = glyph.advance }
      let next =
        glyph.advance > 0 || isMark ? letter : line.glyphs[index...].first { $0.advance > 0 }?.advance
      glyphs.append(
        Glyph(
          glyph: glyph.glyph, character: character, x: glyph.x - pen, y: glyph.y, advance: glyph.advance,
          middle: (isMark ? -1 : 1) * (next ?? 0) / 2, followsLetter: isMark))
    }
  }
}

extension SymbolFont {
  /// The choice among font files; nil for glyph files.
  var file: FontChoice? { if case .file(let choice) = self { choice } else { nil } }
}

extension SectionedText {
  /// Returns the characters of a range in parts of one font; line feeds are spaces.
  fileprivate func lineSections(_ range: Range<Int>) -> [LineSection] {
    var sections: [LineSection] = []
    var last: SymbolFont?
    for index in range {
      let font = font(index)
      if font != last {
        guard let choice = font.file else { continue }
        sections.append(LineSection("", choice))
        last = font
      }
      let character = characters[index] == "\n" ? " " : characters[index]
      sections[sections.count - 1].text.unicodeScalars.append(character)
    }
    return sections
  }
}
