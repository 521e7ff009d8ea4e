import ArgumentParser

/// The man page of a command.
///
/// - Source: groff_man(7).
package struct ManualPage {
  /// The name without the section, such as `mapstate-render`.
  package let name: String
  /// The page in the language of man(7).
  package let text: String

  /// - Parameter date: the date of the page, such as 2026-01-31.
  package init(_ command: CommandInfo, in root: CommandInfo, date: String) {
    name = command.path.joined(separator: "-")
    let version = MapStateCommand.configuration.version
    var lines = [
      ".TH \(Self.quoted(name.uppercased())) 1 \(Self.quoted(date)) \(Self.quoted("mapstate \(version)")) MapState",
      ".SH NAME", "\(Self.escaped(name)) \\- \(Self.escaped(Self.summary(of: command)))",
    ]
    lines += [".SH SYNOPSIS"] + Self.synopsis(of: command)
    let discussion = HelpText.parts(ofDiscussion: command.discussion)
    if !discussion.paragraphs.isEmpty {
      lines.append(".SH DESCRIPTION")
      for (index, paragraph) in discussion.paragraphs.enumerated() {
        lines += (index > 0 ? [".PP"] : []) + [Self.escaped(paragraph)]
      }
    }
    if !command.subcommands.isEmpty {
      lines.append(".SH SUBCOMMANDS")
      for subcommand in command.subcommands {
        let page = subcommand.path.joined(separator: "-")
        lines += [".TP", ".BR \(Self.escaped(page)) (1)", Self.escaped(subcommand.abstract)]
      }
    }
    let arguments = command.options.filter { $0.kind == .positional }
    if !arguments.isEmpty { lines += [".SH ARGUMENTS"] + arguments.flatMap(Self.item) }
    lines.append(".SH OPTIONS")
    for (title, options) in command.groups {
      lines += [".SS \(Self.quoted(title))"] + options.flatMap(Self.item)
    }
    let others = command.options.filter { $0.group.isEmpty && $0.kind != .positional }
    if !command.groups.isEmpty { lines.append(".SS General") }
    lines += others.flatMap(Self.item)
    if command.path != root.path {
      lines += [".SH EXIT STATUS", "See", ".BR mapstate (1)."]
    }
    if !discussion.examples.isEmpty {
      lines += [".SH EXAMPLES", ".EX"] + discussion.examples.map(Self.escaped) + [".EE"]
    }
    let pages = root.all.map { $0.path.joined(separator: "-") }.filter { [name] in $0 != name }
    lines.append(".SH SEE ALSO")
    for (index, page) in pages.enumerated() {
      lines.append(".BR \(Self.escaped(page)) (1)\(index < pages.count - 1 ? "," : "")")
    }
    text = lines.joined(separator: "\n") + "\n"
  }

  /// The abstract without its full stop, as whatis(1) lists it.
  private static func summary(of command: CommandInfo) -> String {
    command.abstract.hasSuffix(".") ? String(command.abstract.dropLast()) : command.abstract
  }

  /// The usage of a command: its own or, where it has none, the name and its subcommands.
  private static func synopsis(of command: CommandInfo) -> [String] {
    let words = command.usage.split(separator: "\n").map(String.init)
    return words.enumerated().flatMap { index, line in
      (index > 0 ? [".br"] : []) + [escaped(line)]
    }
  }

  /// An option or argument with its help.
  private static func item(_ option: CommandInfo.Argument) -> [String] {
    let value = "\\fI\(escaped(option.valueName))\\fR"
    let names = option.names.map { "\\fB\(escaped($0))\\fR" }.joined(separator: ", ")
    let head =
      switch option.kind {
      case .positional: value
      case .flag: names
      case .option: "\(names) \(value)"
      }
    return [".TP", head, escaped(option.text)]
  }

  /// Text with characters of the language escaped.
  private static func escaped(_ text: String) -> String {
    var line = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": line += "\\e"
      case "-": line += "\\-"
      case "'": line += "\\(aq"
      case "`": line += "\\(ga"
      case "~": line += "\\(ti"
      case "^": line += "\\(ha"
      case _ where !scalar.isASCII:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        line += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
      default: line.unicodeScalars.append(scalar)
      }
    }
    return line.hasPrefix(".") ? "\\&\(line)" : line
  }

  /// Text as one argument of a macro.
  private static func quoted(_ text: String) -> String {
    "\"\(escaped(text).replacing("\"", with: "\\(dq"))\""
  }
}
