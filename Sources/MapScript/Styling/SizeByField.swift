import MapDocuments
import MapFeatures
import MapGeometry
import MapModel
public import MapState

extension MapDocument {
  /// Returns the same data with marker sizes or line widths that grow linearly with a field.
  ///
  /// The range is from the field's minimum to its maximum: 4 to 32 pixels for markers, 0.5 to 8 pixels for lines. A
  /// feature without a value is not drawn.
  /// - Throws: `MapStateError`: of kind usage if the source is a document, which has its own renderers; of kind input
  ///   if the field does not exist or is not numeric, and for areas, which have no size.
  public func sized(by field: String) async throws(MapStateError) -> MapDocument {
    guard isPlainData, let layer = layers.first else {
      throw MapStateError(.usage, "--size-by needs plain data; a web map document sets its own renderers")
    }
    let source = layer.layer.source
    let (schema, kind) = (source.schema, source.schema.geometryKind ?? .point)
    guard let index = schema.index(ofField: field) else {
      let names = schema.fields.map(\.name).joined(separator: ", ")
      throw MapStateError(.input, "--size-by: no field named \"\(field)\"; available: \(names)")
    }
    guard kind != .polygon else {
      throw MapStateError(.input, "--size-by: areas have no symbol size; use points or lines")
    }
    let column: Column
    do { column = try await source.whole().columns().columns[index] } catch { throw MapStateError(error) }
    let values: [Double]
    switch column.storage {
    case .integers(let numbers): values = numbers.map(Double.init)
    case .reals(let numbers): values = numbers
    default:
      throw MapStateError(
        .input,
        "--size-by: field \"\(schema.fields[index].name)\" holds \(column.type.rawValue) values, not numbers")
    }
    let known = values.indices.filter { column.isValid($0) }.map { values[$0] }
    var variables = VisualVariables()
    let sizes = kind == .polyline ? (0.5, 8.0) : (4.0, 32.0)
    variables.size = SizeVariable(
      input: .field(schema.fields[index].name),
      rule: .bounded(
        minimum: known.min() ?? 0, maximum: known.max() ?? 0, smallest: .fixed(sizes.0),
        largest: .fixed(sizes.1)))
    var document = layer.document
    let renderer = document.renderer ?? .standard(for: kind)
    document.renderer = renderer.with(variables)
    // The smallest symbols are drawn last, because the largest would hide them.
    document.drawingOrder = [DrawingOrder(fieldName: schema.fields[index].name, direction: .ascending)]
    return MapDocument(plainData: document, source: source, path: path)
  }
}
