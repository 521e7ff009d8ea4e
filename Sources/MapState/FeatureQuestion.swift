public import MapFeatures
public import MapGeometry
public import MapModel

/// Which features of a layer a question is about, beside the layer's own definition expression.
public struct FeatureQuestion: Sendable {
  /// Without the view's extent.
  public var everywhere = false
  /// In this envelope instead of the view's.
  public var extent: Envelope?
  /// How features must lie to a geometry, instead of where to look.
  public var geometry: SpatialCondition?
  /// SQL that must hold; blank is none.
  public var whereClause = ""
  /// CQL2 that must hold, as text or as JSON; blank is none.
  public var cql2 = ""
  /// True where the case of the names in ``cql2`` counts.
  public var cql2NamesHaveCase = true
  /// Only features in this span of time.
  public var time: TimeExtent?

  /// The features in the view.
  public init() {}

  /// True for a question about the view as it is.
  package var isAboutView: Bool {
    !everywhere && extent == nil && geometry == nil && whereClause.isEmpty && cql2.isEmpty && time == nil
  }

  /// Where the question looks; nil everywhere.
  func extent(in view: ViewState) -> Envelope? {
    everywhere ? nil : geometry?.geometry.geometry.extent ?? extent ?? view.extent
  }

  /// Sets what the question adds to a layer's conditions.
  func apply(to conditions: inout QueryConditions, in view: ViewState) {
    conditions.parameterEnvelopes = geometry == nil ? extent(in: view)?.splitAtAntimeridian() : nil
    conditions.parameterGeometry = geometry
    conditions.parameterWhere = whereClause
    conditions.parameterCQL2 = cql2
    conditions.parameterCQL2NamesHaveCase = cql2NamesHaveCase
    conditions.parameterTime = time
  }
}

extension ViewState {
  /// Figures over the features of a layer that a question is about.
  ///
  /// - Throws: ``MapError``.
  public func statistics(
    of layer: LayerState, _ statistics: StatisticsQuery, _ question: FeatureQuestion
  ) async throws(MapError) -> StatisticsTable {
    do {
      return try await naming(layer) {
        try await layer.source.statistics(statistics, of: try query(for: question, of: layer))
      }
    } catch {
      throw MapError(error)
    }
  }

  /// How many features of a layer a question is about, in each of some envelopes instead of where it looks.
  ///
  /// - Cost: the layer's filters are worked out once, and the envelopes counted on all cores.
  /// - Throws: ``MapError``.
  public func counts(
    of layer: LayerState, _ question: FeatureQuestion = FeatureQuestion(), inEach extents: [Envelope]
  ) async throws(MapError) -> [Int] {
    var question = question
    (question.everywhere, question.geometry) = (true, nil)
    do {
      return try await naming(layer) { [question] in
        let query = try query(for: question, of: layer)
        return try await layer.source.counts(extents.map { query.asked(in: $0.splitAtAntimeridian()) })
      }
    } catch {
      throw MapError(error)
    }
  }

  /// The features of a layer that a question is about: a page of them, with some fields.
  ///
  /// - Parameter output: how geometries come out; nil is as they are shown.
  /// - Throws: ``MapError``.
  public func features(
    of layer: LayerState, _ question: FeatureQuestion, page: FeaturePage = FeaturePage(),
    fieldNames: [String] = [], hasGeometry: Bool = true, output: GeometryOutput? = nil
  ) async throws(MapError) -> FeatureRows {
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
      throw MapError(error)
    }
  }

  private func query(for question: FeatureQuestion, of layer: LayerState) throws -> FeatureQuery {
    var conditions = conditions(for: layer)
    question.apply(to: &conditions, in: self)
    return try conditions.query(for: .query)
  }
}
