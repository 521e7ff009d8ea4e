import MapState
import MapSystem

/// The report as JUnit XML for continuous integration.
///
/// Images of failed cases are attachments, which Jenkins and GitLab show with the case.
///
/// - Source: the elements that the readers of Jenkins, GitLab and GitHub have in common; GitLab documentation, "Unit test
///   reports", for attachments.
enum JUnitReport {
  /// Returns the report of cases, whose images are files below the folder of the report.
  static func text(_ entries: [SnapshotReportEntry], folder: String) -> String {
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
    for entry in entries {
      let result = entry.result
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
      let images = entry.pictureFiles.map { "[[ATTACHMENT|\(folder)/\($0.path)]]" }
      if !images.isEmpty {
        lines.append("<system-out>\(escaped(images.joined(separator: "\n")))</system-out>")
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
