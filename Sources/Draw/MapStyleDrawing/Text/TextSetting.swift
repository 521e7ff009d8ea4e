import MapDrawing
import MapStyles

/// The setting of a text: lines, and positions of glyphs and images.
///
/// - Source: MapLibre GL JS 5. Lengths are in ``TextUnits``.
struct TextSetting {
  private let shaping: TextShaping
  private let engine: SymbolTextEngine
  private var text: SectionedText
  private var problems: Set<TextProblem> = []
  /// The text in one line.
  private let name: String
  /// For each character, its index in the text in one line, or that of the next one in it.
  private let places: [Int]
  private let spacing: Double
  /// The factor from CSS pixels to units.
  private let imageScale: Double

  init(_ shaping: TextShaping, _ engine: SymbolTextEngine) {
    (self.shaping, self.engine) = (shaping, engine)
    text = SectionedText(shaping, engine, limit: TextUnits.lengthLimit)
    name = text.joinedLines
    places = Self.places(of: text.characters, in: name)
    if shaping.direction != .horizontal { text.setVerticalPunctuation() }
    let isCursive = text.characters.contains { $0.isCursiveInText }
    spacing = isCursive ? 0 : Self.finite(shaping.letterSpacing) * TextUnits.em
    imageScale = shaping.size.isFinite && shaping.size > 0 ? TextUnits.em / shaping.size : 0
  }

  /// Returns the indexes of characters in a text that lacks some of them, and has blanks for line feeds.
  private static func places(of characters: [Unicode.Scalar], in text: String) -> [Int] {
    let scalars = Array(text.unicodeScalars)
    var next = 0
    return characters.map { character in
      let place = next
      if next < scalars.count, scalars[next] == (character == "\n" ? " " : character) { next += 1 }
      return place
    }
  }

  /// Returns a length between -10,000 and 10,000; 0 for no number.
  private static func finite(_ length: Double) -> Double {
    length.isNaN ? 0 : min(max(length, -10_000), 10_000)
  }

  /// The shaped text, and what its fonts lack.
  var result: TextResult {
    var setting = self
    let text = setting.set()
    return TextResult(text: text, problems: setting.text.problems.union(setting.problems))
  }

  private mutating func set() -> ShapedText? {
    var whole = TextLine(0..<text.characters.count, of: text, engine)
    if text.replaceFonts(of: Set(whole.missing), engine) {
      // A glyph file that is damaged is not read again.
      if let problem = whole.problem { problems.insert(.other(problem)) }
      whole = TextLine(0..<text.characters.count, of: text, engine)
    }
    for scalar in whole.missing where scalar.properties.generalCategory != .control {
      problems.insert(.glyph(scalar))
    }
    if let problem = whole.problem { problems.insert(.other(problem)) }
    return block(of: lines(whole).map { trimmed($0) }, whole)
  }

  /// Returns the text in lines, around its anchor; nil for one without glyphs and images.
  private func block(of lines: [Range<Int>], _ whole: TextLine) -> ShapedText? {
    let lineHeight = Self.finite(shaping.lineHeight) * TextUnits.em
    let justify = shaping.justification.share
    let isCentered =
      shaping.direction == .verticalAtPoint && text.characters.contains { shaping.direction.isUpright($0) }
    var (glyphs, images) = ([ShapedText.Glyph](), [ShapedText.InlineImage]())
    var (y, longest, tallest) = (0.0, 0.0, 0.0)
    for range in lines {
      guard !range.isEmpty else {
        y += lineHeight
        continue
      }
      let line = range.count == text.characters.count ? whole : TextLine(range, of: text, engine)
      let metrics = LineMetrics(range, of: text, imageScale: imageScale)
      var setting = LineSetting(line, of: text, metrics, shaping.direction, spacing: spacing, y: y)
      setting.align(justify, isCentered: isCentered)
      glyphs += setting.glyphs
      images += setting.images
      longest = max(longest, setting.length)
      let height = lineHeight * metrics.scale + setting.imageExcess
      y += height
      tallest = max(tallest, height)
    }
    guard !glyphs.isEmpty || !images.isEmpty else { return nil }
    let left = Self.finite(shaping.offsetX) * TextUnits.em - shaping.anchor.horizontal * longest
    let offsetY = Self.finite(shaping.offsetY) * TextUnits.em
    let top = offsetY - shaping.anchor.vertical * y
    // Lines of the same height have their middles on the lines of a block; others are below the block's top.
    let first =
      tallest == lineHeight
      ? offsetY + lineHeight / 2 - shaping.anchor.vertical * Double(lines.count) * lineHeight
      : top - TextUnits.topOffset
    let (x, scale) = (left + justify * longest, 1 / TextUnits.em)
    return ShapedText(
      text: name, glyphs: glyphs.map { $0.showing(places[$0.character]).moved(x: x, y: first, scale: scale) },
      images: images.map { $0.moved(x: x, y: first, scale: scale) },
      box: SymbolBox(left: left, top: top, right: left + longest, bottom: top + y).scaled(by: scale),
      lineCount: lines.count, isVertical: shaping.direction != .horizontal,
      colors: shaping.sections.map(\.color))
  }

  /// Returns the ranges of the characters of each line.
  private func lines(_ whole: TextLine) -> [Range<Int>] {
    var advances = [Double](repeating: 0, count: text.characters.count)
    for glyph in whole.glyphs {
      advances[glyph.character] += glyph.advance * TextUnits.em * text.section(glyph.character).scale
    }
    for index in advances.indices {
      if let image = text.section(index).image { advances[index] = image.width * imageScale }
      if text.characters[index] == "\n" {
        advances[index] = 0
      } else if advances[index] > 0 {
        advances[index] += spacing
      }
    }
    let maxWidth = shaping.maxWidth.isNaN ? .infinity : shaping.maxWidth * TextUnits.em
    let breaks = LineBreaks(
      text.characters, isImage: { text.section($0).image != nil }, advances: advances, maxWidth: maxWidth)
    let starts = [0] + breaks.starts
    let ends = breaks.starts + [text.characters.count]
    return zip(starts, ends).map { $0..<$1 }
  }

  /// Returns a range without the blanks at its ends.
  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, text.characters[start].isBlankInText { start += 1 }
    while end > start, text.characters[end - 1].isBlankInText { end -= 1 }
    return start..<end
  }
}
