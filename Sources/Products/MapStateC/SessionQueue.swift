import Dispatch
import MapScript
import Synchronization

/// A session that answers one request at a time, to callers that wait.
final class SessionQueue: Sendable {
  /// The request that is performed now.
  private struct Work {
    var task: Task<Void, Never>?
    var (done, count) = (0, 0)
  }

  private let session: Mutex<MapSession>
  private let work = Mutex(Work())
  /// Held during a request: the next caller waits.
  private let turn = DispatchSemaphore(value: 1)

  init(_ session: MapSession) { self.session = Mutex(session) }

  /// The number of images or tiles that the request in progress has made, and that of all; 0 of 0 if it does not count.
  var progress: (done: Int, count: Int) { work.withLock { ($0.done, $0.count) } }

  /// Cancels the request in progress, if there is one; it fails soon.
  func cancel() { work.withLock { $0.task?.cancel() } }

  /// Performs a step on the threads of tasks, and waits for it on the thread of the caller.
  func answer(toBytes step: [UInt8]) -> MapSession.Answer {
    turn.wait()
    defer { turn.signal() }
    var start = session.withLock { $0 }
    start.progress = { [weak self] done, count in
      self?.work.withLock { ($0.done, $0.count) = (done, count) }
    }
    let (first, result) = (start, Result())
    work.withLock { work in
      work = Work()
      work.task = Task.detached {
        var session = first
        let answer = await session.answer(toRequest: step)
        result.set(session, answer)
      }
    }
    let (end, answer) = result.wait()
    work.withLock { $0.task = nil }
    session.withLock { $0 = end }
    return answer
  }

  /// The session and the answer after a step.
  private final class Result: Sendable {
    private let value = Mutex<(MapSession, MapSession.Answer)?>(nil)
    private let done = DispatchSemaphore(value: 0)

    func set(_ session: MapSession, _ answer: MapSession.Answer) {
      value.withLock { $0 = (session, answer) }
      done.signal()
    }

    func wait() -> (MapSession, MapSession.Answer) {
      while true {
        done.wait()
        if let value = value.withLock({ $0 }) { return value }
      }
    }
  }
}
