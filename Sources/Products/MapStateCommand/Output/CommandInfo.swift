package import ArgumentParser
import MapState

/// A command with its options, as the parser describes them.
///
/// - Source: the JSON of `--experimental-dump-help`, version 0.
package struct CommandInfo: Sendable {
  /// An option, a flag or an argument.
  package struct Argument: Sendable {
    package enum Kind: String, Sendable {
      case positional, option, flag
    }

    package let kind: Kind
    /// The names as they are written: `--output`, `-o`.
    package let names: [String]
    package let valueName: String
    /// The text of the help.
    package let summary: String
    package let values: [String]
    package let defaultValue: String?
    /// The title of its group; empty for none.
    package let group: String
    package let isRepeating: Bool
    package let isOptional: Bool

    /// The first name, or the name of the value for an argument.
    package var key: String { names.first ?? valueName }

    /// The help with the values and the default, as the parser prints it.
    package var text: String {
      let notes =
        (values.isEmpty ? [] : ["values: \(values.joined(separator: ", "))"])
        + (defaultValue.map { ["default: \($0)"] } ?? [])
      return summary + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
    }
  }

  /// The names of the commands above it and its own.
  package let path: [String]
  package let abstract: String
  package let discussion: String
  /// The usage, of one line or more.
  package let usage: String
  package let options: [Argument]
  /// The subcommands that help lists.
  package let subcommands: [CommandInfo]

  /// The description of a command and all its subcommands.
  package init(_ command: any ParsableCommand.Type) throws {
    try self.init(dump: Array(command._dumpHelp().utf8), of: command)
  }

  /// The description of a program from what it prints for `--experimental-dump-help`.
  package init(dump: [UInt8]) throws { try self.init(dump: dump, of: nil) }

  private init(dump: [UInt8], of command: (any ParsableCommand.Type)?) throws {
    self.init(try JSONValue(parsing: dump)["command"] ?? .null, of: command, above: [])
  }

  /// - Parameter command: the command itself, which states what the JSON does not; nil for one of another program.
  private init(_ json: JSONValue, of command: (any ParsableCommand.Type)?, above: [String]) {
    path = above + [json["commandName"]?.string ?? ""]
    abstract = json["abstract"]?.string ?? ""
    discussion = json["discussion"]?.string ?? ""
    options = (json["arguments"]?.array ?? []).filter { $0["shouldDisplay"]?.boolean != false }
      .map(Argument.init)
    subcommands = (json["subcommands"]?.array ?? [])
      .compactMap { [path] json in
        let name = json["commandName"]?.string
        guard let command else {
          // The parser adds a command for help.
          return name == "help" ? nil : CommandInfo(json, of: nil, above: path)
        }
        return command.configuration.subcommands.first { $0.configuration.commandName == name }
          .flatMap { $0.configuration.shouldDisplay ? CommandInfo(json, of: $0, above: path) : nil }
      }
    // The JSON has no usage.
    let words =
      subcommands.isEmpty
      ? options.filter { $0.kind == .positional }.map { "<\($0.valueName)>" } + ["[<options>]"]
      : ["<subcommand>"]
    usage = command?.configuration.usage ?? (path + words).joined(separator: " ")
  }

  /// The command and all commands below it.
  package var all: [CommandInfo] { [self] + subcommands.flatMap(\.all) }

  /// The options by the title of their group, in the order of the help; arguments and untitled options apart.
  package var groups: [(title: String, options: [Argument])] {
    var groups: [(title: String, options: [Argument])] = []
    for option in options where !option.group.isEmpty {
      if let index = groups.firstIndex(where: { $0.title == option.group }) {
        groups[index].options.append(option)
      } else {
        groups.append((option.group, [option]))
      }
    }
    return groups
  }
}

extension CommandInfo.Argument {
  fileprivate init(_ json: JSONValue) {
    kind = Kind(rawValue: json["kind"]?.string ?? "") ?? .positional
    names = (json["names"]?.array ?? []).map {
      ($0["kind"]?.string == "long" ? "--" : "-") + ($0["name"]?.string ?? "")
    }
    valueName = json["valueName"]?.string ?? ""
    summary = json["abstract"]?.string ?? ""
    values = (json["allValues"]?.array ?? []).compactMap(\.string)
    defaultValue = json["defaultValue"]?.string
    group = json["sectionTitle"]?.string ?? ""
    isRepeating = json["isRepeating"]?.boolean ?? false
    isOptional = json["isOptional"]?.boolean ?? false
  }
}
