public import MapFilter
public import MapState

/// A run of many cases, one after the other or concurrently, with results in order.
public struct SnapshotRun: Sendable {
  /// The folder of cases.
  public let root: String
  /// The names of the cases, in order.
  public let names: [String]
  /// The folders of reference files without a case; each is a separate failure.
  public let orphans: [String]
  /// The number of cases that are drawn concurrently.
  public var jobs = 1
  /// The access to services that the cases' documents name.
  public var services = ServiceAccess()
  /// The replacements for services that the cases' documents name; nil for those of the environment.
  public var standIns: StandInCatalog?
  /// The current time of filters and expressions of cases without `now`; nil for the system clock.
  public var now: Instant?
  /// Whether a filter that selects the same rows by other means is a failure.
  public var exactFilters = false
  /// The changed files.
  ///
  /// A case is drawn only if it uses one of them. Nil draws every case.
  public var changes: ChangedFiles?

  /// Creates a run of all cases below a folder, of the named ones, or of those that match a pattern.
  ///
  /// - Throws: `MapStateError` if the folder cannot be listed or a name does not exist, and of kind expectation if there
  ///   is no case at all.
  public init(
    root: String, named names: [String] = [], patterns: [String] = []
  ) throws(MapStateError) {
    self.root = root.count > 1 && root.hasSuffix("/") ? String(root.dropLast()) : root
    let all = try SnapshotCase.names(in: self.root, named: names)
    let patterns = patterns.map { GlobPattern($0) }
    self.names = patterns.isEmpty ? all : all.filter { name in patterns.contains { $0.matches(name) } }
    guard !self.names.isEmpty else {
      let what = patterns.isEmpty ? "no case found (a folder with case.json)" : "no case matches --only"
      throw MapStateError(.expectation, "\(root): \(what)")
    }
    // Orphans are only searched for if all cases run.
    orphans = names.isEmpty && patterns.isEmpty ? try SnapshotCase.orphans(in: self.root) : []
  }

  /// Verifies every case; writes no file.
  ///
  /// `receive` gets each result in the order of the cases, as soon as it and all earlier results are available.
  /// Results are not kept after that. A run needs the memory of at most twice ``jobs`` cases, because no further case
  /// starts while that many results wait for a slow one, and of the four tables that were read last.
  ///
  /// - Throws: `MapStateError` if the self-check fails, and the errors of `receive`.
  public func verify(
    _ receive: (SnapshotResult) throws(MapStateError) -> Void
  ) async throws(MapStateError) {
    try await SnapshotSelfCheck.run()
    let tables = RecentTables()
    for name in orphans { try receive(SnapshotResult(name: name, outcome: .orphan)) }
    do {
      try await withThrowingTaskGroup(of: (Int, SnapshotResult).self) { group in
        var (started, next) = (0, 0)
        var waiting: [Int: SnapshotResult] = [:]
        func start() {
          guard started < names.count else { return }
          let (index, name) = (started, names[started])
          started += 1
          group.addTask { (index, await result(of: name, tables)) }
        }
        for _ in 0..<max(1, jobs) { start() }
        while let (index, result) = try await group.next() {
          waiting[index] = result
          while let ready = waiting.removeValue(forKey: next) {
            try receive(ready)
            next += 1
          }
          while started < names.count, started - next < max(1, jobs) * 2,
            started - next - waiting.count < max(1, jobs)
          {
            start()
          }
        }
      }
    } catch {
      throw MapStateError(error)
    }
  }

  /// Returns the result of a case.
  ///
  /// A case that cannot be read fails, and the others still run.
  private func result(of name: String, _ tables: RecentTables) async -> SnapshotResult {
    do throws(MapStateError) {
      var snapshot = try SnapshotCase(name, in: root)
      if let changes, !changes.concern(snapshot) {
        return SnapshotResult(name: name, outcome: .unchanged("no file differs from \(changes.revision)"))
      }
      (snapshot.services, snapshot.standIns, snapshot.now) = (services, standIns, now)
      (snapshot.exactFilters, snapshot.recentTables) = (exactFilters, tables)
      return await snapshot.verify()
    } catch {
      return SnapshotResult(name: name, outcome: .error(error.description))
    }
  }
}
