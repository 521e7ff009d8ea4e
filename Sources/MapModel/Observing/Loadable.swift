import Synchronization

/// How far an object is with getting ready.
public enum LoadStatus: String, Hashable, Sendable {
  /// Nobody asked for it yet.
  case notLoaded
  /// On its way.
  case loading
  /// Ready.
  case loaded
  /// Not to be had; ``Loadable/loadError`` says why.
  case failed
}

/// What must be read from somewhere before it can answer: tables, layers, maps.
public protocol Loadable: AnyObject, Sendable {
  /// Where loading stands; what the members of this protocol work on.
  var loader: Loader { get }
}

extension Loadable {
  /// How far it is.
  public var loadStatus: LoadStatus { loader.status }
  /// Why it is not to be had; nil unless ``loadStatus`` is failed.
  public var loadError: (any Error)? { loader.error }
  /// Each change of the status from now on; the SDK's `$loadStatus`, a name that Swift gives property wrappers alone.
  public var loadStatuses: AsyncStream<LoadStatus> { loader.changes.stream { $0 } }

  /// Gets it ready; joins a load that is under way.
  ///
  /// - Throws: why it is not to be had, the same error at every call until ``retryLoad()``.
  public func load() async throws { try await loader.load() }

  /// Tries once more after a failure; else the same as ``load()``.
  ///
  /// - Throws: why it is not to be had.
  public func retryLoad() async throws {
    loader.forgetFailure()
    try await loader.load()
  }

  /// Gives up a load that is under way, which then fails with a `CancellationError`.
  public func cancelLoad() { loader.cancel() }
}

extension Sequence where Element == any Loadable {
  /// Gets all ready at once; which of them failed, each says itself.
  public func load() async {
    await withTaskGroup(of: Void.self) { group in
      for item in self { group.addTask { try? await item.load() } }
    }
  }
}

/// Where the loading of one object stands.
public final class Loader: Sendable {
  private struct State: Sendable {
    var status = LoadStatus.notLoaded
    var error: (any Error)?
    var task: Task<Void, any Error>?
  }

  private let state = Mutex(State())
  private let work: @Sendable () async throws -> Void
  let changes = Broadcast<LoadStatus>()

  /// What loading does; nothing to do is loaded from the start.
  package init(isLoaded: Bool = false, _ work: @escaping @Sendable () async throws -> Void = {}) {
    self.work = work
    if isLoaded { state.withLock { $0.status = .loaded } }
  }

  var isLoaded: Bool { status == .loaded }
  fileprivate var status: LoadStatus { state.withLock { $0.status } }
  fileprivate var error: (any Error)? { state.withLock { $0.error } }

  fileprivate func load() async throws {
    let (task, isNew) = state.withLock { state -> (Task<Void, any Error>?, Bool) in
      guard state.status == .notLoaded else { return (state.task, false) }
      state.status = .loading
      let task = Task { [self] in try await run() }
      state.task = task
      return (task, true)
    }
    if isNew { changes.tell(.loading) }
    if let task { return try await task.value }
    if let error { throw error }
  }

  private func run() async throws {
    do {
      try await work()
      try Task.checkCancellation()
    } catch {
      finish(.failed, error)
      throw error
    }
    finish(.loaded, nil)
  }

  private func finish(_ status: LoadStatus, _ error: (any Error)?) {
    let isChanged = state.withLock { state in
      // What has failed in the meantime stays so.
      guard state.status == .loading else { return false }
      (state.status, state.error) = (status, error)
      return true
    }
    if isChanged { changes.tell(status) }
  }

  /// Makes it fail, whatever loading has come to.
  func fail(_ error: some Error) {
    state.withLock { state in (state.status, state.error, state.task) = (.failed, error, nil) }
    changes.tell(.failed)
  }

  fileprivate func forgetFailure() {
    state.withLock { state in
      if state.status == .failed { state = State() }
    }
  }

  fileprivate func cancel() { state.withLock { $0.task }?.cancel() }
}
