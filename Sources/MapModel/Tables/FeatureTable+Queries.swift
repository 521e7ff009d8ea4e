package import MapFeatures
public import MapGeometry

/// Which of a caller's field names a query fetches; every answer brings all attributes.
public enum QueryFeatureFields: Hashable, Sendable {
  /// Ids alone.
  case idsOnly
  /// What drawing needs.
  case minimum
  /// All.
  case loadAll
}

extension FeatureTable {
  /// The features that answer, in order, whole.
  ///
  /// The layer's definition expression holds beside the parameters; its display filter, visibility and scales do not.
  /// - Throws: the error of loading, ``QueryConditionError``, `FilterError`, ``SpatialOperationError``,
  ///   ``QueryParameterError``.
  public func queryFeatures(using parameters: QueryParameters) async throws -> FeatureQueryResult {
    FeatureQueryResult(try await rows(parameters.criteria), of: self)
  }

  /// The features that answer, in order; whichever fields are asked for, all attributes come.
  ///
  /// - Throws: as ``queryFeatures(using:)``.
  public func queryFeatures(
    using parameters: QueryParameters, queryFeatureFields: QueryFeatureFields
  ) async throws -> FeatureQueryResult {
    try await queryFeatures(using: parameters)
  }

  /// How many features answer, regardless of maximum and offset.
  ///
  /// - Throws: as ``queryFeatures(using:)``.
  public func queryFeatureCount(using parameters: QueryParameters = QueryParameters()) async throws -> Int {
    let (query, source) = try await asked(parameters.criteria)
    return try await source.count(query)
  }

  /// The envelope of the features that answer, regardless of maximum and offset, in the output's reference.
  ///
  /// - Throws: as ``queryFeatures(using:)``.
  public func queryExtent(using parameters: QueryParameters = QueryParameters()) async throws -> Envelope {
    var criteria = parameters.criteria
    criteria.page = FeaturePage()
    criteria.form.maxAllowableOffset = 0
    return try await rows(criteria).extent
  }

  /// Figures over the features that answer.
  ///
  /// - Throws: as ``queryFeatures(using:)``, and ``StatisticsError``.
  public func queryStatistics(
    using parameters: StatisticsQueryParameters
  ) async throws -> StatisticsQueryResult {
    let (criteria, statistics) = parameters.asked
    let (query, source) = try await asked(criteria)
    return StatisticsQueryResult(try await source.statistics(statistics, of: query), source.schema)
  }

  func rows(_ criteria: QueryCriteria) async throws -> FeatureRows {
    let (query, source) = try await asked(criteria)
    return try await source.features(
      query, page: criteria.page, hasGeometry: criteria.returnsGeometry, output: criteria.form)
  }

  /// The query and what to ask, both of one moment after loading.
  private func asked(_ criteria: QueryCriteria) async throws -> (FeatureQuery, any FeatureSource) {
    try await load()
    let content = table.content.snapshot
    return (try criteria.query(of: content), content.source)
  }
}

extension QueryParameters {
  /// What a source gives out to these parameters, without the definition expression of a layer, and the same features
  /// whole.
  package func fetch(
    from source: any FeatureSource, for table: any FeatureTable
  ) async throws -> (FeatureQueryResult, FeatureColumns) {
    let asked = criteria
    var content = table.table.content.snapshot
    content.layer = nil
    let query = try asked.query(of: content)
    let fetched = try await source.fetched(for: query, page: asked.page)
    let given = try await fetched.features(
      query, page: asked.page, hasGeometry: asked.returnsGeometry, output: asked.form)
    return (FeatureQueryResult(given, of: table), try await fetched.columns().rows(given.rows))
  }
}
