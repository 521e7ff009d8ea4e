import MapFeatures
import MapGeometry
import MapServices
import Synchronization
import Testing

/// A service layer backed by an in-memory table, which can answer some conditions and counts its requests.
final class LocalLayer: ServiceLayer {
  struct Asked: Sendable, Equatable {
    var counts = 0
    var features = 0
    var rows = 0
    var statistics = 0
  }

  private let table: InMemorySource
  private let canFilter: @Sendable (QueryFilter) -> Bool
  private let canLocate: Bool
  private let canSummarize: Bool
  /// Whether it matches more than it should, like a database with case-insensitive text.
  private let isLax: Bool
  private let state = Mutex(Asked())

  init(
    _ table: InMemorySource, canLocate: Bool = true, canSummarize: Bool = true, isLax: Bool = false,
    canFilter: @escaping @Sendable (QueryFilter) -> Bool = { _ in true }
  ) {
    (self.table, self.canFilter, self.canLocate) = (table, canFilter, canLocate)
    (self.canSummarize, self.isLax) = (canSummarize, isLax)
  }

  var asked: Asked { state.withLock { $0 } }
  var schema: FeatureSchema { table.schema }
  var statedExtent: Envelope? { table.extent }
  var metadata: SourceMetadata { SourceMetadata() }
  var notices: [String] { [] }

  func pushable(_ query: FeatureQuery) -> FeatureQuery {
    // Like an ArcGIS service, it takes the conditions of a filter that it supports.
    let filters = query.filters.flatMap { canFilter($0) ? [$0] : $0.conjuncts.filter(canFilter) }
    return query.keeping(filters: filters, envelopes: canLocate, geometry: canLocate)
  }

  private func rows(_ query: FeatureQuery) throws -> RowSet {
    #expect(pushable(query) == query)
    return try table.rows(isLax ? query.keeping(filters: []) : query)
  }

  func count(_ query: FeatureQuery) async throws -> Int {
    state.withLock { $0.counts += 1 }
    return try rows(query).count
  }

  func features(_ query: FeatureQuery) async throws -> FeatureColumns {
    let found = table.columns().rows(Array(try rows(query)))
    state.withLock {
      $0.features += 1
      $0.rows += found.rowCount
    }
    return found
  }

  func statistics(_ statistics: StatisticsQuery, of query: FeatureQuery) async throws -> StatisticsTable? {
    guard canSummarize else { return nil }
    state.withLock { $0.statistics += 1 }
    return try StatisticsTable(statistics, of: table.columns(), rows: rows(query))
  }
}
