package import ArgumentParser
import Glibc
import MapState
import MapSystem

/// The tool.
///
/// Each subcommand has a file of its own, parses its options, calls the library once and prints.
package struct MapStateCommand: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "mapstate",
    abstract: "Render and query Esri web maps and geographic data without a display.",
    usage: "mapstate <subcommand> <source> [<options>]",
    discussion: """
      EXIT CODES:
        0   done
        1   an expectation failed: --expect, --strict, a snapshot, a finding or a difference
        2   wrong input, or an output that cannot be written
        3   a service failed
        64  wrong command line
        mapstate help errors explains the kinds of errors, with examples.

      ENVIRONMENT:
        MAPSTATE_SERVICES names the file for --services.
        MAPSTATE_CREDENTIALS names a file with credentials for services.

      EXAMPLES:
        mapstate render Styles/world-cities.json -o cities.png
        mapstate count Styles/world-cities.json --bounds 5,45,15,55
      """,
    version: "\(Release.version)",
    groupedSubcommands: [
      CommandGroup(
        name: "Image",
        subcommands: [
          RenderCommand.self, SeriesCommand.self, LegendCommand.self, TilesCommand.self, SnapshotCommand.self,
          DiffCommand.self,
        ]),
      CommandGroup(
        name: "Question",
        subcommands: [
          CountCommand.self, StatisticsCommand.self, QueryCommand.self, ExplainCommand.self,
        ]),
      CommandGroup(
        name: "Document",
        subcommands: [
          InspectCommand.self, LintCommand.self, FilterCommand.self, ConvertCommand.self, SchemaCommand.self,
        ]),
      CommandGroup(
        name: "Automation",
        subcommands: [
          RunCommand.self, MCPCommand.self, PartialCommand.self, MergeCommand.self, ManualCommand.self,
        ]),
    ])

  package init() {}

  /// Runs the tool with the words of a command line, and ends the process.
  ///
  /// The thread of the caller waits for the tool; Ctrl-C is not delivered to it.
  package static func run(_ words: [String]) -> Never {
    CommandWords.all = words
    StandardOutput.fillClosedStreams()
    let watcher = StopSignal.install()
    FreedMemory.keepForReuse()
    Task.detached {
      await perform()
      Glibc.exit(0)
    }
    withExtendedLifetime(watcher) { StopSignal.wait() }
  }

  /// Performs the command.
  ///
  /// An error ends the process with a line on standard error and an exit code.
  private static func perform() async {
    do {
      try checkName()
      if RampList.isAsked(CommandWords.all) {
        return try StandardOutput.write(RampList.text(isTerminal: RampList.isTerminal))
      }
      if CommandWords.all.dropFirst() == ["help", "errors"] {
        return try StandardOutput.write(ErrorTopic.text)
      }
      try RepeatedOptions.check(CommandWords.all.dropFirst())
      try LayoutOptions.check(CommandWords.all.dropFirst())
      // The parser takes "-#layer", a layer of standard input, for an option.
      let arguments = CommandWords.all.dropFirst().map {
        $0.hasPrefix("-#") ? "/dev/stdin" + $0.dropFirst() : $0
      }
      var command = try subcommand(arguments) ?? parseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      Warnings.printFolded()
      if let error = Warnings.strictError { throw error }
    } catch let error as MapStateError {
      StandardError.fail(error)
    } catch let error as ExitCode {
      Glibc.exit(error.rawValue)
    } catch {
      // The parser throws help and version as errors with code 0.
      let code = exitCode(for: error)
      guard code != .success else { return answer(HelpText.examplesLast(fullMessage(for: error))) }
      StandardError.fail(UsageMessage.error(message(for: error)))
    }
  }

  /// Parses a subcommand by itself; returns nil for one with subcommands, and for words that are not accepted.
  ///
  /// The parser of the whole tool lists the options of a subcommand twice more than the subcommand's own. It is needed for
  /// help and errors, which name the tool.
  private static func subcommand(_ arguments: [String]) -> (any ParsableCommand)? {
    let named = configuration.subcommands.first { $0.configuration.commandName == arguments.first }
    guard let named, named.configuration.subcommands.isEmpty,
      let command = try? named.parseAsRoot(Array(arguments.dropFirst())), type(of: command) == named
    else { return nil }
    return command
  }

  /// Writes help, the version or a completion script.
  private static func answer(_ text: String) {
    do throws(MapStateError) { if !text.isEmpty { try StandardOutput.write(text + "\n") } } catch {
      StandardError.fail(error)
    }
  }

  /// Names the nearest subcommand for an unknown one, which the parser would report as an unexpected argument.
  private static func checkName() throws(MapStateError) {
    guard let name = CommandWords.all.dropFirst().first, !name.hasPrefix("-") else { return }
    let known = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    guard !known.contains(name) else { return }
    let nearest = NearestName.of(name, among: known)
    let advice =
      nearest.map { "did you mean '\($0)'?" } ?? "available: \(known.joined(separator: ", "))"
    throw MapStateError(.usage, "there is no command '\(name)'; \(advice)", suggestion: nearest)
  }
}
