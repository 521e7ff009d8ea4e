package import MapModel

/// Requests for several things of a server, such as the tiles of a view.
package enum TileRequests {
  /// The greatest number of requests at once.
  ///
  /// - Source: design decision; browsers open six connections per host.
  package static let atOnce = 4
  /// The number of requests that fail in a row before an image sends no more.
  ///
  /// - Source: design decision; twice the number of requests at a time.
  package static let mostFailures = 2 * atOnce

  /// Returns the results of requests, at most four of them at a time.
  ///
  /// - Parameters:
  ///   - keys: what is asked for, each once.
  ///   - mostFailures: the number of failures in a row after which no more requests are sent; a server that is gone would
  ///     otherwise take the time limit of a request for each. Nil for no limit.
  ///   - noun: the word for what is asked for, in messages.
  package static func results<Key: Hashable & Sendable, Value: Sendable>(
    of keys: [Key], mostFailures: Int? = TileRequests.mostFailures, noun: String = "tiles",
    _ fetch: @escaping @Sendable (Key) async -> Result<Value, TileError>
  ) async -> [Key: Result<Value, TileError>] {
    var results: [Key: Result<Value, TileError>] = [:]
    await withTaskGroup(of: (Key, Result<Value, TileError>).self) { group in
      var next = keys.makeIterator()
      var failures = 0
      func start() {
        if let mostFailures, failures >= mostFailures { return }
        guard let key = next.next() else { return }
        group.addTask { (key, await fetch(key)) }
      }
      for _ in 0..<atOnce { start() }
      while let (key, result) = await group.next() {
        results[key] = result
        if case .failure = result { failures += 1 } else { failures = 0 }
        start()
      }
      while let key = next.next() {
        results[key] = .failure(TileError("was not fetched, because \(failures) \(noun) before it failed"))
      }
    }
    return results
  }
}
