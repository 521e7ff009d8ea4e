import Dispatch
import MapScript
import Synchronization

/// A session that answers one request at a time, to callers that wait.
final class SessionQueue: Sendable {
  private let session: Mutex<MapSession>
  /// Held during a request: the next caller waits.
  private let turn = DispatchSemaphore(value: 1)

  init(_ session: MapSession) { self.session = Mutex(session) }

  /// Performs a step on the threads of tasks, and waits for it on the thread of the caller.
  func answer(toBytes step: [UInt8]) -> MapSession.Answer {
    turn.wait()
    defer { turn.signal() }
    let start = session.withLock { $0 }
    let result = Result()
    Task.detached {
      var session = start
      let answer = await session.answer(toRequest: step)
      result.set(session, answer)
    }
    let (end, answer) = result.wait()
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
