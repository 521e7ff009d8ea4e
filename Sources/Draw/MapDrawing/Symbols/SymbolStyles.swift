import Glibc
import MapGeometry
import MapModel
import MapSystem

/// The styles of a renderer's symbols in output pixels: one per class, and the default symbol's last if there is one.
struct SymbolStyles {
  private(set) var markers: [MarkerStyle] = []
  private(set) var paths: [PathStyle] = []
  /// For each dashed path style, its dash lengths in pixels and the style that strokes the dashes as open chains.
  private(set) var dashed: [Int: (pattern: DashPattern, style: Int)] = [:]
  /// The arrow heads of path styles, by their index in ``paths``.
  private(set) var arrows: [Int: LineArrows] = [:]
  /// For each symbol, its range in ``markers`` or ``paths``: one style, one per part, or none if it paints nothing.
  private(set) var looks: [Range<Int>] = []
  /// For each symbol, the reason why it may be invisible: that of a symbol without ink, or an offset; nil for others.
  private(set) var invisibility: [Invisibility?] = []
  /// For each symbol of points, the path styles of its shapes; empty for other geometries.
  private(set) var vectorLooks: [Range<Int>] = []
  /// The shapes of path styles at points, or at places of lines and areas.
  private(set) var shapes: [Int: PatternShape] = [:]
  /// The places of the shapes of path styles at lines and areas.
  private(set) var places: [Int: MarkerPlaces] = [:]
  /// For each symbol of lines and areas, its markers and their places.
  private(set) var placedMarkers: [[PlacedMarker]] = []
  /// The changes of paths by the effects of path styles.
  private(set) var effects: [Int: PathEffects] = [:]
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
  /// The renderer of pie charts, whose symbols are only those of legends; nil for others.
  let charts: PieChartRenderer?
  /// The fill below markers on areas; nil for none.
  private let background: SymbolForm?
  /// For each class, the rules to which the parts of its symbol belong, which their styles have as their class; empty for
  /// renderers without rules.
  private let partRules: [[Int]]

  /// Creates styles for geometries of a kind; a symbol that does not suit the kind is replaced by the standard one.
  init(
    _ renderer: RendererForm, kind: GeometryKind, pixelRatio: Double, rotation: Double = 0,
    measurer: TextMeasurer?, partRules: [[Int]] = []
  ) {
    let all = renderer.classSymbols + (renderer.defaultSymbol.map { [$0] } ?? [])
    symbols = all.map { $0.shown(on: kind) }
    (self.rotation, self.partRules) = (rotation, partRules)
    (classCount, self.kind, self.pixelRatio) = (renderer.classSymbols.count, kind, pixelRatio)
    letters = measurer.map { ShapeCache($0) }
    if case .pieChart(let renderer) = renderer { charts = renderer } else { charts = nil }
    background = kind == .polygon ? renderer.backgroundFill : nil
    for (index, symbol) in symbols.enumerated() {
      _ = append(symbol, classIndex: index < classCount ? index : -1)
    }
  }

  /// Creates the styles of a renderer's dots, one for each attribute, for the class of the areas.
  init(dots renderer: DotDensityRenderer, pixelRatio: Double) {
    (symbols, classCount, kind, rotation) = (
      renderer.attributes.map { renderer.dot(of: $0).form }, 1, .point, 0
    )
    (self.pixelRatio, letters, charts, background, partRules) = (pixelRatio, nil, nil, nil, [])
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
    placedMarkers.append([])
    // Only markers have a fill below them, not the fills of areas.
    if let background, symbol.isMarkerOnArea { add(background, classIndex: classIndex) }
    if partRules.indices.contains(classIndex), case .composite(let composite) = symbol {
      for (part, rule) in zip(composite.parts, partRules[classIndex]) where part.suits(kind) {
        add(part, classIndex: rule)
      }
    } else {
      add(symbol, classIndex: classIndex)
    }
    // The styles of dashes follow the styles to which they belong. Points have markers, and paths for shapes.
    looks.append(kind.isPoints ? firstMarker..<markers.count : firstPath..<paths.count)
    vectorLooks.append(kind.isPoints ? firstPath..<paths.count : 0..<0)
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
    let (markers, paths) = (self.markers[firstMarker...], self.paths[firstPath...])
    if markers.contains(where: \.hasInk) || paths.contains(where: \.paints) {
      let isMoved = kind.isPoints && !markers.isEmpty && paths.isEmpty && markers.allSatisfy(\.isMovedOff)
      invisibility.append(isMoved ? .offset : nil)
    } else {
      invisibility.append(symbol.invisibility)
    }
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
      for shape in patternShapes(of: vector) {
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
            patternShapes(of: marker),
            stepX: max(stepX * pixelRatio, 2), stepY: max(stepY * pixelRatio, 2), shifts: shifts),
          color: .black, lineWidth: 1)
      case .picture(let picture):
        guard case .success(let image) = picture.picture else {
          return add(.standard(for: kind), classIndex: classIndex)
        }
        hatch = Hatch.ImageTile(picture, pixelRatio: pixelRatio).map {
          Hatch(pattern: .image(image, $0), color: .black, lineWidth: 1)
        }
      case .gradient(var gradient):
        if case .absolute(let length) = gradient.size {
          gradient.size = .absolute(SymbolNumber.dash.bounded(length * pixelRatio))
        }
        let paints = gradient.stops.contains { $0.color.alpha > 0 }
        hatch = paints ? Hatch(pattern: .gradient(gradient), color: .black, lineWidth: 1) : nil
      }
      add(fill: nil, hatch: hatch, line: pattern.outline, pixelRatio, classIndex)
    case .placed(let placed): place(placed, classIndex)
    case .composite(let composite):
      for part in composite.parts where part.suits(kind) { add(part, classIndex: classIndex) }
    }
  }

  /// Returns the shapes of a vector marker; the letters of its text after their halo.
  private mutating func patternShapes(of vector: VectorMarkerSymbol) -> [PatternShape] {
    vector.shapes.flatMap { shape -> [PatternShape] in
      let own = PatternShape(shape, of: vector, pixelRatio: pixelRatio)
      guard var text = shape.text else { return [own] }
      // The letters are rotated with the marker, about their own position.
      text.angle += vector.angle
      guard var letters, let x = own.x.first, let y = own.y.first,
        let look = MarkerStyle(
          text, pixelRatio: pixelRatio, classIndex: 0, shapes: &letters, missing: &missing),
        case .text(let ink)? = look.block?.content
      else { return [] }
      self.letters = letters
      let place = (x: x + look.offsetX, y: y + look.offsetY)
      let halo = ink.style.haloColor.map { Stroke(color: $0, width: 2 * ink.style.haloWidth, join: .round) }
      return [
        halo.flatMap { PatternShape(ink, at: place, halo: $0) },
        ink.style.color == nil ? nil : PatternShape(ink, at: place, halo: nil),
      ].compactMap { $0 }
    }
  }

  /// Adds the parts of a marker at places of lines or areas.
  private mutating func place(_ placed: PlacedMarkerSymbol, _ classIndex: Int) {
    let places = MarkerPlaces(placed, pixelRatio: pixelRatio)
    for part in placed.parts.flatMap(\.simpleParts) where part.suits(.point) {
      let (firstMarker, firstPath) = (markers.count, paths.count)
      add(part, classIndex: classIndex)
      for style in firstPath..<paths.count { self.places[style] = places }
      guard firstMarker < markers.count else { continue }
      if places.turns {
        // The marker at each angle, one after the other.
        for step in 1..<PlacedMarker.turnCount {
          add(part.turned(by: Double(step) * 360 / Double(PlacedMarker.turnCount)), classIndex: classIndex)
        }
      }
      placedMarkers[placedMarkers.count - 1].append(PlacedMarker(style: firstMarker, places: places))
    }
  }

  private var arrowedLines:
    [(style: Int, line: (placement: SimpleLineSymbol.MarkerPlacement, stroke: Stroke?))] = []
  private var dashedLines: [(style: Int, line: (pattern: DashPattern, stroke: Stroke))] = []

  private mutating func add(
    fill: Color?, hatch: Hatch?, line: SimpleLineSymbol?, _ pixelRatio: Double, _ classIndex: Int
  ) {
    var stroke = Stroke(line, pixelRatio: pixelRatio)
    if let line, stroke != nil, let change = PathEffects(line, pixelRatio: pixelRatio) {
      if fill != nil || hatch != nil {
        // Only the line is changed.
        paths.append(PathStyle(fill: fill, hatch: hatch, stroke: nil, classIndex: classIndex))
        return add(fill: nil, hatch: nil, line: line, pixelRatio, classIndex)
      }
      effects[paths.count] = change
    }
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
    var shape = 0.0
    for own in shapes.values {
      let far = zip(own.x, own.y).reduce(0.0) { max($0, $1.0 * $1.0 + $1.1 * $1.1) }
      shape = max(shape, far.squareRoot() + (own.stroke.map(strokeReach) ?? 0))
    }
    let places = placedMarkers.joined().map(\.places.reach) + self.places.values.map(\.reach)
    return max(marker, path, arrows.values.map(\.reach).max() ?? 0, shape)
      + max(places.max() ?? 0, effects.values.map(\.reach).max() ?? 0)
  }
}

/// A marker at places of lines and areas.
struct PlacedMarker: Sendable {
  /// The number of angles at which a marker along a line is drawn.
  ///
  /// - Source: design decision: 5 degrees apart; the corner of an image of 20 pixels is at most half a pixel off.
  static let turnCount = 72

  /// The index of its marker style; that of each angle follows, if the places have directions.
  let style: Int
  let places: MarkerPlaces

  /// Returns the marker style at a place.
  func style(at spot: MarkerPlaces.Spot) -> Int {
    guard places.turns else { return style }
    let turns = atan2(spot.sine, spot.cosine) / (2 * .pi) * Double(Self.turnCount)
    let step = Int(clamping: turns.rounded()) % Self.turnCount
    return style + (step < 0 ? step + Self.turnCount : step)
  }
}

extension SymbolForm {
  /// Returns a marker rotated clockwise by an angle in degrees, with its offset.
  fileprivate func turned(by angle: Double) -> SymbolForm {
    let (cosine, sine) = ResolvedViewpoint.cosineAndSine(angle)
    func moved(_ x: Double, _ y: Double) -> (Double, Double) {
      (x * cosine + y * sine, y * cosine - x * sine)
    }
    switch self {
    case .marker(var marker):
      marker.angle += angle
      (marker.offsetX, marker.offsetY) = moved(marker.offsetX, marker.offsetY)
      return .marker(marker)
    case .picture(var picture):
      picture.angle += angle
      (picture.offsetX, picture.offsetY) = moved(picture.offsetX, picture.offsetY)
      return .picture(picture)
    case .text(var text):
      text.angle += angle
      (text.offsetX, text.offsetY) = moved(text.offsetX, text.offsetY)
      return .text(text)
    default: return self
    }
  }
}

extension SymbolForm {
  /// Whether the symbol of an area is a marker at its centre.
  fileprivate var isMarkerOnArea: Bool {
    if case .placed(let placed) = self { placed.needsPolygon } else { false }
  }

  /// Returns the largest distance from a point that its symbol reaches, offset included, in pixels of 1/96 inch.
  package func reach(measurer: TextMeasurer?) -> Double {
    SymbolStyles(.simple(SimpleRenderer(symbol: symbol)), kind: .point, pixelRatio: 1, measurer: measurer)
      .reach
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
