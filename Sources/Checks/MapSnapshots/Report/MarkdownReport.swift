import MapState
import MapSystem

/// The report as Markdown for a change request: only the changed cases, before and after.
enum MarkdownReport {
  static func text(_ entries: [SnapshotReportEntry], imageBase: String) -> String {
    let results = entries.map(\.result)
    let skipped = results.count { $0.outcome.isSkip }
    var text =
      "# Snapshots: \(results.count { $0.outcome.isPass }) passed, \(results.count { $0.outcome.isFailure }) failed"
      + (skipped > 0 ? ", \(skipped) skipped" : "") + "\n"
    let causes = SnapshotCause.all(of: entries)
    if !causes.isEmpty { text += "\n## Causes\n\n" }
    for cause in causes {
      let names = cause.cases.prefix(20).map { escaped($0) }.joined(separator: ", ")
      let more = cause.cases.count > 20 ? " and \(cause.cases.count - 20) more" : ""
      let count = cause.cases.count == 1 ? "1 case" : "\(cause.cases.count) cases"
      text += "\(cause.number). \(escaped(cause.text)): \(count): \(names)\(more)\n"
    }
    for entry in entries where entry.result.outcome.isFailure {
      let result = entry.result
      text += "\n## \(entry.number.map { "\($0). " } ?? "")\(escaped(result.name))\n\n"
      if let title = result.title { text += "\(escaped(title))\n\n" }
      text += "**\(result.outcome.word)**\(result.outcome.detail.map { ": \(escaped($0))" } ?? "")\n"
      if !result.lines.isEmpty { text += "\n" + result.lines.map { "- \(escaped($0))\n" }.joined() }
      guard entry.actual != nil else { continue }
      let images = entry.pictureFiles
      text += "\n| \(images.map(\.name).joined(separator: " | ")) |\n"
      text += "|\(String(repeating: " --- |", count: images.count))\n"
      text +=
        "| \(images.map { "![\($0.name)](\(imageBase)\(FilePath.percentEncoded($0.path)))" }.joined(separator: " | ")) |\n"
      if let accept = entry.acceptCommand { text += "\n    \(accept)\n" }
    }
    return text
  }

  /// Returns text on one line in which nothing is a mark, a mention or a reference.
  static func escaped(_ text: String) -> String {
    // Scalars are compared, because a mark followed by a combining character is a different character.
    let scalars = Array(MessageText.lines(text).unicodeScalars)
    return scalars.enumerated().map { index, scalar in
      switch scalar {
      case "\n": return " "
      case "#": return "&#35;"
      case "\\", "`", "*", "_", "[", "]", "<", ">", "|": return "\\\(scalar)"
      // Names of users, groups, requests, labels, milestones and snippets, and formulas; a blank after the mark ends
      // them.
      case "@", "~", "!", "%", "$":
        let isLast = index + 1 == scalars.count || scalars[index + 1].properties.isWhitespace
        return isLast ? "\(scalar)" : "&#\(scalar.value);"
      default: return "\(scalar)"
      }
    }.joined()
  }

  /// Returns a URL whose characters that would end a link are percent-encoded.
  ///
  /// - Source: RFC 3986, section 2.2; parentheses are reserved there, but end a link in Markdown.
  static func address(_ url: String) -> String {
    url.unicodeScalars.map { scalar in
      ":/?#[]@!$&'*+,;=%".unicodeScalars.contains(scalar)
        ? "\(scalar)" : FilePath.percentEncoded("\(scalar)")
    }.joined()
  }
}
