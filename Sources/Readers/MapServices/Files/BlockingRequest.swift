internal import Dispatch
import Synchronization

/// Requests for which a thread waits, because its reader is not asynchronous.
///
/// The requests run on a thread of their own. They therefore end even if all threads of the process wait for requests.
package enum BlockingRequest {
  /// Returns the result of asynchronous work; ends it if the current task is cancelled.
  package static func value<Value: Sendable, Failure: Error>(
    of work: @escaping @Sendable () async throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let outcome = Outcome<Value, Failure>()
    let task = Task(executorPreference: Thread.shared) {
      do throws(Failure) { outcome.end(.success(try await work())) } catch {
        outcome.end(.failure(error))
      }
    }
    while true {
      if let result = outcome.wait() { return try result.get() }
      if Task.isCancelled { task.cancel() }
    }
  }

  /// The result, for which one thread waits.
  private final class Outcome<Value: Sendable, Failure: Error>: Sendable {
    private let result = Mutex<Result<Value, Failure>?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    func end(_ result: Result<Value, Failure>) {
      self.result.withLock { $0 = result }
      isDone.signal()
    }

    /// Returns the result; nil if there is none within a tenth of a second.
    func wait() -> Result<Value, Failure>? {
      _ = isDone.wait(timeout: .now() + .milliseconds(100))
      return result.withLock { $0 }
    }
  }

  /// The thread that runs the requests.
  private final class Thread: TaskExecutor {
    static let shared = Thread()
    private let queue = DispatchQueue(label: "mapstate.requests")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
}
