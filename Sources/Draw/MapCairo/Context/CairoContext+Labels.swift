internal import MapDrawing
internal import MapGeometry
internal import MapModel

/// The painter of letters.
enum LetterMethod {
  /// Coverage: the same pixels with every version of Cairo.
  case coverage
  case cairo
}

/// Painting of labels: outlines as paths, since the cache of a font engine would affect the shape of letters.
///
/// The halo is the stroke of the outlines, twice as wide as its reach and with round corners. The letters are filled
/// over it. All letters of a label are one path, so that the stroke covers no pixel twice.
extension CairoContext {
  /// Paints labels by coverage.
  func paint(
    _ batch: LabelBatch, inks: [LabelInk], window: BandWindow, raster: inout PathRaster?
  ) throws(CairoError) {
    for label in batch.items {
      let (look, ink) = (batch.styles[Int(label.style)], inks[Int(label.style)])
      guard isVisible(label.reach(look), in: window) else { continue }
      try paintLetters(ink, box: ink.hasBox ? label.box : nil, window: window, raster: &raster) { letters in
        if let leader = label.leader { letters.add(leader.steps) { Place($0, $1) } }
        for glyph in label.glyphs {
          letters.add(batch.outlines[Int(glyph.outline)].steps) { Self.place($0, $1, of: glyph, look) }
        }
      }
    }
  }

  /// Paints the text of a marker by coverage.
  func paint(
    _ text: TextInk, x: Double, y: Double, window: BandWindow, raster: inout PathRaster?
  ) throws(CairoError) {
    // The marker's own rectangle is the box of its letters.
    try paintLetters(LabelInk(text.style), box: nil, window: window, raster: &raster) { letters in
      letters.add(text.steps) { Place(x + $0, y + $1) }
    }
  }

  private func paintLetters(
    _ ink: LabelInk, box: Envelope?, window: BandWindow, raster: inout PathRaster?,
    _ add: (inout LetterRings) -> Void
  ) throws(CairoError) {
    var current = raster.take() ?? PathRaster(window)
    current.letters.removeAll()
    add(&current.letters)
    current.letters.end()
    let geometry = current.letters.geometry
    let sides = PathSides(geometry.x.span, geometry.y.span, geometry.vertices(ofRow: 0))
    try unsafe withPixels { pixels in
      if let box { unsafe current.paint(box: box, ink: ink, origin: window.origin, over: pixels) }
      if sides.isPaintable { unsafe current.paintLetters(ink, origin: window.origin, over: pixels) }
    }
    raster = consume current
  }

  /// Returns whether a label is visible; one beyond Cairo's range is visible in no window.
  private func isVisible(_ box: Envelope, in window: BandWindow) -> Bool {
    max(-box.xMin, -box.yMin, box.xMax, box.yMax) <= Self.coordinateLimit
      && window.shows(left: box.xMin, right: box.xMax, top: box.yMin, bottom: box.yMax, reach: 1)
  }

  func paint(_ batch: LabelBatch, items: Range<Int>, first: Int, ink: Ink, window: BandWindow) {
    // Contours of a letter may overlap, which the even-odd rule would leave unfilled.
    useNonZeroRule()
    defer { useEvenOddRule() }
    for item in items {
      let label = batch.items[item]
      let look = batch.styles[Int(label.style)]
      let box = label.box
      guard isVisible(label.reach(look), in: window) else { continue }
      if look.ground != nil || look.frame != nil {
        let edge = (look.frame?.width ?? 0) / 2
        newPath()
        rectangle(
          x: box.xMin + edge, y: box.yMin + edge, width: box.width - 2 * edge, height: box.height - 2 * edge)
        paintBox(look, ink: ink)
      }
      newPath()
      if let leader = label.leader { add(leader.steps, x: { x, _ in x }, y: { _, y in y }) }
      for glyph in label.glyphs { add(batch.outlines[Int(glyph.outline)], at: glyph, look) }
      if case .numbers(let range) = ink { setNumber(first + item - range.lowerBound + 1) }
      paintLetters(look, ink: ink)
    }
  }

  /// Paints the path as the box behind letters.
  private func paintBox(_ look: LabelStyle, ink: Ink) {
    if let color = look.ground {
      if case .colors = ink { setColor(color) }
      fill()
    }
    if let frame = look.frame {
      if case .colors = ink { setColor(frame.color) }
      setLineWidth(min(frame.width, Self.widthLimit))
      setLineEnds(cap: frame.cap, join: frame.join, miterLimit: frame.miterLimit)
      stroke()
    }
  }

  /// The maximum distance between a halo's edge and its curve, in pixels.
  ///
  /// - Source: Cairo's own default. A halo has round joins at every corner of a letter. At the tolerance of the
  ///   letters it took a fifth of the time of a small map with labels.
  private static var haloTolerance: Double { 0.1 }

  /// Paints the path as letters with their halo.
  func paintLetters(_ look: LabelStyle, ink: Ink) {
    if let color = look.haloColor, look.haloWidth > 0 {
      if case .colors = ink { setColor(color) }
      setLineWidth(min(2 * look.haloWidth, Self.widthLimit))
      setLineEnds(cap: .round, join: .round, miterLimit: Stroke.miterLimit)
      setTolerance(Self.haloTolerance)
      stroke()
      setTolerance(Self.tolerance)
    }
    if let color = look.color {
      if case .colors = ink { setColor(color) }
      fill()
    }
  }

  private func add(_ outline: GlyphOutline, at glyph: LabelItem.Glyph, _ look: LabelStyle) {
    add(
      outline.steps, x: { Self.place($0, $1, of: glyph, look).x },
      y: { Self.place($0, $1, of: glyph, look).y })
  }

  /// Returns the pixel position of a point of a glyph's outline, which is in ems with y up.
  private static func place(_ x: Double, _ y: Double, of glyph: LabelItem.Glyph, _ look: LabelStyle) -> Place
  {
    let (right, up) = ((x + look.slant * y) * look.size, y * look.size)
    return Place(
      glyph.x + right * glyph.directionX + up * glyph.directionY,
      glyph.y + right * glyph.directionY - up * glyph.directionX)
  }

  /// Adds the steps of an outline, transformed to the image's pixels.
  func add(_ steps: [GlyphOutline.Step], x: (Double, Double) -> Double, y: (Double, Double) -> Double) {
    for step in steps {
      switch step {
      case .move(let px, let py): move(x: x(px, py), y: y(px, py))
      case .line(let px, let py): line(x: x(px, py), y: y(px, py))
      case .curve(let x1, let y1, let x2, let y2, let px, let py):
        curve(
          x1: x(x1, y1), y1: y(x1, y1), x2: x(x2, y2), y2: y(x2, y2), x: x(px, py), y: y(px, py))
      case .close: close()
      }
    }
  }
}
