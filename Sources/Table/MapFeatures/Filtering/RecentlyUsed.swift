import Synchronization

/// The most recently used values, each with its key.
final class RecentlyUsed<Key: Equatable & Sendable, Value: Sendable>: Sendable {
  private let capacity: Int
  /// The entries, the most recently used last.
  private let entries = Mutex<[(key: Key, value: Value)]>([])

  /// Creates an empty store; beyond the capacity, it drops the value that was not used for the longest time.
  init(capacity: Int) { self.capacity = capacity }

  /// The number of values.
  var count: Int { entries.withLock { $0.count } }

  subscript(key: Key) -> Value? {
    entries.withLock { entries in
      guard let place = entries.lastIndex(where: { $0.key == key }) else { return nil }
      let entry = entries.remove(at: place)
      entries.append(entry)
      return entry.value
    }
  }

  func keep(_ value: Value, for key: Key) {
    entries.withLock { entries in
      entries.removeAll { $0.key == key }
      entries.append((key, value))
      if entries.count > capacity { entries.removeFirst() }
    }
  }
}
