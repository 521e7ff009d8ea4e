import MapFilter
import MapGeometry
import MapSystem

/// The rows of a table that match a query, and their number.
extension InMemorySource {
  /// Returns the rows that match the query, using the index with exact tests at the edges, then filters over columns.
  ///
  /// - Throws: ``QueryConditionError`` for a filter that does not match the table, ``SpatialOperationError``.
  package func rows(_ query: FeatureQuery) throws -> RowSet {
    // Use the index first: filters then skip blocks of the table without candidates.
    var rows = try rows(meeting: query.envelopes)
    if let rectangle = query.rectangle { rows = try self.rows(rows, meeting: rectangle) }
    if let condition = query.geometry { rows.formIntersection(try self.rows(condition)) }
    if let ids = query.objectIDs {
      rows.formIntersection(ObjectIDs(table).rows(with: ids, rowCount: rowCount))
    }
    if !query.hiddenIDs.isEmpty {
      rows.subtract(ObjectIDs(table).rows(with: query.hiddenIDs, rowCount: rowCount))
    }
    for filter in query.filters { rows = try self.rows(passing: filter, at: query.now, among: rows) }
    return rows
  }

  private func rows(meeting envelopes: [Envelope]?) throws(SpatialOperationError) -> RowSet {
    // A table without geometry ignores envelopes, as in the ArcGIS Maps SDK.
    guard let envelopes, own != nil else { return RowSet(rowCount: rowCount, all: true) }
    var rows = RowSet(rowCount: rowCount)
    for other in others { rows.formUnion(try other.rows(meeting: envelopes)) }
    if let own = try indexedRows(meeting: envelopes) {
      rows.formUnion(own)
      return rows
    }
    for envelope in envelopes { rows.formUnion(try self.rows(SpatialCondition(meeting: envelope))) }
    return rows
  }

  /// Returns the rows that meet one of the envelopes; nil if one is not an envelope in the table's spatial reference.
  func indexedRows(meeting envelopes: [Envelope]) throws(SpatialOperationError) -> RowSet? {
    var words = RowSet(rowCount: rowCount).words
    for envelope in envelopes {
      guard let (asked, places) = try places(envelope) else { return nil }
      for place in places { asked.insertRows(meeting: place, into: &words) }
    }
    return RowSet(rowCount: rowCount, words: words)
  }

  /// Returns the number of rows that match the query; for a single envelope whole nodes of the index are counted at
  /// once.
  package func count(_ query: FeatureQuery) throws -> Int { try count(query, isOneOfMany: false) }

  /// Returns the number of matching rows for each query, using all cores.
  package func counts(_ queries: [FeatureQuery]) throws -> [Int] {
    // Envelopes differ in cost, so each core takes many small pieces.
    let pieces = queries.indices.pieces(of: max(1, queries.count / 128))
    return try concurrentMap(pieces.count) { piece in
      try pieces[piece].map { try count(queries[$0], isOneOfMany: queries.count > 1) }
    }.flatMap { $0 }
  }

  private func count(_ query: FeatureQuery, isOneOfMany: Bool) throws -> Int {
    guard others.isEmpty, query.objectIDs == nil, query.hiddenIDs.isEmpty, query.geometry == nil,
      query.rectangle == nil, let envelopes = query.envelopes,
      envelopes.count == 1, let (asked, places) = try places(envelopes[0]), places.count == 1
    else { return try rows(query).count }
    if query.filters.isEmpty { return asked.count(meeting: places[0], isOneOfMany: isOneOfMany) }
    let key = FilterCache.Key(query.filters, at: query.now)
    let passing = try asked.filtered.rows(key, isAskedOften: isOneOfMany) {
      var rows = RowSet(rowCount: rowCount, all: true)
      for filter in query.filters { rows = try self.rows(passing: filter, at: query.now, among: rows) }
      return asked.index.packed(rows.words)
    }
    guard let passing else { return try rows(query).count }
    return asked.index.count(meeting: places[0], of: asked.geometry, among: passing)
  }

  private func rows(
    passing filter: QueryFilter, at now: Instant?, among candidates: RowSet
  ) throws -> RowSet {
    let key = FilterCache.Key([filter], at: now)
    let known = used[key]
    if let rows = known?.rows { return rows.intersection(candidates) }
    let compiled =
      try known?.compiled ?? filter.compiled(for: table, at: now)
    var answers: [SpatialQuestion: RowSet] = [:]
    for question in compiled.spatialQuestions where answers[question] == nil {
      answers[question] = try rows(question)
    }
    // A filter that is used again for most of the table is evaluated for all of it, and then never again.
    let count = candidates.count
    let isWhole = count == rowCount || known != nil && count > rowCount / 2
    let rows = compiled.rows(in: table, among: isWhole ? nil : candidates, answers: answers)
    used.keep(UsedFilter(compiled: compiled, rows: isWhole ? rows : nil), for: key)
    return isWhole ? rows.intersection(candidates) : rows
  }
}
