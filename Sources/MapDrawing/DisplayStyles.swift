import MapGeometry
public import MapModel

/// The look of a marker, in pixels: the shape is filled, then its outline stroked, centred on the shape's edge.
public struct MarkerStyle: Hashable, Sendable {
  /// The shape; without meaning for a block.
  public let shape: MarkerShape
  /// A picture or text in a rectangle of its own, which is the shape then: over the fill and under the outline; nil for
  /// a shape.
  public let block: MarkerBlock?
  /// Side of the shape's frame.
  public let size: Double
  /// Clockwise turn about the centre, in degrees.
  public let angle: Double
  /// Shift to the right, after turning.
  public let offsetX: Double
  /// Shift downwards, after turning.
  public let offsetY: Double
  /// Nil paints no inside; cross and x have none.
  public let fill: Color?
  /// Nil strokes no edge.
  public let outline: Stroke?
  /// The renderer's class, -1 for its default symbol.
  public let classIndex: Int

  /// A look.
  public init(
    shape: MarkerShape, size: Double, angle: Double = 0, offsetX: Double = 0, offsetY: Double = 0,
    fill: Color?,
    outline: Stroke?, classIndex: Int
  ) {
    (self.shape, self.size, self.fill, self.outline) = (shape, size, fill, outline)
    (self.angle, self.offsetX, self.offsetY) = (angle, offsetX, offsetY)
    (block, self.classIndex) = (nil, classIndex)
  }

  /// The look of a block on a ground, in a frame.
  public init(
    block: MarkerBlock, angle: Double = 0, offsetX: Double = 0, offsetY: Double = 0, ground: Color?,
    frame: Stroke?, classIndex: Int
  ) {
    (self.block, shape, size) = (block, .square, max(block.box.width, block.box.height))
    (self.angle, self.offsetX, self.offsetY) = (Self.wholeTurn(angle), offsetX, offsetY)
    (fill, outline, self.classIndex) = (ground, frame, classIndex)
  }

  /// The chains of the shape or rectangle about the place, in pixels, y down; none for the circle.
  package var chains: [[(x: Double, y: Double)]] {
    block.map { [$0.corners(angle: angle)] } ?? shape.outline(size: size, angle: angle)
  }

  /// True for strokes alone, which have no inside.
  package var isOpen: Bool { block == nil && shape.isOpen }

  /// How far from the place the farthest point of shape or rectangle lies.
  package var radius: Double {
    guard let box = block?.box else { return size * shape.radius }
    let (x, y) = (max(-box.xMin, box.xMax), max(-box.yMin, box.yMax))
    return (x * x + y * y).squareRoot()
  }

  /// True when anything is painted.
  package var hasInk: Bool { size > 0 && (fill != nil || outline != nil || block != nil) }
}

/// The look of a line or area, in pixels.
public struct PathStyle: Hashable, Sendable {
  /// Nil fills nothing; never set for lines.
  public let fill: Color?
  /// Lines instead of a fill, nil for none.
  public let hatch: Hatch?
  /// Nil strokes nothing.
  public let stroke: Stroke?
  /// True strokes rings as chains, from their first vertex to their last.
  public let isOpen: Bool
  /// The renderer's class, -1 for its default symbol.
  public let classIndex: Int

  /// A look.
  public init(fill: Color?, hatch: Hatch? = nil, stroke: Stroke?, isOpen: Bool = false, classIndex: Int) {
    (self.fill, self.hatch, self.stroke, self.isOpen) = (fill, hatch, stroke, isOpen)
    self.classIndex = classIndex
  }
}

/// A line's ink: dashes are geometry already.
public struct Stroke: Hashable, Sendable {
  /// The colour.
  public let color: Color
  /// The width in pixels, above 0.
  public let width: Double
  /// How it ends.
  public let cap: SimpleLineSymbol.Cap
  /// How it turns.
  public let join: SimpleLineSymbol.Join
  /// Where a miter join turns into a bevel: miter length over line width, as in SVG and Cairo.
  public let miterLimit: Double

  /// A stroke: butt caps and miter joins unless said.
  public init(
    color: Color, width: Double, cap: SimpleLineSymbol.Cap = .butt, join: SimpleLineSymbol.Join = .miter,
    miterLimit: Double = Stroke.miterLimit
  ) {
    (self.color, self.width, self.cap, self.join) = (color, width, cap, join)
    self.miterLimit = miterLimit
  }

  /// The usual limit, and the greatest that is drawn.
  ///
  /// - Source: ours; 10 is also Cairo's and PostScript's default.
  public static let miterLimit = 10.0

  /// The widest stroke painted, in pixels; wider symbols are drawn as wide.
  ///
  /// - Source: ours; with its miters it stays within what Cairo's fixed point can hold.
  public static let widthLimit = SymbolNumber.width.limit

  /// How far ink can lie from the path, in pixels.
  public var reach: Double {
    // A square cap's corner is the farthest but for a miter's tip.
    width / 2 * max(join == .miter ? miterLimit : 1, cap == .square ? 2.0.squareRoot() : 1)
  }
}

/// Lines over an area, anchored to the picture's top left corner so that neighbours run on.
public struct Hatch: Hashable, Sendable {
  /// Which lines; never solid.
  public let style: SimpleFillSymbol.Style
  /// The lines' colour.
  public let color: Color
  /// The lines' width in pixels.
  public let lineWidth: Double

  /// A hatch for a pixel ratio.
  ///
  /// - Source: lines of 1 pixel in tiles of 8, 16 for diagonals, times the ratio (ArcGIS Maps SDK for JavaScript,
  ///   but for its rounding up to powers of two).
  public init(style: SimpleFillSymbol.Style, color: Color, pixelRatio: Double) {
    (self.style, self.color, lineWidth) = (style, color, pixelRatio)
  }
}
