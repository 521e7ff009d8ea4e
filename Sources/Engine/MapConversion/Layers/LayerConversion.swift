import MapDrawing
import MapExpressions
import MapFeatures
import MapFilter
import MapJSON
import MapModel
import MapState
import MapSystem

/// The conversion of one layer with features into a source and layers of a style.
struct LayerConversion {
  let layer: LayerState
  /// The path of the layer in its document; nil for a source that is no document.
  let path: JSONPath?
  let view: ViewState
  /// The zoom that the style proposes.
  let zoom: Double
  /// The id of the source, with which the ids of the layers begin.
  let id: String
  /// The choice among the classes of the renderer.
  let choice: ClassChoice
  /// The growth of the symbols with the map; nil for a constant size.
  let growth: StyleGrowth?
  /// The features.
  var properties: WrittenProperties
  /// The layers below all labels, the lowest first.
  var drafts: [StyleLayerDraft] = []
  /// The layers of labels, the most important class first.
  var labels: [StyleLayerDraft] = []
  /// The members of the source for clusters; empty for none.
  var clusters = JSONObject()
  /// The glyphs of the labels.
  var glyphs = GlyphFiles()
  /// The parts of the document that the style says otherwise or not at all.
  var losses: [DocumentWarning] = []
  private let features: FetchedFeatures

  /// Reads and classifies the features of a layer.
  ///
  /// - Throws: ``MapStateError``.
  init(
    _ layer: LayerState, path: JSONPath?, view: ViewState, zoom: Double, id: String
  ) async throws(MapStateError) {
    var layer = layer
    (self.path, self.view, self.zoom, self.id) = (path, view, zoom, id)
    let scale = view.viewpoint.scale
    let resolved = layer.renderer.resolved(atScale: scale)
    let dependsOnScale = resolved != layer.renderer
    layer.renderer = resolved
    self.layer = layer
    growth =
      view.referenceScale > 0 && layer.scalesSymbols ? StyleGrowth(referenceScale: view.referenceScale) : nil
    do {
      features = try await layer.source.whole()
      let table = try features.shownColumns(on: .webMercator)
      let rows = try features.rows(Self.conditions(of: layer, in: view).query(for: .drawing))
      let classifier = try RowClassifier(layer.renderer, table: table, rows: rows, view: view)
      properties = WrittenProperties(
        table, rows: PaintingRows.sorted(rows, of: table, layer, classes: classifier.classes), view: view)
      choice = ClassChoice(layer.renderer, classes: classifier.classes, &properties)
      if let failure = classifier.failure {
        lose(["valueExpression"], "fails for some features: \(failure)", in: .renderer)
      }
    } catch {
      throw MapStateError(error, ofLayer: layer.name)
    }
    if dependsOnScale {
      lose([], "its symbols are those at the scale of the view, 1:\(Int(clamping: scale))", in: .renderer)
    }
  }

  /// The conditions that features of the layer pass at all scales and in all places, without the display filter.
  private static func conditions(of layer: LayerState, in view: ViewState) -> QueryConditions {
    var conditions = view.conditions(for: layer)
    conditions.$displayFilter = .none
    (conditions.lacksDisplayFilter, conditions.isShown, conditions.viewArea) = (false, true, nil)
    return conditions
  }

  /// Returns the rows that pass a display filter, or that have labels of a class.
  ///
  /// - Throws: ``MapStateError``.
  func rows(
    display: DisplayFilter? = nil, labels: LabelDefinition? = nil
  ) throws(MapStateError) -> RowSet {
    var conditions = Self.conditions(of: layer, in: view)
    if let display {
      conditions.$displayFilter = display.$whereClause
      conditions.lacksDisplayFilter = display.lacksClause
    }
    if let labels { conditions.$labelWhere = labels.$whereClause }
    do { return try features.rows(conditions.query(for: labels == nil ? .drawing : .labels)) } catch {
      throw MapStateError(error, ofLayer: layer.name)
    }
  }

  // MARK: Losses

  /// A place in the definition of a layer.
  enum Place {
    case layer, definition, renderer, labels

    fileprivate var steps: [String] {
      switch self {
      case .layer: []
      case .definition: ["layerDefinition"]
      case .renderer: ["layerDefinition", "drawingInfo", "renderer"]
      case .labels: ["layerDefinition", "drawingInfo"]
      }
    }
  }

  /// Adds a part that the style says otherwise or not at all.
  mutating func lose(
    _ steps: [String], _ message: String, in place: Place, _ outcome: DocumentOutcome = .approximated
  ) {
    let path = path.map { path in (place.steps + steps).reduce(path) { $0[$1] } }
    add(path, message, outcome)
  }

  /// Adds a loss of the symbol of a class.
  mutating func lose(symbolOf index: Int32, _ message: String, _ outcome: DocumentOutcome = .approximated) {
    let renderer = path.map { path in Place.renderer.steps.reduce(path) { $0[$1] } }
    let symbol: JSONPath?
    switch layer.renderer {
    case _ where index < 0: symbol = renderer?["defaultSymbol"]
    case .uniqueValue: symbol = renderer?["uniqueValueInfos"][Int(index)]["symbol"]
    case .classBreaks: symbol = renderer?["classBreakInfos"][Int(index)]["symbol"]
    default: symbol = renderer?["symbol"]
    }
    add(symbol, message, outcome)
  }

  /// Adds a loss of a label class.
  mutating func lose(
    labelsOf index: Int, _ message: String, at steps: [String] = [],
    _ outcome: DocumentOutcome = .approximated
  ) {
    let path = path.map { path in
      steps.reduce((Place.labels.steps + ["labelingInfo"]).reduce(path) { $0[$1] }[index]) { $0[$1] }
    }
    add(path, message, outcome)
  }

  private mutating func add(_ path: JSONPath?, _ message: String, _ outcome: DocumentOutcome) {
    let text = path == nil ? "layer \"\(layer.name)\": \(message)" : message
    let loss = DocumentWarning(path: path, message: text, outcome: outcome)
    if !losses.contains(loss) { losses.append(loss) }
  }

  // MARK: Symbols

  /// Returns the symbol of a class.
  func symbol(of index: Int32) -> SymbolForm? {
    let symbols = layer.renderer.classSymbols
    return index < 0
      ? layer.renderer.defaultSymbol : symbols.indices.contains(Int(index)) ? symbols[Int(index)] : nil
  }

  /// Converts the layer.
  ///
  /// - Throws: ``MapStateError``.
  mutating func convert(_ sprite: inout SpriteSheet) async throws(MapStateError) {
    loseEffects()
    switch (layer.renderer, properties.table.schema.geometryKind) {
    case (_, nil): break
    case (.heatmap(let renderer), .point?), (.heatmap(let renderer), .multipoint?): addHeat(renderer)
    case (.heatmap, _): break
    case (.dotDensity, _), (.pieChart, _):
      lose(["type"], "styles have no dots and no pie charts; the layer is not drawn", in: .renderer, .dropped)
    case (.rules, _):
      lose(
        ["type"], "rules are not written yet, because a feature may match several; the layer is not drawn",
        in: .renderer, .dropped)
    case (_, .point?), (_, .multipoint?): try await addPoints(&sprite)
    case (_, .polyline?), (_, .polygon?): try await addPaths(&sprite)
    }
    try addLabels()
    addClusters()
    if let failure = properties.failure {
      lose([], "an expression fails for some features: \(failure)", in: .renderer)
    }
  }

  private mutating func loseEffects() {
    if layer.blendMode != .normal { lose(["blendMode"], "styles do not blend layers", in: .layer, .dropped) }
    if layer.effect != nil { lose(["effect"], "styles have no effects on layers", in: .layer, .dropped) }
    if layer.featureEffect != nil {
      lose(["featureEffect"], "styles have no effects on features", in: .definition, .dropped)
    }
    if layer.groups.contains(where: { $0.blendMode != .normal || $0.effect != nil }) {
      lose([], "styles have no effects and blend modes of groups", in: .layer, .dropped)
    }
    if layer.opacity < 1 {
      lose(["opacity"], "applies to each part of a symbol and not to the image of the layer", in: .layer)
    }
    if layer.reducesFeatures, layer.aggregation.map({ $0.bins != nil }) ?? (layer.undrawnReduction != nil) {
      lose(["featureReduction"], "the features are drawn one by one", in: .definition)
    }
    if layer.renderer.backgroundFill != nil {
      lose(["backgroundFillSymbol"], "is not written", in: .renderer, .dropped)
    }
    if !layer.renderer.overrides.isEmpty {
      lose([], "properties of CIM symbols by expression are not written", in: .renderer)
    }
    if layer.filtersByTime, layer.timeInfo != nil, view.timeExtent != nil {
      lose(["timeInfo"], "the source has the features of the time of the view", in: .definition)
    }
  }

  /// The opacity of the symbols as an expression, with the transparency of features.
  mutating func opacity() -> JSONValue {
    let own = (layer.opacity * 10_000).rounded() / 10_000
    guard let variable = layer.renderer.visualVariables.transparency, !variable.stops.isEmpty else {
      return .number(own)
    }
    let number = properties.number(of: variable.input, name: "transparency")
    let stops = variable.stops.map { stop in
      (stop.value, JSONValue.number(min(max((100 - stop.output) / 100, 0), 1) * own))
    }
    return [
      "case", StyleJSON.isNumber(number), StyleJSON.curve(["linear"], number, stops), .number(own),
    ]
  }

  /// Returns a colour by the variable of colours, or else of a class.
  mutating func color(_ own: JSONValue) -> JSONValue {
    guard let variable = layer.renderer.visualVariables.color, !variable.stops.isEmpty else { return own }
    if case .expression(let expression) = variable.input, expression.usesScale {
      lose(["visualVariables"], "a colour is computed for the scale of the view", in: .renderer)
    }
    if case .scale = variable.input {
      let stops = variable.stops.reversed().map {
        (StyleZoom.zoom(ofScale: $0.value), JSONValue.string($0.output.css))
      }
      return StyleJSON.curve(["exponential", 0.5], ["zoom"], stops)
    }
    let number = properties.number(of: variable.input, name: "color")
    let stops = variable.stops.map { ($0.value, JSONValue.string($0.output.css)) }
    return ["case", StyleJSON.isNumber(number), StyleJSON.curve(["linear"], number, stops), own]
  }

  /// Returns the size of a variable, and adds what the style cannot say of it.
  mutating func size(_ variable: SizeVariable, name: String) -> StyleSize {
    let forms = choice.classes.compactMap { symbol(of: $0) }
    let byArea = forms.first?.isComparedByArea ?? false
    let (size, loss) = StyleSize.variable(
      variable, byArea: byArea, scale: view.viewpoint.scale, name: name, &properties)
    if let loss { lose(["visualVariables"], "\(name): \(loss)", in: .renderer) }
    if case .proportional = variable.rule, forms.contains(where: { $0.isComparedByArea != byArea }) {
      lose(
        ["visualVariables"], "\(name): all classes have the sizes of the first one, by area or by length",
        in: .renderer)
    }
    if size.dependsOnZoom, growth != nil {
      lose(["visualVariables"], "\(name): does not grow with the map", in: .renderer)
    }
    return size
  }
}
