import MapState
import MapSystem
import Synchronization

/// The warnings of a run.
///
/// Each is printed once, when it is found, and listed in JSON answers and reports.
///
/// Warnings that differ only in numbers, such as the index of a feature, are of one kind. Ten warnings of each kind are
/// printed and listed; one line at the end counts the others.
enum Warnings {
  private struct State {
    var all: [String] = []
    var known: Set<String> = []
    /// The messages of document warnings without their paths, which drawing gives again.
    var messages: Set<String> = []
    /// The number of warnings of each kind, and the first one.
    var kinds: [String: (count: Int, first: String)] = [:]
    /// The kinds with more warnings than are listed, in order.
    var folded: [String] = []
    /// The notes, which are not warnings.
    var notes: [String] = []
    var count: Int { known.count }
    var isStrict = false
    var isQuiet = false
  }

  private static let state = Mutex(State())
  /// Design decision: enough to see the pattern without filling the screen.
  private static let mostOfAKind = 10

  /// Sets the treatment of warnings, before the first one.
  static func configure(isStrict: Bool, isQuiet: Bool) {
    state.withLock { ($0.isStrict, $0.isQuiet) = ($0.isStrict || isStrict, $0.isQuiet || isQuiet) }
  }

  /// True when the tool prints only answers and errors.
  static var isQuiet: Bool { state.withLock { $0.isQuiet } }

  /// The warnings so far, in the order found, and one line for the others of each kind.
  static var all: [String] { state.withLock { $0.all + lines(ofFolded: $0) } }

  /// The warnings as a JSON array.
  static var json: JSONValue { .array(all.map { .string($0) }) }

  /// Adds a note, which `--strict` ignores, and prints it unless it is known.
  static func note(_ message: String) {
    let text = MessageText.line(message)
    let isNew = state.withLock { state in
      guard !state.notes.contains(text) else { return false }
      state.notes.append(text)
      return true
    }
    if isNew { StandardError.note(text) }
  }

  /// Returns an answer or a report with the notes as the member `notes`, if there are any.
  static func noting(_ answer: JSONValue) -> JSONValue {
    let notes = state.withLock { $0.notes }
    guard !notes.isEmpty, var object = answer.object else { return answer }
    object["notes"] = .array(notes.map { .string($0) })
    return .object(object)
  }

  /// Forgets the warnings, before another answer.
  static func removeAll() {
    state.withLock { state in
      var next = State()
      (next.isStrict, next.isQuiet) = (state.isStrict, state.isQuiet)
      state = next
    }
  }

  /// Prints the number of warnings that were not printed.
  static func printFolded() {
    let folded = state.withLock { $0.isQuiet ? [] : lines(ofFolded: $0) }
    for line in folded { StandardError.write("warning: \(MessageText.line(line))") }
  }

  private static func lines(ofFolded state: State) -> [String] {
    state.folded.compactMap { kind in
      state.kinds[kind].map { "and \(($0.count - mostOfAKind).grouped) more like \"\($0.first)\"" }
    }
  }

  /// Adds a warning of a document, whose message drawing may give again without the path.
  ///
  /// Remarks are left out, because they have no effect on images and counts.
  static func add(_ warning: DocumentWarning) {
    guard !warning.isRemark else { return }
    add(warning.description)
    state.withLock { _ = $0.messages.insert(MessageText.line(warning.message)) }
  }

  /// Adds a warning and prints it unless it is known.
  ///
  /// - Parameter isInAnswer: true when the answer lists the warning, so that it is not printed.
  static func add(_ message: some CustomStringConvertible, isInAnswer: Bool = false) {
    let text = MessageText.line("\(message)")
    let prints = state.withLock { state in
      guard !state.messages.contains(text), state.known.insert(text).inserted else { return false }
      if isInAnswer {
        state.all.append(text)
        return false
      }
      let kind = kind(of: text)
      let count = (state.kinds[kind]?.count ?? 0) + 1
      state.kinds[kind] = (count, state.kinds[kind]?.first ?? text)
      guard count <= mostOfAKind else {
        if count == mostOfAKind + 1 { state.folded.append(kind) }
        return false
      }
      state.all.append(text)
      return !state.isQuiet
    }
    if prints { StandardError.write("warning: \(text)") }
  }

  /// The text with every number replaced by 0.
  private static func kind(of text: String) -> String {
    var kind: [UInt8] = []
    for byte in text.utf8 {
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      if isDigit, kind.last == UInt8(ascii: "0") { continue }
      kind.append(isDigit ? UInt8(ascii: "0") : byte)
    }
    return String(decoding: kind, as: UTF8.self)
  }

  /// The error of a run with `--strict` and warnings; nil for other runs.
  static var strictError: MapStateError? {
    let (isStrict, count) = state.withLock { ($0.isStrict, $0.count) }
    guard isStrict, count > 0 else { return nil }
    return MapStateError(
      .expectation, "\(count.grouped) \(count == 1 ? "warning" : "warnings") with --strict")
  }
}
