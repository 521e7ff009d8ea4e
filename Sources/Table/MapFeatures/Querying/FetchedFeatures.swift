import MapFilter
package import MapGeometry

/// The features that a source returned for a query, as a table in memory.
///
/// It answers its own query and narrower ones, and passes wider ones on to its source.
package struct FetchedFeatures: FeatureSource {
  /// The features.
  package let table: InMemorySource
  /// The conditions that the features already satisfy, as evaluated by a service; nil for a complete table.
  private let passed: FeatureQuery?
  /// The envelopes of the original query, in the spatial reference of the map that asked.
  private let asked: [Envelope]
  /// The source of the features; nil for a table that was in memory.
  private var origin: (any FeatureSource)?

  /// Creates the features of a complete table.
  package init(_ table: InMemorySource) { (self.table, passed, asked) = (table, nil, []) }

  /// Creates the features that a service returned for the conditions that it has evaluated.
  package init(_ table: InMemorySource, passed: FeatureQuery, asked: [Envelope] = []) {
    (self.table, self.passed, self.asked) = (table, passed, asked)
  }

  /// Returns the features with the source that answers wider queries.
  package func of(_ origin: any FeatureSource) -> FetchedFeatures {
    var features = self
    features.origin = origin
    return features
  }

  /// The fields, geometry kind and spatial reference.
  package var schema: FeatureSchema { table.schema }
  /// The properties of the source, with the number of the fetched features.
  package var metadata: SourceMetadata {
    var metadata = origin?.metadata ?? table.metadata
    metadata.rowCount = table.rowCount
    return metadata
  }
  /// The operations of the table.
  package var operations: SpatialOperations { table.operations }
  /// The table, if it was in memory.
  package var inMemory: InMemorySource? { origin == nil ? table : nil }

  /// Returns the fetched table, in its own spatial reference.
  package func columns() -> FeatureColumns { table.columns() }

  /// Returns the fetched table with its geometries as a map in a spatial reference shows them, see
  /// ``SpatialReference/shown(on:)``.
  package func shownColumns(on map: SpatialReference) throws(SpatialOperationError) -> FeatureColumns {
    try table.shownColumns(on: map)
  }

  /// Returns the rows that match the query.
  ///
  /// - Throws: ``QueryConditionError``, ``SpatialOperationError``, and an error for a query that reaches beyond the
  ///   fetched features.
  package func rows(_ query: FeatureQuery) throws -> RowSet {
    guard holds(query) else { throw NotFetched() }
    return try table.rows(rest(of: query))
  }

  /// Returns the number of matching features; asks the source if the query reaches beyond the fetched features.
  package func count(_ query: FeatureQuery) async throws -> Int {
    if let origin, !holds(query) { return try await origin.count(query) }
    return try table.count(rest(of: query))
  }

  /// Returns the number of matching features for each query, as ``count(_:)`` would.
  package func counts(_ queries: [FeatureQuery]) async throws -> [Int] {
    if let origin, !queries.allSatisfy({ holds($0) }) { return try await origin.counts(queries) }
    return try table.counts(queries.map { rest(of: $0) })
  }

  /// Returns the features themselves for a query that they answer; asks the source for a wider one.
  package func fetch(_ query: FeatureQuery?, page: FeaturePage) async throws -> FetchedFeatures {
    if let origin, let query, !holds(query) { return try await origin.fetch(query, page: page) }
    return self
  }

  // MARK: Conditions

  /// Whether the table contains every feature that matches the query.
  package func holds(_ query: FeatureQuery) -> Bool {
    guard let passed else { return true }
    let filters = query.filters + query.filters.flatMap(\.conjuncts)
    guard passed.filters.allSatisfy({ filters.contains($0) }) else { return false }
    // A filter on the current time may give another answer at another time.
    if passed.filters.contains(where: \.needsCurrentTime), passed.now != query.now { return false }
    if passed.objectIDs != nil, passed.objectIDs != query.objectIDs { return false }
    if passed.geometry != nil, passed.geometry != query.geometry { return false }
    guard let around = passed.envelopes else { return true }
    return (query.envelopes ?? query.boxesAroundGeometry)?.allSatisfy { box in
      // Coordinates are comparable only within one spatial reference.
      (around + asked).contains { $0.spatialReference == box.spatialReference && $0.contains(box) }
    } ?? false
  }

  /// Returns the query without the conditions that the service has evaluated, including single conditions of a filter.
  private func rest(of query: FeatureQuery) -> FeatureQuery {
    guard let passed else { return query }
    let filters = query.filters.flatMap { filter -> [QueryFilter] in
      guard !passed.filters.contains(filter) else { return [] }
      let left = filter.conjuncts.filter { !passed.filters.contains($0) }
      return left.count < filter.conjuncts.count ? left : [filter]
    }
    return query.keeping(
      filters: filters, geometry: passed.geometry == nil,
      objectIDs: passed.objectIDs == nil, isLocal: true)
  }

  /// The error for a query that reaches beyond the fetched features, whose local answer would be incomplete.
  private struct NotFetched: Error, CustomStringConvertible {
    var description: String { "the query reaches beyond the features that were fetched" }
  }
}

extension FeatureQuery {
  /// Boxes that every feature matching the query's geometry must meet; nil if features elsewhere may match too.
  package var boxesAroundGeometry: [Envelope]? {
    switch geometry?.relationship {
    case .equals, .intersects, .touches, .crosses, .within, .contains, .overlaps, .envelopeIntersects,
      .indexIntersects:
      geometry?.geometry.geometry.extent.splitAtAntimeridian()
    case .disjoint, .relate, nil: nil
    }
  }
}

extension FetchedFeatures {
  /// Returns those of the fetched features that match a query.
  ///
  /// - Parameter output: the form of the geometries; nil returns them as a map in Web Mercator shows them.
  /// - Throws: The errors of ``FeatureSource/features(_:page:fieldNames:hasGeometry:)``.
  package func chosen(
    _ query: FeatureQuery, page: FeaturePage, fieldNames: [String], hasGeometry: Bool, output: GeometryOutput?
  ) throws -> FeatureRows {
    var table = try output == nil ? shownColumns(on: .webMercator) : columns()
    let rows = try page.rows(try rows(query), of: table)
    if let output, hasGeometry { table = try table.givenOut(rows: rows, output, operations) }
    return try FeatureRows(table, rows: rows, fieldNames: fieldNames, hasGeometry: hasGeometry)
  }
}
