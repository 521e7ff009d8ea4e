public import MapState

/// Many cases, one after the other or several at once, their results in order.
public struct SnapshotRun: Sendable {
  /// The folder of cases.
  public let root: String
  /// The cases, in order.
  public let names: [String]
  /// References without a case; each is a failure of its own.
  public let orphans: [String]
  /// How many cases are drawn at once.
  public var jobs = 1
  /// How services are asked that the cases' documents name.
  public var services = ServiceAccess()

  /// All cases below a folder, or those named, or those that fit one of the patterns.
  ///
  /// - Throws: `MapError` when the folder cannot be listed, a name is not there, or, of kind expectation, when there is
  ///   no case at all.
  public init(
    root: String, named names: [String] = [], patterns: [String] = []
  ) throws(MapError) {
    self.root = root.count > 1 && root.hasSuffix("/") ? String(root.dropLast()) : root
    let all = try SnapshotCase.names(in: self.root, named: names)
    let patterns = patterns.map { GlobPattern($0) }
    self.names = patterns.isEmpty ? all : all.filter { name in patterns.contains { $0.matches(name) } }
    guard !self.names.isEmpty else {
      let what = patterns.isEmpty ? "there is no case (a folder with case.json)" : "no case fits --only"
      throw MapError(.expectation, "\(root): \(what)")
    }
    // A part of the cases says nothing of the others.
    orphans = names.isEmpty && patterns.isEmpty ? try SnapshotCase.orphans(in: self.root) : []
  }

  /// Verifies every case; never writes.
  ///
  /// `receive` gets each result in the order of the cases, as soon as it and all before it are there; nothing else
  /// keeps them, so a run needs the memory of ``jobs`` cases, whatever their number.
  ///
  /// - Throws: `MapError` when the self-check fails, and what `receive` throws.
  public func verify(
    _ receive: (SnapshotResult) throws(MapError) -> Void
  ) async throws(MapError) {
    try await SnapshotSelfCheck.run()
    for name in orphans { try receive(SnapshotResult(name: name, outcome: .orphan)) }
    do {
      try await withThrowingTaskGroup(of: (Int, SnapshotResult).self) { group in
        var (started, next) = (0, 0)
        var waiting: [Int: SnapshotResult] = [:]
        func start() {
          guard started < names.count else { return }
          let (index, name, root, services) = (started, names[started], root, services)
          started += 1
          group.addTask { (index, await Self.result(of: name, in: root, services)) }
        }
        for _ in 0..<max(1, jobs) { start() }
        while let (index, result) = try await group.next() {
          waiting[index] = result
          while let ready = waiting.removeValue(forKey: next) {
            try receive(ready)
            next += 1
          }
          start()
        }
      }
    } catch {
      throw MapError(error)
    }
  }

  /// A case that cannot be read fails like one that cannot be drawn, and the others still run.
  private static func result(
    of name: String, in root: String, _ services: ServiceAccess
  ) async -> SnapshotResult {
    do throws(MapError) {
      var snapshot = try SnapshotCase(name, in: root)
      snapshot.services = services
      return await snapshot.verify()
    } catch {
      return SnapshotResult(name: name, outcome: .error(error.description))
    }
  }
}

/// A pattern of names: `*` is any number of characters, `/` included, `?` is one.
struct GlobPattern: Sendable {
  private let pattern: [Character]

  init(_ pattern: String) { self.pattern = Array(pattern) }

  /// True when the whole text fits.
  ///
  /// - Cost: O(pattern * text) at worst: after a failure only the last `*` takes one character more.
  func matches(_ text: String) -> Bool {
    let text = Array(text)
    var (at, place) = (0, 0)
    var star: (pattern: Int, text: Int)?
    while place < text.count {
      if at < pattern.count, pattern[at] == "*" {
        star = (at + 1, place)
        at += 1
      } else if at < pattern.count, pattern[at] == "?" || pattern[at] == text[place] {
        at += 1
        place += 1
      } else if let last = star {
        star = (last.pattern, last.text + 1)
        (at, place) = (last.pattern, last.text + 1)
      } else {
        return false
      }
    }
    return pattern[at...].allSatisfy { $0 == "*" }
  }
}
