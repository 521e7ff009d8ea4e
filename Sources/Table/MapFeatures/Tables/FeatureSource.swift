package import MapGeometry

/// The protocol of all tables: their structure, numbers about their rows, and the rows themselves as a table in memory.
///
/// A source returns the complete answer or throws; it never returns a part of the rows.
package protocol FeatureSource: Sendable {
  /// The fields, geometry kind and spatial reference.
  var schema: FeatureSchema { get }
  /// The properties besides the fields: those that the source declares, and the number and extent of its rows.
  var metadata: SourceMetadata { get }
  /// The operations that project geometries to other spatial references.
  var operations: SpatialOperations { get }

  /// Returns the number of rows that match the query.
  func count(_ query: FeatureQuery) async throws -> Int
  /// Returns the number of matching rows for each query, as ``count(_:)`` would.
  func counts(_ queries: [FeatureQuery]) async throws -> [Int]
  /// Returns statistics of the rows that match a query.
  ///
  /// - Throws: ``StatisticsError``, ``SpatialOperationError``, ``QueryConditionError``.
  func statistics(_ statistics: StatisticsQuery, of query: FeatureQuery) async throws -> StatisticsTable
  /// Returns the rows that answer one page of a query, and maybe more, as a table in memory.
  ///
  /// Without a query it returns the whole table, whose rows keep their numbers from then on.
  func fetch(_ query: FeatureQuery?, page: FeaturePage) async throws -> FetchedFeatures
  /// Returns one point of each group of the points that match a query; nil for a source that cannot group them.
  func points(_ query: FeatureQuery, in groups: PointGroups) async throws -> GroupedPoints?

  /// The table, if all rows of the source are in memory; nil for a service.
  var inMemory: InMemorySource? { get }
  /// The source without a cache: every query is sent to the service again. The source itself for a table in memory.
  var askedEveryTime: any FeatureSource { get }
}

// MARK: - Defaults

extension FeatureSource {
  /// The built-in operations by default: WGS 84 and Web Mercator.
  package var operations: SpatialOperations { .builtIn }
  /// Nil by default.
  package var inMemory: InMemorySource? { nil }
  /// The source itself by default.
  package var askedEveryTime: any FeatureSource { self }

  /// Nil by default.
  package func points(_ query: FeatureQuery, in groups: PointGroups) async throws -> GroupedPoints? { nil }

  /// Returns statistics of the fetched rows, computed locally.
  package func statistics(_ statistics: StatisticsQuery, of query: FeatureQuery) async throws
    -> StatisticsTable
  {
    let fetched = try await fetch(query)
    return try StatisticsTable(statistics, of: fetched.columns(), rows: fetched.rows(query))
  }
}

// MARK: - Rows

extension FeatureSource {
  /// Returns the rows that may match a query as a table in memory.
  package func fetch(_ query: FeatureQuery) async throws -> FetchedFeatures {
    try await fetch(query, page: FeaturePage())
  }

  /// Returns all rows as a table in memory.
  package func whole() async throws -> FetchedFeatures { try await fetch(nil, page: FeaturePage()) }

  /// Returns a page of the features that match a query, with some fields, as a map in Web Mercator shows them.
  ///
  /// - Throws: `FilterError` for an unknown field, ``SpatialOperationError``, ``QueryConditionError``.
  package func features(
    _ query: FeatureQuery, page: FeaturePage, fieldNames: [String], hasGeometry: Bool
  ) async throws -> FeatureRows {
    try await fetch(query, page: page).chosen(
      query, page: page, fieldNames: fieldNames, hasGeometry: hasGeometry, output: nil)
  }
}

// MARK: - Properties of the rows

extension FeatureSource {
  /// The number of rows.
  package var rowCount: Int { metadata.rowCount }
  /// The envelope of all rows in the source's spatial reference; empty without rows.
  package var extent: Envelope { metadata.extent }
  /// The envelope of all rows in WGS 84 or Web Mercator; empty without rows.
  package var shownExtent: Envelope { metadata.shownExtent }
  /// The world copies that contain rows, where -180° to 180° is 0.
  package var worldsReached: ClosedRange<Int> { metadata.worldsReached }
  /// Warnings about losses and assumptions while reading.
  package var warnings: [String] { metadata.warnings }
  /// Whether the source's answers are exact; see ``SourceMetadata/isExact``.
  package var isExact: Bool { metadata.isExact }
  /// The reason why the source's answers are not exact; see ``SourceMetadata/inexactReason``.
  package var inexactReason: String? { metadata.inexactReason }
}

extension FeatureSource {
  /// Returns the features that match a query, with their geometries in the requested form.
  ///
  /// - Cost: the query, and a projection of the vertices of the returned features.
  /// - Throws: The errors of ``features(_:page:fieldNames:hasGeometry:)``; ``SpatialOperationError`` for an unknown
  ///   spatial reference.
  package func features(
    _ query: FeatureQuery, page: FeaturePage, fieldNames: [String] = [], hasGeometry: Bool = true,
    output: GeometryOutput
  ) async throws -> FeatureRows {
    try await fetch(query, page: page).chosen(
      query, page: page, fieldNames: fieldNames, hasGeometry: hasGeometry, output: output)
  }
}
