import MapSystem

/// The files that an answer depends on, and their revisions before it was made.
struct WatchedFiles {
  private var revisions: [String: FileRevision?] = [:]

  /// Adds files at their current revisions; those already watched keep theirs.
  ///
  /// Folders and addresses never change.
  mutating func add(_ paths: [String]) {
    for path in paths where revisions[path] == nil { revisions[path] = .some(FileRevision(path)) }
  }

  /// Waits until a file differs from its revision and no file has changed for a tenth of a second.
  ///
  /// - Cost: ten times a second, one call of the system per file.
  mutating func waitForChange() async throws {
    var last = revisions
    while true {
      try await Task.sleep(for: .milliseconds(100))
      var now = revisions
      for path in revisions.keys { now[path] = .some(FileRevision(path)) }
      // A file may be half written, or removed for a moment by an editor that replaces it.
      if now != revisions, now == last {
        revisions = now
        return
      }
      last = now
    }
  }
}
