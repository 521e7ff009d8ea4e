import Synchronization

/// The work in progress in this process, named so that a limit that stops it can report it.
package enum CurrentWork {
  private struct State {
    var next = 0
    var names: [(id: Int, name: String)] = []
  }
  private static let state = Mutex(State())

  /// The name of the last started work that has not ended; nil if there is none.
  package static var name: String? { state.withLock { $0.names.last?.name } }

  /// Records the start of work, such as `reading cities.geojson`.
  ///
  /// - Returns: the number to pass to ``end(_:)``.
  package static func begin(_ name: String) -> Int {
    state.withLock { state in
      state.next += 1
      state.names.append((state.next, name))
      return state.next
    }
  }

  /// Records the end of work.
  package static func end(_ id: Int) { state.withLock { $0.names.removeAll { $0.id == id } } }
}
