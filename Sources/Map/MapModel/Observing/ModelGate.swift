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
  /// Whether ``changed`` has elements; read at every unlock, and cheaper to read than the list.
  private static let hasChanged = Atomic(false)
  /// The changed objects whose observers have not been notified.
  private static let changed = Mutex<[any ModelPart]>([])

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
          tellings = notifications()
        }
        owner.store(0, ordering: .relaxed)
      }
      return try body()
    }
  }

  /// Asks each observer of the changed objects once.
  private static func notifications() -> [() -> Void] {
    let parts = changed.withLock { list in
      defer { list = [] }
      return list
    }
    var asked: Set<ObjectIdentifier> = []
    return parts.flatMap { $0.takeObservers() }.compactMap { observer in
      asked.insert(ObjectIdentifier(observer)).inserted ? observer.modelDidChange() : nil
    }
  }

  /// Notifies the observers of an object at unlock; called with the lock held.
  fileprivate static func notifyObservers(of part: any ModelPart) {
    changed.withLock { $0.append(part) }
    hasChanged.store(true, ordering: .relaxed)
  }
}

/// An observer of model objects, called on the changing thread.
package protocol ModelObserver: AnyObject, Sendable {
  /// Returns a closure that delivers notifications after unlock; nil for none.
  ///
  /// Called with the lock held. One call may cover several changes.
  func modelDidChange() -> (() -> Void)?
}

/// The state of a model object; its changes are also changes of the objects that contain it.
package protocol ModelPart: AnyObject, Sendable {
  /// Counts a change, also for the objects that contain this one; called with the lock held.
  func countChange()
  /// Returns the observers, for a notification of all changes so far.
  func takeObservers() -> [any ModelObserver]
}

/// A value of a model object, read and written under the lock, with a count of its changes and its parts' changes.
///
/// A change counts for the objects that contain this one, and notifies their observers. Objects elsewhere cost nothing.
package final class ModelState<Value: Sendable>: ModelPart {
  private struct Content: Sendable {
    var current: Value
    var changes: UInt64 = 0
    var containers: [WeakContainer] = []
    var observers: [WeakObserver] = []
    /// Whether the observers will be notified at unlock.
    var isMarked = false

    /// Returns whether the observers must be added to those notified at unlock.
    mutating func mark() -> Bool {
      guard !isMarked, !observers.isEmpty else { return false }
      isMarked = true
      return true
    }
  }

  private let content: Mutex<Content>

  package init(_ value: Value) { content = Mutex(Content(current: value)) }

  /// A copy of the value.
  package var snapshot: Value { read { copy $0 } }

  /// Returns a part of the value without copying the rest.
  package func read<Part: Sendable>(_ part: (borrowing Value) -> Part) -> Part {
    ModelGate.withLock { content.withLock { part($0.current) } }
  }

  /// The number of changes of the value and of the objects in it; equal counts mean the same values.
  package var changes: UInt64 { ModelGate.withLock { content.withLock { $0.changes } } }

  /// Changes the value.
  package func update<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    ModelGate.withLock {
      defer { countChange() }
      return content.withLock { body(&$0.current) }
    }
  }

  package func countChange() {
    let (containers, isNew) = content.withLock { content in
      content.changes += 1
      return (content.containers, content.mark())
    }
    if isNew { ModelGate.notifyObservers(of: self) }
    for container in containers { container.part?.countChange() }
  }

  /// Counts later changes for an object that contains this one, until ``leave(_:)``.
  package func join(_ container: any ModelPart) {
    ModelGate.withLock {
      content.withLock { content in
        content.containers.removeAll { $0.part == nil || $0.part === container }
        content.containers.append(WeakContainer(part: container))
      }
    }
  }

  /// Counts no more changes for an object; nil means any object.
  package func leave(_ container: (any ModelPart)?) {
    ModelGate.withLock {
      content.withLock { $0.containers.removeAll { container == nil || $0.part === container } }
    }
  }

  /// Notifies an observer of every later change, after unlock, until it is removed or deallocated.
  ///
  /// It is also notified once at the start.
  package func add(_ observer: any ModelObserver) {
    ModelGate.withLock {
      let isNew = content.withLock { content in
        content.observers.removeAll { $0.observer == nil || $0.observer === observer }
        content.observers.append(WeakObserver(observer: observer))
        return content.mark()
      }
      if isNew { ModelGate.notifyObservers(of: self) }
    }
  }

  /// Notifies an observer no more.
  package func remove(_ observer: any ModelObserver) {
    ModelGate.withLock { content.withLock { $0.observers.removeAll { $0.observer === observer } } }
  }

  package func takeObservers() -> [any ModelObserver] {
    content.withLock { content in
      content.isMarked = false
      return content.observers.compactMap(\.observer)
    }
  }
}

private struct WeakContainer: Sendable {
  weak var part: (any ModelPart)?
}

private struct WeakObserver: Sendable {
  weak var observer: (any ModelObserver)?
}
