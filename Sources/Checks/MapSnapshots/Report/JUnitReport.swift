import MapState
import MapSystem

/// The report as JUnit XML for continuous integration.
///
/// - Source: the elements that the readers of Jenkins, GitLab and GitHub have in common.
enum JUnitReport {
  static func text(_ entries: [SnapshotReportEntry]) -> String {
    let results = entries.map(\.result)
    let errors = results.count { isError($0.outcome) }
    let failures = results.count { $0.outcome.isFailure } - errors
    let seconds = results.reduce(0) { $0 + $1.seconds }
    let head =
      "tests=\"\(results.count)\" failures=\"\(failures)\" errors=\"\(errors)\" "
      + "skipped=\"\(results.count { $0.outcome.isSkip })\" time=\"\(rounded(seconds))\""
    var lines = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites \(head)>",
      "<testsuite name=\"snapshots\" \(head)>",
    ]
    for result in results {
      let parts = result.name.split(separator: "/")
      let topic = parts.dropLast().joined(separator: ".")
      let element =
        "<testcase classname=\"\(escaped(topic.isEmpty ? "snapshots" : topic))\" "
        + "name=\"\(escaped(String(parts.last ?? "")))\" time=\"\(rounded(result.seconds))\""
      guard !result.outcome.isPass else {
        lines.append("\(element)/>")
        continue
      }
      lines.append("\(element)>")
      let message = escaped(result.outcome.detail ?? result.outcome.word)
      if result.outcome.isSkip {
        lines.append("<skipped message=\"\(message)\"/>")
      } else {
        let name = isError(result.outcome) ? "error" : "failure"
        let said = result.lines.map { escaped($0) }
        lines.append(
          "<\(name) type=\"\(result.outcome.word)\" message=\"\(message)\">\(said.joined(separator: "\n"))</\(name)>"
        )
      }
      lines.append("</testcase>")
    }
    return (lines + ["</testsuite>", "</testsuites>"]).joined(separator: "\n") + "\n"
  }

  private static func isError(_ outcome: SnapshotOutcome) -> Bool {
    if case .error = outcome { true } else { false }
  }

  private static func rounded(_ seconds: Double) -> String { "\((seconds * 1000).rounded() / 1000)" }

  /// Returns text for content and attributes; characters that XML 1.0 does not allow become question marks.
  private static func escaped(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      case "\n": out += "&#10;"
      case "\t": out += "&#9;"
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: out += "?"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }
}

/// The report as Markdown for a change request: only the changed cases, before and after.
enum MarkdownReport {
  static func text(_ entries: [SnapshotReportEntry], imageBase: String) -> String {
    let results = entries.map(\.result)
    let skipped = results.count { $0.outcome.isSkip }
    var text =
      "# Snapshots: \(results.count { $0.outcome.isPass }) passed, \(results.count { $0.outcome.isFailure }) failed"
      + (skipped > 0 ? ", \(skipped) skipped" : "") + "\n"
    let causes = SnapshotCause.all(of: entries)
    if !causes.isEmpty { text += "\n## Causes of several cases\n\n" }
    for cause in causes {
      let names = cause.cases.prefix(20).map { escaped($0) }.joined(separator: ", ")
      let more = cause.cases.count > 20 ? " and \(cause.cases.count - 20) more" : ""
      text += "- \(escaped(cause.text)): \(cause.cases.count) cases: \(names)\(more)\n"
    }
    for entry in entries where entry.result.outcome.isFailure {
      let result = entry.result
      text += "\n## \(escaped(result.name))\n\n"
      if let title = result.title { text += "\(escaped(title))\n\n" }
      text += "**\(result.outcome.word)**\(result.outcome.detail.map { ": \(escaped($0))" } ?? "")\n"
      if !result.lines.isEmpty { text += "\n" + result.lines.map { "- \(escaped($0))\n" }.joined() }
      guard entry.actual != nil else { continue }
      let below = imageBase + FilePath.percentEncoded("cases/\(result.name)")
      let images = [
        ("before", entry.expected, "expected.png"), ("now", entry.actual, "reference.png"),
        ("difference", entry.difference, "difference.png"),
      ].filter { $0.1 != nil }
      text += "\n| \(images.map(\.0).joined(separator: " | ")) |\n"
      text += "|\(String(repeating: " --- |", count: images.count))\n"
      text += "| \(images.map { "![\($0.0)](\(below)/\($0.2))" }.joined(separator: " | ")) |\n"
      if let accept = entry.acceptCommand { text += "\n    \(accept)\n" }
    }
    return text
  }

  private static func escaped(_ text: String) -> String {
    String(
      text.flatMap { character -> [Character] in
        "\\`*_[]<>|#".contains(character) ? ["\\", character] : character.isNewline ? [" "] : [character]
      })
  }
}
