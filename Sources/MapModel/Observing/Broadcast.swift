import Synchronization

/// Values told to whoever listens, in the order in which they came up.
///
/// Closures run outside every lock, one at a time, so a listener may change the map again; what that brings up is told
/// after.
package final class Broadcast<Value: Sendable>: Sendable {
  private struct State: Sendable {
    var listeners: [Int: @Sendable (Value) -> Void] = [:]
    var nextListener = 0
    var waiting: [Value] = []
    var isTelling = false
  }

  private let state = Mutex(State())

  package init() {}

  /// True when somebody listens.
  package var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

  /// Tells a value, after all that came up before it.
  package func tell(_ value: Value) {
    enqueue(value)
    drain()
  }

  /// Puts a value in line; ``drain()`` tells it.
  package func enqueue(_ value: Value) { state.withLock { $0.waiting.append(value) } }

  /// Tells what is in line, unless somebody is at it, who then does.
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

  /// Calls a closure with every value from now on, as long as the broadcast lives or until the number it gives is
  /// taken back.
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

  /// The values from now on, each of a kind once in a row; ends with the task that reads it.
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

  /// Calls a closure with each part that differs from the one before.
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
