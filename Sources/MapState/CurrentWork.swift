import Synchronization

/// The work under way in this process, in words, so that a limit that stops it can name it.
package enum CurrentWork {
  private struct State {
    var next = 0
    var names: [(id: Int, name: String)] = []
  }
  private static let state = Mutex(State())

  /// The work that began last and has not ended; nil where there is none.
  package static var name: String? { state.withLock { $0.names.last?.name } }

  /// Notes the start of some work, such as `reading cities.geojson`.
  ///
  /// - Returns: the number with which ``end(_:)`` is called.
  package static func begin(_ name: String) -> Int {
    state.withLock { state in
      state.next += 1
      state.names.append((state.next, name))
      return state.next
    }
  }

  /// Notes the end of some work.
  package static func end(_ id: Int) { state.withLock { $0.names.removeAll { $0.id == id } } }
}
