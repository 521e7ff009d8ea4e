public import MapGeometry

/// Some rows of a table as a table of their own: what a table in cache mode has fetched.
///
/// Rows keep their numbers and ids, so that a selection outlives a new fill.
public struct RestrictedSource: FeatureSource {
  private let base: any FeatureSource
  /// The rows of the base table that are there.
  package let rows: RowSet
  /// The envelope of those rows.
  public let extent: Envelope
  /// The envelope of those rows in WGS 84 or Web Mercator.
  public let shownExtent: Envelope

  /// The rows given, of a table.
  ///
  /// - Cost: one pass over the rows for their extent.
  package init(_ base: any FeatureSource, rows: RowSet) async throws {
    (self.base, self.rows) = (base, rows)
    extent = Self.extent(of: rows, in: try await base.columns())
    shownExtent = Self.extent(of: rows, in: try await base.shownColumns())
  }

  private static func extent(of rows: RowSet, in table: FeatureColumns) -> Envelope {
    guard let geometry = table.geometry else { return .empty }
    return rows.reduce(Envelope.empty) { $0.union(geometry.envelope(ofRow: $1)) }
      .with(spatialReference: table.schema.spatialReference)
  }

  /// Fields, geometry kind and reference.
  public var schema: FeatureSchema { base.schema }
  /// Number of rows that are there.
  public var rowCount: Int { rows.count }
  /// What brings its geometries to other references.
  public var operations: SpatialOperations { base.operations }
  /// What reading lost or had to guess.
  public var warnings: [String] { base.warnings }
  /// The rows that are there and answer the query.
  public func rows(_ query: FeatureQuery) async throws -> RowSet {
    var found = try await base.rows(query)
    found.formIntersection(rows)
    return found
  }
  /// How many rows are there and answer the query.
  public func count(_ query: FeatureQuery) async throws -> Int { try await rows(query).count }
  /// The whole table; ``rows(_:)`` says which of it is there.
  public func columns() async throws -> FeatureColumns { try await base.columns() }
  /// The whole table as it is shown; ``rows(_:)`` says which of it is there.
  public func shownColumns() async throws -> FeatureColumns { try await base.shownColumns() }
}
