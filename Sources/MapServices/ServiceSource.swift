public import MapFeatures
import MapFilter
public import MapGeometry
import Synchronization

/// The table of a service's layer: questions go to the service as far as it answers them exactly, and the rest is
/// worked out here over all features that could answer.
///
/// What a service is asked it decides by its own rules, such as how its database compares text; what is worked out here
/// goes by ours. A picture and the counts beside it come from one fetch, so that they agree.
public final class ServiceSource: FeatureSource {
  private struct State: Sendable {
    /// The whole table, once somebody needed it.
    var whole: Fetch?
    /// What was fetched last, the newest at the end.
    var fetched: [Fetch] = []
    var notices: [String] = []
    /// True once a filter let features through that would not pass here.
    var hasOtherRules = false
  }

  private let layer: any ServiceLayer
  private let everything: FeatureQuery
  private let state = Mutex(State())
  /// True answers from what was fetched before where that holds all of an answer.
  private let keepsFetched: Bool
  /// How many fetches are kept.
  ///
  /// - Source: ours; a view or two and what is asked beside them.
  private static let keptFetches = 4
  /// From how many envelopes on a count fetches what lies around them all once.
  ///
  /// - Source: ours.
  private static let manyEnvelopes = 8

  /// Number of features when the table was opened.
  public let rowCount: Int
  /// What the service states, else the envelope of all features.
  public let extent: Envelope
  /// The same in WGS 84 or Web Mercator.
  public let shownExtent: Envelope
  /// What brings its geometries to other references.
  public let operations: SpatialOperations

  /// Asks a layer how many features it has, and, where it does not say where they lie, for all of them.
  ///
  /// - Throws: ``ServiceError``, `SpatialOperationError` for a reference that cannot be shown.
  public init(_ layer: any ServiceLayer, operations: SpatialOperations) async throws {
    (self.layer, self.operations, keepsFetched) = (layer, operations, true)
    everything = try QueryConditions().query(for: .query)
    if layer.schema.geometryKind != nil, layer.statedExtent == nil {
      let table = try InMemorySource(try await layer.features(everything), operations: operations)
      (rowCount, extent, shownExtent) = (table.rowCount, table.extent, table.shownExtent)
      state.withLock { $0.whole = Fetch(table: table, passed: everything) }
    } else {
      rowCount = try await layer.count(everything)
      extent = layer.statedExtent ?? .empty
      // The box of the features alone, brought to where views look.
      let frame = try InMemorySource(layer.schema.frame(extent), operations: operations)
      shownExtent = frame.shownExtent
    }
  }

  private init(askingEveryTime other: ServiceSource) {
    (layer, operations, everything, keepsFetched) = (other.layer, other.operations, other.everything, false)
    (rowCount, extent, shownExtent) = (other.rowCount, other.extent, other.shownExtent)
  }

  /// The same table without a memory: every question is asked of the service anew, but for the whole table, whose rows
  /// must keep their numbers.
  public var askedEveryTime: any FeatureSource { ServiceSource(askingEveryTime: self) }

  /// Fields, geometry kind and reference.
  public var schema: FeatureSchema { layer.schema }
  /// What the service says of the layer beside its fields.
  public var metadata: SourceMetadata { layer.metadata }
  /// What is worked out here because the service cannot, and what its description or its features lost.
  public var warnings: [String] { state.withLock { layer.notices + $0.notices } }
  /// False where counts cannot be verified, and once a filter of the service let features through that would not pass here.
  public var isExact: Bool { layer.canVerifyCounts && state.withLock { !$0.hasOtherRules } }

  // MARK: Answers

  /// How many features answer: by what was fetched, by the service, or by what must be fetched for it.
  public func count(_ query: FeatureQuery) async throws -> Int {
    if let kept = kept(for: query) { return try await kept.count(query) }
    let pushed = pushable(query)
    guard pushed == query else { return try await fetched(for: query).count(query) }
    return try await layer.count(query)
  }

  /// How many features answer each of some queries; of many that differ in place alone what lies around them is fetched
  /// once.
  public func counts(_ queries: [FeatureQuery]) async throws -> [Int] {
    if queries.count >= Self.manyEnvelopes, let around = FeatureQuery(around: queries) {
      return try await fetched(for: around).counts(queries)
    }
    var counts: [Int] = []
    for query in queries { counts.append(try await count(query)) }
    return counts
  }

  /// Figures by the service where it answers the whole question and knows the figures, else worked out here.
  public func statistics(_ statistics: StatisticsQuery, of query: FeatureQuery) async throws
    -> StatisticsTable
  {
    // The question is checked here, so that a wrong one has the same error everywhere.
    _ = try StatisticsTable(
      statistics, of: FeatureColumns(joining: [], schema: schema), rows: RowSet(rowCount: 0))
    if kept(for: query) == nil, pushable(query) == query,
      let table = try await layer.statistics(statistics, of: query)
    {
      return table
    }
    let source = try await fetched(for: query)
    return try StatisticsTable(
      statistics, of: try await source.columns(), rows: try await source.rows(query))
  }

  /// The features that may answer, fetched: all that pass what the service can be asked.
  public func fetched(for query: FeatureQuery) async throws -> any FeatureSource {
    if let kept = kept(for: query) { return kept }
    return FetchedSource(try await fetch(query), of: self)
  }

  /// A page of the answer where the service can be asked for it alone; it is not kept.
  public func fetched(for query: FeatureQuery, page: FeaturePage) async throws -> any FeatureSource {
    let (last, isTooMany) = max(0, page.resultOffset).addingReportingOverflow(page.maxFeatures)
    if page.maxFeatures > 0, page.orderByFields.isEmpty, !isTooMany, kept(for: query) == nil,
      !query.selectsNothing, pushable(query) == query,
      let table = try await layer.features(query, first: last)
    {
      return FetchedSource(
        Fetch(table: try InMemorySource(table, operations: operations), passed: query), of: self)
    }
    return try await fetched(for: query)
  }

  private func pushable(_ query: FeatureQuery) -> FeatureQuery {
    layer.pushable(query.askingBoxes(operations, of: schema.spatialReference))
  }

  private func fetch(_ query: FeatureQuery) async throws -> Fetch {
    guard !query.selectsNothing else {
      return Fetch(table: InMemorySource(FeatureColumns(joining: [], schema: schema)), passed: query)
    }
    let pushed = pushable(query)
    let table = try InMemorySource(try await layer.features(pushed), operations: operations)
    let rows = Fetch(table: table, passed: pushed, asked: query.envelopes ?? query.boxesAroundGeometry ?? [])
    let disagreements = try disagreements(on: pushed, table)
    let notices = table.warnings + disagreements
    state.withLock { state in
      if !disagreements.isEmpty { state.hasOtherRules = true }
      for notice in notices where !state.notices.contains(notice) { state.notices.append(notice) }
      guard keepsFetched else { return }
      state.fetched.append(rows)
      if state.fetched.count > Self.keptFetches { state.fetched.removeFirst() }
    }
    return rows
  }

  /// The filters that let features through at the service and would not here, such as where its text has no case.
  private func disagreements(on passed: FeatureQuery, _ table: InMemorySource) throws -> [String] {
    try passed.filters.compactMap { filter in
      let own = try table.count(
        passed.keeping(filters: [filter], envelopes: false, geometry: false, objectIDs: false))
      guard own < table.rowCount else { return nil }
      return "the service lets \(table.rowCount - own) of \(table.rowCount) features through the "
        + "\(filter.kind.name) that would not pass here; they are shown and counted as it says"
    }
  }

  private func kept(for query: FeatureQuery) -> FetchedSource? {
    guard keepsFetched else { return nil }
    let kept = state.withLock { state in state.fetched.last { $0.holds(query) } ?? state.whole }
    return kept.map { FetchedSource($0, of: self) }
  }

  // MARK: The whole table

  /// The rows of the whole table that answer; see ``columns()``.
  public func rows(_ query: FeatureQuery) async throws -> RowSet { try await whole().rows(query) }
  /// All features, fetched when they are first asked for and kept.
  public func columns() async throws -> FeatureColumns { try await whole().columns() }
  /// All features as a map shows them.
  public func shownColumns(on map: SpatialReference) async throws -> FeatureColumns {
    try await whole().shownColumns(on: map)
  }

  private func whole() async throws -> FetchedSource {
    FetchedSource(try await wholeFetch(), of: self)
  }

  private func wholeFetch() async throws -> Fetch {
    if let whole = state.withLock({ $0.whole }) { return whole }
    let fetched = try await fetch(everything)
    return state.withLock { state in
      // Who came first decides, so that rows keep their numbers.
      let whole = state.whole ?? fetched
      state.whole = whole
      return whole
    }
  }
}

extension FeatureSchema {
  /// A table of this reference whose one geometry has an extent's corners.
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
