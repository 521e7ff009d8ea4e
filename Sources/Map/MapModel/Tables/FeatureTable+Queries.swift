public import MapSystem
package import MapFeatures
public import MapGeometry

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
  /// - Throws: ``MapStateError``.
  public func queryFeatures(using parameters: QueryParameters) async throws(MapStateError)
    -> FeatureQueryResult
  {
    FeatureQueryResult(try await rows(parameters.request), of: self)
  }

  /// Returns the features that match, in order, with all attributes, whichever fields are requested.
  ///
  /// - Throws: ``MapStateError``.
  public func queryFeatures(
    using parameters: QueryParameters, queryFeatureFields: QueryFeatureFields
  ) async throws(MapStateError) -> FeatureQueryResult {
    try await queryFeatures(using: parameters)
  }

  /// Returns the number of features that match, regardless of maximum and offset.
  ///
  /// - Throws: ``MapStateError``.
  public func queryFeatureCount(using parameters: QueryParameters = QueryParameters())
    async throws(MapStateError) -> Int
  {
    let (query, source) = try await asked(parameters.request)
    do { return try await source.count(query) } catch { throw MapStateError(error) }
  }

  /// Returns the envelope of the features that match, in the output spatial reference, regardless of maximum and
  /// offset.
  ///
  /// - Throws: ``MapStateError``.
  public func queryExtent(using parameters: QueryParameters = QueryParameters()) async throws(MapStateError)
    -> Envelope
  {
    var request = parameters.request
    request.page = FeaturePage()
    request.form.maxAllowableOffset = 0
    return try await rows(request).extent
  }

  /// Returns statistics of the features that match.
  ///
  /// - Throws: ``MapStateError``.
  public func queryStatistics(
    using parameters: StatisticsQueryParameters
  ) async throws(MapStateError) -> StatisticsQueryResult {
    let (request, statistics) = parameters.asked
    let (query, source) = try await asked(request)
    do {
      return StatisticsQueryResult(try await source.statistics(statistics, of: query), source.schema)
    } catch {
      throw MapStateError(error)
    }
  }

  func rows(_ request: FeatureRequest) async throws(MapStateError) -> FeatureRows {
    let (query, source) = try await asked(request)
    do {
      return try await source.features(
        query, page: request.page, hasGeometry: request.returnsGeometry, output: request.form)
    } catch {
      throw MapStateError(error)
    }
  }

  /// Loads the table and returns the query and its source, both from the same snapshot.
  private func asked(
    _ request: FeatureRequest
  ) async throws(MapStateError) -> (FeatureQuery, any FeatureSource) {
    try await load()
    let content = table.content.snapshot
    do { return (try request.query(of: content), content.source) } catch { throw MapStateError(error) }
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
