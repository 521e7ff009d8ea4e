import MapDrawing
import MapFeatures
import MapGeometry
public import MapLayout
public import MapModel

extension ViewState {
  /// Returns the legend of the layers that are visible at the scale of the view, the top layer first.
  ///
  /// Layers with ``LayerDefinition/showsInLegend`` false and layers of the basemap are not listed. The default symbol
  /// of a layer is listed if a feature in the view has it; without `viewOnly` and `counts`, that of a service is always
  /// listed, because its features are not fetched.
  ///
  /// - Parameters:
  ///   - viewOnly: Whether only classes with a feature in the view are listed.
  ///   - counts: Whether entries have the number of drawn features of their class.
  ///   - bars: Whether class breaks are a bar with numbers at the breaks, if they have no counts and differ in colour
  ///     only.
  ///   - charts: Whether the distribution of the numbers in the view is shown for layers with class breaks.
  /// - Cost: for `viewOnly` or `counts`, drawing each layer without painting it. For renderers with a default symbol,
  ///   one classification of the table.
  /// - Throws: ``MapStateError``.
  public func legend(
    viewOnly: Bool = false, counts: Bool = false, bars: Bool = false, charts: Bool = false
  ) async throws(MapStateError) -> Legend {
    var legend = Legend()
    legend.fonts = fonts
    for (index, layer) in layers.enumerated().reversed() {
      guard layer.showsInLegend, layer.isShown(atScale: viewpoint.scale), !(layer.source is UnreadSource),
        let kind = layer.source.schema.geometryKind
      else { continue }
      if layer.cells != nil {
        var entries = try await cellLegend(of: layer, index: index, viewOnly: viewOnly, hasCounts: counts)
        if layer.definition.isNamedByFile { entries?.title = LegendLayer.words(layer.name) }
        entries?.groups = layer.groupTitles
        legend.layers += [entries].compactMap { $0 }
        continue
      }
      let bins = try await binRenderer(of: layer, index: index)
      let numbers = bins == nil && (viewOnly || counts) ? try await drawnCounts(of: layer, index: index) : nil
      let hasOthers = bins == nil ? try await hasOthers(layer, numbers) : bins?.defaultSymbol != nil
      let found = LegendLayer.of(
        (bins ?? layer.renderer).resolved(atScale: viewpoint.scale), title: layer.name,
        kind: bins == nil ? kind : .polygon, opacity: layer.opacity, fields: layer.source.schema.fields,
        scale: viewpoint.scale, rotation: viewpoint.rotation, counts: numbers,
        showsAll: !viewOnly || bins != nil, hasOthers: hasOthers, hasCounts: counts && bins == nil,
        hasBars: bars, ranges: bins == nil ? try await valueRanges(of: layer) : [:],
        dotDensities: try await dotDensities(of: layer))
      var entries = found.layer
      if layer.definition.isNamedByFile { entries.replaceFileName() }
      entries.nameRows(layer: index)
      entries.groups = layer.groupTitles
      let clusters = try await clusterEntries(of: layer, index: index)
      // The label of a single symbol may have stood for the title.
      if clusters.hidesFeatures { (entries.entries, entries.showsTitle) = ([], true) }
      entries.entries += clusters.entries
      if charts, bins == nil, !clusters.hidesFeatures {
        entries.entries += try await chartEntries(of: layer)
      }
      let factor = symbolFactor(of: layer)
      if factor != 1 {
        for place in entries.entries.indices {
          entries.entries[place].graphic = entries.entries[place].graphic.reduced(by: factor)
        }
      }
      if !entries.entries.isEmpty { legend.layers.append(entries) }
      legend.warnings += found.warnings.map { "layer \"\(layer.name)\": \($0)" }
    }
    return legend
  }

  /// Returns the range of the values of fields that set sizes, among the features in view; none for services.
  private func valueRanges(
    of layer: LayerState
  ) async throws(MapStateError) -> [VariableInput: ClosedRange<Double>] {
    let variables = layer.renderer.visualVariables
    let inputs = [variables.size, variables.outlineWidth].compactMap { $0?.input }
    guard !inputs.isEmpty, let table = layer.source.inMemory else { return [:] }
    return try await naming(layer) {
      let rows = try table.rows(conditions(for: layer).query(for: .drawing))
      var ranges: [VariableInput: ClosedRange<Double>] = [:]
      for input in inputs {
        ranges[input] = input.range(in: table.columns(), rows)
      }
      return ranges
    }
  }

  /// Returns a chart of the numbers of the features in view below a heading; none for renderers without classes of numbers
  /// of a field.
  private func chartEntries(of layer: LayerState) async throws(MapStateError) -> [LegendEntry] {
    guard case .classBreaks(let renderer) = layer.renderer.resolved(atScale: viewpoint.scale),
      renderer.valueExpression == nil
    else { return [] }
    let layer = try await fetched(layer)
    guard let source = layer.source.inMemory else { return [] }
    return try await naming(layer) {
      let (table, rows) = (source.columns(), try source.rows(conditions(for: layer).query(for: .drawing)))
      guard let index = table.schema.index(ofField: renderer.fieldName) else { return [] }
      let numbers = table.columns[index].readingNumbers
      var divisors: Column?
      if case .field(let name) = renderer.normalization {
        divisors = table.schema.index(ofField: name).map { table.columns[$0].readingNumbers }
      }
      let values = rows.compactMap { row in
        numbers.number(at: row).flatMap { renderer.normalized($0, divisor: divisors?.number(at: row)) }
      }
      guard let chart = ClassChart(of: values, renderer) else { return [] }
      let count = LegendNumber.text(Double(values.count))
      return [
        LegendEntry(
          .heading, label: "Distribution of \(count) \(values.count == 1 ? "feature" : "features")"),
        LegendEntry(.chart(chart), label: ""),
      ]
    }
  }

  /// Returns the density around a typical dot of each attribute in view; none for services and other renderers.
  private func dotDensities(of layer: LayerState) async throws(MapStateError) -> [Double] {
    guard case .dotDensity(let dots) = layer.renderer.resolved(atScale: viewpoint.scale),
      let source = layer.source.inMemory, source.schema.geometryKind == .polygon
    else { return [] }
    return try await naming(layer) {
      let rows = try source.rows(conditions(for: layer).query(for: .drawing))
      return try symbolizer(of: layer).dotDensities(dots, rows, of: source.shownColumns(on: spatialReference))
    }
  }

  /// Returns the legend's entries for a layer of counts, and nil without a point in the view.
  private func cellLegend(
    of layer: LayerState, index: Int, viewOnly: Bool, hasCounts: Bool
  ) async throws(MapStateError) -> LegendLayer? {
    let drawing = try await drawing(of: try await fetched(layer), index: index)
    guard let cells = drawing.cells, cells.sum > 0 else { return nil }
    return LegendLayer(
      of: cells, title: layer.name, opacity: layer.opacity, viewOnly: viewOnly, hasCounts: hasCounts)
  }

  /// Returns the renderer of a layer's bins, whose classes are listed without counts; nil if the view shows features.
  private func binRenderer(
    of layer: LayerState, index: Int
  ) async throws(MapStateError) -> RendererForm? {
    guard let aggregation = aggregation(of: layer), aggregation.bins != nil else { return nil }
    guard aggregation.threshold > 0 || aggregation.ramp != nil, layer.source.inMemory != nil else {
      return aggregation.renderer(over: layer.renderer)
    }
    // The number of features decides about bins, and the bins in the view about the colours.
    guard let clusters = try await drawing(of: layer, index: index).clusters, !clusters.drawn.isEmpty else {
      return nil
    }
    return clusters.layer.renderer
  }

  /// Returns the symbols of a layer's clusters below a heading, and whether the view shows clusters only; none if the
  /// view shows no cluster.
  ///
  /// Those of a service are always returned, because its features are not fetched.
  private func clusterEntries(
    of layer: LayerState, index: Int
  ) async throws(MapStateError) -> (entries: [LegendEntry], hidesFeatures: Bool) {
    guard let aggregation = aggregation(of: layer), aggregation.bins == nil else { return ([], false) }
    // Inherited classes are listed with the features, and here only the sizes.
    let isOwn = aggregation.renderer == layer.aggregation?.renderer
    var hidesFeatures = false
    let input = VariableInput.field(FeatureAggregation.countField)
    var ranges: [VariableInput: ClosedRange<Double>] = [:]
    if layer.source.inMemory != nil {
      let drawing = try await drawing(of: layer, index: index)
      guard let clusters = drawing.clusters, !clusters.drawn.isEmpty else { return ([], false) }
      hidesFeatures = isOwn && drawing.painted.allSatisfy { clusters.members.contains($0) }
      let table = try await naming(clusters.layer) { try await clusters.layer.source.whole().columns() }
      ranges[input] = input.range(in: table, clusters.drawn)
    }
    let counted = Field(name: FeatureAggregation.countField, alias: "Number of features", type: .int64)
    let renderer = (isOwn ? aggregation : layer.aggregation ?? aggregation)
      .renderer(over: layer.renderer).resolved(atScale: viewpoint.scale)
    let found = LegendLayer.of(
      // Without clusters to count, all sizes are listed.
      ranges.isEmpty ? Self.listingSizes(renderer) : renderer, title: layer.name, kind: .point,
      fields: [counted] + layer.source.schema.fields, scale: viewpoint.scale,
      rotation: viewpoint.rotation, ranges: ranges)
    let heading = found.layer.subtitle.isEmpty ? "Clusters" : found.layer.subtitle
    // The classes of clusters are not those of the layer.
    var entries = found.layer.entries
    for place in entries.indices { entries[place].classIndex = nil }
    return (entries.isEmpty ? [] : [LegendEntry(.heading, label: heading)] + entries, hidesFeatures)
  }

  /// Returns a renderer of clusters whose few sizes are all listed, from the largest to the smallest cluster.
  private static func listingSizes(_ renderer: RendererForm) -> RendererForm {
    var variables = renderer.visualVariables
    guard let size = variables.size, case .stops(let stops) = size.rule, stops.count <= 5,
      stops.allSatisfy(\.label.isEmpty)
    else { return renderer }
    let named = stops.map { VariableStop($0.value, $0.output, label: grouped($0.value)) }
    variables.size = SizeVariable(input: size.input, rule: .stops(named))
    variables.size?.legendOptions = size.legendOptions
    return renderer.with(variables)
  }

  /// Returns whether a feature of a layer has the default symbol and is drawn, or is as near as symbols reach.
  private func hasOthers(
    _ layer: LayerState, _ counts: [Int: Int]?
  ) async throws(MapStateError) -> Bool {
    let renderer = layer.renderer.resolved(atScale: viewpoint.scale)
    guard renderer.defaultSymbol != nil, let table = layer.source.inMemory else {
      return counts.map { $0[-1] ?? 0 > 0 } ?? true
    }
    return try await naming(layer) {
      var conditions = conditions(for: layer)
      conditions.viewArea = QueryArea(fetchEnvelopes(of: layer, in: nil))
      let query = try conditions.query(for: .drawing)
      let columns = table.columns()
      let classes = try RowClassifier(renderer, table: columns, view: self).classes
      return try table.rows(query).contains { classes[$0] == RowClassifier.defaultClass }
    }
  }

  /// Returns the number of drawn features of each class or rule that has any; -1 is the default symbol.
  func drawnCounts(of layer: LayerState, index: Int) async throws(MapStateError) -> [Int: Int] {
    let layer = try await fetched(layer)
    let drawn = try await drawing(of: layer, index: index).drawn
    return try await naming(layer) {
      let table = try await layer.source.whole().shownColumns(on: spatialReference)
      let renderer = layer.renderer.resolved(atScale: viewpoint.scale)
      let classifier = try RowClassifier(renderer, table: table, view: self)
      var counts: [Int: Int] = [:]
      for item in classifier.counts(of: drawn, renderer: renderer) where item.count > 0 {
        counts[item.classIndex ?? Int(RowClassifier.notDrawn)] = item.count
      }
      return counts
    }
  }
}

extension VariableInput {
  /// Returns the least and the greatest value of some rows; nil for expressions and without a value.
  fileprivate func range(in table: FeatureColumns, _ rows: RowSet) -> ClosedRange<Double>? {
    guard case .field(let name, let divisor) = self, let index = table.schema.index(ofField: name) else {
      return nil
    }
    let numbers = table.columns[index].readingNumbers
    let divisors = divisor.flatMap { table.schema.index(ofField: $0) }.map {
      table.columns[$0].readingNumbers
    }
    var (least, greatest) = (Double.infinity, -Double.infinity)
    for row in rows {
      guard var value = numbers.number(at: row) else { continue }
      if divisor != nil {
        guard let other = divisors?.number(at: row), other != 0 else { continue }
        value /= other
      }
      guard value.isFinite else { continue }
      (least, greatest) = (min(least, value), max(greatest, value))
    }
    return least <= greatest ? least...greatest : nil
  }
}

extension LegendEntry.Graphic {
  /// Returns the graphic with its symbol multiplied by a factor.
  fileprivate func reduced(by factor: Double) -> Self {
    switch self {
    case .symbol(let symbol, let kind): .symbol(symbol.reduced(by: factor), kind)
    case .dots(let sample):
      .dots(
        LegendEntry.DotSample(
          dot: sample.dot.reduced(by: factor), area: sample.area, density: sample.density))
    case .ramp, .heading, .chart, .square: self
    }
  }
}

extension LegendLayer {
  /// Gives a symbol without a label the name of the layer, which is its title no longer, or a number.
  fileprivate mutating func nameRows(layer index: Int) {
    for place in entries.indices where entries[place].label.allSatisfy(\.isWhitespace) {
      switch entries[place].graphic {
      case .symbol, .dots: break
      case .ramp, .heading, .chart, .square: continue
      }
      let name = title.isEmpty ? "Layer \(index + 1)" : title
      if entries[place].classIndex == 0 { showsTitle = false }
      entries[place].label = name
    }
  }

  /// Shows the names of fields instead of the name of a data file, or that name as words if there is no field.
  fileprivate mutating func replaceFileName() {
    let hasTitles = entries.contains { if case .square = $0.graphic { true } else { false } }
    if subtitle.isEmpty, !hasTitles { title = Self.words(title) } else { showsTitle = false }
  }

  /// Returns the name of a data file as words.
  fileprivate static func words(_ name: String) -> String {
    let words = name.replacing("_", with: " ").replacing("-", with: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}
