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
