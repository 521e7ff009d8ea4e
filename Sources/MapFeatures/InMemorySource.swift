import MapFilter
import MapFilter
public import MapGeometry

/// A table in memory with a spatial index: the reference behaviour of every source.
public struct InMemorySource: FeatureSource {
  private let table: FeatureColumns
  private let index: PackedRTree?
  /// The envelope of all rows.
  public let extent: Envelope

  /// Indexes a table.
  ///
  /// - Cost: one sort of the rows by place.
  public init(_ table: FeatureColumns) {
    self.table = table
    index = table.geometry.map { PackedRTree(of: $0) }
    extent = (index?.extent ?? .empty).with(spatialReference: table.schema.spatialReference)
  }

  /// Fields, geometry kind and reference.
  public var schema: FeatureSchema { table.schema }
  /// Number of rows, those without geometry included.
  public var rowCount: Int { table.rowCount }
  /// What reading lost or had to guess.
  public var warnings: [String] { table.warnings }
  /// The table itself.
  public func columns() -> FeatureColumns { table }

  /// The rows that answer the query: the envelopes by index and an exact test at the edge, then filters over columns.
  ///
  /// - Throws: ``QueryConditionError`` for a filter that does not fit the table, ``FeatureQueryError``.
  public func rows(_ query: FeatureQuery) throws -> RowSet {
    // The index first: filters then pass over the stretches of the table that lie elsewhere.
    var rows = try rows(meeting: query.envelopes)
    if let ids = query.objectIDs {
      rows.formIntersection(ObjectIDs(table).rows(with: ids, rowCount: rowCount))
    }
    for filter in query.filters { rows = try self.rows(passing: filter, at: query.now, among: rows) }
    return rows
  }

  private func rows(meeting envelopes: [Envelope]?) throws(FeatureQueryError) -> RowSet {
    // A table without geometry ignores where the caller looks, as in the ArcGIS Maps SDK.
    guard let envelopes, let geometry = table.geometry, let index else {
      return RowSet(rowCount: rowCount, all: true)
    }
    var words = RowSet(rowCount: rowCount).words
    for envelope in try inTableReference(envelopes) {
      index.insertRows(meeting: envelope, of: geometry, into: &words)
    }
    return RowSet(rowCount: rowCount, words: words)
  }

  /// How many rows answer the query; one envelope without a filter is counted in the index, whole nodes at once.
  public func count(_ query: FeatureQuery) throws -> Int {
    if query.filters.isEmpty, query.objectIDs == nil, let envelopes = query.envelopes, envelopes.count == 1,
      let geometry = table.geometry, let index
    {
      return index.count(meeting: try inTableReference(envelopes)[0], of: geometry)
    }
    return try rows(query).count
  }

  private func rows(
    passing filter: QueryFilter, at now: Instant?, among candidates: RowSet
  ) throws(QueryConditionError) -> RowSet {
    do {
      return try CompiledFilter(filter.expression, for: table, now: now, places: filter.places)
        .rows(in: table, among: candidates)
    } catch {
      throw QueryConditionError(kind: filter.kind, text: filter.text, cause: .meaning(error))
    }
  }

  private func inTableReference(_ envelopes: [Envelope]) throws(FeatureQueryError) -> [Envelope] {
    guard let reference = schema.spatialReference else { return envelopes }
    var result: [Envelope] = []
    for envelope in envelopes {
      guard let own = envelope.spatialReference, own != reference else {
        result.append(envelope)
        continue
      }
      guard let projected = envelope.projected(to: reference) else {
        throw .unsupportedReference(own)
      }
      result.append(projected)
    }
    return result
  }
}
