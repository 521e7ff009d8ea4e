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
  /// What reading lost or had to guess.
  var warnings: [String] { get }

  /// The rows that answer the query.
  ///
  /// - Throws: ``FeatureQueryError``.
  func rows(_ query: FeatureQuery) async throws -> RowSet
  /// How many rows answer the query: the size of what ``rows(_:)`` gives.
  func count(_ query: FeatureQuery) async throws -> Int
  /// The table in memory, for drawing.
  func columns() async throws -> FeatureColumns
}

extension FeatureSource {
  /// Figures over the rows that answer a query.
  ///
  /// - Throws: ``StatisticsError``, ``FeatureQueryError``, ``QueryConditionError``.
  public func statistics(_ statistics: StatisticsQuery, of query: FeatureQuery) async throws
    -> StatisticsTable
  {
    try await StatisticsTable(statistics, of: try await columns(), rows: try await rows(query))
  }

  /// The features that answer a query: a page of them, with some fields.
  ///
  /// - Throws: `FilterError` for a field that is not there, ``FeatureQueryError``, ``QueryConditionError``.
  public func features(
    _ query: FeatureQuery, page: FeaturePage, fieldNames: [String] = [], hasGeometry: Bool = true
  ) async throws -> FeatureRows {
    let table = try await columns()
    return try FeatureRows(
      table, rows: try page.rows(try await rows(query), of: table), fieldNames: fieldNames,
      hasGeometry: hasGeometry)
  }
}

/// A query that a source cannot answer.
public enum FeatureQueryError: Error, Hashable, CustomStringConvertible {
  /// An envelope in a reference that cannot be brought to the table's without PROJ.
  case unsupportedReference(SpatialReference)

  /// One line for people.
  public var description: String {
    switch self {
    case .unsupportedReference(let reference):
      "an envelope in EPSG:\(reference.wkid) is not supported; use 4326 or 3857"
    }
  }
}
