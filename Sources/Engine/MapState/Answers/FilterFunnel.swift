package import MapDrawing
import MapFeatures
import MapModel

/// The number of a layer's features that pass each stage of filtering, to find out why a feature is not drawn.
///
/// Each stage up to ``display`` applies its own condition and every one before it. The features of ``display`` are those
/// of ``aggregated``, ``invisible`` and ``drawn`` together.
public struct FilterFunnel: Hashable, Sendable {
  /// The number of rows in the table.
  public let total: Int
  /// The number of features that pass the definition expression and the question's own filters and time.
  public let definition: Int
  /// The number of these features in the requested extent, or in the view.
  ///
  /// This is the count.
  public let extent: Int
  /// The number of these features in the view's time.
  public let time: Int
  /// The same number, or 0 if the layer is hidden or outside its scale range.
  public let scale: Int
  /// The number of these features that pass the display filter.
  public let display: Int
  /// The number of these features in clusters, which are not drawn one by one; nil for a layer without clusters.
  public var aggregated: Int?
  /// The number of features of ``display`` that change at least one pixel of the image, even if others cover them; if
  /// the extent is not a view's, those whose symbol paints something.
  public let drawn: Int
  /// The number of features in the view that have at least one label in the image.
  ///
  /// Nil for a layer that shows no labels, for clusters, and if the labels are not known: if the extent is not a view's,
  /// or if a layer of the image was not read.
  public var labelled: Int?
  /// The number of features outside the view whose symbols change a pixel of the image; nil if the extent is not a
  /// view's.
  public let edge: Int?
  /// The number of features of ``display`` that change no pixel of the image, by opacity, colour, size or offset, or
  /// because they have no symbol.
  public var invisible: Int { max(0, display - (aggregated ?? 0) - drawn) }

  /// The names of all stages, in order; those of clusters and labels are of some layers only.
  package static let stageNames = [
    "total", "definition", "extent", "time", "scale", "display", "aggregated", "invisible", "drawn",
    "labelled",
    "edge",
  ]

  /// The stages with their names, in order.
  public var stages: [(name: String, count: Int?)] {
    [
      ("total", total), ("definition", definition), ("extent", extent), ("time", time), ("scale", scale),
      ("display", display),
    ] + (aggregated.map { [("aggregated", $0)] } ?? [])
      + [("invisible", invisible), ("drawn", drawn)] + (labelled.map { [("labelled", $0)] } ?? [])
      + [("edge", edge)]
  }
}

extension FilterFunnel {
  /// The funnel of no rows.
  var emptied: FilterFunnel {
    FilterFunnel(
      total: 0, definition: 0, extent: 0, time: 0, scale: 0, display: 0, drawn: 0, edge: edge.map { _ in 0 })
  }

  /// Returns the sums of each stage.
  func adding(_ other: FilterFunnel) -> FilterFunnel {
    FilterFunnel(
      total: total + other.total, definition: definition + other.definition, extent: extent + other.extent,
      time: time + other.time, scale: scale + other.scale, display: display + other.display,
      aggregated: (aggregated ?? other.aggregated).map { _ in (aggregated ?? 0) + (other.aggregated ?? 0) },
      drawn: drawn + other.drawn,
      labelled: (labelled ?? other.labelled).map { _ in (labelled ?? 0) + (other.labelled ?? 0) },
      edge: edge.flatMap { edge in other.edge.map { edge + $0 } })
  }
}

extension ViewState {
  /// Returns the funnel of a layer for a question in the view; the last two stages come from the painted drawing.
  ///
  /// - Parameter drawing: the layer's drawing.
  /// - Throws: ``MapStateError``.
  package func funnel(
    of layer: LayerState, drawing: LayerDrawing, _ question: FeatureQuestion = FeatureQuestion()
  ) async throws(MapStateError) -> FilterFunnel {
    var funnel = try await funnel(of: layer, question) {
      if let count = drawing.groupedPoints, question.addsNothing { return (count, 0) }
      let (drawn, edge) = try await painted(in: drawing, of: layer, question)
      return (drawn.count, edge.count)
    }
    if let clusters = drawing.clusters {
      let shown = conditions(for: layer, asking: question)
      funnel.aggregated = try await naming(layer) {
        try await layer.source.whole().rows(shown.query(for: .stage(.display)))
          .intersection(clusters.members).count
      }
    }
    return funnel
  }

  /// Returns the drawn rows of a layer and those at the edge that a question in the view is about.
  func painted(
    in drawing: LayerDrawing, of layer: LayerState, _ question: FeatureQuestion
  ) async throws -> (drawn: RowSet, edge: RowSet) {
    guard !question.addsNothing, !drawing.painted.isEmpty else { return (drawing.drawn, drawing.edge) }
    var conditions = conditions(for: layer, asking: question)
    // The fetched part of a service reaches as far as the symbols do.
    conditions.viewArea = QueryArea(fetchEnvelopes(of: layer, in: nil))
    let asked = try await layer.source.whole().rows(conditions.query(for: .stage(.extent)))
    return (drawing.drawn.intersection(asked), drawing.edge.intersection(asked))
  }

  /// Returns the funnel of a layer for a question that does not search the view.
  ///
  /// - Throws: ``MapStateError``.
  func funnel(of layer: LayerState, _ question: FeatureQuestion) async throws(MapStateError) -> FilterFunnel {
    try await funnel(of: layer, question) {
      let query = try conditions(for: layer, asking: question).query(for: .stage(.display))
      let fetched = try await layer.source.fetch(query)
      let table = try fetched.shownColumns(on: spatialReference)
      return (try symbolizer(of: layer).symbolised(try fetched.rows(query), of: table).count, nil)
    }
  }

  private func funnel(
    of layer: LayerState, _ question: FeatureQuestion,
    lastStages: () async throws -> (drawn: Int, edge: Int?)
  ) async throws(MapStateError) -> FilterFunnel {
    let conditions = conditions(for: layer, asking: question)
    func count(_ stage: QueryConditions.Kind) async throws(MapStateError) -> Int {
      try await naming(layer) { try await layer.source.count(conditions.query(for: .stage(stage))) }
    }
    // A table in memory keeps the rows of a filter that was evaluated for all rows, so this stage comes first.
    let definition = try await count(.definition)
    let (drawn, edge) = try await naming(layer) { try await lastStages() }
    return FilterFunnel(
      total: try await count(.total), definition: definition, extent: try await count(.extent),
      time: try await count(.time), scale: try await count(.scale), display: try await count(.display),
      drawn: drawn, edge: edge)
  }
}
