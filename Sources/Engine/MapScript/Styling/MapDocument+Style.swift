import MapDocuments
import MapFeatures
import MapFilter
import MapGeometry
import MapModel
public import MapState

extension MapDocument {
  /// Returns the same data with the requested symbols and labels, and with warnings of features without them.
  ///
  /// Classes, colours and sizes are derived from the rows that the definition expressions of the layers leave. Layers of
  /// plain data belong to a new map; those of a document are changed.
  ///
  /// - Throws: `MapStateError`: of kind usage if the request does not say which of several layers of a document it is
  ///   for; of kind input if a layer or field does not exist, or a field has another type.
  public func styled(
    _ request: StyleRequest, for view: ViewRequest = ViewRequest()
  ) async throws(MapStateError) -> MapDocument {
    try request.check()
    guard request != StyleRequest(), !(isPlainData && layers.isEmpty) else { return self }
    var (styled, warnings, notes) = (layers.map(\.document), [String](), [String]())
    var losses: [DocumentWarning] = []
    var firstError: MapStateError?
    let (definitions, styles) = (try definitions(view), try styles(request, for: view))
    let read = styles.filter { !layers[$0.layer].isUnread }
    for (index, style) in styles {
      let item = layers[index]
      guard !item.isUnread else {
        if !isPlainData {
          warnings.append(
            "layer \"\(item.layer.displayName)\" keeps its symbols: it is hidden, or not asked for")
        }
        continue
      }
      // A layer that cannot be read has a warning already.
      guard isPlainData || item.unreadReason == nil else { continue }
      do throws(MapStateError) {
        if !isPlainData {
          styled[index].renderer = item.layer.renderer.form
          styled[index].darkRenderer = item.layer.darkRenderer
        }
        // One classification for all layers of a table with several kinds of geometry.
        let (whole, part) = (wholeSource(ofLayer: index), layers[index].layer.source)
        let new = try await styled[index].styled(
          style, source: whole, part: isPart(index) ? part : nil, definitions[index],
          part.schema.geometryKind, keepsSymbols: !isPlainData)
        let prefix = isPlainData || layers.count == 1 ? "" : "layer \"\(item.layer.displayName)\": "
        for warning in new.warnings.map({ prefix + $0 }) where !warnings.contains(warning) {
          warnings.append(warning)
        }
        losses += new.losses.filter { !losses.contains($0) }
        if let note = new.note, !notes.contains(note) { notes.append(note) }
        if !isPlainData { warnings += apply(styled[index], to: item.layer) }
      } catch {
        guard isPlainData else { throw error }
        firstError = firstError ?? error
        warnings.append("layer \"\(styled[index].title)\" keeps its symbols: \(error)")
      }
    }
    // An option that suits no layer is an error.
    if let firstError, warnings.count(where: { $0.contains(" keeps its symbols: ") }) == read.count {
      throw firstError
    }
    let document = isPlainData ? restyled(styled) : self
    return document.adding(
      losses + warnings.map { DocumentWarning(path: nil, message: $0) }, notes: notes)
  }

  /// Sets the symbols and labels of a layer of the map, and returns a warning if its clusters keep theirs.
  private func apply(_ styled: WebMapLayer, to layer: FeatureLayer) -> [String] {
    var appearance = layer.appearance
    let changesSymbols = appearance.renderer != styled.renderer
    (appearance.renderer, appearance.darkRenderer) = (styled.renderer, styled.darkRenderer)
    appearance.drawingOrder = styled.drawingOrder
    appearance.labelsAreEnabled = styled.labelsAreEnabled
    appearance.labelDefinitions = styled.labelDefinitions
    if changesSymbols, appearance.aggregation?.isOfRenderer == true { appearance.aggregation = nil }
    layer.appearance = appearance
    guard changesSymbols, appearance.aggregation != nil, layer.featureReduction?.isEnabled == true else {
      return []
    }
    return ["layer \"\(layer.displayName)\": its clusters keep their symbols"]
  }

  // MARK: Layers

  /// Returns the style of each layer that a request is for, in the order of the layers.
  private func styles(
    _ request: StyleRequest, for view: ViewRequest
  ) throws(MapStateError) -> [(layer: Int, style: StyleRequest)] {
    var styles: [Int: StyleRequest] = [:]
    if let option = request.mainOption {
      for index in try unnamedTargets(option, view) { styles[index] = request }
    }
    for item in request.namedStyles {
      let (targets, style) = try targets(of: item)
      // Values without a name are also for layers that others name.
      for index in targets { styles[index] = styles[index].map { style.filled(from: $0) } ?? style }
    }
    return styles.sorted { $0.key < $1.key }.map { (layer: $0.key, style: $0.value) }
  }

  /// Returns the layers that a style without a name is for: all of plain data, and one of a document.
  private func unnamedTargets(
    _ option: String, _ view: ViewRequest
  ) throws(MapStateError) -> [Int] {
    if isPlainData { return Array(layers.indices) }
    if let name = view.layer ?? (view.only.count == 1 ? view.only[0] : nil) {
      if let table = layers(ofTable: name) { return Array(table) }
      return [try names.index(of: name)]
    }
    if let table = layersOfOnlyTable { return Array(table) }
    guard layers.count == 1 else {
      let value = option.hasSuffix("-by") || option == "--label" ? "FIELD" : "VALUE"
      throw MapStateError(
        layers.isEmpty ? .input : .usage,
        "\(option): write \"NAME: \(value)\" or name a layer with --layer; available: \(names.list)")
    }
    return [0]
  }

  /// Returns the layers that a style names, and the style.
  ///
  /// - Throws: `MapStateError` of kind input with the nearest name.
  private func targets(
    of item: LayerStyle
  ) throws(MapStateError) -> (layers: [Int], style: StyleRequest) {
    if let table = layers(ofTable: item.name) { return (Array(table), item.style) }
    if !names.isKnown(item.name), item.style.hasOnlyFields {
      // The name of a field may have a colon and a blank, too.
      for colon in item.name.ranges(of: ": ").reversed() {
        let name = String(item.name[..<colon.lowerBound])
        guard names.isKnown(name) else { continue }
        let style = item.style.prefixingFields("\(item.name[colon.upperBound...]): ")
        return ([try names.index(of: name)], style)
      }
      let style = item.style.prefixingFields("\(item.name): ")
      if isPlainData, let schema = layers.first?.layer.source.schema,
        style.fieldNames.contains(where: { schema.index(ofField: $0) != nil })
      {
        return (Array(layers.indices), style)
      }
    }
    return ([try names.index(of: item.name)], item.style)
  }
}

extension StyleRequest {
  private static let fieldProperties: [any WritableKeyPath<StyleRequest, String?> & Sendable] = [
    \.colorBy, \.normalizeBy, \.crossBy, \.sizeBy, \.label,
  ]

  /// Whether all values that name the layer are fields, whose names may have colons.
  fileprivate var hasOnlyFields: Bool {
    symbol == nil && style == nil && hatch == nil && changes.isEmpty && mainOption != nil
  }

  /// Returns the style with a text before the names of its fields.
  fileprivate func prefixingFields(_ prefix: String) -> StyleRequest {
    var style = self
    for property in Self.fieldProperties {
      style[keyPath: property] = style[keyPath: property].map { prefix + $0 }
    }
    return style
  }
}

extension WebMapLayer {
  /// Sets the requested symbols and labels for the data of a source, and returns warnings and a note.
  ///
  /// - Parameters:
  ///   - part: the features of the source that the layer draws; nil for all.
  ///   - definition: the definition expression of the layer.
  ///   - kind: the kind of the layer's geometries.
  ///   - keepsSymbols: whether the symbol of the layer's renderer is that of its classes, and its classes can be
  ///     coloured.
  fileprivate mutating func styled(
    _ request: StyleRequest, source: any FeatureSource, part: (any FeatureSource)?,
    _ definition: ParsedFilter, _ kind: GeometryKind?, keepsSymbols: Bool
  ) async throws(MapStateError) -> (warnings: [String], losses: [DocumentWarning], note: String?) {
    var (layer, warnings, losses) = (self, [String](), [DocumentWarning]())
    let own = keepsSymbols ? layer.renderer : nil
    if let style = request.style {
      let drawing = try style.drawing(of: part ?? source, titled: layer.title)
      layer.draw(by: drawing)
      losses += drawing.warnings
    }
    if let symbol = request.symbol {
      let asked = try symbol.renderer(for: kind ?? .point)
      (layer.renderer, warnings) = (asked.form, asked.warnings)
    }
    if request.colorBy == nil, request.ramp != nil || request.colors != nil {
      layer.renderer = try ClassColors(request).applied(to: own, of: layer.title)
    }
    if request.colorBy != nil || request.sizeBy != nil {
      let data = try await StyledRows(of: source, definition)
      if let field = request.colorBy {
        // A default symbol depends on the ground.
        let symbol = layer.darkRenderer == nil ? own?.colorableSymbol : nil
        var coloured = try ColorByField(field, request, data, kind ?? .point, symbol: symbol)
        if let part { coloured.listClasses(of: try await StyledRows(of: part, definition)) }
        (layer.renderer, layer.darkRenderer) = (coloured.renderer, coloured.darkRenderer)
        warnings += [request.symbol?.warningBesideClasses].compactMap { $0 }
        warnings += coloured.warnings
        if !coloured.drawingOrder.isEmpty { layer.drawingOrder = coloured.drawingOrder }
      }
      if let field = request.sizeBy {
        let sized = try SizeByField(field, request, data, kind ?? .point)
        func plain(_ ground: GroundTone) -> RendererForm {
          .simple(
            SimpleRenderer(form: SymbolForm.standard(for: kind ?? .point, on: ground).sized(on: ground)))
        }
        let dark = layer.renderer == nil ? plain(.dark) : layer.darkRenderer
        layer.renderer = (layer.renderer ?? plain(.light)).sized(by: sized.variable)
        layer.darkRenderer = dark?.sized(by: sized.variable)
        // The smallest symbols are drawn last, because the largest would hide them.
        layer.drawingOrder = [DrawingOrder(fieldName: sized.fieldName, direction: .ascending)]
        warnings += sized.warnings
      }
    }
    if let color = request.hatch {
      layer.renderer = try HatchedClasses.applied(to: layer.renderer, color, of: layer.title, kind)
      layer.darkRenderer = nil
    }
    if let changes = SymbolChanges(request) {
      let dark = layer.renderer == nil ? RendererForm.standard(for: kind, on: .dark) : layer.darkRenderer
      let light = layer.renderer ?? RendererForm.standard(for: kind, on: .light)
      (layer.renderer, layer.darkRenderer) = (changes.applied(to: light), dark.map(changes.applied))
      warnings += changes.warnings(of: changes.applied(to: light), for: kind ?? .point)
    }
    var note: String?
    if let field = request.label {
      let labelled = try LabelByField(field, request, source.schema, kind ?? .point)
      (layer.labelsAreEnabled, layer.labelDefinitions) = (true, [labelled.definition])
      note = labelled.note
    }
    self = layer
    return (warnings, losses, note)
  }
}
