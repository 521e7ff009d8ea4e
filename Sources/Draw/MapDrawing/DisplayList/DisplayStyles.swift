import MapGeometry
package import MapModel

/// The style of a marker in pixels: the shape is filled, then its outline is stroked, centred on the shape's edge.
package struct MarkerStyle: Hashable, Sendable {
  /// The shape; ignored when the style has a block.
  package let shape: MarkerShape
  /// An image or text in a rectangle that replaces the shape, over the fill and under the outline; nil for a shape.
  package let block: MarkerBlock?
  /// The side of the shape's frame.
  package let size: Double
  /// The clockwise rotation about the centre, in degrees.
  package let angle: Double
  /// The offset to the right, after rotation.
  package let offsetX: Double
  /// The offset downwards, after rotation.
  package let offsetY: Double
  /// The fill colour; nil paints no inside, as for cross and x.
  package let fill: Color?
  /// The outline; nil strokes no edge.
  package let outline: Stroke?
  /// The renderer's class; -1 for its default symbol.
  package let classIndex: Int

  /// Creates the style of a shape.
  package init(
    shape: MarkerShape, size: Double, angle: Double = 0, offsetX: Double = 0, offsetY: Double = 0,
    fill: Color?,
    outline: Stroke?, classIndex: Int
  ) {
    (self.shape, self.size, self.fill, self.outline) = (shape, size, fill, outline)
    (self.angle, self.offsetX, self.offsetY) = (angle, offsetX, offsetY)
    (block, self.classIndex) = (nil, classIndex)
  }

  /// Creates the style of a block with a background and a frame.
  package init(
    block: MarkerBlock, angle: Double = 0, offsetX: Double = 0, offsetY: Double = 0, ground: Color?,
    frame: Stroke?, classIndex: Int
  ) {
    (self.block, shape, size) = (block, .square, max(block.box.width, block.box.height))
    (self.angle, self.offsetX, self.offsetY) = (Self.wholeTurn(angle), offsetX, offsetY)
    (fill, outline, self.classIndex) = (ground, frame, classIndex)
  }

  /// The chains of the shape or rectangle relative to the point, in pixels, y down; none for the circle.
  package var chains: [[(x: Double, y: Double)]] {
    block.map { [$0.corners(angle: angle)] } ?? shape.outline(size: size, angle: angle)
  }

  /// Whether the style consists of strokes only and has no inside.
  package var isOpen: Bool { block == nil && shape.isOpen }

  /// The distance from the point to the farthest point of the shape or rectangle, in pixels.
  package var radius: Double {
    guard let box = block?.box else { return size * shape.radius }
    let (x, y) = (max(-box.xMin, box.xMax), max(-box.yMin, box.yMax))
    return (x * x + y * y).squareRoot()
  }

  /// Whether the style paints anything.
  package var hasInk: Bool { size > 0 && (fill != nil || outline != nil || block != nil) }

  /// Returns an angle reduced to 0 ..< 360 degrees; 0 for NaN and infinity.
  static func wholeTurn(_ angle: Double) -> Double {
    let rest = angle.truncatingRemainder(dividingBy: 360)
    return rest.isFinite ? (rest < 0 ? rest + 360 : rest) : 0
  }
}

/// The style of a line or area, in pixels.
package struct PathStyle: Hashable, Sendable {
  /// The fill colour; nil fills nothing, as for lines.
  package let fill: Color?
  /// The hatch that replaces the fill; nil for none.
  package let hatch: Hatch?
  /// The stroke; nil strokes nothing.
  package let stroke: Stroke?
  /// Whether rings are stroked as open chains, from their first vertex to their last.
  package let isOpen: Bool
  /// The renderer's class; -1 for its default symbol.
  package let classIndex: Int

  /// Creates a style.
  package init(fill: Color?, hatch: Hatch? = nil, stroke: Stroke?, isOpen: Bool = false, classIndex: Int) {
    (self.fill, self.hatch, self.stroke, self.isOpen) = (fill, hatch, stroke, isOpen)
    self.classIndex = classIndex
  }
}

/// The stroke of a line; dashes are already part of the geometry.
package struct Stroke: Hashable, Sendable {
  /// The colour.
  package let color: Color
  /// The width in pixels, above 0.
  package let width: Double
  /// The shape of its ends.
  package let cap: SimpleLineSymbol.Cap
  /// The shape of its corners.
  package let join: SimpleLineSymbol.Join
  /// The limit above which a miter join becomes a bevel: miter length over line width, as in SVG and Cairo.
  package let miterLimit: Double

  /// Creates a stroke; butt caps and miter joins by default.
  package init(
    color: Color, width: Double, cap: SimpleLineSymbol.Cap = .butt, join: SimpleLineSymbol.Join = .miter,
    miterLimit: Double = Stroke.miterLimit
  ) {
    (self.color, self.width, self.cap, self.join) = (color, width, cap, join)
    self.miterLimit = miterLimit
  }

  /// Creates the stroke of a line symbol; nil when it paints nothing.
  init?(_ symbol: SimpleLineSymbol?, pixelRatio: Double) {
    guard let symbol, let color = symbol.color?.ifNotClear else { return nil }
    let width = SymbolNumber.width.bounded(symbol.width * pixelRatio)
    guard width > 0 else { return nil }
    self.init(
      color: color, width: width, cap: symbol.cap, join: symbol.join,
      // This comparison is false for NaN.
      miterLimit: symbol.miterLimit > 1 ? min(symbol.miterLimit, Self.miterLimit) : 1)
  }

  /// The default miter limit, which is also the largest that is drawn.
  ///
  /// - Source: design decision; 10 is also Cairo's and PostScript's default.
  package static let miterLimit = 10.0

  /// The maximum stroke width in pixels; wider symbols are drawn with this width.
  ///
  /// - Source: design decision; with its miters such a stroke fits Cairo's fixed-point numbers.
  package static let widthLimit = SymbolNumber.width.limit

  /// The largest distance of ink from the path, in pixels.
  package var reach: Double {
    // Only a miter's tip is farther away than the corner of a square cap.
    width / 2 * max(join == .miter ? miterLimit : 1, cap == .square ? 2.0.squareRoot() : 1)
  }
}

/// A hatch over an area, anchored to the image's top left corner so that neighbouring areas align.
package struct Hatch: Hashable, Sendable {
  /// A pattern other than the lines of fill styles.
  package enum Pattern: Hashable, Sendable {
    /// Parallel lines of a width; the angle is counter-clockwise from the horizontal, in degrees.
    case lines(separation: Double, angle: Double)
    /// Shapes at the points of a grid, with every second row shifted by half a step or not.
    case shapes([PatternShape], stepX: Double, stepY: Double, shifts: Bool)
    /// Copies of an image, side by side.
    case image(SymbolPicture, ImageTile)
    /// Colours that change across the extent of an item; absolute sizes are output pixels.
    case gradient(ColorGradient)
  }

  /// The size and position of the copies of an image, in pixels.
  package struct ImageTile: Hashable, Sendable {
    /// The width of a copy.
    package let width: Double
    /// The height of a copy.
    package let height: Double
    /// The clockwise rotation of the whole pattern, in degrees.
    package let angle: Double
    /// The offset to the right.
    package let offsetX: Double
    /// The offset downwards.
    package let offsetY: Double
    /// The factor for alpha, 0 to 1.
    package let opacity: Double
    /// Whether copies keep a size of fractional pixels, as in areas whose patterns must meet; else it is rounded, which
    /// keeps their pixels sharp.
    package let isExact: Bool

    /// Creates a tile of an exact size.
    ///
    /// - Parameters:
    ///   - width: the width of a copy in pixels, raised to 1.
    ///   - height: the height of a copy in pixels, raised to 1.
    ///   - angle: the clockwise rotation of the whole pattern, in degrees.
    ///   - origin: a corner of a copy.
    ///   - opacity: the factor for alpha.
    package init(
      width: Double, height: Double, angle: Double, origin: (x: Double, y: Double), opacity: Double
    ) {
      // A tile of less than a pixel would take very long.
      (self.width, self.height) = (
        max(SymbolNumber.size.bounded(width), 1), max(SymbolNumber.size.bounded(height), 1)
      )
      self.angle = SymbolNumber.rotation.bounded(angle)
      offsetX = SymbolNumber.offset.bounded(origin.x)
      offsetY = SymbolNumber.offset.bounded(origin.y)
      (self.opacity, isExact) = (min(max(opacity, 0), 1), true)
    }

    /// Creates the tile of an image symbol; nil without an image or a size.
    init?(_ symbol: PictureMarkerSymbol, pixelRatio: Double) {
      guard let size = symbol.drawnSize, symbol.opacity > 0 else { return nil }
      // A tile of less than a pixel would take very long.
      (width, height) = (
        max(SymbolNumber.size.bounded(size.width * pixelRatio), 1),
        max(SymbolNumber.size.bounded(size.height * pixelRatio), 1)
      )
      angle = SymbolNumber.rotation.bounded(symbol.angle)
      offsetX = SymbolNumber.offset.bounded(symbol.offsetX * pixelRatio)
      offsetY = SymbolNumber.offset.bounded(-symbol.offsetY * pixelRatio)
      (opacity, isExact) = (min(symbol.opacity, 1), false)
    }
  }

  /// The pattern that replaces ``style``; nil for none.
  package let pattern: Pattern?
  /// The pattern of lines; never solid.
  package let style: SimpleFillSymbol.Style
  /// The colour of the lines.
  package let color: Color
  /// The width of the lines in pixels.
  package let lineWidth: Double

  /// Creates a hatch for a pixel ratio.
  ///
  /// - Source: ArcGIS Maps SDK for JavaScript: lines of 1 pixel in tiles of 8, or 16 for diagonals, times the ratio.
  ///   The SDK also rounds up to powers of two; this hatch does not.
  package init(style: SimpleFillSymbol.Style, color: Color, pixelRatio: Double) {
    (self.style, self.color, lineWidth, pattern) = (style, color, pixelRatio, nil)
  }

  /// Creates a hatch with its own pattern; the colour and width are those of lines.
  package init(pattern: Pattern, color: Color, lineWidth: Double) {
    (style, self.color, self.lineWidth, self.pattern) = (.cross, color, lineWidth, pattern)
  }

  /// Whether every part of the hatch has the hatch's colour.
  package var hasOneColor: Bool {
    switch pattern {
    case nil, .lines: true
    case .shapes, .image, .gradient: false
    }
  }

  /// Whether the hatch depends on the extent of the whole item.
  package var isGradient: Bool { if case .gradient? = pattern { true } else { false } }
  /// Whether the hatch depends on the edge of the whole item.
  package var followsEdge: Bool {
    if case .gradient(let gradient)? = pattern { gradient.form == .buffered } else { false }
  }
}

/// A shape of a pattern, relative to a point of its grid, in pixels, y down.
package struct PatternShape: Hashable, Sendable {
  /// The x coordinates of the vertices of all parts.
  package let x: [Double]
  /// The y coordinates of the vertices of all parts.
  package let y: [Double]
  /// For every part, the index after its last vertex.
  package let ends: [Int]
  /// Whether the parts are rings.
  package let isClosed: Bool
  /// The fill; nil fills nothing.
  package let fill: Color?
  /// The stroke; nil strokes nothing.
  package let stroke: Stroke?

  /// Creates the shape of a symbol.
  ///
  /// - Parameters:
  ///   - pixelRatio: output pixels per pixel of the symbol.
  ///   - symbol: the symbol of the shape, with its rotation and offset.
  init(_ shape: VectorMarkerSymbol.Shape, of symbol: VectorMarkerSymbol, pixelRatio: Double) {
    let (cosine, sine) = ResolvedViewpoint.cosineAndSine(SymbolNumber.rotation.bounded(symbol.angle))
    var (x, y, ends) = ([Double](), [Double](), [Int]())
    for part in shape.parts {
      for vertex in part {
        let (right, down) = (vertex.x, -vertex.y)
        x.append(SymbolNumber.offset.bounded((right * cosine - down * sine + symbol.offsetX) * pixelRatio))
        y.append(SymbolNumber.offset.bounded((right * sine + down * cosine - symbol.offsetY) * pixelRatio))
      }
      ends.append(x.count)
    }
    (self.x, self.y, self.ends, isClosed) = (x, y, ends, shape.isClosed)
    (fill, stroke) = (shape.color?.ifNotClear, Stroke(shape.outline, pixelRatio: pixelRatio))
  }

  /// Creates the letters of a text, or their halo, as rings.
  ///
  /// - Parameter halo: the stroke around the letters; nil for the letters themselves.
  init?(_ ink: TextInk, at place: (x: Double, y: Double), halo: Stroke?) {
    var (x, y, ends) = ([Double](), [Double](), [Int]())
    var start = 0
    func add(_ px: Double, _ py: Double) {
      x.append(SymbolNumber.offset.bounded(px + place.x))
      y.append(SymbolNumber.offset.bounded(py + place.y))
    }
    for step in ink.steps {
      switch step {
      case .move(let px, let py):
        start = x.count
        add(px, py)
      case .line(let px, let py): add(px, py)
      case .curve(let x1, let y1, let x2, let y2, let px, let py):
        guard let fromX = x.last.map({ $0 - place.x }), let fromY = y.last.map({ $0 - place.y }) else {
          continue
        }
        for part in 1...Self.curveSteps {
          let t = Double(part) / Double(Self.curveSteps)
          let u = 1 - t
          add(
            u * u * u * fromX + 3 * u * u * t * x1 + 3 * u * t * t * x2 + t * t * t * px,
            u * u * u * fromY + 3 * u * u * t * y1 + 3 * u * t * t * y2 + t * t * t * py)
        }
      case .close:
        guard x.count > start + 1 else { continue }
        add(x[start] - place.x, y[start] - place.y)
        ends.append(x.count)
      }
    }
    guard !ends.isEmpty else { return nil }
    (self.x, self.y, self.ends, isClosed) = (x, y, ends, true)
    (fill, stroke) = (halo?.color ?? ink.style.color, halo)
  }

  /// The number of lines for each curve of a letter.
  private static let curveSteps = 8

  /// The vertices of each part.
  package var parts: [Range<Int>] {
    ends.indices.map { ($0 == 0 ? 0 : ends[$0 - 1])..<ends[$0] }
  }
}

extension Color {
  /// The colour; nil for a transparent one, which paints nothing.
  var ifNotClear: Color? { alpha > 0 ? self : nil }
}
