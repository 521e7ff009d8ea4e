public import MapDrawing
import MapFeatures
public import MapModel

/// The number of features of a layer that pass each condition, one after the other: why a feature is not drawn.
///
/// Each stage applies its own condition and all earlier ones.
public struct FilterFunnel: Hashable, Sendable {
  /// All rows of the table.
  public let total: Int
  /// Those that pass the definition expression and the question's own filters and time.
  public let definition: Int
  /// Those of them in the extent that is asked for, in a view its bounding box: the count.
  public let extent: Int
  /// Those of them in the view's time.
  public let time: Int
  /// The same, or none where the layer is hidden or out of its scale range.
  public let scale: Int
  /// Those of them that pass the display filter.
  public let display: Int
  /// Those of them with a symbol; where the extent is a view's, only those whose geometry meets the view itself.
  public let drawn: Int
  /// Features outside the view whose symbol reaches in, which are painted too; nil where the extent is not a view's.
  public let edge: Int?

  /// The stages with their names, in order.
  public var stages: [(name: String, count: Int?)] {
    [
      ("total", total), ("definition", definition), ("extent", extent), ("time", time), ("scale", scale),
      ("display", display), ("drawn", drawn), ("edge", edge),
    ]
  }
}

extension ViewState {
  /// The funnel of a layer for a question; in a view the last two stages come from the drawing that is painted.
  ///
  /// - Parameter drawing: what is painted of the layer.
  /// - Throws: ``LayerError``.
  public func funnel(
    of layer: LayerState, drawing: LayerDrawing, _ question: FeatureQuestion = FeatureQuestion()
  ) async throws(LayerError) -> FilterFunnel {
    let (drawn, edge) = try await naming(layer) {
      guard !question.addsNothing, !drawing.painted.isEmpty else {
        return (drawing.drawn.count, drawing.edge.count)
      }
      var conditions = conditions(for: layer)
      question.apply(to: &conditions, in: self)
      // What is at hand of a service reaches as far as symbols do.
      conditions.viewEnvelopes = symbolizer(of: layer).fetchEnvelopes()
      let asked = try await layer.source.rows(conditions.query(for: .stage(.extent)))
      return (drawing.drawn.intersection(asked).count, drawing.edge.intersection(asked).count)
    }
    return try await funnel(of: layer, question, drawn: drawn, edge: edge)
  }

  /// The funnel of a layer for a question that does not look in the view.
  ///
  /// - Throws: ``LayerError``.
  func funnel(of layer: LayerState, _ question: FeatureQuestion) async throws(LayerError) -> FilterFunnel {
    let drawn = try await naming(layer) {
      var conditions = conditions(for: layer)
      question.apply(to: &conditions, in: self)
      let query = try conditions.query(for: .stage(.display))
      let source = try await layer.source.fetched(for: query)
      let table = try await source.shownColumns(on: spatialReference)
      return try symbolizer(of: layer).symbolised(try await source.rows(query), of: table).count
    }
    return try await funnel(of: layer, question, drawn: drawn, edge: nil)
  }

  private func funnel(
    of layer: LayerState, _ question: FeatureQuestion, drawn: Int, edge: Int?
  ) async throws(LayerError) -> FilterFunnel {
    func count(_ stage: QueryConditions.Kind) async throws(LayerError) -> Int {
      try await naming(layer) {
        var conditions = conditions(for: layer)
        question.apply(to: &conditions, in: self)
        return try await layer.source.count(conditions.query(for: .stage(stage)))
      }
    }
    return FilterFunnel(
      total: try await count(.total), definition: try await count(.definition),
      extent: try await count(.extent), time: try await count(.time), scale: try await count(.scale),
      display: try await count(.display), drawn: drawn, edge: edge)
  }
}
