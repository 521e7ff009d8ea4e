import Synchronization

/// Lets some requests work at the same time and others wait; refuses the rest at once.
final class WorkQueue: Sendable {
  private struct State {
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
  var counts: (running: Int, waiting: Int) { state.withLock { ($0.running, $0.waiting.count) } }

  /// Works when it is the turn of a request.
  ///
  /// - Throws: ``HTTPFault`` with 503 if all places are taken, or the request is cancelled before.
  func run<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
    guard try await enter() else { throw HTTPFault(503, "the request was cancelled") }
    defer { leave() }
    return try await body()
  }

  private func enter() async throws(HTTPFault) -> Bool {
    enum Place { case now, wait(Int), none }
    let place = state.withLock { state -> Place in
      if state.running < concurrency {
        state.running += 1
        return .now
      }
      guard state.waiting.count < places else { return .none }
      state.next += 1
      return .wait(state.next)
    }
    switch place {
    case .now: return true
    case .none: throw HTTPFault(503, "the server is busy: \(concurrency) requests run and \(places) wait")
    case .wait(let number): return await wait(number)
    }
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
