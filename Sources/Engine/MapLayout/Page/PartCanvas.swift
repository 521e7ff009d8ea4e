import MapDrawing
import MapGeometry
import MapModel

/// The drawing of a part of a page: shapes, symbols and text in view pixels, as a layer of the display list.
struct PartCanvas {
  let name: String
  /// The size of the image in view pixels.
  let size: (width: Double, height: Double)
  let pixelRatio: Double
  private let measurer: TextMeasurer
  private var layers: [DisplayLayer] = []
  private var batches: [DisplayBatch] = []

  init(_ name: String, size: (width: Double, height: Double), pixelRatio: Double, measurer: TextMeasurer) {
    (self.name, self.size, self.pixelRatio, self.measurer) = (name, size, pixelRatio, measurer)
  }

  /// The layers, first painted first.
  var finished: [DisplayLayer] {
    batches.isEmpty ? layers : layers + [layer(batches, opacity: 1)]
  }

  private func layer(_ batches: [DisplayBatch], opacity: Double) -> DisplayLayer {
    DisplayLayer(index: -1, name: name, opacity: opacity, batches: batches)
  }

  /// Returns a length in whole output pixels.
  func snapped(_ length: Double) -> Double { (length * pixelRatio).rounded() / pixelRatio }

  /// Fills a rectangle, whose sides are moved to whole output pixels.
  mutating func fill(_ box: Envelope, _ color: Color) {
    add([corners(box)], PathStyle(fill: color, stroke: nil, classIndex: -1), .polygon)
  }

  /// Strokes the edge of a rectangle, inside its sides.
  mutating func outline(_ box: Envelope, _ color: Color, width: Double = 1) {
    let half = width / 2
    let inner = Envelope(
      xMin: snapped(box.xMin) + half, yMin: snapped(box.yMin) + half, xMax: snapped(box.xMax) - half,
      yMax: snapped(box.yMax) - half)
    let ring = [
      (inner.xMin, inner.yMin), (inner.xMax, inner.yMin), (inner.xMax, inner.yMax), (inner.xMin, inner.yMax),
      (inner.xMin, inner.yMin),
    ]
    add(
      [ring], PathStyle(fill: nil, stroke: Stroke(color: color, width: width * pixelRatio), classIndex: -1),
      .polygon)
  }

  /// Fills a polygon.
  mutating func fill(_ points: [(Double, Double)], _ color: Color, halo: Color? = nil, haloWidth: Double = 0)
  {
    let ring = points + points.prefix(1)
    if let halo {
      let stroke = Stroke(color: halo, width: 2 * haloWidth * pixelRatio, cap: .round, join: .round)
      add([ring], PathStyle(fill: halo, stroke: stroke, classIndex: -1), .polygon)
    }
    add([ring], PathStyle(fill: color, stroke: nil, classIndex: -1), .polygon)
  }

  /// Strokes chains of points.
  mutating func stroke(_ chains: [[(Double, Double)]], _ color: Color, width: Double) {
    add(
      chains,
      PathStyle(
        fill: nil, stroke: Stroke(color: color, width: width * pixelRatio, cap: .square), classIndex: -1),
      .polyline)
  }

  private func corners(_ box: Envelope) -> [(Double, Double)] {
    let (left, top) = (snapped(box.xMin), snapped(box.yMin))
    let (right, bottom) = (snapped(box.xMax), snapped(box.yMax))
    return [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
  }

  private mutating func add(_ chains: [[(Double, Double)]], _ style: PathStyle, _ kind: GeometryKind) {
    var batch = PathBatch(styles: [style], kind: kind)
    for chain in chains {
      for (x, y) in chain { batch.geometry.appendVertex(x: x * pixelRatio, y: y * pixelRatio) }
      batch.geometry.endPart()
    }
    batch.geometry.endRow()
    batch.style = [0]
    batch.row = [0]
    batches.append(.paths(batch))
  }

  /// Draws a symbol with the opacity of its layer.
  mutating func draw(_ symbol: SymbolForm, at geometry: CoordinateBuffer, opacity: Double) {
    let swatch = SymbolSwatch(symbol, at: geometry)
      .batches(width: size.width, height: size.height, pixelRatio: pixelRatio, measurer: measurer)
    guard opacity < 1 else {
      batches += swatch
      return
    }
    if !batches.isEmpty { layers.append(layer(batches, opacity: 1)) }
    batches = []
    layers.append(layer(swatch, opacity: opacity))
  }

  /// Draws lines of text from the top left corner of their block.
  mutating func text(_ block: TextBlock, _ style: TextStyle, x: Double, y: Double) {
    for (number, line) in block.lines.enumerated() {
      text(line, style, x: x, baseline: y + style.ascent + Double(number) * style.lineHeight)
    }
  }

  /// Draws a line of text; its baseline is moved to a whole output pixel.
  mutating func text(_ line: String, _ style: TextStyle, x: Double, baseline: Double) {
    let shaped = measurer.shape(line, FontChoice(weight: style.weight))
    let (size, left) = (style.size * pixelRatio, x * pixelRatio)
    let base = (baseline * pixelRatio).rounded()
    var (outlines, glyphs): ([GlyphOutline], [LabelItem.Glyph]) = ([], [])
    var ink = Envelope.empty
    for glyph in shaped.glyphs {
      let outline = measurer.outline(glyph.glyph, FontChoice(weight: style.weight))
      guard let bounds = outline.bounds else { continue }
      let (gx, gy) = (left + glyph.x * size, base - glyph.y * size)
      glyphs.append(
        LabelItem.Glyph(
          outline: UInt32(clamping: outlines.count), character: UInt32(clamping: glyph.character), x: gx,
          y: gy
        ))
      outlines.append(outline)
      ink = ink.union(
        Envelope(
          xMin: gx + bounds.xMin * size, yMin: gy - bounds.yMax * size, xMax: gx + bounds.xMax * size,
          yMax: gy - bounds.yMin * size))
    }
    guard !glyphs.isEmpty else { return }
    let halo = style.halo == nil ? 0 : 1.6 * pixelRatio
    let look = LabelStyle(
      size: size, color: style.color, haloColor: style.halo, haloWidth: halo, classIndex: -1)
    batches.append(
      .labels(
        LabelBatch(
          outlines: outlines, styles: [look],
          items: [LabelItem(text: line, style: 0, row: 0, box: ink.grown(by: halo), glyphs: glyphs)])))
  }
}

extension Envelope {
  /// Creates a rectangle from its top left corner and its size.
  init(left: Double, top: Double, width: Double, height: Double) {
    self.init(xMin: left, yMin: top, xMax: left + width, yMax: top + height)
  }
}
