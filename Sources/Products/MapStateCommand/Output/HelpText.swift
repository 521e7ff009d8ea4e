/// Help as it prints.
enum HelpText {
  /// The title of the examples at the end of a command's discussion.
  static let examples = "EXAMPLES:"

  /// The help of a command with its examples after the options: the parser prints the whole discussion first.
  static func examplesLast(_ help: String) -> String {
    guard help.hasPrefix("OVERVIEW:"), let usage = help.firstRange(of: "\n\nUSAGE:"),
      let title = help[..<usage.lowerBound].firstRange(of: examples)
    else { return help }
    var start = title.lowerBound
    while start > help.startIndex, help[help.index(before: start)].isWhitespace {
      start = help.index(before: start)
    }
    var options = help[usage.lowerBound...]
    while options.last == "\n" { options.removeLast() }
    return "\(help[..<start])\(options)\n\n\(help[title.lowerBound..<usage.lowerBound])"
  }

  /// The paragraphs of a discussion and the lines of its examples.
  static func parts(ofDiscussion text: String) -> (paragraphs: [String], examples: [String]) {
    let title = text.firstRange(of: examples)
    let lines = title.map { text[$0.upperBound...].split(separator: "\n") } ?? []
    return (
      text[..<(title?.lowerBound ?? text.endIndex)].split(separator: "\n").map(String.init),
      lines.map { String($0.drop { $0 == " " }) }
    )
  }
}
