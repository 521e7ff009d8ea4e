import MapState
import MapSystem

/// The messages of the parser about a wrong command line, in the form of the tool's errors.
enum UsageMessage {
  /// Returns the error for a message of the parser.
  static func error(_ message: String) -> MapStateError {
    let line = oneLine(message)
    if line.hasPrefix("unexpected argument"),
      let error = LayoutOptions.wrongValue(among: Array(CommandWords.all.dropFirst()))
    {
      return error
    }
    return nearValues(line) ?? MapStateError(.usage, line)
  }

  /// Returns the error for a value that is not in a list, with the nearest values first; nil for other messages.
  private static func nearValues(_ line: String) -> MapStateError? {
    let parts = line.split(separator: "'; give one of ", maxSplits: 1).map(String.init)
    let start = "the value '"
    guard parts.count == 2, line.hasPrefix(start), let end = line.firstRange(of: "' is invalid for '") else {
      return nil
    }
    let value = String(line[..<end.lowerBound].dropFirst(start.count))
    let known = parts[1].split(separator: "'").enumerated().filter { $0.offset % 2 == 0 }.map {
      String($0.element)
    }
    let near = nearNames(value, known)
    guard let first = near.first else { return nil }
    let list = near.map { "'\($0)'" }.joined(separator: " or ")
    return MapStateError(
      .usage, "\(parts[0])'; did you mean \(list)? available: \(known.joined(separator: ", "))",
      suggestion: first)
  }

  /// Returns the names that contain a word, or else the one with the nearest spelling.
  static func nearNames(_ word: String, _ names: [String]) -> [String] {
    let lower = word.lowercased()
    let containing = lower.count < 3 ? [] : names.filter { $0.lowercased().contains(lower) }
    return containing.isEmpty ? NearestName.of(word, among: names).map { [$0] } ?? [] : containing
  }

  /// The message in one line.
  private static func oneLine(_ message: String) -> String {
    var lines = message.split(separator: "\n").map(String.init)
    // The parser writes more than five values as a list below the message.
    let values = lines.filter { $0.hasPrefix("  - ") }.map { "'\($0.dropFirst(4))'" }
    if let last = values.last {
      lines.removeAll { $0.hasPrefix("  - ") }
      lines = lines.map {
        $0.replacing(
          "one of the following:", with: "one of \(values.dropLast().joined(separator: ", ")) or \(last)")
      }
    }
    var line = lines.joined(separator: " ")
    if line.hasPrefix("Error: ") { line.removeFirst(7) }
    line = line.replacing("'. Please provide one of ", with: "'; give one of ").replacing(
      "'. Did you mean ", with: "'; did you mean ")
    // The parser writes sentences; errors begin in lower case and have no full stop.
    if line.hasSuffix(".") { line.removeLast() }
    return nameAdvice(line.prefix(1).lowercased() + line.dropFirst())
  }

  /// The names that other programs give to options, with the commands that have the options.
  private static let otherNames: [(names: [String], option: String, commands: [String])] = [
    (
      ["--bbox", "--bounding-box", "--extent"], "--bounds",
      ["render", "legend", "count", "statistics", "query"]
    ),
    (["--filter"], "--where", ["render", "legend", "series", "tiles", "count", "statistics", "query"]),
    (["--limit", "--max-records", "--top"], "--max-features", ["query"]),
    (["--limit", "--max-records", "--max-features"], "--top", ["statistics"]),
    (["--fields", "--select", "--columns"], "--out-fields", ["query"]),
    (
      ["--fps", "--frame-rate", "--framerate", "--delay", "--duration", "--interval"], "--frame-time",
      ["series"]
    ),
    (["--crs", "--srs", "--epsg", "--projection"], "--reference", ["render", "legend", "series"]),
  ]

  /// Replaces the suggestion of the parser, which compares letters only, for names that other programs use.
  private static func nameAdvice(_ line: String) -> String {
    let command = CommandWords.all.dropFirst().first ?? ""
    for (names, option, commands) in otherNames where commands.contains(command) {
      if let name = names.first(where: { line.hasPrefix("unknown option '\($0)'") }) {
        return "unknown option '\(name)'; did you mean '\(option)'?"
      }
    }
    return otherCommands(line, than: command) ?? line
  }

  /// Names the commands that have an unknown option; nil if none has it.
  private static func otherCommands(_ line: String, than command: String) -> String? {
    let start = "unknown option '--"
    guard line.hasPrefix(start), let tool = try? CommandInfo.tool() else { return nil }
    let name = "--" + line.dropFirst(start.count).prefix { $0 != "'" }
    let having = tool.subcommands.filter { other in
      other.path.last != command && other.options.contains { $0.names.contains(name) }
    }.compactMap(\.path.last)
    guard !having.isEmpty else { return nil }
    return
      "unknown option '\(name)'; \(having.joined(separator: ", ")) \(having.count == 1 ? "has" : "have") it"
  }
}
