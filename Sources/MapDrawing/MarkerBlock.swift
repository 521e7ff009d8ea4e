public import MapGeometry
public import MapModel

/// What a marker shows in place of a shape: a picture or text in a rectangle, which is what a question at a place hits.
public struct MarkerBlock: Hashable, Sendable {
  /// What stands in the rectangle.
  public enum Content: Hashable, Sendable {
    /// A picture that fills it, its alpha multiplied by 0 to 1.
    case picture(SymbolPicture, opacity: Double)
    /// Letters and their halo.
    case text(TextInk)
  }

  /// What stands in the rectangle.
  public let content: Content
  /// The rectangle about the place before it is turned, in pixels, y down.
  public let box: Envelope

  /// A block.
  public init(_ content: Content, box: Envelope) { (self.content, self.box) = (content, box) }

  /// The corners about the place, turned clockwise by `angle` degrees.
  func corners(angle: Double) -> [(x: Double, y: Double)] {
    [(box.xMin, box.yMin), (box.xMax, box.yMin), (box.xMax, box.yMax), (box.xMin, box.yMax)]
      .map { MarkerShape.turned(x: $0.0, y: $0.1, angle: angle) }
  }
}

/// Letters about a place.
public struct TextInk: Hashable, Sendable {
  /// What they say, lines parted by line feeds.
  public let text: String
  /// The outlines about the place, turned, in pixels, y down; inside by the non-zero rule.
  public let steps: [GlyphOutline.Step]
  /// The look of the letters.
  public let style: LabelStyle
  /// The first baseline's height above the place, as y; nil for turned text.
  let baseline: Double?
}

extension MarkerStyle {
  /// The longest side of a picture as it is drawn; larger ones are drawn as large.
  ///
  /// - Source: ours: 64 MB of pixels.
  static let pictureLimit = 4096.0

  /// The look of a picture; nil without one, or without a size.
  init?(_ symbol: PictureMarkerSymbol, pixelRatio: Double, classIndex: Int) {
    guard case .success(let picture) = symbol.picture, let size = symbol.drawnSize else { return nil }
    let longest = max(size.width, size.height) * pixelRatio
    // NaN compares false.
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

  /// The look of text; nil when it paints nothing.
  init?(
    _ symbol: TextSymbol, pixelRatio: Double, classIndex: Int, shapes: inout ShapeCache,
    missing: inout Set<Unicode.Scalar>
  ) {
    let lines = LabelText.lines(of: symbol.text)
    guard !lines.isEmpty, let style = LabelStyle(symbol, pixelRatio: pixelRatio, classIndex: classIndex)
    else { return nil }
    let layout = LabelLayout(
      lines, style: style, weight: symbol.fontWeight, alignment: symbol.horizontalAlignment, shapes: &shapes)
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

  /// The place nearest to one where a block is sharpest: an upright picture on whole pixels, level text with its baseline
  /// on one.
  func sharpest(x: Double, y: Double) -> (x: Double, y: Double) {
    func snapped(_ place: Double, _ edge: Double) -> Double { (place + edge).rounded() - edge }
    switch block?.content {
    case .picture(_, _):
      guard let block, angle == 0 else { return (x, y) }
      // A stamp has whole pixels, and the picture in its middle.
      return (
        snapped(x, offsetX - block.box.width.rounded(.up) / 2),
        snapped(y, offsetY - block.box.height.rounded(.up) / 2)
      )
    case .text(let ink): return (x, ink.baseline.map { snapped(y, offsetY + $0) } ?? y)
    case nil: return (x, y)
    }
  }

  /// Degrees of 0 up to 360; 0 for what is no number.
  static func wholeTurn(_ angle: Double) -> Double {
    let rest = angle.truncatingRemainder(dividingBy: 360)
    return rest.isFinite ? (rest < 0 ? rest + 360 : rest) : 0
  }
}

extension GlyphOutline.Step {
  /// The step with its points carried elsewhere.
  fileprivate func moved(_ place: (Double, Double) -> (x: Double, y: Double)) -> GlyphOutline.Step {
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
