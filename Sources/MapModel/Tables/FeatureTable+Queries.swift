package import MapFeatures
public import MapGeometry
import MapReaders

/// The fields that a query requests; every result contains all attributes.
public enum QueryFeatureFields: Hashable, Sendable {
  /// The ids only.
  case idsOnly
  /// The fields needed for drawing.
  case minimum
  /// All fields.
  case loadAll
}

extension FeatureTable {
  /// Returns the features that match, in order, with all attributes.
  ///
  /// Applies the layer's definition expression; ignores its display filter, visibility and scales.
  ///
  /// - Throws: The error of loading, ``QueryConditionError``, `FilterError`, ``SpatialOperationError``,
  ///   ``QueryParameterError``.
  public func queryFeatures(using parameters: QueryParameters) async throws -> FeatureQueryResult {
    FeatureQueryResult(try await rows(parameters.request), of: self)
  }

  /// Returns the features that match, in order, with all attributes, whichever fields are requested.
  ///
  /// - Throws: The errors of ``queryFeatures(using:)``.
  public func queryFeatures(
    using parameters: QueryParameters, queryFeatureFields: QueryFeatureFields
  ) async throws -> FeatureQueryResult {
    try await queryFeatures(using: parameters)
  }

  /// Returns the number of features that match, regardless of maximum and offset.
  ///
  /// - Throws: The errors of ``queryFeatures(using:)``.
  public func queryFeatureCount(using parameters: QueryParameters = QueryParameters()) async throws -> Int {
    let (query, source) = try await asked(parameters.request)
    return try await source.count(query)
  }

  /// Returns the envelope of the features that match, in the output spatial reference, regardless of maximum and
  /// offset.
  ///
  /// - Throws: The errors of ``queryFeatures(using:)``.
  public func queryExtent(using parameters: QueryParameters = QueryParameters()) async throws -> Envelope {
    var request = parameters.request
    request.page = FeaturePage()
    request.form.maxAllowableOffset = 0
    return try await rows(request).extent
  }

  /// Returns statistics of the features that match.
  ///
  /// - Throws: The errors of ``queryFeatures(using:)``, and ``StatisticsError``.
  public func queryStatistics(
    using parameters: StatisticsQueryParameters
  ) async throws -> StatisticsQueryResult {
    let (request, statistics) = parameters.asked
    let (query, source) = try await asked(request)
    return StatisticsQueryResult(try await source.statistics(statistics, of: query), source.schema)
  }

  func rows(_ request: FeatureRequest) async throws -> FeatureRows {
    let (query, source) = try await asked(request)
    return try await source.features(
      query, page: request.page, hasGeometry: request.returnsGeometry, output: request.form)
  }

  /// Loads the table and returns the query and its source, both from the same snapshot.
  private func asked(_ request: FeatureRequest) async throws -> (FeatureQuery, any FeatureSource) {
    try await load()
    let content = table.content.snapshot
    return (try request.query(of: content), content.source)
  }
}

extension QueryParameters {
  /// Fetches the features of a source that match these parameters, without a layer's definition expression.
  ///
  /// Returns them as requested, and again with all fields and full geometry.
  package func fetch(
    from source: any FeatureSource, for table: any FeatureTable
  ) async throws -> (FeatureQueryResult, FeatureColumns) {
    let asked = request
    var content = table.table.content.snapshot
    content.layer = nil
    let query = try asked.query(of: content)
    let fetched = try await source.fetch(query, page: asked.page)
    let given = try await fetched.features(
      query, page: asked.page, hasGeometry: asked.returnsGeometry, output: asked.form)
    return (FeatureQueryResult(given, of: table), fetched.columns().rows(given.rows))
  }
}
