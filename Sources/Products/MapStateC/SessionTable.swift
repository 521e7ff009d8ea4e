import Glibc
import MapJSON
import MapScript
import MapState
import MapSystem
import Synchronization

/// The sessions of this process, by number.
///
/// A number, unlike a pointer, can be checked after the session is destroyed.
enum SessionTable {
  private struct Sessions {
    var last: UInt64 = 0
    var byNumber: [UInt64: SessionQueue] = [:]
  }

  private static let sessions = Mutex(Sessions())
  /// The process that uses the sessions: threads of tasks do not exist in a child of `fork()`.
  private static let process = getpid()

  private static let forked = MapStateError(
    .usage, "this process was forked after MapState was first used; start it with spawn instead")

  /// Creates a session; its number is 0 if the options are wrong.
  static func create(_ options: [UInt8]?) -> (UInt64, MapSession.Answer) {
    guard getpid() == process else { return (0, MapSession.Answer(forked)) }
    do throws(MapStateError) {
      let session = try MapSession(options: options)
      let number = sessions.withLock { sessions in
        sessions.last += 1
        sessions.byNumber[sessions.last] = SessionQueue(session)
        return sessions.last
      }
      return (number, MapSession.Answer.done)
    } catch {
      return (0, MapSession.Answer(error))
    }
  }

  /// Performs a step, and waits for it.
  static func request(_ number: UInt64, _ step: [UInt8]?) -> MapSession.Answer {
    guard getpid() == process else { return MapSession.Answer(forked) }
    guard let session = sessions.withLock({ $0.byNumber[number] }) else {
      return MapSession.Answer(MapStateError(.usage, "there is no session \(number); it may be destroyed"))
    }
    guard let step else { return MapSession.Answer(MapStateError(.usage, "the step is a null pointer")) }
    return session.answer(toBytes: step)
  }

  /// Cancels the request of a session that is in progress.
  static func cancel(_ number: UInt64) {
    guard getpid() == process else { return }
    sessions.withLock { $0.byNumber[number] }?.cancel()
  }

  /// The number of images or tiles that the request in progress has made, and that of all.
  static func progress(_ number: UInt64) -> (done: Int, count: Int) {
    guard getpid() == process else { return (0, 0) }
    return sessions.withLock { $0.byNumber[number] }?.progress ?? (0, 0)
  }

  static func destroy(_ number: UInt64) {
    guard getpid() == process else { return }
    // The session is freed outside the lock.
    _ = sessions.withLock { $0.byNumber.removeValue(forKey: number) }
  }
}
