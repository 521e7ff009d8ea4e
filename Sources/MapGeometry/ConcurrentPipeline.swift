internal import Dispatch
internal import Synchronization

/// Works on all cores on what `next` hands out, and puts what comes of it together in the same order.
///
/// `next` and `take` are called one at a time, on any thread; neither the answer nor which error is thrown depends on how
/// many cores there are: it is the first in order. Nothing is handed out after an error is known.
package func concurrentPipeline<Source: Sendable, Input: Sendable, Output: Sendable, Sink: Sendable>(
  _ source: Source, next: @Sendable (inout Source) throws -> Input?,
  work: @Sendable (Input) throws -> Output,
  into sink: Sink, take: @Sendable (inout Sink, Output) throws -> Void
) throws -> Sink {
  let feed = Mutex(Feed(source: source))
  let assembly = Mutex(Assembly<Output, Sink>(sink: sink))
  // More than there are cores: who comes when all is handed out ends at once.
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

/// What is handed out, in order.
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

/// What has come of it, in order as far as it has come.
private struct Assembly<Output: Sendable, Sink: Sendable>: Sendable {
  var sink: Sink
  /// The first error in order.
  var error: (any Error)?
  private var done = 0
  private var waiting: [Int: Result<Output, any Error>] = [:]

  init(sink: Sink) { self.sink = sink }

  /// Adds an outcome, and what waited for it; false once there was an error.
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
