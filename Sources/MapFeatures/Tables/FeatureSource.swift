public import MapGeometry

/// The protocol of all tables: their structure, and the rows that match a query.
///
/// A source returns the complete answer or throws; it never returns a part of the rows.
public protocol FeatureSource: Sendable {
  /// The fields, geometry kind and spatial reference.
  var schema: FeatureSchema { get }
  /// The number of rows.
  var rowCount: Int { get }
  /// The envelope of all rows in the source's spatial reference; empty without rows.
  var extent: Envelope { get }
  /// The world copies that contain rows, where -180° to 180° is 0; by default those of ``shownExtent``.
  var worldsReached: ClosedRange<Int> { get }
  /// Warnings about losses and assumptions while reading.
  var warnings: [String] { get }
  /// Whether the source's answers are exact.
  ///
  /// False for a source that is known to lack features, and after a service's filter has returned features that
  /// MapState's rules reject.
  var isExact: Bool { get }
  /// The properties of the source besides its fields, as it declares them.
  var metadata: SourceMetadata { get }

  /// Returns the rows that match the query.
  ///
  /// - Throws: ``SpatialOperationError``.
  func rows(_ query: FeatureQuery) async throws -> RowSet
  /// Returns the number of rows that match the query, as in ``rows(_:)``.
  func count(_ query: FeatureQuery) async throws -> Int
  /// Returns the number of matching rows for each query, as ``count(_:)`` would.
  func counts(_ queries: [FeatureQuery]) async throws -> [Int]
  /// Returns the table in memory, in its own spatial reference.
  func columns() async throws -> FeatureColumns
  /// Returns the table with its geometries as a map in a spatial reference shows them, see
  /// ``SpatialReference/shown(on:)``.
  ///
  /// - Throws: ``SpatialOperationError``.
  func shownColumns(on map: SpatialReference) async throws -> FeatureColumns
  /// The envelope of all rows in WGS 84 or Web Mercator; empty without rows.
  var shownExtent: Envelope { get }
  /// The operations that project geometries to other spatial references.
  var operations: SpatialOperations { get }
  /// Returns statistics of the rows that match a query.
  ///
  /// - Throws: ``StatisticsError``, ``SpatialOperationError``, ``QueryConditionError``.
  func statistics(_ statistics: StatisticsQuery, of query: FeatureQuery) async throws -> StatisticsTable
  /// Returns a page of the features that match a query, with some fields.
  ///
  /// - Throws: `FilterError` for an unknown field, ``SpatialOperationError``, ``QueryConditionError``.
  func features(
    _ query: FeatureQuery, page: FeaturePage, fieldNames: [String], hasGeometry: Bool
  ) async throws -> FeatureRows
  /// Returns a source with fixed rows that answers this query, and others if it can.
  ///
  /// It is the source itself for a table in memory, and the fetched rows for a service.
  func fetched(for query: FeatureQuery) async throws -> any FeatureSource
  /// Returns a source that answers one page of a query, for which a service may send only that page.
  func fetched(for query: FeatureQuery, page: FeaturePage) async throws -> any FeatureSource
  /// The table, if all rows of the source are in memory; nil for a service, by default.
  var inMemory: InMemorySource? { get }
  /// The source without a cache: every query is sent to the service again. The source itself for a table in memory.
  var askedEveryTime: any FeatureSource { get }
}

extension FeatureSource {
  /// Returns the table with its geometries in WGS 84 or Web Mercator, for output.
  public func shownColumns() async throws -> FeatureColumns { try await shownColumns(on: .webMercator) }
  /// Nil by default.
  public var inMemory: InMemorySource? { nil }
  /// True by default, for a table in memory.
  public var isExact: Bool { true }
  /// Empty by default.
  public var metadata: SourceMetadata { SourceMetadata() }
  /// Returns the source itself by default, for a table in memory.
  public func fetched(for query: FeatureQuery) async throws -> any FeatureSource { self }
  /// Returns the source of the whole answer by default.
  public func fetched(for query: FeatureQuery, page: FeaturePage) async throws -> any FeatureSource {
    try await fetched(for: query)
  }
  /// The source itself by default, for a table in memory.
  public var askedEveryTime: any FeatureSource { self }
  /// The extent by default, for a source in WGS 84 or Web Mercator.
  public var shownExtent: Envelope { extent }
  /// The built-in operations by default: WGS 84 and Web Mercator.
  public var operations: SpatialOperations { .builtIn }
}

extension FeatureSource {
  /// The world copies that ``shownExtent`` reaches, by default.
  public var worldsReached: ClosedRange<Int> { shownExtent.worldsReached }

  /// Returns the number of matching rows for each query, one after the other.
  public func counts(_ queries: [FeatureQuery]) async throws -> [Int] {
    var counts: [Int] = []
    for query in queries { counts.append(try await count(query)) }
    return counts
  }

  /// Returns statistics of the rows, computed locally.
  public func statistics(_ statistics: StatisticsQuery, of query: FeatureQuery) async throws
    -> StatisticsTable
  {
    let source = try await fetched(for: query)
    return try StatisticsTable(
      statistics, of: try await source.columns(), rows: try await source.rows(query))
  }

  /// Returns a page of the matching rows.
  public func features(
    _ query: FeatureQuery, page: FeaturePage, fieldNames: [String], hasGeometry: Bool
  ) async throws -> FeatureRows {
    let source = try await fetched(for: query, page: page)
    let table = try await source.shownColumns()
    return try FeatureRows(
      table, rows: try page.rows(try await source.rows(query), of: table), fieldNames: fieldNames,
      hasGeometry: hasGeometry)
  }
}
