internal import Dispatch
internal import Synchronization

/// Processes the inputs that `next` supplies on all cores, and passes the outputs to `take` in the same order.
///
/// `next` and `take` are called one at a time, on any thread. The result does not depend on the number of cores. Of
/// several errors, the first in order is thrown. No input is taken after an error is known.
package func concurrentPipeline<Source: Sendable, Input: Sendable, Output: Sendable, Sink: Sendable>(
  _ source: Source, next: @Sendable (inout Source) throws -> Input?,
  work: @Sendable (Input) throws -> Output,
  into sink: Sink, take: @Sendable (inout Sink, Output) throws -> Void
) throws -> Sink {
  let feed = Mutex(Feed(source: source))
  let assembly = Mutex(Assembly<Output, Sink>(sink: sink))
  // There are more iterations than cores; an iteration that finds no input left ends at once.
  DispatchQueue.concurrentPerform(iterations: 64) { _ in
    while let (number, input) = feed.withLock({ $0.take(next) }) {
      let outcome = Result { try work(input.get()) }
      let isSound = assembly.withLock { $0.add(outcome, number: number, take) }
      if !isSound { feed.withLock { $0.isAtEnd = true } }
    }
  }
  return try assembly.withLock { assembly in
    if let error = assembly.error { throw error }
    return assembly.sink
  }
}

/// The source of inputs, in order.
private struct Feed<Source: Sendable>: Sendable {
  var source: Source
  var number = 0
  var isAtEnd = false

  mutating func take<Input>(_ next: (inout Source) throws -> Input?) -> (Int, Result<Input, any Error>)? {
    guard !isAtEnd else { return nil }
    defer { number += 1 }
    do {
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
private struct Assembly<Output: Sendable, Sink: Sendable>: Sendable {
  var sink: Sink
  /// The first error in order.
  var error: (any Error)?
  private var done = 0
  private var waiting: [Int: Result<Output, any Error>] = [:]

  init(sink: Sink) { self.sink = sink }

  /// Adds an outcome and those that waited for it; returns false once an error has occurred.
  mutating func add(
    _ outcome: Result<Output, any Error>, number: Int, _ take: (inout Sink, Output) throws -> Void
  ) -> Bool {
    waiting[number] = outcome
    while let next = waiting.removeValue(forKey: done) {
      done += 1
      guard error == nil else { continue }
      do { try take(&sink, next.get()) } catch { self.error = error }
    }
    if case .failure = outcome { return false }
    return error == nil
  }
}
