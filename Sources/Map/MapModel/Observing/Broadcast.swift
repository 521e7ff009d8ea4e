import Synchronization

/// A channel that delivers values to its listeners, in the order in which they occur.
///
/// Listeners run outside all locks, one at a time. A listener may change the map again; the resulting values are
/// delivered afterwards.
package final class Broadcast<Value: Sendable>: Sendable {
  private struct State: Sendable {
    var listeners: [Int: @Sendable (Value) -> Void] = [:]
    var nextListener = 0
    var waiting: [Value] = []
    var isTelling = false
  }

  private let state = Mutex(State())

  package init() {}

  /// Whether there are listeners.
  package var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

  /// Delivers a value after all earlier ones.
  package func tell(_ value: Value) {
    enqueue(value)
    drain()
  }

  /// Queues a value, which ``drain()`` delivers.
  package func enqueue(_ value: Value) { state.withLock { $0.waiting.append(value) } }

  /// Delivers the queued values; a delivery that is already running does so instead.
  package func drain() {
    let isFirst = state.withLock { state in
      defer { state.isTelling = true }
      return !state.isTelling
    }
    guard isFirst else { return }
    while true {
      let next = state.withLock { state -> (Value, [@Sendable (Value) -> Void])? in
        guard !state.waiting.isEmpty else {
          state.isTelling = false
          return nil
        }
        return (state.waiting.removeFirst(), state.listeners.sorted { $0.key < $1.key }.map(\.value))
      }
      guard let (value, listeners) = next else { return }
      for listener in listeners { listener(value) }
    }
  }

  /// Calls a closure with every later value and returns the number of the listener.
  ///
  /// The listener stays as long as the broadcast exists, or until it is removed by its number.
  @discardableResult
  package func listen(_ listener: @escaping @Sendable (Value) -> Void) -> Int {
    state.withLock { state in
      state.nextListener += 1
      state.listeners[state.nextListener] = listener
      return state.nextListener
    }
  }

  private func stopListening(_ number: Int) {
    state.withLock { state in
      state.listeners[number] = nil
    }
  }

  /// Returns a stream of later values without consecutive duplicates; it ends with the reading task.
  package func stream<Part: Sendable & Equatable>(
    of part: @escaping @Sendable (Value) -> Part?, after last: Part? = nil
  ) -> AsyncStream<Part> {
    AsyncStream { continuation in
      let told = Mutex<Part?>(last)
      let number = listen { value in
        guard let part = part(value) else { return }
        let isNew = told.withLock { told in
          defer { told = part }
          return told != part
        }
        if isNew { continuation.yield(part) }
      }
      continuation.onTermination = { [weak self] _ in self?.stopListening(number) }
    }
  }

  /// Calls a closure with each part that differs from the previous one.
  package func listen<Part: Sendable & Equatable>(
    to part: @escaping @Sendable (Value) -> Part?, after last: Part? = nil,
    _ action: @escaping @Sendable (Part) -> Void
  ) {
    let told = Mutex<Part?>(last)
    listen { value in
      guard let part = part(value) else { return }
      let isNew = told.withLock { told in
        defer { told = part }
        return told != part
      }
      if isNew { action(part) }
    }
  }
}
