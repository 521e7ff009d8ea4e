package import MapGeometry
import MapModel

/// The styles of a renderer's symbols in output pixels: one per class, and the default symbol's last if there is one.
struct SymbolStyles {
  private(set) var markers: [MarkerStyle] = []
  private(set) var paths: [PathStyle] = []
  /// For each dashed path style, its dash lengths in pixels and the style that strokes the dashes as open chains.
  private(set) var dashed: [Int: (pattern: [Double], style: Int)] = [:]
  /// The arrow heads of path styles, by their index in ``paths``.
  private(set) var arrows: [Int: LineArrows] = [:]
  /// For each symbol, its range in ``markers`` or ``paths``: one style, one per part, or none if it paints nothing.
  private(set) var looks: [Range<Int>] = []
  /// For each symbol of points, the path styles of its shapes; empty for other geometries.
  private(set) var vectorLooks: [Range<Int>] = []
  /// The shapes of path styles at points.
  private(set) var shapes: [Int: PatternShape] = [:]
  /// The characters of text symbols that the font lacks.
  private(set) var missing: Set<Unicode.Scalar> = []
  /// The symbols in use: one per class, and the default symbol last if there is one.
  private let symbols: [SymbolForm]
  private let classCount: Int
  private let kind: GeometryKind
  /// The counter-clockwise rotation of the view, in degrees.
  private let rotation: Double
  /// Output pixels per pixel of a symbol.
  let pixelRatio: Double
  /// The shapes of text; nil paints no text.
  private var letters: ShapeCache?

  /// Creates styles for geometries of a kind; a symbol that does not suit the kind is replaced by the standard one.
  init(
    _ renderer: RendererForm, kind: GeometryKind, pixelRatio: Double, rotation: Double = 0,
    measurer: TextMeasurer?
  ) {
    let all = renderer.classSymbols + (renderer.defaultSymbol.map { [$0] } ?? [])
    symbols = all.map { $0.suits(kind) ? $0 : .standard(for: kind) }
    self.rotation = rotation
    (classCount, self.kind, self.pixelRatio) = (renderer.classSymbols.count, kind, pixelRatio)
    letters = measurer.map { ShapeCache($0) }
    for (index, symbol) in symbols.enumerated() {
      _ = append(symbol, classIndex: index < classCount ? index : -1)
    }
  }

  /// Creates the styles of a renderer's dots, one for each attribute, for the class of the areas.
  init(dots renderer: DotDensityRenderer, pixelRatio: Double) {
    (symbols, classCount, kind, rotation) = (
      renderer.attributes.map { renderer.dot(of: $0).form }, 1, .point, 0
    )
    (self.pixelRatio, letters) = (pixelRatio, nil)
    for symbol in symbols { _ = append(symbol, classIndex: 0) }
  }

  /// Returns the index of a class's symbol; class -1 is that of the default symbol.
  func index(ofClass classIndex: Int) -> Int { classIndex < 0 ? classCount : classIndex }

  /// Returns the symbol of a class, suited to the geometry.
  func symbol(ofClass classIndex: Int) -> SymbolForm { symbols[index(ofClass: classIndex)] }

  /// For each symbol, whether its features are drawn; a composite symbol without parts is not.
  var drawnClasses: [Bool] { symbols.map { $0 != CompositeSymbol().form } }

  /// Appends the styles of a symbol for some features of a class, and returns their index in ``looks``.
  mutating func append(_ symbol: SymbolForm, classIndex: Int) -> Int {
    let (firstMarker, firstPath) = (markers.count, paths.count)
    add(symbol, classIndex: classIndex)
    // The styles of dashes follow the styles to which they belong. Points have markers, and paths for shapes.
    let isPoint = kind == .point || kind == .multipoint
    looks.append(isPoint ? firstMarker..<markers.count : firstPath..<paths.count)
    vectorLooks.append(isPoint ? firstPath..<paths.count : 0..<0)
    for (style, line) in dashedLines {
      dashed[style] = (line.pattern, paths.count)
      paths.append(
        PathStyle(fill: nil, stroke: line.stroke, isOpen: true, classIndex: paths[style].classIndex))
    }
    dashedLines = []
    for (style, line) in arrowedLines {
      guard let stroke = line.stroke else { continue }
      arrows[style] = LineArrows(placement: line.placement, width: stroke.width, style: paths.count)
      paths.append(
        PathStyle(fill: stroke.color, stroke: nil, isOpen: true, classIndex: paths[style].classIndex))
    }
    arrowedLines = []
    return looks.count - 1
  }

  private mutating func add(_ symbol: SymbolForm, classIndex: Int) {
    switch symbol {
    case .marker(var marker):
      marker.angle = marker.angleAlignment.onScreen(marker.angle, rotation: rotation)
      markers.append(MarkerStyle(marker, pixelRatio, classIndex))
    case .picture(var picture):
      picture.angle = picture.angleAlignment.onScreen(picture.angle, rotation: rotation)
      guard picture.drawnSize != nil else { return add(.standard(for: kind), classIndex: classIndex) }
      if let look = MarkerStyle(picture, pixelRatio: pixelRatio, classIndex: classIndex) {
        markers.append(look)
      }
    case .text(var text):
      text.angle = text.angleAlignment.onScreen(text.angle, rotation: rotation)
      guard var letters else { return }
      if let look = MarkerStyle(
        text, pixelRatio: pixelRatio, classIndex: classIndex, shapes: &letters, missing: &missing)
      {
        markers.append(look)
      }
      self.letters = letters
    case .line(let line): add(fill: nil, hatch: nil, line: line, pixelRatio, classIndex)
    case .fill(let fill):
      let color = fill.color?.ifNotClear
      let isSolid = fill.style == .solid
      add(
        fill: isSolid ? color : nil,
        // Lines closer together than one pixel would look like a solid area.
        hatch: isSolid
          ? nil : color.map { Hatch(style: fill.style, color: $0, pixelRatio: max(pixelRatio, 1)) },
        line: fill.outline, pixelRatio, classIndex)
    case .vector(var vector):
      vector.angle = vector.angleAlignment.onScreen(vector.angle, rotation: rotation)
      for shape in vector.shapes {
        let shape = PatternShape(shape, of: vector, pixelRatio: pixelRatio)
        shapes[paths.count] = shape
        paths.append(
          PathStyle(
            fill: shape.fill, stroke: shape.stroke, isOpen: !shape.isClosed, classIndex: classIndex))
      }
    case .pattern(let pattern):
      let hatch: Hatch?
      switch pattern.pattern {
      case .lines(let line, let separation, let angle):
        // Lines closer together than one pixel would look like a solid area.
        hatch = Stroke(line, pixelRatio: pixelRatio).map {
          Hatch(
            pattern: .lines(separation: max(separation * pixelRatio, 1), angle: angle), color: $0.color,
            lineWidth: $0.width)
        }
      case .markers(let marker, let stepX, let stepY, let shifts):
        hatch = Hatch(
          pattern: .shapes(
            marker.shapes.map { PatternShape($0, of: marker, pixelRatio: pixelRatio) },
            stepX: max(stepX * pixelRatio, 2), stepY: max(stepY * pixelRatio, 2), shifts: shifts),
          color: .black, lineWidth: 1)
      }
      paths.append(PathStyle(fill: nil, hatch: hatch, stroke: nil, classIndex: classIndex))
    case .composite(let composite):
      for part in composite.parts where part.suits(kind) { add(part, classIndex: classIndex) }
    }
  }

  private var arrowedLines:
    [(style: Int, line: (placement: SimpleLineSymbol.MarkerPlacement, stroke: Stroke?))] = []
  private var dashedLines: [(style: Int, line: (pattern: [Double], stroke: Stroke))] = []

  private mutating func add(
    fill: Color?, hatch: Hatch?, line: SimpleLineSymbol?, _ pixelRatio: Double, _ classIndex: Int
  ) {
    var stroke = Stroke(line, pixelRatio: pixelRatio)
    if let line, line.markerStyle == .arrow, kind == .polyline {
      arrowedLines.append((paths.count, (line.markerPlacement, stroke)))
    }
    if let line, let ink = stroke, line.style != .solid || !line.dashTemplate.isEmpty {
      dashedLines.append((paths.count, (line.dashes(pixelRatio: pixelRatio), ink)))
      stroke = nil
    }
    paths.append(PathStyle(fill: fill, hatch: hatch, stroke: stroke, classIndex: classIndex))
  }

  /// The largest distance that any style reaches beyond the geometry, in pixels.
  var reach: Double { reach { $0.reach } }

  /// Returns the largest reach for another measure of a stroke, such as half its width where miters are rare.
  func reach(ofStroke strokeReach: (Stroke) -> Double) -> Double {
    let marker = markers.map { $0.reach + max(abs($0.offsetX), abs($0.offsetY)) }.max() ?? 0
    let path = paths.map { $0.stroke.map(strokeReach) ?? 0 }.max() ?? 0
    let shape =
      shapes.values.map { shape in
        zip(shape.x, shape.y).reduce(0) { max($0, abs($1.0), abs($1.1)) }
          + (shape.stroke.map(strokeReach) ?? 0)
      }.max() ?? 0
    return max(marker, path, arrows.values.map(\.reach).max() ?? 0, shape)
  }
}

extension SymbolForm {
  /// Returns the largest distance from a point that its symbol reaches, offset included, in pixels of 1/96 inch.
  package func reach(measurer: TextMeasurer?) -> Double {
    SymbolStyles(.simple(SimpleRenderer(symbol: symbol)), kind: .point, pixelRatio: 1, measurer: measurer)
      .reach
  }
}

extension MarkerStyle {
  /// Creates the style of a marker symbol.
  fileprivate init(_ marker: SimpleMarkerSymbol, _ pixelRatio: Double, _ classIndex: Int) {
    let shape: MarkerShape =
      switch marker.style {
      case .circle: .circle
      case .cross: .cross
      case .diamond: .diamond
      case .square: .square
      case .triangle: .triangle
      case .x: .x
      }
    var outline = Stroke(marker.outline, pixelRatio: pixelRatio)
    if shape.isOpen, marker.outline == nil, let color = marker.color?.ifNotClear {
      // Without an outline a cross would be invisible; native SDKs draw it in its colour.
      outline = Stroke(color: color, width: pixelRatio)
    }
    self.init(
      shape: shape, size: SymbolNumber.size.bounded(marker.size * pixelRatio),
      angle: shape == .circle ? 0 : SymbolNumber.rotation.bounded(marker.angle),
      offsetX: SymbolNumber.offset.bounded(marker.offsetX * pixelRatio),
      offsetY: SymbolNumber.offset.bounded(-marker.offsetY * pixelRatio),
      fill: shape.isOpen ? nil : marker.color?.ifNotClear, outline: outline, classIndex: classIndex)
  }
}

extension SimpleLineSymbol {
  /// Returns the dash pattern in output pixels; empty for a solid line.
  ///
  /// Lines under one pixel wide use the pattern of one pixel. Round and square caps are subtracted from the dash; the
  /// shortest dash becomes a dot.
  fileprivate func dashes(pixelRatio: Double) -> [Double] {
    guard dashTemplate.isEmpty else {
      // An odd number of lengths is repeated, so that dashes and gaps alternate.
      let lengths = dashTemplate.count.isMultiple(of: 2) ? dashTemplate : dashTemplate + dashTemplate
      return lengths.map { SymbolNumber.dash.bounded($0 * pixelRatio) }
    }
    let unit = max(SymbolNumber.width.bounded(max(width, 1) * pixelRatio), 1)
    return style.pattern.enumerated().map { index, length in
      guard cap != .butt else { return SymbolNumber.dash.bounded(length * unit) }
      return SymbolNumber.dash.bounded(max(index % 2 == 0 ? length - 1 : length + 1, 0.001) * unit)
    }
  }
}

extension SymbolStyles {
  /// Returns the largest reach beyond the geometry in pixels, at the largest sizes that visual variables can give.
  func reach(
    with variables: VisualVariables, scale: Double, ofStroke strokeReach: (Stroke) -> Double = { $0.reach }
  ) -> Double {
    guard variables.size != nil || variables.outlineWidth != nil else { return reach(ofStroke: strokeReach) }
    let limit = MarkerStyle.sizeLimit / pixelRatio
    var largest = SymbolVariation()
    largest.size = variables.size.map { min($0.upperBound(atScale: scale), limit) }
    largest.outlineWidth = variables.outlineWidth.map { min($0.upperBound(atScale: scale), limit) }
    var grown = self
    for symbol in symbols { _ = grown.append(symbol.applying(largest), classIndex: 0) }
    return grown.reach(ofStroke: strokeReach)
  }
}

extension MarkerStyle {
  /// The maximum size that visual variables give, in output pixels; larger sizes are drawn with this size.
  ///
  /// - Source: design decision: twice the longest side of an image, the largest size passed to Cairo.
  static let sizeLimit = SymbolNumber.size.limit

  private var isCircle: Bool { block == nil && shape == .circle }

  /// The largest distance of ink from the point before the offset, in pixels.
  var reach: Double {
    guard !isCircle else { return (size + (outline?.width ?? 0)) / 2 }
    // The sharpest corner is the triangle's; its miter is twice the line width long.
    return radius + (outline?.width ?? 0)
  }

  /// Returns the points at which a marker lies fully inside the canvas; nil when it paints nothing.
  func insideOf(_ canvas: Envelope) -> Envelope? {
    guard hasInk else { return nil }
    return canvas.grown(by: -reach).moved(x: -offsetX, y: -offsetY)
  }

  /// Returns whether the marker at a point paints part of the canvas.
  package func paints(_ canvas: Envelope, x: Double, y: Double) -> Bool {
    guard hasInk else { return false }
    let (x, y) = (x + offsetX, y + offsetY)
    let inner = canvas.grown(by: -reach)
    if inner.contains(x: x, y: y) { return true }
    guard canvas.grown(by: reach).contains(x: x, y: y) else { return false }
    guard isCircle else {
      return chains.contains { chain in
        let (xs, ys) = (chain.map { $0.x + x }, chain.map { $0.y + y })
        if fill != nil || block != nil, canvas.sharesArea(withConvex: Array(zip(xs, ys))) { return true }
        guard let outline else { return false }
        return StrokeReach(canvas: canvas, stroke: outline).paints(
          x: xs[...], y: ys[...], closed: !isOpen)
      }
    }
    // The nearest and farthest points of the canvas; an unfilled circle paints nothing of a canvas inside its hole.
    let near = (x: max(canvas.xMin - x, 0, x - canvas.xMax), y: max(canvas.yMin - y, 0, y - canvas.yMax))
    let far = (x: max(x - canvas.xMin, canvas.xMax - x), y: max(y - canvas.yMin, canvas.yMax - y))
    let hole = fill == nil ? max((size - (outline?.width ?? 0)) / 2, 0) : 0
    return near.x * near.x + near.y * near.y < reach * reach && far.x * far.x + far.y * far.y > hole * hole
  }
}
