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
    func refusal(_ text: String) -> MapStateError {
      MapStateError(
        .input,
        "\"\(text)\" depends on the current time, so partial answers cannot be merged; "
          + "write the time as a literal")
    }
    var filters = [question?.$whereClause, question?.$cql2].compactMap { $0 }
    for layer in layers {
      if let text = layer.renderer.currentTimeExpression { throw refusal(text) }
      filters.append(layer.definition.$definitionExpression)
      if let filter = layer.displayFilter?.activeFilter(atScale: viewpoint.scale) {
        filters.append(filter.$whereClause)
      }
    }
    for filter in filters where (try? filter.read())?.needsCurrentTime ?? false {
      throw refusal(filter.text)
    }
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
