public import MapDrawing
import MapFeatures
public import MapModel

/// How many features of a layer pass each condition, one after the other: why a feature is not drawn.
///
/// Each stage holds all the conditions to its left.
public struct FilterFunnel: Hashable, Sendable {
  /// All rows of the table.
  public let total: Int
  /// Those that the definition expression leaves.
  public let definition: Int
  /// Those of them in the view's bounding box: the count.
  public let extent: Int
  /// Those of them in the view's time.
  public let time: Int
  /// The same, or none where the layer is hidden or out of its scale range.
  public let scale: Int
  /// Those of them that the display filter leaves.
  public let display: Int
  /// Those of them with a symbol whose geometry meets the view itself.
  public let drawn: Int
  /// Features outside the view whose symbol reaches in, which are painted too.
  public let edge: Int

  /// The stages with their names, in order.
  public var stages: [(name: String, count: Int)] {
    [
      ("total", total), ("definition", definition), ("extent", extent), ("time", time), ("scale", scale),
      ("display", display), ("drawn", drawn), ("edge", edge),
    ]
  }
}

extension ViewState {
  /// The funnel of a layer; the last two stages come from the drawing that is painted.
  ///
  /// - Throws: ``LayerError``.
  public func funnel(of layer: LayerState, drawing: LayerDrawing) async throws(LayerError) -> FilterFunnel {
    func count(_ stage: QueryConditions.Kind) async throws(LayerError) -> Int {
      try await naming(layer) {
        try await layer.source.count(conditions(for: layer).query(for: .stage(stage)))
      }
    }
    return FilterFunnel(
      total: try await count(.total), definition: try await count(.definition),
      extent: try await count(.extent), time: try await count(.time), scale: try await count(.scale),
      display: try await count(.display), drawn: drawing.drawn.count, edge: drawing.edge.count)
  }
}
