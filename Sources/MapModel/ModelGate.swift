import Glibc
import Synchronization

/// The one lock over all maps, layers and views of a process: who holds it sees no half-done change.
///
/// Setters hold it for a moment, ``Map/update(_:)`` for its closure, a freeze while it copies. One for the process
/// and not one a map, because a layer is made before it joins a map, and nothing that takes long is done inside.
/// The same thread may enter again.
package enum ModelGate {
  private static let mutex = Mutex(())
  private static let owner = Atomic<UInt>(0)
  /// True from a change to the telling of it.
  fileprivate static let hasChanged = Atomic(false)
  private static let observers = Mutex<[WeakObserver]>([])

  private struct WeakObserver: Sendable {
    weak var observer: (any ModelObserver)?
  }

  /// Runs `body` while no other thread changes or freezes any map.
  package static func withLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let thread = UInt(pthread_self())
    // Only this thread can have written its own number, so the relaxed read cannot be fooled.
    if owner.load(ordering: .relaxed) == thread { return try body() }
    // Looked at while the gate is closed, so that the thread of a change tells of it and no other comes before.
    var tellings: [() -> Void] = []
    defer { for tell in tellings { tell() } }
    return try mutex.withLock { _ throws(Failure) in
      owner.store(thread, ordering: .relaxed)
      defer {
        if hasChanged.exchange(false, ordering: .relaxed) {
          tellings = observers.withLock { $0 }.compactMap { $0.observer?.modelDidChange() }
        }
        owner.store(0, ordering: .relaxed)
      }
      return try body()
    }
  }

  /// Tells an observer of every change from now on, once the gate is open again; one that is gone is forgotten.
  ///
  /// It is told once at the start, too.
  package static func add(_ observer: any ModelObserver) {
    withLock {
      observers.withLock { list in
        list.removeAll { $0.observer == nil }
        list.append(WeakObserver(observer: observer))
      }
      hasChanged.store(true, ordering: .relaxed)
    }
  }
}

/// Who looks after every change of some model object, on the thread of the change.
package protocol ModelObserver: AnyObject, Sendable {
  /// Looks at what has changed, behind the gate, and gives what tells of it once the gate is open; nil for nothing.
  ///
  /// Several changes may be looked at as one.
  func modelDidChange() -> (() -> Void)?
}

/// A value of a model object, read and written through the gate, with a count of its changes.
package final class ModelState<Value: Sendable>: Sendable {
  private let value: Mutex<(current: Value, changes: UInt64)>

  package init(_ value: Value) { self.value = Mutex((value, 0)) }

  /// A copy.
  package var snapshot: Value { ModelGate.withLock { value.withLock { $0.current } } }

  /// How often the value was changed; two equal counts stand for the same value.
  package var changes: UInt64 { ModelGate.withLock { value.withLock { $0.changes } } }

  /// Changes the value.
  package func update<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    ModelGate.withLock {
      value.withLock {
        $0.changes += 1
        ModelGate.hasChanged.store(true, ordering: .relaxed)
        return body(&$0.current)
      }
    }
  }
}
