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
    var (styled, warnings, notes) = (layers.map(\.document), [String](), [String]())
    var firstError: MapStateError?
    let definitions = try definitions(view)
    let read = layers.indices.filter { !layers[$0].isUnread }
    for index in read {
      do throws(MapStateError) {
        // One classification for all layers of a table with several kinds of geometry.
        let new = try await styled[index].styled(
          request, source: wholeSource(ofLayer: index), definitions[index],
          layers[index].layer.source.schema.geometryKind)
        for warning in new.warnings where !warnings.contains(warning) { warnings.append(warning) }
        if let note = new.note, !notes.contains(note) { notes.append(note) }
      } catch {
        firstError = firstError ?? error
        warnings.append("layer \"\(styled[index].title)\" keeps its symbols: \(error)")
      }
    }
    // An option that suits no layer is an error.
    if let firstError, warnings.count(where: { $0.contains(" keeps its symbols: ") }) == read.count {
      throw firstError
    }
    return restyled(styled, warnings: warnings, notes: notes)
  }
}

extension WebMapLayer {
  /// Sets the requested symbols and labels for the data of a source, and returns warnings and a note.
  ///
  /// - Parameters:
  ///   - definition: the definition expression of the layer.
  ///   - kind: the kind of the layer's geometries.
  fileprivate mutating func styled(
    _ request: StyleRequest, source: any FeatureSource, _ definition: ParsedFilter, _ kind: GeometryKind?
  ) async throws(MapStateError) -> (warnings: [String], note: String?) {
    var (layer, warnings) = (self, [String]())
    if let symbol = request.symbol {
      let asked = try symbol.renderer(for: kind ?? .point)
      (layer.renderer, warnings) = (asked.form, asked.warnings)
    }
    if request.colorBy != nil || request.sizeBy != nil {
      let data = try await StyledRows(of: source, definition)
      if let field = request.colorBy {
        let coloured = try ColorByField(field, request, data, kind ?? .point)
        (layer.renderer, layer.darkRenderer) = (coloured.renderer, coloured.darkRenderer)
        warnings += coloured.warnings
        if !coloured.drawingOrder.isEmpty { layer.drawingOrder = coloured.drawingOrder }
      }
      if let field = request.sizeBy {
        let sized = try SizeByField(field, request, data, kind ?? .point)
        var variables = VisualVariables()
        variables.size = sized.variable
        func plain(_ ground: GroundTone) -> RendererForm {
          .simple(
            SimpleRenderer(form: SymbolForm.standard(for: kind ?? .point, on: ground).sized(on: ground)))
        }
        let dark = layer.renderer == nil ? plain(.dark) : layer.darkRenderer
        layer.renderer = (layer.renderer ?? plain(.light)).with(variables)
        layer.darkRenderer = dark?.with(variables)
        // The smallest symbols are drawn last, because the largest would hide them.
        layer.drawingOrder = [DrawingOrder(fieldName: sized.fieldName, direction: .ascending)]
        warnings += sized.warnings
      }
    }
    var note: String?
    if let field = request.label {
      let labelled = try LabelByField(field, request, source.schema, kind ?? .point)
      (layer.labelsAreEnabled, layer.labelDefinitions) = (true, [labelled.definition])
      note = labelled.note
    }
    self = layer
    return (warnings, note)
  }
}
