internal import Dispatch
internal import Synchronization

/// Processes the inputs that `next` supplies on all cores, and passes the outputs to `take` in the same order.
///
/// `next` and `take` are called one at a time, on any thread. The result does not depend on the number of cores. Of
/// several errors, the first in order is thrown. No input is taken after an error is known.
///
/// - Parameter inFlight: the number of inputs that may be taken before their outputs are passed on, which limits memory:
///   outputs wait for those before them.
package func concurrentPipeline<
  Source: Sendable, Input: Sendable, Output: Sendable, Sink: Sendable, Failure: Error
>(
  _ source: Source, inFlight: Int = 256, next: @Sendable (inout Source) throws(Failure) -> Input?,
  work: @Sendable (Input) throws(Failure) -> Output,
  into sink: Sink, take: @Sendable (inout Sink, Output) throws(Failure) -> Void
) throws(Failure) -> Sink {
  let feed = Mutex(Feed(source: source))
  let assembly = Mutex(Assembly<Output, Sink, Failure>(sink: sink))
  let room = DispatchSemaphore(value: inFlight)
  // There are more iterations than cores; an iteration that finds no input left ends at once.
  DispatchQueue.concurrentPerform(iterations: 64) { _ in
    while true {
      // The first input whose output is not passed on is always in work, so nobody waits forever.
      room.wait()
      guard let (number, input) = feed.withLock({ $0.take(next) }) else {
        room.signal()
        return
      }
      let outcome = Result { () throws(Failure) in try work(input.get()) }
      let (passed, isSound) = assembly.withLock { $0.add(outcome, number: number, take) }
      if !isSound { feed.withLock { $0.isAtEnd = true } }
      for _ in 0..<passed { room.signal() }
    }
  }
  return try assembly.withLock { assembly throws(Failure) in
    if let error = assembly.error { throw error }
    return assembly.sink
  }
}

/// The source of inputs, in order.
private struct Feed<Source: Sendable>: Sendable {
  var source: Source
  var number = 0
  var isAtEnd = false

  mutating func take<Input, Failure>(
    _ next: (inout Source) throws(Failure) -> Input?
  ) -> (Int, Result<Input, Failure>)? {
    guard !isAtEnd else { return nil }
    defer { number += 1 }
    do throws(Failure) {
      if let input = try next(&source) { return (number, .success(input)) }
      isAtEnd = true
      return nil
    } catch {
      isAtEnd = true
      return (number, .failure(error))
    }
  }
}

/// The collected outputs, in order as far as they are complete.
private struct Assembly<Output: Sendable, Sink: Sendable, Failure: Error>: Sendable {
  var sink: Sink
  /// The first error in order.
  var error: Failure?
  private var done = 0
  private var waiting: [Int: Result<Output, Failure>] = [:]

  init(sink: Sink) { self.sink = sink }

  /// Adds an outcome and those that waited for it.
  ///
  /// Returns the number of outcomes that no longer wait, and false once an error has occurred.
  mutating func add(
    _ outcome: Result<Output, Failure>, number: Int, _ take: (inout Sink, Output) throws(Failure) -> Void
  ) -> (passed: Int, isSound: Bool) {
    waiting[number] = outcome
    let before = done
    while let next = waiting.removeValue(forKey: done) {
      done += 1
      guard error == nil else { continue }
      do throws(Failure) { try take(&sink, next.get()) } catch { self.error = error }
    }
    if case .failure = outcome { return (done - before, false) }
    return (done - before, error == nil)
  }
}
