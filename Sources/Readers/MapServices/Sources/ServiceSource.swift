package import MapFeatures
import MapFilter
import MapGeometry
import Synchronization

/// The table of a service's layer: the service evaluates what it can answer exactly, the rest is evaluated locally.
///
/// The service applies its own rules, such as its database's comparison of text; local evaluation applies MapState's.
/// An image and the counts beside it come from one fetch, so that they agree.
package final class ServiceSource: FeatureSource {
  private struct State: Sendable {
    /// The whole table, once it has been needed.
    var whole: FetchedFeatures?
    /// The latest fetches, the newest last.
    var fetched: [FetchedFeatures] = []
    /// The latest numbers that the service counted, the newest last.
    var counted: [(query: FeatureQuery, count: Int)] = []
    /// The latest groups of points, the newest last.
    var grouped: [(query: FeatureQuery, groups: PointGroups, points: GroupedPoints)] = []
    var notices: [String] = []
    /// Whether a service's filter has returned features that the local filter would reject.
    var hasOtherRules = false
  }

  private let layer: any ServiceLayer
  private let everything: FeatureQuery
  private let state: Mutex<State>
  /// Whether earlier fetches answer queries that they cover completely.
  private let keepsFetched: Bool
  /// The maximum number of fetches kept, and of counts.
  ///
  /// - Source: design decision; one or two views and the queries made beside them.
  private static let keptFetches = 4
  /// The minimum number of queries that are counted by one fetch of the area around them all.
  ///
  /// - Source: design decision.
  private static let manyEnvelopes = 8

  /// The properties when the table was opened: those of the layer, the number of its features, and the extent that
  /// the service states or else that of all features.
  private let opened: SourceMetadata
  /// The operations that project geometries to other spatial references.
  package let operations: SpatialOperations
  /// The domains of fields that replace those of the service, by their names in lower case.
  private let domains: [String: FieldDomain]
  /// The fields, geometry kind and spatial reference.
  package let schema: FeatureSchema

  /// Opens a layer: asks the service for the feature count, or for all features if it states no extent.
  ///
  /// - Throws: ``ServiceError``, `SpatialOperationError` for a spatial reference that cannot be shown.
  package init(_ layer: any ServiceLayer, operations: SpatialOperations) async throws {
    (self.layer, self.operations, keepsFetched) = (layer, operations, true)
    (domains, schema) = ([:], layer.schema)
    everything = try QueryConditions().query(for: .query)
    var (opened, state) = (layer.metadata, State())
    if layer.schema.geometryKind != nil, layer.statedExtent == nil {
      let table = try InMemorySource(try await layer.features(everything), operations: operations)
      (opened.rowCount, opened.extent, opened.shownExtent) = (table.rowCount, table.extent, table.shownExtent)
      state.whole = FetchedFeatures(table, passed: everything)
    } else {
      opened.rowCount = try await layer.count(everything)
      opened.extent = layer.statedExtent ?? .empty
      // Projects the stated extent alone to the spatial reference of views.
      let frame = try InMemorySource(layer.schema.frame(opened.extent), operations: operations)
      opened.shownExtent = frame.shownExtent
    }
    opened.worldsReached = opened.shownExtent.worldsReached
    self.opened = opened
    self.state = Mutex(state)
  }

  private init(askingEveryTime other: ServiceSource) {
    (layer, operations, everything, keepsFetched) = (other.layer, other.operations, other.everything, false)
    (opened, domains, schema) = (other.opened, other.domains, other.schema)
    state = Mutex(State())
  }

  private init(_ other: ServiceSource, domains: [String: FieldDomain]) {
    (layer, operations, everything, keepsFetched) = (other.layer, other.operations, other.everything, true)
    (opened, self.domains) = (other.opened, domains)
    schema = FeatureColumns(joining: [], schema: other.schema).with(domains: domains, replacing: true).schema
    var state = State()
    state.whole = other.state.withLock { $0.whole }.map { whole in
      FetchedFeatures(whole.table.with(domains: domains, replacing: true), passed: other.everything)
    }
    self.state = Mutex(state)
  }

  /// Returns the same table with other domains of some fields, by their names in lower case, such as those of a subtype.
  package func with(domains: [String: FieldDomain]) -> ServiceSource { ServiceSource(self, domains: domains) }

  /// Returns a table in memory of fetched features.
  private func table(of features: FeatureColumns) throws -> InMemorySource {
    let described = domains.isEmpty ? features : features.with(domains: domains, replacing: true)
    return try InMemorySource(described, operations: operations)
  }

  /// The same table without a cache: every query is sent to the service again.
  ///
  /// Only the whole table is kept, because its rows must keep their numbers.
  package var askedEveryTime: any FeatureSource { ServiceSource(askingEveryTime: self) }

  /// The properties of the layer besides its fields, as the service declares them, with warnings about conditions
  /// evaluated locally and about losses.
  ///
  /// It is exact if counts are verified and no service's filter has returned features that the local filter rejects.
  package var metadata: SourceMetadata {
    var metadata = opened
    state.withLock { state in
      metadata.warnings = layer.notices + state.notices
      metadata.inexactReason =
        state.hasOtherRules
        ? "the service's filter returned features that MapState's rules reject"
        : layer.canVerifyCounts ? nil : "the service does not state the number of its features"
    }
    return metadata
  }

  // MARK: Answers

  /// Returns the number of matching features: from an earlier fetch, from the service, or from a new fetch.
  package func count(_ query: FeatureQuery) async throws -> Int {
    if let kept = kept(for: query) { return try await kept.count(query) }
    let pushed = pushable(query)
    guard pushed == query, layer.answersExactly(pushed) else { return try await fetch(query).count(query) }
    // The images of a series have the same numbers of all features and of those of the definition expression.
    if keepsFetched, let known = state.withLock({ $0.counted.last { $0.query.hasAnswer(of: query) } }) {
      return known.count
    }
    let count = try await layer.count(query)
    state.withLock { state in
      state.counted.append((query, count))
      if state.counted.count > Self.keptFetches { state.counted.removeFirst() }
    }
    return count
  }

  /// Returns the number of matching features for each query.
  ///
  /// If eight or more queries differ only in their envelopes, the features around them all are fetched once.
  package func counts(_ queries: [FeatureQuery]) async throws -> [Int] {
    if queries.count >= Self.manyEnvelopes, let around = FeatureQuery(around: queries) {
      return try await fetch(around).counts(queries)
    }
    var counts: [Int] = []
    for query in queries { counts.append(try await count(query)) }
    return counts
  }

  /// Returns statistics computed by the service if it can answer the whole query; otherwise they are computed locally.
  package func statistics(_ statistics: StatisticsQuery, of query: FeatureQuery) async throws
    -> StatisticsTable
  {
    // The query is checked locally, so that an invalid one causes the same error for every source.
    _ = try StatisticsTable(
      statistics, of: FeatureColumns(joining: [], schema: schema), rows: RowSet(rowCount: 0))
    if kept(for: query) == nil, pushable(query) == query, layer.answersExactly(query),
      let table = try await layer.statistics(statistics, of: query)
    {
      return table
    }
    let fetched = try await fetch(query)
    return try StatisticsTable(statistics, of: fetched.columns(), rows: fetched.rows(query))
  }

  /// Fetches the features that may match: those that satisfy the conditions that the service can evaluate.
  ///
  /// If the service can return one page of the answer alone, only that page is fetched, and not kept. The whole table
  /// is fetched once and kept.
  package func fetch(_ query: FeatureQuery?, page: FeaturePage) async throws -> FetchedFeatures {
    guard let query else { return try await all().of(self) }
    let (last, isTooMany) = max(0, page.resultOffset).addingReportingOverflow(page.maxFeatures)
    if page.maxFeatures > 0, !isTooMany, kept(for: query) == nil, !query.selectsNothing,
      pushable(query) == query, layer.answersExactly(query),
      let table = try await layer.features(query, first: last, in: page.orderByFields)
    {
      return FetchedFeatures(try self.table(of: table), passed: query).of(self)
    }
    if let kept = kept(for: query) { return kept }
    return try await asked(query).of(self)
  }

  /// Returns one point of each group of the matching points, if the service selects these points exactly and groups them,
  /// and if they have not been fetched before.
  package func points(_ query: FeatureQuery, in groups: PointGroups) async throws -> GroupedPoints? {
    guard keepsFetched, !query.selectsNothing else { return nil }
    let known = state.withLock { state in
      state.grouped.last { $0.query.hasAnswer(of: query) && $0.groups == groups }
    }
    if let known { return known.points }
    guard kept(for: query) == nil, pushable(query) == query, layer.answersExactly(query) else { return nil }
    try layer.check(query)
    guard let points = try await layer.points(query, in: groups) else { return nil }
    state.withLock { state in
      state.grouped.append((query, groups, points))
      if state.grouped.count > Self.keptFetches { state.grouped.removeFirst() }
    }
    return points
  }

  private func pushable(_ query: FeatureQuery) -> FeatureQuery {
    layer.pushable(query.askingBoxes(operations, of: schema.spatialReference))
  }

  /// Asks the service for the features of a query, and keeps them.
  private func asked(_ query: FeatureQuery) async throws -> FetchedFeatures {
    guard !query.selectsNothing else {
      return FetchedFeatures(InMemorySource(FeatureColumns(joining: [], schema: schema)), passed: query)
    }
    try layer.check(query)
    let pushed = pushable(query)
    let table = try self.table(of: try await layer.features(pushed))
    let rows = FetchedFeatures(
      table, passed: pushed, asked: query.envelopes ?? query.boxesAroundGeometry ?? [])
    let disagreements = try disagreements(on: pushed, table)
    let notices = layer.reasonsForRest(of: query) + table.warnings + disagreements
    state.withLock { state in
      if !disagreements.isEmpty { state.hasOtherRules = true }
      for notice in notices where !state.notices.contains(notice) { state.notices.append(notice) }
      guard keepsFetched else { return }
      state.fetched.append(rows)
      if state.fetched.count > Self.keptFetches { state.fetched.removeFirst() }
    }
    return rows
  }

  /// Describes the filters whose features the service returns but the local filter rejects, for instance by the case of
  /// text.
  private func disagreements(on passed: FeatureQuery, _ table: InMemorySource) throws -> [String] {
    try passed.filters.compactMap { filter in
      let own = try table.count(
        passed.keeping(filters: [filter], envelopes: false, geometry: false, objectIDs: false))
      guard own < table.rowCount else { return nil }
      return "the service's \(filter.kind.name) accepts \(table.rowCount - own) of \(table.rowCount) "
        + "features that MapState's rules reject; they are shown and counted as the service decides"
    }
  }

  private func kept(for query: FeatureQuery) -> FetchedFeatures? {
    guard keepsFetched else { return nil }
    let kept = state.withLock { state in state.fetched.last { $0.holds(query) } ?? state.whole }
    return kept?.of(self)
  }

  /// Returns all features, fetched at the first call and kept.
  private func all() async throws -> FetchedFeatures {
    if let whole = state.withLock({ $0.whole }) { return whole }
    let fetched = try await asked(everything)
    return state.withLock { state in
      // The first fetch to finish is kept, so that rows keep their numbers.
      let whole = state.whole ?? fetched
      state.whole = whole
      return whole
    }
  }
}

extension FeatureSchema {
  /// Returns a table in this spatial reference with one geometry: the corners of an extent.
  fileprivate func frame(_ extent: Envelope) -> FeatureColumns {
    var corners = CoordinateBuffer(kind: .multipoint)
    if !extent.isEmpty {
      for (x, y) in [(extent.xMin, extent.yMin), (extent.xMax, extent.yMax)] {
        corners.appendVertex(x: x, y: y)
      }
      corners.endPart()
    }
    corners.endRow()
    return FeatureColumns(
      schema: FeatureSchema(fields: [], geometryKind: .multipoint, spatialReference: spatialReference),
      columns: [], geometry: geometryKind == nil ? nil : corners, rowCount: 1)
  }
}
