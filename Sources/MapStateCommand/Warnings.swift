import MapState
import Synchronization

/// The warnings of a run of the tool: each is printed once, when it is found, and listed in JSON answers and reports.
enum Warnings {
  private struct State {
    var all: [String] = []
    var known: Set<String> = []
    var isStrict = false
    var isQuiet = false
  }

  private static let state = Mutex(State())

  /// Sets what becomes of warnings, before the first of them.
  static func configure(isStrict: Bool, isQuiet: Bool) {
    state.withLock { ($0.isStrict, $0.isQuiet) = ($0.isStrict || isStrict, $0.isQuiet || isQuiet) }
  }

  /// True when only answers and errors are printed.
  static var isQuiet: Bool { state.withLock { $0.isQuiet } }

  /// The warnings so far, in the order in which they were found.
  static var all: [String] { state.withLock { $0.all } }

  /// The same as JSON.
  static var json: JSONValue { .array(all.map { .string($0) }) }

  /// Adds a warning, and prints it unless it is known already.
  ///
  /// - Parameter isInAnswer: true where the answer itself lists it, so that it is not printed.
  static func add(_ message: some CustomStringConvertible, isInAnswer: Bool = false) {
    let text = "\(message)"
    let prints = state.withLock { state in
      guard state.known.insert(text).inserted else { return false }
      state.all.append(text)
      return !state.isQuiet && !isInAnswer
    }
    if prints { StandardError.write("warning: \(StandardError.oneLine(text))") }
  }

  /// The error of a run with `--strict` and warnings; nil where there is none.
  static var strictError: MapError? {
    let (isStrict, count) = state.withLock { ($0.isStrict, $0.all.count) }
    guard isStrict, count > 0 else { return nil }
    return MapError(.expectation, "\(count) \(count == 1 ? "warning" : "warnings") with --strict")
  }
}
