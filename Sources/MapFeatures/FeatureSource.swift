public import MapGeometry

/// The protocol under every table: what it is, and which of its rows answer a query.
///
/// A source answers the question asked, whole, or throws: never a part of the rows.
public protocol FeatureSource: Sendable {
  /// Fields, geometry kind and reference.
  var schema: FeatureSchema { get }
  /// Number of rows.
  var rowCount: Int { get }
  /// The envelope of all rows in the source's reference; empty when there are none.
  var extent: Envelope { get }
  /// Which worlds the rows lie in, the one from -180° to 180° being 0; those of ``shownExtent`` unless a source says else.
  var worldsReached: ClosedRange<Int> { get }
  /// What reading lost or had to guess.
  var warnings: [String] { get }
  /// False for a source that is known to lack features, and once it was seen to let through a filter what the rules of
  /// this project would not.
  var isExact: Bool { get }
  /// What the source says of itself beside its fields.
  var metadata: SourceMetadata { get }

  /// The rows that answer the query.
  ///
  /// - Throws: ``SpatialOperationError``.
  func rows(_ query: FeatureQuery) async throws -> RowSet
  /// How many rows answer the query: the size of what ``rows(_:)`` gives.
  func count(_ query: FeatureQuery) async throws -> Int
  /// How many rows answer each of some queries, as ``count(_:)`` would say one after the other.
  func counts(_ queries: [FeatureQuery]) async throws -> [Int]
  /// The table in memory, in its own reference.
  func columns() async throws -> FeatureColumns
  /// The table with its geometries as a map in a reference shows them, see ``SpatialReference/shown(on:)``.
  ///
  /// - Throws: ``SpatialOperationError``.
  func shownColumns(on map: SpatialReference) async throws -> FeatureColumns
  /// The envelope of all rows in WGS 84 or Web Mercator; empty when there are none.
  var shownExtent: Envelope { get }
  /// What brings its geometries to other references.
  var operations: SpatialOperations { get }
  /// Figures over the rows that answer a query.
  ///
  /// - Throws: ``StatisticsError``, ``SpatialOperationError``, ``QueryConditionError``.
  func statistics(_ statistics: StatisticsQuery, of query: FeatureQuery) async throws -> StatisticsTable
  /// The features that answer a query: a page of them, with some fields.
  ///
  /// - Throws: `FilterError` for a field that is not there, ``SpatialOperationError``, ``QueryConditionError``.
  func features(
    _ query: FeatureQuery, page: FeaturePage, fieldNames: [String], hasGeometry: Bool
  ) async throws -> FeatureRows
  /// A source at hand, of rows that do not change, that answers this query, and others where it can: itself for a table
  /// in memory, what was fetched for one of a service.
  func fetched(for query: FeatureQuery) async throws -> any FeatureSource
  /// The same for a page of the answer alone, of which a service may send no more.
  func fetched(for query: FeatureQuery, page: FeaturePage) async throws -> any FeatureSource
  /// The same source without a memory: every question is asked of the service anew. Itself for a table in memory.
  var askedEveryTime: any FeatureSource { get }
}

extension FeatureSource {
  /// The table with its geometries in WGS 84 or Web Mercator, for output.
  public func shownColumns() async throws -> FeatureColumns { try await shownColumns(on: .webMercator) }
  /// True, for a table in memory.
  public var isExact: Bool { true }
  /// Nothing.
  public var metadata: SourceMetadata { SourceMetadata() }
  /// The source itself, for a table in memory.
  public func fetched(for query: FeatureQuery) async throws -> any FeatureSource { self }
  /// What holds the whole answer.
  public func fetched(for query: FeatureQuery, page: FeaturePage) async throws -> any FeatureSource {
    try await fetched(for: query)
  }
  /// The source itself, for a table in memory.
  public var askedEveryTime: any FeatureSource { self }
  /// The extent itself, for a source in WGS 84 or Web Mercator.
  public var shownExtent: Envelope { extent }
  /// What is built in: WGS 84 and Web Mercator.
  public var operations: SpatialOperations { .builtIn }
}

extension FeatureSource {
  /// The worlds that ``shownExtent`` reaches into.
  public var worldsReached: ClosedRange<Int> { shownExtent.worldsReached }

  /// How many rows answer each of some queries, one after the other.
  public func counts(_ queries: [FeatureQuery]) async throws -> [Int] {
    var counts: [Int] = []
    for query in queries { counts.append(try await count(query)) }
    return counts
  }

  /// Figures over the rows, worked out here.
  public func statistics(_ statistics: StatisticsQuery, of query: FeatureQuery) async throws
    -> StatisticsTable
  {
    let source = try await fetched(for: query)
    return try StatisticsTable(
      statistics, of: try await source.columns(), rows: try await source.rows(query))
  }

  /// A page of the rows that answer.
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
