import Synchronization

/// The work in progress in this process, named so that a limit that stops it can report it.
package enum CurrentWork {
  private struct State {
    var next = 0
    var names: [(id: Int, name: String, progress: String)] = []
  }
  private static let state = Mutex(State())

  /// The name of the last started work that has not ended; nil if there is none.
  package static var name: String? {
    state.withLock { state in
      state.names.last.map { $0.progress.isEmpty ? $0.name : "\($0.name), \($0.progress)" }
    }
  }

  /// The progress of that work, such as `12 of 80 MB`; nil if it reports none.
  package static var progress: String? {
    state.withLock { state in state.names.last.flatMap { $0.progress.isEmpty ? nil : $0.progress } }
  }

  /// Records the start of work, such as `reading cities.geojson`.
  ///
  /// - Returns: the number to pass to ``end(_:)``.
  package static func begin(_ name: String) -> Int {
    state.withLock { state in
      state.next += 1
      state.names.append((state.next, name, ""))
      return state.next
    }
  }

  /// Records the progress of work.
  package static func report(_ progress: String, of id: Int) {
    state.withLock { state in
      guard let place = state.names.firstIndex(where: { $0.id == id }) else { return }
      state.names[place].progress = progress
    }
  }

  /// Records the end of work.
  package static func end(_ id: Int) { state.withLock { $0.names.removeAll { $0.id == id } } }
}
