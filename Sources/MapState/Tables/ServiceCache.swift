import MapFeatures
import MapModel
import Synchronization

/// What a table of a service has fetched of it.
public final class ServiceCache: Sendable {
  private struct State: Sendable {
    var mode: FeatureRequestMode
    /// A mode that could not be, told at the next load.
    var refused: FeatureRequestMode?
    var service: (any FeatureSource)?
    var fetched: RowSet?
    /// Fills so far: the later call's fill wins.
    var fills = 0
    var lastCleared = 0
  }

  private let state: ModelState<State>
  private let isManualAlone: Bool
  private let open: @Sendable () throws -> (source: any FeatureSource, name: String)

  init(
    isManualAlone: Bool = false,
    open: @escaping @Sendable () throws -> (source: any FeatureSource, name: String)
  ) {
    (self.isManualAlone, self.open) = (isManualAlone, open)
    state = ModelState(State(mode: isManualAlone ? .manualCache : .undefined))
  }

  /// The table's content: nothing until it is loaded.
  func table(named name: String) -> TableState {
    TableState(name: name, takesCQL2: isManualAlone) { [self] in
      let (source, found) = try open()
      let mode = state.update { state -> FeatureRequestMode in
        if state.mode == .undefined {
          state.mode = source.schema.geometryKind == nil ? .manualCache : .onInteractionCache
        }
        state.service = source
        return state.mode
      }
      if let refused = state.snapshot.refused { throw ServiceTableError.impossibleMode(refused) }
      guard mode == .manualCache else { return (source, found) }
      let empty = RowSet(rowCount: source.rowCount)
      return (try await RestrictedSource(source, rows: empty), isManualAlone ? name : found)
    }
  }

  var mode: FeatureRequestMode {
    get { state.snapshot.mode }
    set {
      state.update { state in
        let isPossible = newValue == .manualCache || newValue == state.mode || !isManualAlone
        if isPossible, state.service == nil { state.mode = newValue } else { state.refused = newValue }
      }
    }
  }

  func populate(
    _ table: some CachedFeatureTable, _ parameters: QueryParameters, clearCache: Bool
  ) async throws -> FeatureQueryResult {
    let (number, service, mode, refused) = state.update { state in
      state.fills += 1
      return (state.fills, state.service, state.mode, state.refused)
    }
    if let refused { throw ServiceTableError.impossibleMode(refused) }
    guard mode == .manualCache, let service else { throw ServiceTableError.notManualCache(mode) }
    let (result, rows) = try await parameters.fetch(from: service, for: table)
    while true {
      let before = state.snapshot
      // A clearing call that was made later has filled the table already: what this one fetched is thrown away.
      guard number > before.lastCleared else { return result }
      var kept = rows
      if !clearCache, let fetched = before.fetched { kept.formUnion(fetched) }
      let fill = try await RestrictedSource(service, rows: kept)
      let isDone = state.update { state in
        guard state.fetched == before.fetched, state.lastCleared == before.lastCleared else { return false }
        (state.fetched, state.lastCleared) = (kept, clearCache ? number : before.lastCleared)
        table.table.replace(fill)
        return true
      }
      if isDone { return result }
    }
  }
}
