import MapDrawing
import MapGeometry
import MapModel
import MapSystem

/// Labels: boxes and halos as paths, and letters as text.
///
/// Each letter is a glyph. A text along a curve or at an angle is also there as a whole, because readers would take its
/// letters for words. The text of a marker is one glyph.
extension PDFWriter {
  mutating func add(_ batch: LabelBatch) {
    var starts: [Int] = []
    var last: LabelItem?
    for (number, item) in batch.items.enumerated() {
      guard batch.styles.indices.contains(Int(item.style)),
        item.glyphs.allSatisfy({ batch.outlines.indices.contains(Int($0.outline)) })
      else { continue }
      let (look, box) = (batch.styles[Int(item.style)], item.box)
      guard max(-box.xMin, -box.yMin, box.xMax, box.yMax) < 1e6 else { continue }
      add(boxOf: item, look)
      if let color = look.haloColor, look.haloWidth > 0 {
        addHalo(color, look)
        if let leader = item.leader {
          content.add(leader.steps, x: { x, _ in x }, y: { _, y in y })
          content += "S\n"
        }
        add(haloOf: item, batch, look, isOpaque: color.alpha == 255)
      }
      guard let color = look.color else { continue }
      if last.map({ !$0.sharesText(with: item) }) ?? true {
        // Parts of a text with another size or colour are labels of their own.
        let parts = batch.items[number...].prefix { $0.sharesText(with: item) }
        starts = Set(parts.flatMap { $0.glyphs.map { Int($0.character) } }).sorted()
        last = item
      }
      content.setFill(color, &resources)
      if let leader = item.leader {
        content.add(leader.steps, x: { x, _ in x }, y: { _, y in y })
        content += "f\n"
      }
      add(lettersOf: item, batch, look, starts)
    }
  }

  private mutating func add(boxOf item: LabelItem, _ look: LabelStyle) {
    guard look.ground != nil || look.frame != nil else { return }
    let (box, edge) = (item.box, (look.frame?.width ?? 0) / 2)
    for isFill in [true, false] {
      if isFill {
        guard let ground = look.ground else { continue }
        content.setFill(ground, &resources)
      } else {
        guard let frame = look.frame else { continue }
        content.setStroke(frame, &resources)
      }
      content.rectangle(
        box.xMin + edge, box.yMin + edge, max(box.width - 2 * edge, 0), max(box.height - 2 * edge, 0))
      content += isFill ? "f\n" : "S\n"
    }
  }

  private mutating func addHalo(_ color: Color, _ look: LabelStyle) {
    content.setStroke(
      Stroke(color: color, width: 2 * look.haloWidth, cap: .round, join: .round), &resources)
  }

  /// Strokes the letters of a label, each about its origin where they may overlap, so that equal ones have equal operators.
  private mutating func add(
    haloOf item: LabelItem, _ batch: LabelBatch, _ look: LabelStyle, isOpaque: Bool
  ) {
    guard isOpaque else {
      for glyph in item.glyphs { addOutline(of: glyph, batch, look) }
      content += "S\n"
      return
    }
    for glyph in item.glyphs {
      content.save()
      let (dx, dy) = (glyph.directionX, glyph.directionY)
      content.transform(dx, dy, -dy, dx, x: glyph.x, y: glyph.y)
      content.add(
        batch.outlines[Int(glyph.outline)].steps, x: { ($0 + look.slant * $1) * look.size },
        y: { -$1 * look.size })
      content += "S\n"
      content.restore()
    }
  }

  private mutating func addOutline(of glyph: LabelItem.Glyph, _ batch: LabelBatch, _ look: LabelStyle) {
    content.add(
      batch.outlines[Int(glyph.outline)].steps, x: { look.place($0, $1, of: glyph).x },
      y: { look.place($0, $1, of: glyph).y })
  }

  // MARK: Letters

  private mutating func add(
    lettersOf item: LabelItem, _ batch: LabelBatch, _ look: LabelStyle, _ starts: [Int]
  ) {
    guard let first = item.glyphs.first else { return }
    let characters = LabelCharacters(item.text)
    let units = LetterUnit.units(of: item.glyphs, starts: starts, in: characters)
    var line = TextLine()
    for unit in units {
      let glyphs = item.glyphs[unit.glyphs]
      let text = characters.text(of: unit)
      guard
        let glyph = resources.glyph(
          batch.steps(of: glyphs, look), text: text, width: batch.width(of: glyphs, look))
      else {
        return fill(item, batch, look)
      }
      line.add(glyph, at: glyphs[glyphs.startIndex], size: look.size)
      if characters.hasBlank(after: unit) { addBlank(to: &line, look.size) }
    }
    addBlank(to: &line, look.size)
    let isLevel = item.glyphs.allSatisfy {
      abs($0.directionX - first.directionX) < 1e-6 && abs($0.directionY - first.directionY) < 1e-6
        && min(abs($0.directionX), abs($0.directionY)) < 1e-6
    }
    guard !isLevel else { return show(line, size: look.size, slant: look.slant) }
    let whole = units.sorted { $0.characters.lowerBound < $1.characters.lowerBound }
      .map { characters.text(of: $0) + (characters.hasBlank(after: $0) ? " " : "") }.joined()
    content += "/Span << /ActualText \(PDFFile.string(whole + " ")) >> BDC\n"
    show(line, size: look.size, slant: look.slant)
    content += "EMC\n"
  }

  /// Adds a blank, by which readers tell words and lines apart.
  private mutating func addBlank(to line: inout TextLine, _ size: Double) {
    if let blank = resources.glyph([], text: " ", width: 260) { line.addBlank(blank, size: size) }
  }

  /// Fills letters that are too large for a font.
  private mutating func fill(_ item: LabelItem, _ batch: LabelBatch, _ look: LabelStyle) {
    for glyph in item.glyphs { addOutline(of: glyph, batch, look) }
    content += "f\n"
  }

  /// Draws the text of a marker.
  mutating func add(_ ink: TextInk, x: Double, y: Double) {
    let look = ink.style
    func addOutline() { content.add(ink.steps, x: { px, _ in x + px }, y: { _, py in y + py }) }
    if let color = look.haloColor, look.haloWidth > 0 {
      addHalo(color, look)
      addOutline()
      content += "S\n"
    }
    guard let color = look.color else { return }
    content.setFill(color, &resources)
    let steps = ink.steps.map { $0.moved { (x: $0 / look.size, y: -$1 / look.size) } }
    let text = ink.text.split(whereSeparator: \.isNewline).joined(separator: " ")
    guard let glyph = resources.glyph(steps, text: text) else {
      addOutline()
      content += "f\n"
      return
    }
    var line = TextLine()
    line.add(glyph, at: LabelItem.Glyph(outline: 0, x: x, y: y), size: look.size)
    addBlank(to: &line, look.size)
    show(line, size: look.size, slant: 0)
  }

  private mutating func show(_ line: TextLine, size: Double, slant: Double) {
    content += "BT\n/f "
    content += size.thousandths
    content += " Tf\n"
    for run in line.runs {
      let (dx, dy) = run.direction
      for number in [dx, dy, dy + slant * dx, slant * dy - dx] { content.add(number, decimals: 6) }
      content.add(run.x, decimals: 2)
      content.add(run.y, decimals: 2)
      content += "Tm\n[\(run.shown)]TJ\n"
    }
    content += "ET\n"
  }
}

/// The glyphs of a text by lines, with their positions.
private struct TextLine {
  struct Run {
    let x: Double
    let y: Double
    let direction: (x: Double, y: Double)
    /// The distance from the start to the end of the last glyph, in pixels.
    var pen = 0.0
    /// Strings of glyphs, and distances between them in thousandths of the size.
    var shown = ""
  }

  private(set) var runs: [Run] = []

  mutating func add(_ glyph: (number: Int, width: Int), at origin: LabelItem.Glyph, size: Double) {
    let direction = (x: origin.directionX, y: origin.directionY)
    if let run = runs.last, run.direction == direction {
      let (right, down) = (origin.x - run.x, origin.y - run.y)
      let place = right * direction.x + down * direction.y
      // A glyph on the same base line.
      if abs(down * direction.x - right * direction.y) < 0.005, abs(place - run.pen) < 100 * size {
        let gap = ((run.pen - place) / size * CompactFont.em).rounded()
        if gap != 0 { runs[runs.count - 1].shown += "\(Int(clamping: gap))" }
        runs[runs.count - 1].pen -= gap / CompactFont.em * size
        show(glyph, size)
        return
      }
    }
    runs.append(Run(x: origin.x, y: origin.y, direction: direction))
    show(glyph, size)
  }

  mutating func addBlank(_ glyph: (number: Int, width: Int), size: Double) {
    if !runs.isEmpty { show(glyph, size) }
  }

  private mutating func show(_ glyph: (number: Int, width: Int), _ size: Double) {
    runs[runs.count - 1].shown += "<\(PDFFile.hexadecimal(UInt16(clamping: glyph.number)))>"
    runs[runs.count - 1].pen += Double(glyph.width) / CompactFont.em * size
  }
}

extension PDFResources {
  mutating func glyph(
    _ steps: [GlyphOutline.Step], text: String, width: Int? = nil
  ) -> (number: Int, width: Int)? {
    font.glyph(steps, text: text, width: width, file: &file)
  }
}

extension LabelStyle {
  /// Returns the pixel position of a point of a glyph's outline, which is in ems with y up.
  fileprivate func place(_ x: Double, _ y: Double, of glyph: LabelItem.Glyph) -> (x: Double, y: Double) {
    let (right, up) = ((x + slant * y) * size, y * size)
    return (
      glyph.x + right * glyph.directionX + up * glyph.directionY,
      glyph.y + right * glyph.directionY - up * glyph.directionX
    )
  }
}

extension LabelBatch {
  /// Returns the distance from the origin of the first glyph to that of the next letter, in thousandths of an em; nil if
  /// it is unknown.
  fileprivate func width(of glyphs: ArraySlice<LabelItem.Glyph>, _ look: LabelStyle) -> Int? {
    guard let first = glyphs.first else { return nil }
    let ends = glyphs.compactMap { glyph in
      outlines[Int(glyph.outline)].advance.map {
        let (dx, dy) = (glyph.x - first.x, glyph.y - first.y)
        return $0 + (dx * first.directionX + dy * first.directionY) / look.size
      }
    }
    return ends.max().map { Int(clamping: min(max($0 * CompactFont.em, 0), 32_000).rounded()) }
  }

  /// Returns the outlines of glyphs in ems, about the origin of the first and in its direction, without the slant.
  fileprivate func steps(of glyphs: ArraySlice<LabelItem.Glyph>, _ look: LabelStyle) -> [GlyphOutline.Step] {
    guard let first = glyphs.first else { return [] }
    guard glyphs.count > 1 else { return outlines[Int(first.outline)].steps }
    return glyphs.flatMap { glyph in
      outlines[Int(glyph.outline)].steps.map { step in
        step.moved { x, y in
          let place = look.place(x, y, of: glyph)
          let (dx, dy) = ((place.x - first.x) / look.size, (place.y - first.y) / look.size)
          let up = dx * first.directionY - dy * first.directionX
          return (x: dx * first.directionX + dy * first.directionY - look.slant * up, y: up)
        }
      }
    }
  }
}

extension LabelItem {
  /// Returns whether two labels show parts of one text.
  fileprivate func sharesText(with other: LabelItem) -> Bool {
    row == other.row && box == other.box && text == other.text
  }
}
