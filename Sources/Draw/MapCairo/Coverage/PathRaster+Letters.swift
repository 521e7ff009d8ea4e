internal import MapDrawing
internal import MapGeometry
internal import MapModel
internal import MapSystem

/// The paints of a label's style; nil for parts that it does not have.
struct LabelInk {
  let ground: CoverageInk?
  let frame: SolidStroke?
  /// Twice as wide as the halo extends beyond the letters, with round corners.
  let halo: SolidStroke?
  let letters: CoverageInk?
  /// Whether the style has a box behind the letters.
  var hasBox: Bool { ground != nil || frame != nil }

  init(_ style: LabelStyle) {
    ground = style.ground.map(CoverageInk.init)
    frame = style.frame.flatMap { SolidStroke(Look($0)) }
    let halo = style.haloColor.map {
      Stroke(color: $0, width: 2 * style.haloWidth, cap: .round, join: .round)
    }
    self.halo = halo.flatMap { SolidStroke(Look($0), isHalo: true) }
    letters = style.color.map(CoverageInk.init)
  }
}

/// Painting of letters with their halo.
extension PathRaster {
  /// Paints the halo of the current letters, and the letters over it.
  mutating func paintLetters(_ ink: LabelInk, origin: Double, over pixels: PixelRows) {
    let letters = letters
    if let halo = ink.halo {
      unsafe stroke(letters.geometry, row: 0, isClosed: true, stroke: halo, origin: origin, over: pixels)
    }
    if let color = ink.letters {
      unsafe fill(
        letters.geometry, row: 0, rule: .nonZero(sharedRows: letters.sharedRows), ink: color, origin: origin,
        over: pixels)
    }
  }

  /// Paints the box behind letters; the frame lies inside it.
  mutating func paint(box: Envelope, ink: LabelInk, origin: Double, over pixels: PixelRows) {
    let edge = ink.frame?.outline.halfWidth ?? 0
    let (left, top, right, bottom) = (box.xMin + edge, box.yMin + edge, box.xMax - edge, box.yMax - edge)
    var ring = CoordinateBuffer(kind: .polygon)
    for (x, y) in [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)] {
      ring.appendVertex(x: x, y: y)
    }
    ring.endPart()
    ring.endRow()
    if let ground = ink.ground {
      unsafe fill(ring, row: 0, rule: .evenOdd, ink: ground, origin: origin, over: pixels)
    }
    if let frame = ink.frame {
      unsafe stroke(ring, row: 0, isClosed: true, stroke: frame, origin: origin, over: pixels)
    }
  }

  /// Computes a pixel row by the non-zero rule, with sample lines.
  mutating func gatherWindings(
    _ pixelRow: Int, _ geometry: borrowing CoordinateBuffer, row: Int, origin: Double
  ) {
    let first = Double(pixelRow)
    for line in 0..<Self.lines { turns[line].removeAll(keepingCapacity: true) }
    Self.forEachEdge(geometry, row: row, origin: origin) { a, b in
      let (top, bottom) = a.y < b.y ? (a, b) : (b, a)
      guard bottom.y > first, top.y < first + 1 else { return }
      let slope = (bottom.x - top.x) / (bottom.y - top.y)
      for line in 0..<Self.lines {
        let y = first + (Double(line) + 0.5) / Double(Self.lines)
        guard top.y <= y, y < bottom.y else { continue }
        turns[line].append(Turn(x: top.x + (y - top.y) * slope, direction: a.y < b.y ? 1 : -1))
      }
    }
    for line in 0..<Self.lines {
      turns[line].sort { $0.x < $1.x }
      work.crossings += turns[line].count
      var (winding, start) = (0, 0.0)
      for turn in turns[line] {
        if winding == 0 { start = turn.x }
        winding += turn.direction
        // Rings are closed, so the last crossing of a line leaves them all.
        if winding == 0 { area.addStripe(pixelRow, from: start, to: turn.x, height: 1 / Double(Self.lines)) }
      }
    }
  }
}
