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

  /// Returns text in which no character is a mark of Markdown.
  static func escaped(_ text: String) -> String {
    String(
      text.flatMap { character -> [Character] in
        "\\`*_[]<>|#".contains(character) ? ["\\", character] : character.isNewline ? [" "] : [character]
      })
  }
}
