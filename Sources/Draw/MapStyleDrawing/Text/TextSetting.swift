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
  private let spacing: Double
  /// The factor from CSS pixels to units.
  private let imageScale: Double
  private var isVertical: Bool { shaping.direction != .horizontal }

  private var glyphs: [ShapedText.Glyph] = []
  private var images: [ShapedText.InlineImage] = []
  /// Whether a glyph is upright in vertical text.
  private var hasUprights = false

  init(_ shaping: TextShaping, _ engine: SymbolTextEngine) {
    (self.shaping, self.engine) = (shaping, engine)
    text = SectionedText(shaping, engine, limit: TextUnits.lengthLimit)
    if shaping.direction != .horizontal { text.setVerticalPunctuation() }
    let isCursive = text.characters.contains { $0.isCursiveInText }
    spacing = isCursive ? 0 : Self.finite(shaping.letterSpacing) * TextUnits.em
    imageScale = shaping.size.isFinite && shaping.size > 0 ? TextUnits.em / shaping.size : 0
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
    if text.findGlyphFiles(of: Set(whole.missing), engine) {
      whole = TextLine(0..<text.characters.count, of: text, engine)
    }
    note(whole)
    let lines = lines(whole)
    let lineHeight = Self.finite(shaping.lineHeight) * TextUnits.em
    let justify =
      switch shaping.justification {
      case .left: 0.0
      case .center: 0.5
      case .right: 1.0
      }
    var (y, longest, tallest) = (0.0, 0.0, 0.0)
    for range in lines {
      let range = trimmed(range)
      guard !range.isEmpty else {
        y += lineHeight
        continue
      }
      let line = range.count == text.characters.count ? whole : TextLine(range, of: text, engine)
      let metrics = LineMetrics(range, of: text, imageScale: imageScale)
      let (length, imageExcess) = append(line, metrics, y: y, justify: justify)
      longest = max(longest, length)
      let height = lineHeight * metrics.scale + imageExcess
      y += height
      tallest = max(tallest, height)
    }
    guard !glyphs.isEmpty || !images.isEmpty else { return nil }
    let (horizontal, vertical) = (shaping.anchor.horizontal, shaping.anchor.vertical)
    let offset = (
      x: Self.finite(shaping.offsetX) * TextUnits.em, y: Self.finite(shaping.offsetY) * TextUnits.em
    )
    let shift = (
      x: (justify - horizontal) * longest + offset.x,
      y:
        (tallest == lineHeight
        ? lineHeight / 2 - vertical * Double(lines.count) * lineHeight : -TextUnits.topOffset - vertical * y)
        + offset.y
    )
    let (left, top) = (offset.x - horizontal * longest, offset.y - vertical * y)
    return ShapedText(
      text: shaping.sections.map(\.text).joined(),
      glyphs: glyphs.map { $0.moved(x: shift.x, y: shift.y, scale: 1 / TextUnits.em) },
      images: images.map { $0.moved(x: shift.x, y: shift.y, scale: 1 / TextUnits.em) },
      box: SymbolBox(left: left, top: top, right: left + longest, bottom: top + y).scaled(
        by: 1 / TextUnits.em),
      lineCount: lines.count, isVertical: isVertical, colors: shaping.sections.map(\.color))
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

  private mutating func note(_ line: TextLine) {
    for scalar in line.missing { problems.insert(.glyph(scalar)) }
    if let problem = line.problem { problems.insert(.other(problem)) }
  }

  /// Appends the glyphs and images of a line.
  ///
  /// - Returns: the length of the line, and the height by which its images exceed its letters.
  private mutating func append(
    _ line: TextLine, _ metrics: LineMetrics, y: Double, justify: Double
  ) -> (length: Double, imageExcess: Double) {
    let (firstGlyph, firstImage) = (glyphs.count, images.count)
    var (x, imageExcess, isEmpty) = (0.0, 0.0, true)
    for glyph in line.glyphs {
      let character = text.characters[glyph.character]
      let owner = text.owners[glyph.character]
      let section = text.sections[owner]
      let isUpright = self.isUpright(character)
      if isUpright { hasUprights = true }
      isEmpty = false
      if let image = section.image {
        let (width, height) = (image.width * imageScale, image.height * imageScale)
        let center: (x: Double, y: Double)
        if isUpright {
          center = (
            x: x + height / 2 + 3 * imageScale - 7,
            y: y + metrics.width - TextUnits.em / 2 - imageScale - width / 2
          )
        } else {
          let free = (metrics.height - height) * section.alignment
          center = (
            x: x + imageScale + width / 2,
            y: y + free + TextUnits.topOffset + 3 * imageScale + height / 2
          )
        }
        images.append(
          ShapedText.InlineImage(
            name: image.name,
            box: SymbolBox(
              left: center.x - width / 2, top: center.y - height / 2, right: center.x + width / 2,
              bottom: center.y + height / 2), section: owner, isRotated: isUpright))
        imageExcess = max(imageExcess, (isUpright ? width : height) - TextUnits.em * metrics.scale)
        x += (isUpright ? height : width) + spacing
        continue
      }
      let (scale, size) = (section.scale, section.scale * TextUnits.em)
      let half = glyph.advance * size / 2
      let free = isUpright ? metrics.width - size : (metrics.height - size) * section.alignment
      let gap = glyph.followsLetter ? spacing : 0
      let (dx, dy) = (glyph.x * size - gap, glyph.y * size)
      // Rotated glyphs go up from their origin, with the middle of the letter at the middle of the line.
      let origin =
        isUpright
        ? (x: x + TextUnits.ascender * scale - 7 - dy, y: y + free + half - dx)
        : (x: x + dx, y: y + free + TextUnits.topOffset + TextUnits.ascender * scale - dy)
      if !character.properties.isWhitespace {
        glyphs.append(
          ShapedText.Glyph(
            key: GlyphKey(font: text.font(glyph.character), glyph: glyph.glyph), x: origin.x, y: origin.y,
            middle: x - gap + glyph.middle * size, scale: scale, section: owner, isRotated: isUpright))
      }
      if glyph.advance != 0 { x += (isUpright ? size : glyph.advance * size) + spacing }
    }
    guard !isEmpty else { return (0, 0) }
    let length = x - spacing
    // In vertical text at a point, letters and images of all sizes have their middles on one line.
    let isCentered = shaping.direction == .verticalAtPoint && hasUprights
    let rise = max(imageExcess, (metrics.scale - 1) * TextUnits.em) / 2
    for index in firstGlyph..<glyphs.count {
      let own = isCentered ? rise - (glyphs[index].scale - 1) * TextUnits.em : 0
      glyphs[index] = glyphs[index].moved(x: -length * justify, y: -own)
    }
    for index in firstImage..<images.count {
      let own = isCentered ? rise + (TextUnits.em - images[index].box.width) / 2 : 0
      images[index] = images[index].moved(x: -length * justify, y: -own)
    }
    return (length, imageExcess)
  }

  private func isUpright(_ character: Unicode.Scalar) -> Bool {
    switch shaping.direction {
    case .horizontal: false
    case .verticalAlongLine: character.isUprightInVerticalText
    case .verticalAtPoint: !character.isBlankInText && !character.isArabic
    }
  }
}

/// The sizes of a line's sections.
private struct LineMetrics {
  /// The largest scale of a section.
  private(set) var scale = 0.0
  /// The height of the largest letter or image.
  let height: Double
  /// The width of the largest letter or image.
  let width: Double

  init(_ range: Range<Int>, of text: SectionedText, imageScale: Double) {
    var (width, height, last) = (0.0, 0.0, -1)
    for index in range where text.owners[index] != last {
      last = text.owners[index]
      let section = text.sections[last]
      scale = max(scale, section.scale)
      if let image = section.image { (width, height) = (max(width, image.width), max(height, image.height)) }
    }
    self.height = max(scale * TextUnits.em, height * imageScale)
    self.width = max(scale * TextUnits.em, width * imageScale)
  }
}

extension ShapedText.Glyph {
  /// Returns the glyph moved, then with all lengths multiplied by a factor.
  fileprivate func moved(x dx: Double, y dy: Double, scale factor: Double = 1) -> Self {
    Self(
      key: key, x: (x + dx) * factor, y: (y + dy) * factor, middle: (middle + dx) * factor, scale: scale,
      section: section, isRotated: isRotated)
  }
}

extension ShapedText.InlineImage {
  /// Returns the image moved, then with all lengths multiplied by a factor.
  fileprivate func moved(x: Double, y: Double, scale factor: Double = 1) -> Self {
    Self(name: name, box: box.moved(x: x, y: y).scaled(by: factor), section: section, isRotated: isRotated)
  }
}
