internal import MapDrawing
internal import MapModel

/// The paint for items.
enum Ink {
  /// The items' own colours, blended.
  case colors
  /// Numbers as 24-bit colours: the items of this range are numbered from 1, other items are skipped.
  case numbers(Range<Int>)

  /// Whether edges are anti-aliased.
  var isSoft: Bool { if case .colors = self { true } else { false } }

  /// Returns the items of a batch that are painted; `first` is the number of its first item within the layer.
  func items(first: Int, count: Int) -> Range<Int> {
    switch self {
    case .colors: 0..<count
    case .numbers(let range):
      (range.lowerBound - first..<range.upperBound - first).clamped(to: 0..<count)
    }
  }
}

/// The style of a marker or path as painted: sizes within limits, without transparent colours.
struct Look {
  var shape = MarkerShape.circle
  /// The content of the marker's rectangle; nil for a shape.
  var block: MarkerBlock?
  /// The marker's chains relative to its point; none for a circle.
  var chains: [[(x: Double, y: Double)]] = []
  var size = 0.0
  /// The marker's clockwise rotation, in degrees.
  var angle = 0.0
  /// The distance from the marker's point to its farthest point, in pixels.
  var radius = 0.0
  var offsetX = 0.0
  var offsetY = 0.0
  var isOpen = false
  let fill: Color?
  let hatch: Hatch?
  let stroke: Color?
  let width: Double
  let cap: SimpleLineSymbol.Cap
  let join: SimpleLineSymbol.Join
  let miterLimit: Double
  /// The largest distance of paint from the path, in pixels: one for anti-aliasing, and the stroke.
  let reach: Double

  init(_ style: MarkerStyle) {
    self.init(fill: style.fill, hatch: nil, stroke: style.outline)
    (shape, size, angle) = (style.shape, min(style.size, CairoContext.sizeLimit), style.angle)
    chains = style.block == nil ? shape.outline(size: size, angle: angle) : style.chains
    radius = style.block == nil ? size * shape.radius : style.radius
    (block, offsetX, offsetY, isOpen) = (style.block, style.offsetX, style.offsetY, style.isOpen)
  }

  init(_ style: PathStyle) {
    self.init(fill: style.fill, hatch: style.hatch, stroke: style.stroke)
    isOpen = style.isOpen
  }

  init(_ stroke: Stroke) { self.init(fill: nil, hatch: nil, stroke: stroke) }

  private init(fill: Color?, hatch: Hatch?, stroke: Stroke?) {
    self.fill = fill.flatMap { $0.alpha > 0 ? $0 : nil }
    self.hatch = hatch.flatMap { $0.color.alpha > 0 ? $0 : nil }
    let stroke = stroke.flatMap { $0.width > 0 && $0.color.alpha > 0 ? $0 : nil }
    self.stroke = stroke?.color
    let width = min(stroke?.width ?? 0, CairoContext.widthLimit)
    self.width = width
    (cap, join) = (stroke?.cap ?? .butt, stroke?.join ?? .miter)
    miterLimit = stroke?.miterLimit ?? Stroke.miterLimit
    reach = 1 + (stroke.map { $0.reach * width / $0.width } ?? 0)
  }
}
