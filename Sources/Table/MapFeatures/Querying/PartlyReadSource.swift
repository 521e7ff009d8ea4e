import MapGeometry
internal import Synchronization

/// A table whose index answers questions about small extents; the first other question reads all rows, once.
///
/// The answers are those of the whole table, in the same order and with the same ids. Rows that are not read cause no
/// warnings and no errors.
package final class PartlyReadSource: FeatureSource {
  private struct State: Sendable {
    var whole: InMemorySource?
    /// The rows of the latest question.
    var latest: FetchedFeatures?
    var warnings: [String] = []
  }

  private let file: any IndexedTable
  /// The table without rows, which knows the boxes of a question.
  private let empty: InMemorySource
  package let operations: SpatialOperations
  private let state = Mutex(State())

  /// Creates a source; nil for a table whose coordinates are not those of an extent.
  package init?(_ file: any IndexedTable, operations: SpatialOperations) {
    guard let reference = file.schema.spatialReference, reference.isBuiltIn, !file.extent.isEmpty else {
      return nil
    }
    (self.file, self.operations) = (file, operations)
    empty = InMemorySource(
      FeatureColumns(joining: [], schema: file.schema), of: file.extent)
  }

  package var schema: FeatureSchema { file.schema }

  package var metadata: SourceMetadata {
    let state = state.withLock { $0 }
    if let whole = state.whole { return whole.metadata }
    var metadata = SourceMetadata()
    (metadata.rowCount, metadata.extent, metadata.shownExtent) = (file.rowCount, file.extent, file.extent)
    metadata.worldsReached = empty.worldsReached
    metadata.warnings = file.warnings + state.warnings.filter { !file.warnings.contains($0) }
    return metadata
  }

  /// The table, after a question has read all rows.
  package var inMemory: InMemorySource? { state.withLock { $0.whole } }

  /// The table, if its rows are read in pieces, as long as no question has read all of them.
  package var pieces: (any PiecewiseTable)? { inMemory == nil ? file as? any PiecewiseTable : nil }

  /// Returns the rows of a piece as a table that answers as the whole table does.
  package func rows(ofPiece index: Int, in pieces: any PiecewiseTable) throws -> InMemorySource {
    InMemorySource(try pieces.rows(ofPiece: index), of: file.extent).using(operations)
  }

  /// Returns all rows, read at the first call and kept.
  package func all() throws -> InMemorySource { try all(noting: []) }

  /// Returns all rows, with warnings if they are read now.
  private func all(noting warnings: [String]) throws -> InMemorySource {
    if let whole = inMemory { return whole }
    let read = try file.whole().adding(warnings)
    return state.withLock { state in
      // The first reading to finish is kept.
      let whole = state.whole ?? read
      (state.whole, state.latest) = (whole, nil)
      return whole
    }
  }

  package func count(_ query: FeatureQuery) async throws -> Int {
    if inMemory == nil, query.hasOnlyEnvelopes {
      guard query.envelopes != nil else { return file.rowCount }
      if let boxes = try empty.boxes(of: query), let count = try count(query, in: boxes) { return count }
    }
    let fetched = try await fetch(query)
    return try fetched.inMemory?.count(query) ?? fetched.rows(query).count
  }

  /// Returns the number of rows in the boxes of a query; nil if more than a few rows must be read for it.
  private func count(_ query: FeatureQuery, in boxes: [Envelope]) throws -> Int? {
    let count: IndexedCount?
    // A question for the rows reports the fault.
    do { count = try file.count(meeting: boxes) } catch is IndexFault { return nil }
    guard let count, let rows = count.undecided else { return count?.decided }
    return try count.decided + InMemorySource(rows, of: file.extent).using(operations).count(query)
  }

  package func counts(_ queries: [FeatureQuery]) async throws -> [Int] {
    guard queries.count == 1 else { return try all().counts(queries) }
    return [try await count(queries[0])]
  }

  package func fetch(_ query: FeatureQuery?, page: FeaturePage) async throws -> FetchedFeatures {
    let (whole, latest) = state.withLock { ($0.whole, $0.latest) }
    if let whole { return FetchedFeatures(whole) }
    guard let query else { return FetchedFeatures(try all()) }
    if let latest, latest.holds(query) { return latest.of(self) }
    let boxes = try empty.boxes(of: query)
    let conditions = query.filters.flatMap(\.conjuncts).compactMap { FieldCondition($0) }
    guard boxes != nil || query.envelopes == nil && !conditions.isEmpty else {
      return FetchedFeatures(try all())
    }
    let read: FeatureColumns?
    do { read = try file.rows(meeting: boxes, where: conditions) } catch is IndexFault {
      return FetchedFeatures(
        try all(noting: [
          "its spatial index cannot be read or does not fit its features, so all of them were read; write the file again"
        ]))
    }
    guard var rows = read else { return FetchedFeatures(try all()) }
    var table = InMemorySource(rows, of: file.extent).using(operations)
    // Rows that the conditions exclude were not read, so the others are only those for the same filters.
    let filters = conditions.isEmpty ? [] : query.filters
    if !filters.isEmpty {
      let passing = try table.rows(
        query.keeping(filters: filters, envelopes: false, geometry: false, objectIDs: false))
      rows = rows.rows(Array(passing))
      table = InMemorySource(rows, of: file.extent).using(operations)
    }
    let fetched = FetchedFeatures(
      table, passed: query.keeping(filters: filters, geometry: false, objectIDs: false))
    state.withLock { state in
      state.latest = fetched
      for warning in rows.warnings where !state.warnings.contains(warning) { state.warnings.append(warning) }
    }
    return fetched.of(self)
  }
}

extension FeatureQuery {
  /// Whether the query has no condition besides envelopes.
  fileprivate var hasOnlyEnvelopes: Bool {
    filters.isEmpty && rectangle == nil && geometry == nil && objectIDs == nil && hiddenIDs.isEmpty
  }
}

extension InMemorySource {
  /// Returns the boxes of a query's envelopes in the table's own coordinates, once per world copy.
  ///
  /// Nil without envelopes, and for one that is not an envelope in these coordinates.
  fileprivate func boxes(of query: FeatureQuery) throws -> [Envelope]? {
    guard let envelopes = query.envelopes, let own = schema.spatialReference else { return nil }
    var boxes: [Envelope] = []
    for envelope in envelopes {
      guard own.shown(on: envelope.spatialReference ?? own) == own, let places = try places(envelope) else {
        return nil
      }
      boxes += places.1
    }
    // The two halves of an envelope across the antimeridian both add it.
    return boxes.indices.filter { index in
      !boxes.indices.contains { other in
        other != index && boxes[other].contains(boxes[index])
          && (other < index || boxes[other] != boxes[index])
      }
    }.map { boxes[$0] }
  }
}
