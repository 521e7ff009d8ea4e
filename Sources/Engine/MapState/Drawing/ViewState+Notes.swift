import MapDrawing
import MapFeatures
import MapModel

extension ViewState {
  /// Returns remarks about the features of a layer that the image may not show as expected.
  func notes(of layer: LayerState, drawing: LayerDrawing) async throws(MapStateError) -> [String] {
    // The points that a database groups are not fetched.
    guard drawing.groupedPoints == nil else { return [] }
    return try await naming(layer) {
      let features = try await layer.source.whole()
      return [try lowNote(of: layer, features), features.table.table.longEdgeNote(features.operations)]
        .compactMap { $0 }
    }
  }

  /// Returns a note about drawn values below the lowest class; nil if there are none, or for another renderer.
  private func lowNote(of layer: LayerState, _ features: FetchedFeatures) throws -> String? {
    guard case .classBreaks(let renderer) = layer.renderer.resolved(atScale: viewpoint.scale),
      renderer.valueExpression == nil, let lowest = renderer.classBreaks.map(\.minimum).min(),
      lowest > -Double.greatestFiniteMagnitude
    else { return nil }
    let schema = features.schema
    func column(_ name: String) -> Column? {
      schema.index(ofField: name).map { features.table.table.columns[$0] }
    }
    guard let values = column(renderer.fieldName) else { return nil }
    var divisors: Column?
    if case .field(let name) = renderer.normalization { divisors = column(name) }
    var count = 0
    for row in try features.rows(conditions(for: layer).query(for: .drawing)) {
      guard let own = values.number(at: row),
        let value = renderer.normalized(own, divisor: divisors?.number(at: row)), value < lowest
      else { continue }
      count += 1
    }
    guard count > 0 else { return nil }
    let feature =
      count == 1 ? "1 feature in the view has a value" : "\(count) features in the view have a value"
    let symbol = renderer.defaultSymbol == nil ? "not drawn" : "drawn with the symbol of other values"
    return "\(feature) below the lowest class, which begins at \(lowest.thousandths): \(symbol)"
  }
}
