import Glibc
import Synchronization

/// A process-wide recursive lock over all map state.
///
/// Its holder never sees a partial update. Setters hold it briefly, ``Map/update(_:)`` for its closure, and a freeze
/// while it copies. There is one lock per process, not one per map, because a layer exists before it joins a map.
/// No slow operation runs while the lock is held.
package enum ModelGate {
  private static let mutex = Mutex(())
  private static let owner = Atomic<UInt>(0)
  /// Whether a change has happened that observers have not been notified of.
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
    // Only this thread writes its own number, so a relaxed read is sufficient.
    if owner.load(ordering: .relaxed) == thread { return try body() }
    // Observers are asked with the lock held, so the changing thread notifies them and no other thread comes first.
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

  /// Notifies an observer of every later change, after unlock, until the observer is deallocated.
  ///
  /// It is also notified once at the start.
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

/// An observer of all changes of map state, called on the changing thread.
package protocol ModelObserver: AnyObject, Sendable {
  /// Returns a closure that delivers notifications after unlock; nil for none.
  ///
  /// Called with the lock held. One call may cover several changes.
  func modelDidChange() -> (() -> Void)?
}

/// A value of a model object, read and written under the lock, with a count of its changes.
package final class ModelState<Value: Sendable>: Sendable {
  private let value: Mutex<(current: Value, changes: UInt64)>

  package init(_ value: Value) { self.value = Mutex((value, 0)) }

  /// A copy of the value.
  package var snapshot: Value { ModelGate.withLock { value.withLock { $0.current } } }

  /// The number of changes; equal counts mean the same value.
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
