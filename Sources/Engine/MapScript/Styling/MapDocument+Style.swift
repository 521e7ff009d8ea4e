import MapDocuments
import MapFeatures
import MapFilter
import MapGeometry
import MapModel
public import MapState

extension MapDocument {
  /// Returns the same data with the requested symbols and labels, and with warnings of features without them.
  ///
  /// Classes, colours and sizes are derived from the rows that the definition expressions of the view leave.
  ///
  /// - Throws: `MapStateError`: of kind usage if the source is a document, which has its own renderers and labels; of
  ///   kind input if a field does not exist or has another type.
  public func styled(
    _ request: StyleRequest, for view: ViewRequest = ViewRequest()
  ) async throws(MapStateError) -> MapDocument {
    try request.check()
    guard request != StyleRequest() else { return self }
    guard isPlainData, !layers.isEmpty else {
      if request.label != nil, request.colorBy == nil, request.sizeBy == nil {
        throw MapStateError(
          .usage, "--label needs plain data; a web map document sets its labels in labelingInfo")
      }
      let option = request.colorBy != nil ? "--color-by" : request.sizeBy != nil ? "--size-by" : "--symbol"
      throw MapStateError(.usage, "\(option) needs plain data; a web map document sets its own renderers")
    }
    var (styled, warnings, firstError) = (layers.map(\.document), [String](), MapStateError?.none)
    let definitions = try definitions(view)
    let read = layers.indices.filter { !layers[$0].isUnread }
    for index in read {
      do throws(MapStateError) {
        // One classification for all layers of a table with several kinds of geometry.
        let new = try await styled[index].styled(
          request, source: wholeSource(ofLayer: index), definitions[index],
          layers[index].layer.source.schema.geometryKind)
        for warning in new where !warnings.contains(warning) { warnings.append(warning) }
      } catch {
        firstError = firstError ?? error
        warnings.append("layer \"\(styled[index].title)\" keeps its symbols: \(error)")
      }
    }
    // An option that suits no layer is an error.
    if let firstError, warnings.count(where: { $0.contains(" keeps its symbols: ") }) == read.count {
      throw firstError
    }
    return restyled(styled, warnings: warnings)
  }
}

extension WebMapLayer {
  /// Sets the requested symbols and labels for the data of a source, and returns warnings.
  ///
  /// - Parameters:
  ///   - definition: the definition expression of the layer.
  ///   - kind: the kind of the layer's geometries.
  fileprivate mutating func styled(
    _ request: StyleRequest, source: any FeatureSource, _ definition: ParsedFilter, _ kind: GeometryKind?
  ) async throws(MapStateError) -> [String] {
    var (layer, warnings) = (self, [String]())
    if let symbol = request.symbol { layer.renderer = try symbol.renderer(for: kind ?? .point) }
    if request.colorBy != nil || request.sizeBy != nil {
      let data = try await StyledRows(of: source, definition)
      if let field = request.colorBy {
        let coloured = try ColorByField(field, request, data, kind ?? .point)
        (layer.renderer, warnings) = (coloured.renderer, coloured.warnings)
        if !coloured.drawingOrder.isEmpty { layer.drawingOrder = coloured.drawingOrder }
      }
      if let field = request.sizeBy { warnings += try layer.size(by: field, data, kind ?? .point) }
    }
    if let field = request.label { try layer.label(by: field, source.schema) }
    self = layer
    return warnings
  }

  /// Sets marker sizes or line widths that grow linearly with a field, and returns warnings.
  ///
  /// The range is from the field's minimum to its maximum: 4 to 32 pixels for markers, 0.5 to 8 pixels for lines. A
  /// feature without a value is not drawn.
  private mutating func size(
    by field: String, _ data: StyledRows, _ kind: GeometryKind
  ) throws(MapStateError) -> [String] {
    let schema = data.table.schema
    let index = try schema.known(field, of: "--size-by")
    let name = schema.fields[index].name
    guard kind != .polygon else {
      throw MapStateError(.input, "--size-by: areas have no symbol size; use points or lines")
    }
    guard let numbers = data.numbers(ofColumn: index) else {
      let type = data.table.columns[index].type.rawValue
      throw MapStateError(.input, "--size-by: field \"\(name)\" holds \(type) values, not numbers")
    }
    let known = numbers.compactMap { $0 }.filter(\.isFinite)
    var variables = VisualVariables()
    let sizes = kind == .polyline ? (0.5, 8.0) : (4.0, 32.0)
    variables.size = SizeVariable(
      input: .field(name),
      rule: .bounded(
        minimum: known.min() ?? 0, maximum: known.max() ?? 0, smallest: .fixed(sizes.0),
        largest: .fixed(sizes.1)))
    self.renderer = (self.renderer ?? .standard(for: kind)).with(variables)
    // The smallest symbols are drawn last, because the largest would hide them.
    self.drawingOrder = [DrawingOrder(fieldName: name, direction: .ascending)]
    let missing = numbers.count - known.count
    guard missing > 0 else { return [] }
    return [
      "--size-by \(field): \(missing) \(missing == 1 ? "feature has" : "features have") no number and "
        + "\(missing == 1 ? "is" : "are") not drawn"
    ]
  }

  /// Sets labels from a field, black with a white halo.
  private mutating func label(by field: String, _ schema: FeatureSchema) throws(MapStateError) {
    let name = schema.fields[try schema.known(field, of: "--label")].name
    let quoted = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    // A bracket in the field name would end a simple expression.
    let expression: any LabelExpression =
      name.contains("]")
      ? ArcadeLabelExpression(arcadeString: "$feature[\"\(quoted)\"]")
      : SimpleLabelExpression(simpleExpression: "[\(name)]")
    var definition = LabelDefinition(labelExpression: expression, textSymbol: TextSymbol(size: 12))
    definition.textSymbol.haloColor = .white
    definition.textSymbol.haloWidth = 1.5
    definition.deconflictionStrategy = .dynamic
    (self.labelsAreEnabled, self.labelDefinitions) = (true, [definition])
  }
}
