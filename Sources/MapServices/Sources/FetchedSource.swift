import MapFeatures
import MapFilter
import MapGeometry

/// The features that a service returned for a query.
struct Fetch: Sendable {
  /// The features.
  let table: InMemorySource
  /// The conditions that the features already satisfy, as evaluated by the service.
  let passed: FeatureQuery
  /// The envelopes of the original query, in the spatial reference of the map that asked.
  var asked: [Envelope] = []

  /// Whether the table contains every feature that matches the query.
  func holds(_ query: FeatureQuery) -> Bool {
    let asked = query.filters + query.filters.flatMap(\.conjuncts)
    guard passed.filters.allSatisfy({ asked.contains($0) }) else { return false }
    // A filter on the current time may give another answer at another time.
    if passed.filters.contains(where: \.needsCurrentTime), passed.now != query.now { return false }
    if passed.objectIDs != nil, passed.objectIDs != query.objectIDs { return false }
    if passed.geometry != nil, passed.geometry != query.geometry { return false }
    guard let around = passed.envelopes else { return true }
    return (query.envelopes ?? query.boxesAroundGeometry)?.allSatisfy { asked in
      // Coordinates are comparable only within one spatial reference.
      (around + self.asked).contains { $0.spatialReference == asked.spatialReference && $0.contains(asked) }
    } ?? false
  }

  /// Returns the query without the conditions that the service has evaluated, including single conditions of a filter.
  func rest(of query: FeatureQuery) -> FeatureQuery {
    let filters = query.filters.flatMap { filter -> [QueryFilter] in
      guard !passed.filters.contains(filter) else { return [] }
      let left = filter.conjuncts.filter { !passed.filters.contains($0) }
      return left.count < filter.conjuncts.count ? left : [filter]
    }
    return query.keeping(
      filters: filters, geometry: passed.geometry == nil,
      objectIDs: passed.objectIDs == nil, hiddenIDs: true)
  }

  /// Returns the number of matching features for each query; the table must hold every query.
  func counts(_ queries: [FeatureQuery]) throws -> [Int] { try table.counts(queries.map { rest(of: $0) }) }
}

/// A fetched table that answers its own query and narrower ones, and forwards wider queries to the service.
struct FetchedSource: FeatureSource {
  private let fetch: Fetch
  private let service: ServiceSource

  init(_ fetch: Fetch, of service: ServiceSource) { (self.fetch, self.service) = (fetch, service) }

  var schema: FeatureSchema { fetch.table.schema }
  var rowCount: Int { fetch.table.rowCount }
  var extent: Envelope { service.extent }
  var shownExtent: Envelope { service.shownExtent }
  var worldsReached: ClosedRange<Int> { service.worldsReached }
  var warnings: [String] { service.warnings }
  var isExact: Bool { service.isExact }
  var metadata: SourceMetadata { service.metadata }
  var operations: SpatialOperations { fetch.table.operations }
  func columns() -> FeatureColumns { fetch.table.columns() }
  func shownColumns(on map: SpatialReference) throws -> FeatureColumns {
    try fetch.table.shownColumns(on: map)
  }

  /// Returns the rows that match the query.
  ///
  /// - Throws: `NotFetched` for a query that reaches beyond the fetched features.
  func rows(_ query: FeatureQuery) throws -> RowSet {
    guard fetch.holds(query) else { throw NotFetched() }
    return try fetch.table.rows(fetch.rest(of: query))
  }

  /// Returns the number of matching features; asks the service if the query reaches beyond the fetched features.
  func count(_ query: FeatureQuery) async throws -> Int {
    fetch.holds(query) ? try fetch.table.count(fetch.rest(of: query)) : try await service.count(query)
  }

  func counts(_ queries: [FeatureQuery]) async throws -> [Int] {
    queries.allSatisfy { fetch.holds($0) } ? try fetch.counts(queries) : try await service.counts(queries)
  }

  func fetched(for query: FeatureQuery) async throws -> any FeatureSource {
    fetch.holds(query) ? self : try await service.fetched(for: query)
  }

  /// The error for a query that reaches beyond the fetched features, whose local answer would be incomplete.
  private struct NotFetched: Error, CustomStringConvertible {
    var description: String { "the query reaches beyond the features that were fetched" }
  }
}

extension FeatureQuery {
  /// Whether the query cannot match any feature, for instance because of a hidden layer's filter.
  var selectsNothing: Bool {
    filters.contains { $0.expression == .literal(.boolean(false)) } || envelopes?.isEmpty == true
      || objectIDs?.isEmpty == true
  }

  /// Boxes that every feature matching the query's geometry must meet; nil if features elsewhere may match too.
  var boxesAroundGeometry: [Envelope]? {
    switch geometry?.relationship {
    case .equals, .intersects, .touches, .crosses, .within, .contains, .overlaps, .envelopeIntersects,
      .indexIntersects:
      geometry?.geometry.geometry.extent.splitAtAntimeridian()
    case .disjoint, .relate, nil: nil
    }
  }

  /// Creates a query that covers queries that differ only in their envelopes: its envelope is the union of theirs.
  ///
  /// Nil if the queries differ in anything else.
  init?(around queries: [FeatureQuery]) {
    guard let first = queries.first else { return nil }
    var box = Envelope.empty
    for query in queries {
      guard query.asked(in: []) == first.asked(in: []), let envelopes = query.envelopes else { return nil }
      for envelope in envelopes {
        guard envelope.spatialReference == first.envelopes?.first?.spatialReference else { return nil }
        box = box.union(envelope)
      }
    }
    self = first.asked(in: [box.with(spatialReference: first.envelopes?.first?.spatialReference)])
  }
}
