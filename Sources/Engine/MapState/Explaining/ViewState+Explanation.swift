import MapCairo
import MapDrawing
import MapFeatures
import MapGeometry
import MapImages
import MapModel

extension ViewState {
  /// Explains why a feature is or is not drawn: funnel stages, class, symbol, labels and covering features.
  ///
  /// - Parameters:
  ///   - index: the index of the layer, from 0 at the bottom.
  ///   - objectID: the feature's object id.
  /// - Cost: four drawings of the view; the layer of a service is fetched completely.
  /// - Throws: ``MapStateError``; for an unknown id, it names the range of ids.
  public func explanation(of index: Int, objectID: Int64) async throws(MapStateError) -> FeatureExplanation {
    guard layers.indices.contains(index) else {
      throw MapStateError(.usage, "no layer with index \(index); the map has \(layers.count) layers")
    }
    guard width > 0 else {
      throw MapStateError(.usage, "the view has no size, so it draws nothing; call resize first")
    }
    do {
      var all = layers
      all[index].source = try await naming(layers[index]) {
        try await layers[index].source.fetch(conditions(for: layers[index]).query(for: .stage(.total)))
      }
      let view = try await with(layers: all).fetched()
      let layer = view.layers[index]
      let table = try await naming(layer) {
        try await layer.source.whole().shownColumns(on: spatialReference)
      }
      let row = try Self.row(of: objectID, in: table, layer)
      return try await Explaining(view: view, layer: layer, index: index, table: table, row: row)
        .explanation(objectID)
    } catch {
      throw MapStateError(error)
    }
  }

  private static func row(
    of id: Int64, in table: FeatureColumns, _ layer: LayerState
  ) throws(MapStateError) -> Int {
    let ids = ObjectIDs(table)
    if let row = ids.rows(with: [id], rowCount: table.rowCount).first(where: { _ in true }) { return row }
    let known = (0..<table.rowCount).lazy.map { ids.id(ofRow: $0) }
    guard let first = known.min(), let last = known.max() else {
      throw MapStateError(.input, "layer \"\(layer.name)\": no feature with id \(id); the layer is empty")
    }
    throw MapStateError(
      .input, "layer \"\(layer.name)\": no feature with id \(id); ids are \(first) to \(last)")
  }
}

/// The state of one explanation: a feature, given by its layer and row.
private struct Explaining {
  let view: ViewState
  let layer: LayerState
  let index: Int
  let table: FeatureColumns
  let row: Int

  func explanation(_ objectID: Int64) async throws -> FeatureExplanation {
    let drawing = try await view.drawing(of: layer, index: index)
    let renderer = layer.renderer.resolved(atScale: view.viewpoint.scale)
    let classifier = try RowClassifier(renderer, table: table, view: view)
    let classIndex = classifier.classes[row]
    let rules = classifier.matches?.rules(ofRow: row)
    let (name, symbol) = rules.map { Self.look($0, of: renderer) } ?? Self.look(classIndex, of: renderer)
    let names = rules == nil ? [] : renderer.countedLabels
    let (list, possible) = try await view.listBelowLabels()
    // The pixels of a cluster have its first feature as their owner.
    let pixels =
      drawing.painted.contains(row) ? try await pixels(in: list) : (painted: 0, visible: 0, covers: [])
    let labels = try await labels(drawing, possible)
    return FeatureExplanation(
      layer: layer.name, objectID: objectID,
      stages: try await stages(drawing, classIndex, renderer), className: name, symbol: symbol?.words,
      labels: labels.results, labelReason: labels.reason, paintedPixels: pixels.painted,
      visiblePixels: pixels.visible, coveredBy: pixels.covers,
      rules: rules.map { $0.map { names[$0] } })
  }

  /// Returns the names and symbols of the rules that the feature matches; nil for none.
  private static func look(_ rules: [Int], of renderer: RendererForm) -> (name: String?, SymbolForm?) {
    guard !rules.isEmpty else { return (nil, nil) }
    let (names, symbols) = (renderer.countedLabels, renderer.classSymbols)
    return (
      rules.map { names[$0] }.joined(separator: ", "),
      CompositeSymbol(symbols: rules.map { symbols[$0].symbol }).form
    )
  }

  private static func look(_ classIndex: Int32, of renderer: RendererForm) -> (name: String?, SymbolForm?) {
    switch classIndex {
    case RowClassifier.notDrawn: (nil, nil)
    case RowClassifier.defaultClass: (defaultLabel(of: renderer), renderer.defaultSymbol)
    default: (renderer.classLabels[Int(classIndex)], renderer.classSymbols[Int(classIndex)])
    }
  }

  private static func defaultLabel(of renderer: RendererForm) -> String {
    renderer.defaultLabel.isEmpty ? ClassCount.otherLabel : renderer.defaultLabel
  }

  // MARK: Stages

  private func stages(
    _ drawing: LayerDrawing, _ classIndex: Int32, _ renderer: RendererForm
  ) async throws -> [FeatureExplanation.Stage] {
    let kinds: [(QueryConditions.Kind, String)] = [
      (.total, "total"), (.definition, "definition"), (.extent, "extent"), (.time, "time"),
      (.scale, "scale"), (.display, "display"),
    ]
    let reasons = StageReason(view: view, layer: layer, table: table, row: row)
    let isEdge = drawing.edge.contains(row)
    var stages: [FeatureExplanation.Stage] = []
    var hasFailed = false
    func add(_ name: String, _ passes: Bool, _ reason: @autoclosure () -> String) {
      stages.append(
        FeatureExplanation.Stage(name: name, passes: passes, reason: passes || hasFailed ? nil : reason()))
      if !passes { hasFailed = true }
    }
    let conditions = view.conditions(for: layer)
    for (kind, name) in kinds {
      let rows = try await view.rows(of: layer, for: .stage(kind))
      add(
        name, rows.contains(row),
        reasons.text(kind, conditions) + (isEdge ? "; its symbol reaches into the view" : ""))
    }
    let isClustered = drawing.clusters?.members.contains(row) ?? false
    add(
      "drawn", drawing.drawn.contains(row),
      isClustered
        ? "a cluster is drawn for it and the features near it"
        : reasons.undrawn(classIndex: classIndex, renderer: renderer))
    stages.append(FeatureExplanation.Stage(name: "edge", passes: isEdge, reason: nil))
    return stages
  }

  // MARK: Labels

  private func labels(
    _ drawing: LayerDrawing, _ possible: LabelInput
  ) async throws -> (results: [FeatureExplanation.Label], reason: String?) {
    let placed = view.labels(possible, watching: (layerIndex: index, row: row))?.results ?? []
    let results = placed.map {
      FeatureExplanation.Label(
        className: layer.labelDefinitions.indices.contains($0.classIndex)
          ? layer.labelDefinitions[$0.classIndex].name : "",
        result: $0.name, text: $0.text)
    }
    return (results, results.isEmpty ? unlabelled(drawing) : nil)
  }

  private func unlabelled(_ drawing: LayerDrawing) -> String {
    let shown = layer.labelDefinitions.filter { $0.isShown(atScale: view.viewpoint.scale) }
    if layer.labelDefinitions.isEmpty { return "the layer has no label class" }
    if !layer.labelsAreEnabled { return "labels are off" }
    if TextEngine.measurer == nil { return "this build draws no labels" }
    if !drawing.inView.contains(row) { return "the feature is not drawn in the view" }
    if shown.isEmpty { return "no label class is shown at this scale" }
    return "no label class matches"
  }

  // MARK: Pixels

  private func pixels(
    in list: DisplayList
  ) async throws -> (painted: Int, visible: Int, covers: [FeatureExplanation.Cover]) {
    let places = try painted(in: list)
    guard !places.isEmpty else { return (0, 0, []) }
    var without = list
    without.layers = list.layers.map { $0.index == index ? $0.removing(rows: [row]) : $0 }
    let (shown, left) = try (CairoPainter.bitmap(of: list), CairoPainter.bitmap(of: without))
    let whole = try IDPainter.image(of: list)
    var visible = 0
    var others: [IDImage.Owner: Int] = [:]
    for place in places {
      let owner =
        whole.layer[place] < 0
        ? nil
        : IDImage.Owner(
          layer: Int(whole.layer[place]), row: Int(whole.row[place]))
      // A feature below another of its colour changes nothing, and is covered. One above it is not.
      let changes = shown.pixels[place * 4..<place * 4 + 4] != left.pixels[place * 4..<place * 4 + 4]
      if let owner, !changes, owner != IDImage.Owner(layer: index, row: row) {
        others[owner, default: 0] += 1
      } else {
        visible += 1
      }
    }
    var ids: [Int: ObjectIDs] = [:]
    for place in Set(others.keys.map(\.layer)) where view.layers.indices.contains(place) {
      ids[place] = ObjectIDs(
        try await view.layers[place].source.whole().shownColumns(on: view.spatialReference))
    }
    let covers = others.compactMap { owner, count in
      ids[owner.layer].map {
        FeatureExplanation.Cover(
          layer: view.layers[owner.layer].name, objectID: $0.id(ofRow: owner.row), pixels: count)
      }
    }
    let sorted = covers.sorted {
      ($1.pixels, $0.layer, $0.objectID) < ($0.pixels, $1.layer, $1.objectID)
    }
    return (places.count, visible, sorted)
  }

  /// Returns the numbers of the pixels that are coloured if the feature is painted alone.
  private func painted(in list: DisplayList) throws(PaintError) -> [Int] {
    var alone = DisplayList(width: list.width, height: list.height, background: nil)
    alone.layers = list.layers.filter { $0.index == index }.map { $0.keeping(row: row).itemsAlone }
    let own = try CairoPainter.bitmap(of: alone).pixels
    return (0..<list.width * list.height).filter { own[$0 * 4 + 3] > 0 }
  }
}
