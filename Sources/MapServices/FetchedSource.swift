import MapFeatures
import MapFilter
import MapGeometry

/// The features that a service gave for a query.
struct Fetch: Sendable {
  /// The features.
  let table: InMemorySource
  /// The conditions that they pass already, by the service's own answer.
  let passed: FeatureQuery
  /// Where the query looked, which a map in a reference of its own says in that.
  var asked: [Envelope] = []

  /// True when every feature that answers the query is here.
  func holds(_ query: FeatureQuery) -> Bool {
    let asked = query.filters + query.filters.flatMap(\.conjuncts)
    guard passed.filters.allSatisfy({ asked.contains($0) }) else { return false }
    // Another moment may have another answer.
    if passed.filters.contains(where: \.needsCurrentTime), passed.now != query.now { return false }
    if passed.objectIDs != nil, passed.objectIDs != query.objectIDs { return false }
    if passed.geometry != nil, passed.geometry != query.geometry { return false }
    guard let around = passed.envelopes else { return true }
    return (query.envelopes ?? query.boxesAroundGeometry)?.allSatisfy { asked in
      // The numbers of one reference say nothing in another.
      (around + self.asked).contains { $0.spatialReference == asked.spatialReference && $0.contains(asked) }
    } ?? false
  }

  /// The query without what the service has decided, of a filter also the conditions that it has.
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

  /// How many features answer each of some queries that are held.
  func counts(_ queries: [FeatureQuery]) throws -> [Int] { try table.counts(queries.map { rest(of: $0) }) }
}

/// What was fetched as a table at hand: for that query and all narrower ones; wider ones are asked of the service.
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

  /// The rows that answer.
  ///
  /// - Throws: ``ServiceError`` for a query that reaches beyond what was fetched.
  func rows(_ query: FeatureQuery) throws -> RowSet {
    guard fetch.holds(query) else { throw NotFetched() }
    return try fetch.table.rows(fetch.rest(of: query))
  }

  /// How many features answer; what reaches beyond what was fetched is asked of the service.
  func count(_ query: FeatureQuery) async throws -> Int {
    fetch.holds(query) ? try fetch.table.count(fetch.rest(of: query)) : try await service.count(query)
  }

  func counts(_ queries: [FeatureQuery]) async throws -> [Int] {
    queries.allSatisfy { fetch.holds($0) } ? try fetch.counts(queries) : try await service.counts(queries)
  }

  func fetched(for query: FeatureQuery) async throws -> any FeatureSource {
    fetch.holds(query) ? self : try await service.fetched(for: query)
  }

  /// A question for features that are not at hand, which would be a part of the answer.
  private struct NotFetched: Error, CustomStringConvertible {
    var description: String { "asked for features beyond those that were fetched" }
  }
}

extension FeatureQuery {
  /// True for one with a filter that nothing passes, such as that of a hidden layer.
  var selectsNothing: Bool {
    filters.contains { $0.expression == .literal(.boolean(false)) } || envelopes?.isEmpty == true
      || objectIDs?.isEmpty == true
  }

  /// The boxes that every feature meets which lies to the query's geometry as it asks; nil where features elsewhere may.
  var boxesAroundGeometry: [Envelope]? {
    switch geometry?.relationship {
    case .equals, .intersects, .touches, .crosses, .within, .contains, .overlaps, .envelopeIntersects,
      .indexIntersects:
      geometry?.geometry.geometry.extent.splitAtAntimeridian()
    case .disjoint, .relate, nil: nil
    }
  }

  /// What holds all answers of queries that differ in place alone: the box around their places; nil for other queries.
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
