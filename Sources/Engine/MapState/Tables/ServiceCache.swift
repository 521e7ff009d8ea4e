import MapDocuments
import MapFeatures
import MapModel
import Synchronization

/// The features that a service table has fetched.
public final class ServiceCache: Sendable {
  private struct State: Sendable {
    var mode: FeatureRequestMode
    /// A mode that could not be set; the next load or query reports it.
    var refused: FeatureRequestMode?
    var service: (any FeatureSource)?
    var fetched: FeatureColumns?
    /// The number of fills started so far.
    ///
    /// The fill of the later call wins, and the number identifies it.
    var fills = 0
    var lastFill = 0
    var lastCleared = 0
    /// The id of the next feature that is added locally.
    var nextID: Int64 = -1
  }

  private let state: ModelState<State>
  private let isManualAlone: Bool
  private let open: TableState.Opening

  /// Creates an empty cache.
  init(
    of address: String, standIns: StandInCatalog?, services: ServiceAccess, isManualAlone: Bool = false
  ) {
    self.isManualAlone = isManualAlone
    open = {
      let catalog = SourceCatalog(standIns: standIns, services: services)
      let (source, name) = try await catalog.service(at: address)
      return TableState.Opened(source, name: name)
    }
    state = ModelState(State(mode: isManualAlone ? .manualCache : .undefined))
  }

  private init(_ other: ServiceCache, isLoaded: Bool) {
    (isManualAlone, open) = (other.isManualAlone, other.open)
    var now = other.state.snapshot
    // If the table is not loaded, the copy repeats the opening of the source.
    if !isLoaded { now.service = nil }
    state = ModelState(now)
  }

  /// Returns the table's content, which is empty until it is loaded.
  ///
  /// - Parameter name: the table's name; an empty name uses that of the service.
  func table(named name: String, at address: String) -> TableState {
    let table = TableState(name: name, takesCQL2: isManualAlone, open: opening(name))
    table.content.update { $0.url = address }
    return table
  }

  /// Returns a copy of the cache and the content for another table, which is filled independently from now on.
  func clone(_ table: TableState, named name: String) -> (cache: ServiceCache, table: TableState) {
    ModelGate.withLock {
      let cache = ServiceCache(self, isLoaded: table.isLoaded)
      return (cache, table.clone(open: cache.opening(name)))
    }
  }

  private func opening(_ name: String) -> TableState.Opening {
    { [self] in
      let opened = try await open()
      let source = opened.source
      let mode = state.update { state -> FeatureRequestMode in
        if state.mode == .undefined {
          state.mode = source.schema.geometryKind == nil ? .manualCache : .onInteractionCache
        }
        state.service = source
        return state.mode
      }
      if let refusal { throw refusal }
      let shown = name.isEmpty ? opened.name : name
      switch mode {
      case .manualCache:
        let empty = FeatureColumns(joining: [], schema: source.schema)
        return TableState.Opened(try source.filled(with: empty), name: shown)
      case .onInteractionNoCache: return TableState.Opened(source.askedEveryTime, name: shown)
      case .onInteractionCache, .undefined: return TableState.Opened(source, name: shown)
      }
    }
  }

  var mode: FeatureRequestMode {
    get { state.read { $0.mode } }
    set {
      state.update { state in
        let isPossible = newValue == state.mode || state.service == nil && !isManualAlone
        if isPossible { (state.mode, state.refused) = (newValue, nil) } else { state.refused = newValue }
      }
    }
  }

  /// The service or its stand-in; nil before it is opened.
  var service: (any FeatureSource)? { state.read { $0.service } }

  /// The error of a mode that could not be set; nil after a valid mode is set.
  var refusal: MapStateError? { state.read { $0.refused }.map { .impossibleMode($0) } }

  /// Changes the fetched features locally; the service is not changed.
  ///
  /// - Cost: all fetched features are copied.
  func edit(
    _ table: TableState, _ change: (inout EditedRows) throws(FeatureEditError) -> Void
  ) throws {
    // The fill is projected and indexed without the lock; again if the features change meanwhile.
    while true {
      if let refusal { throw refusal }
      let now = state.snapshot
      guard now.mode == .manualCache, let service = now.service else {
        throw MapStateError.notManualCache(now.mode)
      }
      var rows = EditedRows(
        fetched: now.fetched ?? FeatureColumns(joining: [], schema: service.schema), nextID: now.nextID)
      try change(&rows)
      let (edited, next) = (rows.columns, rows.nextID)
      let fill = try service.filled(with: edited)
      let isDone = state.update { state in
        guard state.lastFill == now.lastFill else { return false }
        // A fill in progress starts again with the current features.
        state.fills += 1
        (state.fetched, state.lastFill, state.nextID) = (edited, state.fills, next)
        table.replace(fill)
        return true
      }
      if isDone { return }
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
    guard mode == .manualCache, let service else { throw MapStateError.notManualCache(mode) }
    let (result, fetched) = try await parameters.fetch(from: service, for: table)
    while true {
      let before = state.snapshot
      // A later call that cleared the cache has already filled the table, so this call's features are discarded.
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
  /// Returns a source with the features fetched by hand, and with the metadata of this source.
  fileprivate func filled(with fetched: FeatureColumns) throws(SpatialOperationError) -> InMemorySource {
    var fill = try InMemorySource(fetched, operations: operations)
    fill.metadata = metadata
    return fill
  }
}
