import MapGeometry
import MapModel

extension MarkerStyle {
  /// The maximum length of an image's longer side as drawn, in pixels; larger images are reduced to it.
  ///
  /// - Source: design decision: 64 MB of pixels.
  static let pictureLimit = 4096.0

  /// Creates the style of a picture marker symbol; nil without an image or without a size.
  init?(_ symbol: PictureMarkerSymbol, pixelRatio: Double, classIndex: Int) {
    guard case .success(let picture) = symbol.picture, let size = symbol.drawnSize else { return nil }
    let longest = max(size.width, size.height) * pixelRatio
    // This comparison is false for NaN.
    guard longest.isFinite, symbol.opacity > 0 else { return nil }
    let factor = pixelRatio * min(1, Self.pictureLimit / longest)
    let (width, height) = (
      SymbolNumber.size.bounded(size.width * factor), SymbolNumber.size.bounded(size.height * factor)
    )
    guard width > 0, height > 0 else { return nil }
    self.init(
      block: MarkerBlock(
        .picture(picture, opacity: min(symbol.opacity, 1)),
        box: Envelope(xMin: -width / 2, yMin: -height / 2, xMax: width / 2, yMax: height / 2)),
      angle: SymbolNumber.rotation.bounded(symbol.angle),
      offsetX: SymbolNumber.offset.bounded(symbol.offsetX * pixelRatio),
      offsetY: SymbolNumber.offset.bounded(-symbol.offsetY * pixelRatio),
      ground: nil, frame: Stroke(symbol.frame, pixelRatio: pixelRatio), classIndex: classIndex)
  }

  /// Creates the style of a text symbol; nil when it paints nothing.
  init?(
    _ symbol: TextSymbol, pixelRatio: Double, classIndex: Int, shapes: inout ShapeCache,
    missing: inout Set<Unicode.Scalar>
  ) {
    let lines = LabelText.lines(of: symbol.text)
    guard !lines.isEmpty, let style = LabelStyle(symbol, pixelRatio: pixelRatio, classIndex: classIndex)
    else { return nil }
    let layout = LabelLayout(
      lines, style: style, font: symbol.font, alignment: symbol.horizontalAlignment, shapes: &shapes)
    missing.formUnion(layout.missing)
    let left =
      switch symbol.horizontalAlignment {
      case .left, .justify: 0.0
      case .center: -layout.width / 2
      case .right: -layout.width
      }
    let top =
      switch symbol.verticalAlignment {
      case .top: 0.0
      case .middle: -layout.height / 2
      case .bottom: -layout.height
      case .baseline: (1 - LabelLayout.ascent) * style.size - layout.height
      }
    let block = Envelope(xMin: left, yMin: top, xMax: left + layout.width, yMax: top + layout.height)
    let angle = Self.wholeTurn(symbol.angle)
    func turned(_ glyph: LabelItem.Glyph, _ x: Double, _ y: Double) -> (x: Double, y: Double) {
      MarkerShape.turned(
        x: left + glyph.x + (x + style.slant * y) * style.size, y: top + glyph.y - y * style.size,
        angle: angle)
    }
    let steps = layout.glyphs.flatMap { glyph in
      shapes.outlines[Int(glyph.outline)].steps.map { $0.moved { turned(glyph, $0, $1) } }
    }
    let ink = TextInk(
      text: lines.joined(separator: "\n"), steps: steps, style: style,
      baseline: angle == 0 ? top + LabelLayout.ascent * style.size : nil)
    self.init(
      block: MarkerBlock(
        .text(ink), box: block.union(layout.ink.moved(x: left, y: top)).grown(by: style.haloWidth)),
      angle: SymbolNumber.rotation.bounded(symbol.angle),
      offsetX: SymbolNumber.offset.bounded(symbol.offsetX * pixelRatio),
      offsetY: SymbolNumber.offset.bounded(-symbol.offsetY * pixelRatio),
      ground: style.ground, frame: style.frame, classIndex: classIndex)
  }

  /// Returns the nearest point at which a block is sharpest.
  ///
  /// An unrotated image is aligned to whole pixels, and unrotated text has its baseline on one.
  func sharpest(x: Double, y: Double) -> (x: Double, y: Double) {
    func snapped(_ place: Double, _ edge: Double) -> Double { (place + edge).rounded() - edge }
    switch block?.content {
    case .picture(_, _):
      guard let block, angle == 0 else { return (x, y) }
      // A stamp has whole pixels, and the image in its middle.
      return (
        snapped(x, offsetX - block.box.width.rounded(.up) / 2),
        snapped(y, offsetY - block.box.height.rounded(.up) / 2)
      )
    case .text(let ink): return (x, ink.baseline.map { snapped(y, offsetY + $0) } ?? y)
    case nil: return (x, y)
    }
  }
}

extension GlyphOutline.Step {
  /// Returns the step with its points transformed.
  package func moved(_ place: (Double, Double) -> (x: Double, y: Double)) -> GlyphOutline.Step {
    switch self {
    case .move(let x, let y):
      let end = place(x, y)
      return .move(x: end.x, y: end.y)
    case .line(let x, let y):
      let end = place(x, y)
      return .line(x: end.x, y: end.y)
    case .curve(let x1, let y1, let x2, let y2, let x, let y):
      let (first, second, end) = (place(x1, y1), place(x2, y2), place(x, y))
      return .curve(x1: first.x, y1: first.y, x2: second.x, y2: second.y, x: end.x, y: end.y)
    case .close: return .close
    }
  }
}
