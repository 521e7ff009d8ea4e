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
      let notes = try outsideNotes(of: layer, features) + [try sharedNote(of: layer, features, drawing)]
      return (notes + [features.table.table.longEdgeNote(features.operations)]).compactMap { $0 }
    }
  }

  /// Returns a note about points that look like one, because they have one position; nil if they are less than half.
  private func sharedNote(
    of layer: LayerState, _ features: FetchedFeatures, _ drawing: LayerDrawing
  ) throws -> String? {
    let renderer = layer.renderer.resolved(atScale: viewpoint.scale)
    if case .heatmap = renderer { return nil }
    guard drawing.cells == nil, drawing.clusters == nil, let points = features.table.table.geometry,
      points.mayShareHalf
    else { return nil }
    let rows = try features.rows(conditions(for: layer).query(for: .drawing))
    let (count, positions) = points.positions(of: rows)
    guard count > 2, positions * 2 <= count else { return nil }
    let places = positions == 1 ? "1 position" : "\(positions) positions"
    return "the \(count) features in the view lie at \(places), where each one hides those below it; "
      + "--aggregate hexagon counts them"
  }

  /// Returns notes about drawn values below the lowest class and above the highest; none for another renderer.
  private func outsideNotes(of layer: LayerState, _ features: FetchedFeatures) throws -> [String?] {
    guard case .classBreaks(let renderer) = layer.renderer.resolved(atScale: viewpoint.scale),
      renderer.valueExpression == nil, let lowest = renderer.classBreaks.map(\.minimum).min(),
      let highest = renderer.classBreaks.map(\.maximum).max(),
      lowest > -Double.greatestFiniteMagnitude || highest < Double.greatestFiniteMagnitude
    else { return [] }
    let schema = features.schema
    func column(_ name: String) -> Column? {
      schema.index(ofField: name).map { features.table.table.columns[$0] }
    }
    guard let values = column(renderer.fieldName) else { return [] }
    var divisors: Column?
    if case .field(let name) = renderer.normalization { divisors = column(name) }
    var (below, above) = (0, 0)
    for row in try features.rows(conditions(for: layer).query(for: .drawing)) {
      guard let own = values.number(at: row),
        let value = renderer.normalized(own, divisor: divisors?.number(at: row))
      else { continue }
      if value < lowest { below += 1 }
      if value > highest { above += 1 }
    }
    func note(_ count: Int, _ words: String, _ bound: Double) -> String? {
      guard count > 0 else { return nil }
      let feature =
        count == 1 ? "1 feature in the view has a value" : "\(count) features in the view have a value"
      let symbol = renderer.defaultSymbol == nil ? "not drawn" : "drawn with the symbol of other values"
      return "\(feature) \(words) at \(bound.thousandths): \(symbol)"
    }
    return [
      note(below, "below the lowest class, which begins", lowest),
      note(above, "above the highest class, which ends", highest),
    ]
  }
}
