import MapDrawing
import MapGeometry
import MapModel
import MapStyles

/// A style layer for one view while its items are made.
struct StyleLayerPass {
  let layer: StyleLayer
  let painter: StylePainter
  let view: StyleLayerView
  /// The layer at the whole part of the zoom, for patterns and dashes.
  let wholeView: StyleLayerView
  /// The whole image in pixels.
  let canvas: Envelope
  var batches: [DisplayBatch] = []
  var shown = ShownFeatures()
  var problems = DrawingProblems()
  var circles = BlurredCircles()
  /// The images of patterns by name; nil for one that the sprites do not have.
  private var patterns: [String: PatternImage?] = [:]

  init(_ layer: StyleLayer, _ painter: StylePainter) {
    (self.layer, self.painter) = (layer, painter)
    view = StyleLayerView(layer, painter.context)
    let zoom = painter.context.zoom
    if zoom == zoom.rounded(.down) {
      wholeView = view
    } else {
      var whole = painter.context
      whole.zoom = zoom.rounded(.down)
      wholeView = StyleLayerView(layer, whole)
    }
    canvas = Envelope(xMin: 0, yMin: 0, xMax: Double(painter.width), yMax: Double(painter.height))
  }

  /// The opacity of the layer as a whole.
  var layerOpacity: Double {
    let name =
      switch layer.type {
      case .fillExtrusion: "fill-extrusion-opacity"
      case .heatmap: "heatmap-opacity"
      case .fill: "fill-layer-opacity"
      case .line: "line-layer-opacity"
      default: ""
      }
    return constant(name)?.number.map { min(max($0, 0), 1) } ?? 1
  }

  /// Returns the value of a property that features do not decide; nil for another one.
  func constant(_ name: String) -> StyleValue? {
    layer.type.index(of: name).flatMap { view.constant($0)?.value }
  }

  /// Returns whether the style gives a value for a property.
  func has(_ name: String) -> Bool {
    layer.type.index(of: name).map { layer.values[$0] != nil } ?? false
  }

  /// Returns the rows of a tile's features that pass the filter, in the order of the sort key.
  ///
  /// - Parameter isReversed: whether rows with the same key are in the reverse order of the tile.
  func rows(of features: StyleFeatures, sortedBy key: String, isReversed: Bool = false) -> [Int32] {
    let own = view.rows(of: features)
    let rows = isReversed ? own.reversed() : own
    guard has(key), let property = layer.type.index(of: key) else { return rows }
    let answers = view.answers(property, features, rows: rows)
    guard case .coded = answers else { return rows }
    let keys = rows.indices.map { answers[$0].value.number ?? 0 }
    return rows.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map { rows[$0] }
  }

  /// Returns the rows in groups with the same values of some properties, and counts the values that failed.
  ///
  /// - Parameter wholeZoom: the properties whose values are those at the whole part of the zoom.
  mutating func groups(
    _ names: [String], wholeZoom: [String] = [], _ part: StyledTileLayer, rows: [Int32]
  ) -> AnswerGroups {
    var columns: [StyleAnswers] = []
    let features = rows.map { part.ids[Int($0)] }
    for name in names + wholeZoom {
      guard let property = layer.type.index(of: name) else { preconditionFailure("a property of the type") }
      let source = columns.count < names.count ? view : wholeView
      let answers = source.answers(property, part.features, rows: rows)
      problems.add(name, answers, features)
      columns.append(answers)
    }
    return AnswerGroups(
      names: names + wholeZoom.map { "\($0) at the whole zoom" }, columns, features: features)
  }

  /// Returns the offset of all items of the layer in a tile, in output pixels.
  func offset(in tile: StyledTile) -> (x: Double, y: Double) {
    let name = "\(layer.type.rawValue)-translate"
    guard let numbers = constant(name)?.numberArray, numbers.count == 2 else { return (0, 0) }
    let x = SymbolNumber.offset.bounded(numbers[0] * painter.pixelRatio)
    let y = SymbolNumber.offset.bounded(numbers[1] * painter.pixelRatio)
    guard constant("\(name)-anchor")?.string != "viewport" else { return (x, y) }
    let (cosine, sine) = ResolvedViewpoint.cosineAndSine(tile.bearing)
    return (x * cosine - y * sine, x * sine + y * cosine)
  }

  /// Returns the image of a pattern; nil, with a problem of some features, when no sprite has it.
  mutating func pattern(
    _ property: String, _ value: StyleValue, _ features: @autoclosure () -> [Int32]
  ) -> PatternImage? {
    guard case .image(let image) = value else { return nil }
    if patterns[image.name] == nil {
      patterns[image.name] = .some(painter.images[image.name].map { PatternImage($0) })
    }
    guard let pattern = patterns[image.name] ?? nil else {
      if let problem = painter.images.problem(ofMissing: image.name) {
        problems.add("\(property): \(problem)", features())
      }
      return nil
    }
    return pattern
  }

  /// Returns the layer of a tile; nil for a tile without it.
  func tileLayer(_ tile: StyledTile) -> StyledTileLayer? { tile.layers[layer.sourceLayer ?? ""] }

  /// Returns the image and a margin, moved against the offset of the items.
  func window(reach: Double, offset: (x: Double, y: Double)) -> Envelope {
    let window = canvas.grown(by: reach + 8)
    return Envelope(
      xMin: window.xMin - offset.x, yMin: window.yMin - offset.y, xMax: window.xMax - offset.x,
      yMax: window.yMax - offset.y)
  }
}

/// The features with items.
struct ShownFeatures {
  private var seen: [Bool] = []
  /// The number of different features.
  private(set) var count = 0

  /// Adds the number of a feature.
  mutating func insert(_ id: Int32) {
    let id = max(Int(id), 0)
    if id >= seen.count {
      seen.append(contentsOf: repeatElement(false, count: max(id + 1 - seen.count, seen.count)))
    }
    if !seen[id] {
      seen[id] = true
      count += 1
    }
  }
}

/// The properties whose values failed or are not drawn.
struct DrawingProblems {
  private var found: [(text: String, features: ShownFeatures)] = []
  /// The features with problems that are not listed.
  private var others = ShownFeatures()

  /// A line for each problem, with the number of different features: one in several tiles or worlds counts once.
  var lines: [String] {
    (found + (others.count > 0 ? [("other problems", others)] : [])).map {
      let count = $0.features.count
      return count == 0 ? $0.text : count == 1 ? "\($0.text) (1 feature)" : "\($0.text) (\(count) features)"
    }
  }

  /// Adds the errors of a property's values for some features.
  mutating func add(_ name: String, _ answers: StyleAnswers, _ features: [Int32]) {
    func text(_ error: StyleExpressionError) -> String { "\(name): \(error.message); the default is used" }
    switch answers {
    case .constant(let answer):
      if let error = answer.error, !features.isEmpty { add(text(error), features) }
    case .coded(let codes, let answers):
      guard answers.contains(where: { $0.error != nil }) else { return }
      for (code, feature) in zip(codes, features) {
        if let error = answers[Int(code)].error { add(text(error), [feature]) }
      }
    }
  }

  /// Adds a problem of some features; of none for a problem of the whole layer.
  mutating func add(_ text: String, _ features: [Int32] = []) {
    let index: Int
    if let known = found.firstIndex(where: { $0.text == text }) {
      index = known
    } else if found.count < Self.limit {
      index = found.count
      found.append((text, ShownFeatures()))
    } else {
      for feature in features { others.insert(feature) }
      return
    }
    for feature in features { found[index].features.insert(feature) }
  }

  /// The largest number of different problems of a layer.
  private static let limit = 20
}
