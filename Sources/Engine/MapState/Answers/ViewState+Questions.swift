public import MapFeatures
public import MapGeometry
public import MapModel

extension FeatureQuestion {
  /// Returns the requested extent as given, or the geometry's extent if only the geometry limits the area; nil for
  /// everywhere.
  package func extent(in view: ViewState) -> Envelope? {
    switch area {
    case .view: view.extent
    case .envelopes(let envelopes): envelopes.dropFirst().reduce(envelopes.first ?? .empty) { $0.union($1) }
    case .everywhere: geometry?.geometry.geometry.extent
    }
  }
}

extension LayerState {
  /// Refuses a question about a table that is not loaded, which would be answered with no rows.
  func requireRows() throws(MapStateError) {
    if let unloadedReason { throw MapStateError(.input, unloadedReason) }
  }
}

extension ViewState {
  /// Returns statistics of the features of a layer that a question is about.
  ///
  /// - Throws: ``MapStateError``.
  public func statistics(
    of layer: LayerState, _ statistics: StatisticsQuery, _ question: FeatureQuestion
  ) async throws(MapStateError) -> StatisticsTable {
    var statistics = statistics
    // A service computes only statistics that suit the types of its fields.
    statistics.readsTextsAsNumbers = layer.definition.readsTextsAsNumbers && layer.source.inMemory != nil
    do {
      return try await naming(layer) { [statistics] in
        try await layer.source.statistics(statistics, of: try query(for: question, of: layer))
      }
    } catch {
      throw MapStateError(error)
    }
  }

  /// Counts the features of a layer that a question is about in each of several envelopes, which replace its area.
  ///
  /// - Cost: the layer's filters are evaluated once, and the envelopes are counted on all cores.
  /// - Throws: ``MapStateError``.
  public func counts(
    of layer: LayerState, _ question: FeatureQuestion = FeatureQuestion(), inEach extents: [Envelope]
  ) async throws(MapStateError) -> [Int] {
    var question = question
    question.area = .everywhere
    do {
      return try await naming(layer) { [question] in
        let query = try query(for: question, of: layer)
        return try await layer.source.counts(extents.map { query.asked(in: $0.splitAtAntimeridian()) })
      }
    } catch {
      throw MapStateError(error)
    }
  }

  /// Returns one page of the features of a layer that a question is about, with the named fields.
  ///
  /// - Parameter output: the form of the geometries; nil returns them as the map shows them.
  /// - Throws: ``MapStateError``.
  package func features(
    of layer: LayerState, _ question: FeatureQuestion, page: FeaturePage = FeaturePage(),
    fieldNames: [String] = [], hasGeometry: Bool = true, output: GeometryOutput? = nil
  ) async throws(MapStateError) -> FeatureRows {
    do {
      return try await naming(layer) {
        let query = try query(for: question, of: layer)
        guard let output else {
          return try await layer.source.features(
            query, page: page, fieldNames: fieldNames, hasGeometry: hasGeometry)
        }
        return try await layer.source.features(
          query, page: page, fieldNames: fieldNames, hasGeometry: hasGeometry, output: output)
      }
    } catch {
      throw MapStateError(error)
    }
  }

  func query(for question: FeatureQuestion, of layer: LayerState) throws -> FeatureQuery {
    try layer.requireRows()
    return try conditions(for: layer, asking: question).query(for: .query)
  }
}
