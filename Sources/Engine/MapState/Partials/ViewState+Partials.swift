package import MapFeatures
package import MapModel

extension ViewState {
  /// The number of rows of each layer, and their extent compared with ±180°.
  package var partialRows: [PartialRows] { layers.map { PartialRows(of: $0.source) } }

  /// Returns statistics of the features of a layer that a question is about, to be joined with those of other parts.
  ///
  /// - Throws: ``MapStateError``.
  package func partialStatistics(
    of layer: LayerState, _ statistics: StatisticsQuery, _ question: FeatureQuestion
  ) async throws(MapStateError) -> PartialStatistics {
    do {
      return try await naming(layer) {
        try layer.requireRows()
        let query = try conditions(for: layer, asking: question).query(for: .query)
        let fetched = try await layer.source.fetch(query)
        return try PartialStatistics(statistics, of: fetched.columns(), rows: fetched.rows(query))
      }
    } catch {
      throw MapStateError(error)
    }
  }

  /// Refuses filters of layers and of a question, and renderers, whose results depend on the current time.
  package func refuseCurrentTime(in question: FeatureQuestion?) throws(MapStateError) {
    // With a fixed time, all parts have the same.
    guard !hasFixedTime else { return }
    let filters = [question?.$whereClause, question?.$cql2].compactMap { $0 }
    let asked = filters.filter { (try? $0.read())?.needsCurrentTime ?? false }.map(\.text)
    guard let text = (asked + clockReadings.map(\.text)).first else { return }
    throw MapStateError(
      .input,
      "\"\(text)\" depends on the current time, so partial answers cannot be merged; "
        + "fix the time with \"now\" in the question, or write it as a literal")
  }

  /// Refuses clusters, which depend on the rows of all parts.
  package func refuseClusters() throws(MapStateError) {
    for layer in layers where aggregation(of: layer) != nil {
      throw unmergeable(layer, "clusters depend on all rows")
    }
  }

  /// Returns the error for a layer whose partial answers cannot be merged.
  func unmergeable(_ layer: LayerState, _ reason: String) -> MapStateError {
    MapStateError(
      .input,
      "layer \"\(layer.name)\": \(reason), so partial answers cannot be merged; remove them from the document"
    )
  }
}
