import MapGeometry
import MapModel

/// The layout of a label's lines: glyphs relative to the top left corner of their block, in pixels.
struct LabelLayout {
  /// The distance from one baseline to the next, in ems.
  ///
  /// - Source: design decision: the value that browsers use for `normal` in most fonts. Noto Sans's own 1.36 leaves
  ///   room for scripts that the bundled part of the font lacks.
  static let lineSpacing = 1.2
  /// The distance from the block's top to the first baseline, in ems.
  ///
  /// The block ends below the last baseline by the rest of an em.
  ///
  /// - Source: design decision: it puts the middle of the block at the middle of Noto Sans's small letters, which are
  ///   0.536 em high.
  static let ascent = 0.76

  /// The width of the longest line in pixels.
  let width: Double
  /// The height in pixels: one em, plus ``lineSpacing`` for each further line.
  let height: Double
  /// The box of all ink; empty when there is no ink.
  private(set) var ink = Envelope.empty
  private(set) var glyphs: [LabelItem.Glyph] = []
  private(set) var missing: [Unicode.Scalar] = []
  /// The reason if a line is not shaped as it should be; nil for none.
  let problem: String?

  /// Lays out lines of text.
  init(
    _ lines: [String], style: LabelStyle, font: FontChoice,
    alignment: TextSymbol.HorizontalAlignment, shapes: inout ShapeCache
  ) {
    let shaped = lines.map { shapes.line($0, font) }
    let size = style.size
    problem = shaped.lazy.compactMap(\.problem).first
    width = (shaped.map(\.advance).max() ?? 0) * size
    height = Self.height(lines: lines.count, size: size)
    // The characters of the lines before, each with its line feed or blank.
    var before = 0
    for (number, line) in shaped.enumerated() {
      defer { before += lines[number].unicodeScalars.count + 1 }
      let room = width - line.advance * size
      let left =
        switch alignment {
        case .left, .justify: 0.0
        case .center: room / 2
        case .right: room
        }
      let baseline = (Self.ascent + Double(number) * Self.lineSpacing) * size
      for glyph in line.glyphs {
        let index = shapes.index(of: glyph.glyph, font)
        // A space has no bounds and no ink to paint.
        guard let bounds = shapes.outlines[Int(index)].bounds else { continue }
        let x = left + (glyph.x + style.slant * glyph.y) * size
        let y = baseline - glyph.y * size
        glyphs.append(
          LabelItem.Glyph(outline: index, character: UInt32(clamping: before + glyph.character), x: x, y: y))
        ink = ink.union(
          Envelope(
            xMin: x + (bounds.xMin + min(style.slant * bounds.yMin, 0)) * size, yMin: y - bounds.yMax * size,
            xMax: x + (bounds.xMax + max(style.slant * bounds.yMax, 0)) * size, yMax: y - bounds.yMin * size))
      }
      missing += line.missing
    }
  }

  /// Returns the boxes of the glyphs with their halos, relative to the block; the whole block if it has a background.
  func glyphBoxes(_ style: LabelStyle, outlines: [GlyphOutline]) -> [LabelBox] {
    if style.ground != nil || style.frame != nil {
      return [
        LabelBox(xMin: 0, yMin: 0, xMax: width, yMax: height).union(LabelBox(ink)).grown(by: style.reach)
      ]
    }
    return glyphs.compactMap { glyph in
      guard let bounds = outlines[Int(glyph.outline)].bounds else { return nil }
      return LabelBox(
        xMin: glyph.x + (bounds.xMin + min(style.slant * bounds.yMin, 0)) * style.size,
        yMin: glyph.y - bounds.yMax * style.size,
        xMax: glyph.x + (bounds.xMax + max(style.slant * bounds.yMax, 0)) * style.size,
        yMax: glyph.y - bounds.yMin * style.size
      ).grown(by: style.reach)
    }
  }

  /// Returns the height of a number of lines, in pixels.
  static func height(lines: Int, size: Double) -> Double {
    size * (1 + Double(max(lines, 1) - 1) * lineSpacing)
  }
}

/// A cache of line shapes and glyph outlines from a text engine; each is requested once per image.
struct ShapeCache {
  private struct LineKey: Hashable {
    let line: String
    let font: FontChoice
  }
  private struct GlyphKey: Hashable {
    let glyph: UInt32
    let font: FontChoice
  }

  private let measurer: TextMeasurer
  private var lines: [LineKey: ShapedLine] = [:]
  private var indices: [GlyphKey: UInt32] = [:]
  private(set) var outlines: [GlyphOutline] = []

  init(_ measurer: TextMeasurer) { self.measurer = measurer }

  mutating func line(_ text: String, _ font: FontChoice) -> ShapedLine {
    let key = LineKey(line: text, font: font)
    if let known = lines[key] { return known }
    let shaped = measurer.shape(text, font)
    lines[key] = shaped
    return shaped
  }

  mutating func index(of glyph: UInt32, _ font: FontChoice) -> UInt32 {
    let key = GlyphKey(glyph: glyph, font: font)
    if let known = indices[key] { return known }
    let index = UInt32(outlines.count)
    outlines.append(measurer.outline(glyph, font))
    indices[key] = index
    return index
  }
}

extension Envelope {
  /// Returns the envelope moved by an offset.
  func moved(x: Double, y: Double) -> Envelope {
    Envelope(xMin: xMin + x, yMin: yMin + y, xMax: xMax + x, yMax: yMax + y)
  }
}
