import MapDocuments
import MapDrawing
import MapFeatures
import MapFilter
import MapGeometry
import MapJSON
import MapModel

/// Returns the parts of a layer that its table does not support: missing fields, invalid filters, unsuitable
/// symbols.
///
/// The warnings also cover labels that do not suit the geometries. Everything that rendering would refuse is
/// reported, whether or not it is active.
///
/// - Parameters:
///   - layer: the layer with the additions from its source.
///   - source: the layer's table.
///   - hasAllFields: false if only the fields for drawing were read and the file may have others.
/// - Cost: no row is read.
func layerWarnings(
  _ layer: WebMapLayer, _ source: any FeatureSource, hasAllFields: Bool
) -> [DocumentWarning] {
  let schema = source.schema
  var messages = fieldWarnings(layer, schema) + filterWarnings(layer, schema)
  if hasAllFields { messages += popupWarnings(layer, schema) }
  messages += timeWarnings(layer, schema) + numberWarnings(layer, schema)
  if layer.labelsAreEnabled { messages += labelWarnings(layer, schema.geometryKind) }
  if let renderer = layer.renderer, layer.definition.aggregation?.isGrey(over: renderer) == true {
    messages.append(
      "clusters are grey circles: they cannot take the symbols of this renderer")
  }
  if let renderer = layer.renderer, let kind = schema.geometryKind {
    let symbols = renderer.classSymbols + (renderer.defaultSymbol.map { [$0] } ?? [])
    func suits(_ symbol: SymbolForm) -> Bool {
      if renderer.hasRules { return symbol.ofRule(on: kind) != nil }
      return symbol.suits(kind) || kind == .polygon && symbol.suits(.point)
    }
    if case .heatmap = renderer {
      if kind != .point, kind != .multipoint {
        messages.append("a heat map needs points, not \(kind.rawValue) features; nothing is drawn")
      }
    } else if !symbols.allSatisfy(suits) {
      messages.append("a symbol does not suit \(kind.rawValue) features; the default symbol is drawn")
    }
  }
  return messages.map { DocumentWarning(path: layer.path, message: $0, outcome: .approximated) }
    + remarks(layer, schema).map { DocumentWarning(remark: $0, path: layer.path) }
}

// MARK: Fields

/// Returns remarks about members that the table leaves without effect.
///
/// - Source: web map specification: a drawing order has number and date fields only. A view with a time extent refuses
///   missing fields of `timeInfo`.
private func remarks(_ layer: WebMapLayer, _ schema: FeatureSchema) -> [String] {
  let time = layer.timeInfo.map { [$0.startField] + ($0.endField.map { [$0] } ?? []) } ?? []
  return orderWarnings(layer, schema) + textRemarks(layer, schema) + missing(time, of: "timeInfo", in: schema)
}

/// Returns a warning for each field that the table lacks.
private func missing(_ fields: [String], of reader: String, in schema: FeatureSchema) -> [String] {
  fields.filter { schema.index(ofField: $0) == nil }.map { field in
    RendererFieldError(reader: reader, field: field, available: schema.fields.map(\.name)).description
  }
}

/// Returns warnings for missing fields of the renderer, its visual variables, the drawing order and labels.
private func fieldWarnings(_ layer: WebMapLayer, _ schema: FeatureSchema) -> [String] {
  var readers: [(name: String, fields: [String])] = []
  if let renderer = layer.renderer {
    // The filters of rules are checked as filters.
    if case .rules(let renderer) = renderer {
      readers.append(("the order of a pass", renderer.orderFields))
    } else {
      readers.append(("the renderer", renderer.fieldNames))
    }
    for override in renderer.overrides {
      readers.append(("the override of \(override.property.rawValue)", override.input.fieldNames))
    }
    for (name, input) in renderer.visualVariables.inputs {
      readers.append(("the visual variable \(name)", input.fieldNames))
    }
  }
  readers.append(("visibilityField", layer.definition.visibilityField.map { [$0] } ?? []))
  readers.append(("the drawing order", layer.drawingOrder.map(\.fieldName)))
  for definition in layer.labelDefinitions {
    readers.append(("a label class", definition.templates.flatMap(\.fieldNames)))
    readers.append(("the short text of labels", definition.shortField.map { [$0] } ?? []))
    readers.append(("the label priority", definition.featurePriority.map { [$0.fieldName] } ?? []))
  }
  return readers.flatMap { missing($0.fields, of: $0.name, in: schema) }
}

/// Returns a warning for popup fields that the table lacks.
private func popupWarnings(_ layer: WebMapLayer, _ schema: FeatureSchema) -> [String] {
  let missing = layer.popupFieldNames.filter { schema.index(ofField: $0) == nil }
  guard !missing.isEmpty else { return [] }
  let shown = missing.prefix(5).map { name in
    let nearest = NearestName.of(name, among: schema.fields.lazy.map(\.name))
    return "\"\(name)\"" + (nearest.map { " (did you mean \"\($0)\"?)" } ?? "")
  }
  let more = missing.count > 5 ? " and \(missing.count - 5) more" : ""
  return ["popupInfo lists unknown fields: \(shown.joined(separator: ", "))\(more)"]
}

/// The field types that features can be ordered by.
private let orderable: Set<FieldType> = [.int16, .int32, .int64, .oid, .float32, .float64, .date, .dateOnly]
/// The field types that hold dates or times.
private let temporal: Set<FieldType> = [.date, .dateOnly, .timestampOffset]

/// Returns warnings for drawing order fields whose type cannot be ordered.
private func orderWarnings(_ layer: WebMapLayer, _ schema: FeatureSchema) -> [String] {
  layer.drawingOrder.compactMap { order in
    guard let index = schema.index(ofField: order.fieldName),
      !orderable.contains(schema.fields[index].fieldType)
    else { return nil }
    return "drawing order: field \"\(order.fieldName)\" is neither a number nor a date, so it has no effect"
  }
}

/// Returns remarks about text fields whose texts a renderer reads as numbers.
private func textRemarks(_ layer: WebMapLayer, _ schema: FeatureSchema) -> [String] {
  (layer.renderer?.numberFieldNames ?? []).compactMap { name in
    guard let index = schema.index(ofField: name), schema.fields[index].fieldType == .text else { return nil }
    return "the renderer reads the texts of field \"\(name)\" as numbers: texts that are none have no value"
  }
}

/// Returns warnings for non-numeric fields of class breaks and visual variables.
private func numberWarnings(_ layer: WebMapLayer, _ schema: FeatureSchema) -> [String] {
  guard let renderer = layer.renderer else { return [] }
  let shown = layer.definition.visibilityField.map { [("visibilityField", $0, "all features are drawn")] }
  var readers =
    (shown ?? [])
    + renderer.visualVariables.inputs.flatMap { name, input in
      input.fieldNames.map { ("the visual variable \(name)", $0, "has no effect or hides features") }
    }
  if case .classBreaks(let breaks) = renderer {
    readers.append(("class breaks", breaks.fieldName, "no feature is in a class"))
  }
  if case .heatmap(let heat) = renderer, let name = heat.fieldName {
    readers.append(("the heat map", name, "the points weigh nothing"))
  }
  if case .dotDensity(let dots) = renderer {
    readers += dots.attributes.filter { $0.valueExpression == nil }.map {
      ("dot density", $0.fieldName, "there are no dots of it")
    }
  }
  if case .pieChart(let charts) = renderer {
    readers += charts.attributes.filter { $0.valueExpression == nil }.map {
      ("the pie charts", $0.fieldName, "there are no slices of it")
    }
  }
  return readers.compactMap { reader, name, effect in
    guard let index = schema.index(ofField: name),
      [.guid, .globalID, .blob, .xml].contains(schema.fields[index].fieldType)
        || reader == "visibilityField" && schema.fields[index].fieldType == .text
    else { return nil }
    return "\(reader): field \"\(name)\" holds no numbers; \(effect)"
  }
}

/// Returns warnings for time fields whose values are not dates.
private func timeWarnings(_ layer: WebMapLayer, _ schema: FeatureSchema) -> [String] {
  let names = layer.timeInfo.map { [$0.startField] + ($0.endField.map { [$0] } ?? []) } ?? []
  return names.compactMap { name in
    guard let index = schema.index(ofField: name), !temporal.contains(schema.fields[index].fieldType) else {
      return nil
    }
    return "timeInfo: field \"\(name)\" has no dates; time does not filter the layer"
  }
}

// MARK: Filters and labels

/// Returns warnings for filters that the table refuses.
private func filterWarnings(_ layer: WebMapLayer, _ schema: FeatureSchema) -> [String] {
  var filters = [(QueryConditions.Kind.definition, layer.definition.$definitionExpression)]
  switch layer.displayFilter {
  case .manual(let definition): filters += definition.availableFilters.map { (.display, $0.$whereClause) }
  case .scale(let definition): filters += definition.filters.map { (.display, $0.filter.$whereClause) }
  case nil: break
  }
  filters += layer.labelDefinitions.map { (.labels, $0.$whereClause) }
  if case .rules(let renderer) = layer.renderer { filters += renderer.rules.map { (.rule, $0.$filter) } }
  return filters.compactMap { kind, filter in
    do {
      // Rules in CQL2 may name the geometry.
      let names: FilterNames = kind == .rule && filter.language == .cql2Text ? .ofCQL2 : .ofWhereClauses
      let types = schema.fields.map(\.fieldType.attributeType)
      try QueryConditions.check(filter, kind, fields: schema.filterFields(types: types, names: names))
      return nil
    } catch {
      return "in \"\(filter.text)\": \(error)"
    }
  }
}

extension WebMapLayer {
  /// Casts the text fields that the document's filters compare with numbers or times, as databases do, and returns a
  /// remark for each filter.
  mutating func castTexts(schema: FeatureSchema) -> [DocumentWarning] {
    definition.readsTextsAsNumbers = true
    let fields = schema.filterFields(
      types: schema.fields.map(\.fieldType.attributeType), names: .ofWhereClauses)
    var texts: [String] = []
    func cast(_ filter: ParsedFilter) -> ParsedFilter? {
      guard let cast = filter.castingTexts(in: fields) else { return nil }
      if !texts.contains(filter.text) { texts.append(filter.text) }
      return cast
    }
    if let filter = cast(definition.$definitionExpression) { definition.$definitionExpression = filter }
    definition.displayFilter = definition.displayFilter?.mapConditions(cast)
    for index in definition.labelDefinitions.indices {
      if let filter = cast(definition.labelDefinitions[index].$whereClause) {
        definition.labelDefinitions[index].$whereClause = filter
      }
    }
    if case .rules(let renderer) = definition.renderer {
      definition.renderer = .rules(
        renderer.mapRules { rule in if let filter = cast(rule.$filter) { rule.$filter = filter } })
    }
    if let filter = (definition.featureEffect?.$whereClause).flatMap(cast) {
      definition.featureEffect?.$whereClause = filter
    }
    return texts.map { text in
      DocumentWarning(
        remark: "\"\(text)\" compares texts with numbers or times: texts that are none do not match",
        path: path)
    }
  }

  /// Removes the label classes that the table refuses, and returns a warning for each.
  ///
  /// - Throws: ``MapStateError`` if the table refuses the definition expression, without which no row is known.
  mutating func leaveOutUnusable(schema: FeatureSchema) throws(MapStateError) -> [DocumentWarning] {
    do {
      try QueryConditions.check(definition.$definitionExpression, .definition, for: schema)
    } catch {
      throw MapStateError(.input, "in \"\(definition.definitionExpression)\": \(error)")
    }
    var warnings: [DocumentWarning] = []
    definition.labelDefinitions.removeAll { label in
      guard let fault = label.fault(for: schema) else { return false }
      warnings.append(
        DocumentWarning(path: path, message: "labels left out: \(fault)", outcome: .approximated))
      return true
    }
    return warnings
  }
}

extension LabelDefinition {
  /// Returns why a table refuses the class; nil if it does not.
  fileprivate func fault(for schema: FeatureSchema) -> String? {
    do {
      try QueryConditions.check($whereClause, .labels, for: schema)
    } catch {
      return "in \"\(whereClause)\": \(error)"
    }
    let missing = templates.flatMap(\.fieldNames).first { schema.index(ofField: $0) == nil }
    return missing.map { field in
      RendererFieldError(reader: "a label class", field: field, available: schema.fields.map(\.name))
        .description
    }
  }
}

/// Returns warnings for labels that do not suit the geometries of the table.
private func labelWarnings(_ layer: WebMapLayer, _ kind: GeometryKind?) -> [String] {
  guard !layer.labelDefinitions.isEmpty else {
    // Reading has warned of classes that cannot be drawn.
    return layer.listsLabelClasses ? [] : ["shows labels, but labelingInfo is missing"]
  }
  guard let kind else { return [] }
  let isOdd = layer.labelDefinitions.contains { $0.placement.map { !$0.suits(kind) } ?? false }
  return isOdd
    ? ["a label placement does not suit \(kind.rawValue) features; the usual one is used"] : []
}
