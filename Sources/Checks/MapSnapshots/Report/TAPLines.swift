import MapJSON
import MapSystem

extension SnapshotResult {
  /// Returns the result as lines of the Test Anything Protocol.
  ///
  /// - Source: TAP version 14; the diagnostics are YAML whose values are JSON.
  package func tapLines(number: Int) -> String {
    let shown = MessageText.lines(name).map { character in
      "#\\".contains(character) ? "\\\(character)" : character.isNewline ? " " : String(character)
    }.joined()
    let head = "\(outcome.isFailure ? "not ok" : "ok") \(number) - \(shown)"
    guard !outcome.isSkip else {
      let reason = MessageText.lines(outcome.detail ?? "").map { $0.isNewline ? " " : String($0) }.joined()
      return "\(head) # SKIP \(reason)\n"
    }
    guard outcome.isFailure else { return head + "\n" }
    func text(_ value: String) -> String { JSONValue.string(MessageText.lines(value)).text() }
    var lines = [head, "  ---", "  outcome: \(text(outcome.word))"]
    if let detail = outcome.detail { lines.append("  message: \(text(detail))") }
    let changes = self.lines
    if !changes.isEmpty { lines.append("  changes:") }
    lines += changes.map { "    - \(text($0))" }
    return (lines + ["  ..."]).joined(separator: "\n") + "\n"
  }
}
