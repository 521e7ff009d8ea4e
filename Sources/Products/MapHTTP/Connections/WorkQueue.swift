import Synchronization

/// Lets some requests work at the same time and others wait; refuses the rest at once.
final class WorkQueue: Sendable {
  /// A request that is admitted, until it is no longer used.
  final class Place: Sendable {
    private let queue: WorkQueue

    fileprivate init(_ queue: WorkQueue) { self.queue = queue }

    deinit { queue.state.withLock { $0.admitted -= 1 } }

    /// Works when it is the turn of the request.
    ///
    /// - Throws: ``HTTPFault`` with 503 if the request is cancelled before.
    func run<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
      guard await queue.enter() else { throw HTTPFault(503, "the request was cancelled") }
      defer { queue.leave() }
      return try await body()
    }
  }

  private struct State {
    var admitted = 0
    var running = 0
    var next = 0
    var waiting: [(number: Int, start: CheckedContinuation<Bool, Never>)] = []
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())
  private let concurrency: Int
  private let places: Int

  /// Creates a queue.
  ///
  /// - Parameter places: the number of requests that may wait.
  init(concurrency: Int, places: Int) { (self.concurrency, self.places) = (max(1, concurrency), places) }

  /// The number of requests that work and wait.
  var counts: (running: Int, waiting: Int) {
    state.withLock { ($0.running, max(0, $0.admitted - $0.running)) }
  }

  /// Admits a request, on the thread of its connection: the threads of tasks may all be busy.
  ///
  /// - Throws: ``HTTPFault`` with 503 if all places are taken.
  func admit() throws(HTTPFault) -> Place {
    let isAdmitted = state.withLock { state in
      guard state.admitted < concurrency + places else { return false }
      state.admitted += 1
      return true
    }
    guard isAdmitted else {
      throw HTTPFault(503, "the server is busy: \(concurrency) requests run and \(places) wait")
    }
    return Place(self)
  }

  private func enter() async -> Bool {
    let number = state.withLock { state -> Int? in
      guard state.running >= concurrency else {
        state.running += 1
        return nil
      }
      state.next += 1
      return state.next
    }
    guard let number else { return true }
    return await wait(number)
  }

  private func wait(_ number: Int) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { start in
        let answer = state.withLock { state -> Bool? in
          if state.cancelled.remove(number) != nil { return false }
          // A place may have become free since.
          if state.running < concurrency {
            state.running += 1
            return true
          }
          state.waiting.append((number, start))
          return nil
        }
        if let answer { start.resume(returning: answer) }
      }
    } onCancel: {
      let start = state.withLock { state -> CheckedContinuation<Bool, Never>? in
        guard let index = state.waiting.firstIndex(where: { $0.number == number }) else {
          state.cancelled.insert(number)
          return nil
        }
        return state.waiting.remove(at: index).start
      }
      start?.resume(returning: false)
    }
  }

  private func leave() {
    let start = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard !state.waiting.isEmpty else {
        state.running -= 1
        return nil
      }
      return state.waiting.removeFirst().start
    }
    start?.resume(returning: true)
  }
}
