import MapFeatures
import MapModel
import Synchronization

/// What a table of a service has fetched of it.
public final class ServiceCache: Sendable {
  private struct State: Sendable {
    var mode: FeatureRequestMode
    /// A mode that could not be, told at the next load or question.
    var refused: FeatureRequestMode?
    var service: (any FeatureSource)?
    var fetched: FeatureColumns?
    /// Fills so far: the later call's fill wins, and a number tells one from another.
    var fills = 0
    var lastFill = 0
    var lastCleared = 0
    /// The id of the next feature that is added by hand.
    var nextID: Int64 = -1
  }

  private let state: ModelState<State>
  private let isManualAlone: Bool
  private let open: TableState.Opening

  /// - Parameter services: nil asks stand-ins alone.
  init(
    of address: String, standIns: StandInCatalog?, services: ServiceAccess?, isManualAlone: Bool = false
  ) {
    self.isManualAlone = isManualAlone
    open = {
      let catalog = SourceCatalog(standIns: standIns, services: services ?? ServiceAccess())
      if services == nil, try catalog.standIn(for: address) == nil {
        throw SourceError.notAsked("Web Feature Services", at: address)
      }
      return try await catalog.service(at: address)
    }
    state = ModelState(State(mode: isManualAlone ? .manualCache : .undefined))
  }

  private init(_ other: ServiceCache, isLoaded: Bool) {
    (isManualAlone, open) = (other.isManualAlone, other.open)
    var now = other.state.snapshot
    // What a load under way has found by now is found again.
    if !isLoaded { now.service = nil }
    state = ModelState(now)
  }

  /// The table's content: nothing until it is loaded.
  ///
  /// - Parameter name: empty takes what the service says.
  func table(named name: String, at address: String) -> TableState {
    let table = TableState(name: name, takesCQL2: isManualAlone, open: opening(name))
    table.content.update { $0.url = address }
    return table
  }

  /// The same cache and content for a table of its own, which is filled by itself from now on.
  func clone(_ table: TableState, named name: String) -> (cache: ServiceCache, table: TableState) {
    ModelGate.withLock {
      let cache = ServiceCache(self, isLoaded: table.isLoaded)
      return (cache, table.clone(open: cache.opening(name)))
    }
  }

  private func opening(_ name: String) -> TableState.Opening {
    { [self] in
      let (source, found) = try await open()
      let mode = state.update { state -> FeatureRequestMode in
        if state.mode == .undefined {
          state.mode = source.schema.geometryKind == nil ? .manualCache : .onInteractionCache
        }
        state.service = source
        return state.mode
      }
      if let refusal { throw refusal }
      let shown = name.isEmpty ? found : name
      switch mode {
      case .manualCache:
        let empty = FeatureColumns(joining: [], schema: source.schema)
        return (try source.filled(with: empty), shown)
      case .onInteractionNoCache: return (source.askedEveryTime, shown)
      case .onInteractionCache, .undefined: return (source, shown)
      }
    }
  }

  var mode: FeatureRequestMode {
    get { state.snapshot.mode }
    set {
      state.update { state in
        let isPossible = newValue == state.mode || state.service == nil && !isManualAlone
        if isPossible { (state.mode, state.refused) = (newValue, nil) } else { state.refused = newValue }
      }
    }
  }

  /// What is asked, or what stands in for it; nil before it is found.
  var service: (any FeatureSource)? { state.snapshot.service }

  /// What was asked for and cannot be, until a mode is set that can.
  var refusal: ServiceTableError? { state.snapshot.refused.map { .impossibleMode($0) } }

  /// Changes what was fetched by hand, of which the service learns nothing.
  ///
  /// - Cost: what was fetched is put together again.
  func edit(
    _ table: TableState, _ change: (inout EditedRows) throws(FeatureEditError) -> Void
  ) throws {
    try ModelGate.withLock {
      if let refusal { throw refusal }
      let now = state.snapshot
      guard now.mode == .manualCache, let service = now.service else {
        throw ServiceTableError.notManualCache(now.mode)
      }
      var rows = EditedRows(
        fetched: now.fetched ?? FeatureColumns(joining: [], schema: service.schema), nextID: now.nextID)
      try change(&rows)
      let (edited, next) = (rows.columns, rows.nextID)
      let fill = try service.filled(with: edited)
      state.update { state in
        // A fill under way begins anew over what is here now.
        state.fills += 1
        (state.fetched, state.lastFill, state.nextID) = (edited, state.fills, next)
        table.replace(fill)
      }
    }
  }

  func populate(
    _ table: some CachedFeatureTable, _ parameters: QueryParameters, clearCache: Bool
  ) async throws -> FeatureQueryResult {
    if let refusal { throw refusal }
    let (number, service, mode) = state.update { state in
      state.fills += 1
      return (state.fills, state.service, state.mode)
    }
    guard mode == .manualCache, let service else { throw ServiceTableError.notManualCache(mode) }
    let (result, fetched) = try await parameters.fetch(from: service, for: table)
    while true {
      let before = state.snapshot
      // A clearing call that was made later has filled the table already: what this one fetched is thrown away.
      guard number > before.lastCleared else { return result }
      let kept = clearCache ? fetched : before.fetched?.replacing(with: fetched) ?? fetched
      let fill = try service.filled(with: kept)
      let isDone = state.update { state in
        guard state.lastFill == before.lastFill else { return false }
        (state.fetched, state.lastFill) = (kept, number)
        if clearCache { state.lastCleared = number }
        table.table.replace(fill)
        return true
      }
      if isDone { return result }
    }
  }
}

extension FeatureSource {
  /// Features that were fetched of this source by hand, drawn and dated as it says.
  fileprivate func filled(with fetched: FeatureColumns) throws(SpatialOperationError) -> InMemorySource {
    var fill = try InMemorySource(fetched, operations: operations)
    fill.metadata = metadata
    return fill
  }
}
