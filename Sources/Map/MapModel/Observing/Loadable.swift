public import MapSystem
import Synchronization

/// The load state of an object.
public enum LoadStatus: String, Hashable, Sendable {
  /// Loading has not been requested.
  case notLoaded
  /// Loading is in progress.
  case loading
  /// The object is ready.
  case loaded
  /// Loading failed; ``Loadable/loadError`` has the reason.
  case failed
}

/// An object that must be read before it can be used: a table, layer or map.
public protocol Loadable: AnyObject, Sendable {
  /// The load state, which the members of this protocol use.
  var loader: Loader { get }
}

extension Loadable {
  /// The load state.
  public var loadStatus: LoadStatus { loader.status }
  /// The error that made loading fail; nil unless ``loadStatus`` is `failed`.
  public var loadError: MapStateError? { loader.error }
  /// The later changes of the load state; `$loadStatus` in the SDK, a name that Swift reserves for property wrappers.
  public var loadStatuses: AsyncStream<LoadStatus> { loader.changes.stream { $0 } }

  /// Loads the object; joins a load in progress.
  ///
  /// - Throws: The error that made loading fail; the same one at every call until ``retryLoad()``.
  public func load() async throws(MapStateError) { try await loader.load() }

  /// Loads the object again after a failure; otherwise the same as ``load()``.
  ///
  /// - Throws: The error that made loading fail.
  public func retryLoad() async throws(MapStateError) {
    loader.forgetFailure()
    try await loader.load()
  }

  /// Cancels a load in progress, which then fails with a `CancellationError` as cause.
  public func cancelLoad() { loader.cancel() }
}

extension Sequence where Element == any Loadable {
  /// Loads all objects concurrently; each object reports its own failure.
  public func load() async {
    await withTaskGroup(of: Void.self) { group in
      for item in self { group.addTask { try? await item.load() } }
    }
  }
}

/// The load state of one object.
public final class Loader: Sendable {
  private struct State: Sendable {
    var status = LoadStatus.notLoaded
    var error: MapStateError?
    var task: Task<Void, any Error>?
  }

  private let state = Mutex(State())
  private let work: @Sendable () async throws -> Void
  let changes = Broadcast<LoadStatus>()

  /// Creates a loader for an operation; with `isLoaded` the object is ready from the start.
  package init(isLoaded: Bool = false, _ work: @escaping @Sendable () async throws -> Void = {}) {
    self.work = work
    if isLoaded { state.withLock { $0.status = .loaded } }
  }

  var isLoaded: Bool { status == .loaded }
  fileprivate var status: LoadStatus { state.withLock { $0.status } }
  fileprivate var error: MapStateError? { state.withLock { $0.error } }

  fileprivate func load() async throws(MapStateError) {
    let (task, isNew) = state.withLock { state -> (Task<Void, any Error>?, Bool) in
      guard state.status == .notLoaded else { return (state.task, false) }
      state.status = .loading
      let task = Task { [self] in try await run() }
      state.task = task
      return (task, true)
    }
    if isNew { changes.tell(.loading) }
    if let task {
      do { return try await task.value } catch { throw MapStateError(error) }
    }
    if let error { throw error }
  }

  private func run() async throws {
    do {
      try await work()
      try Task.checkCancellation()
    } catch {
      let error = MapStateError(error)
      finish(.failed, error)
      throw error
    }
    finish(.loaded, nil)
  }

  private func finish(_ status: LoadStatus, _ error: MapStateError?) {
    let isChanged = state.withLock { state in
      // A failure that happened in the meantime remains.
      guard state.status == .loading else { return false }
      (state.status, state.error) = (status, error)
      return true
    }
    if isChanged { changes.tell(status) }
  }

  /// Sets the load state to failed, whatever its current value.
  func fail(_ error: some Error) {
    state.withLock { state in
      (state.status, state.error, state.task) = (.failed, MapStateError(error), nil)
    }
    changes.tell(.failed)
  }

  fileprivate func forgetFailure() {
    state.withLock { state in
      if state.status == .failed { state = State() }
    }
  }

  fileprivate func cancel() { state.withLock { $0.task }?.cancel() }
}
