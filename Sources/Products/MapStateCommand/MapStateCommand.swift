import ArgumentParser
import Glibc
import MapState
import MapSystem

/// The tool.
///
/// Each subcommand has a file of its own, parses its options, calls the library once and prints.
@main
struct MapStateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
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
        subcommands: [InspectCommand.self, LintCommand.self, FilterCommand.self, ConvertCommand.self]),
      CommandGroup(
        name: "Automation",
        subcommands: [RunCommand.self, PartialCommand.self, MergeCommand.self, ManualCommand.self]),
    ])

  /// Runs the tool.
  ///
  /// An error ends it with a line on standard error and an exit code.
  static func main() async {
    StandardOutput.fillClosedStreams()
    StopSignal.install()
    FreedMemory.keepForReuse()
    do {
      try checkName()
      if RampList.isAsked(CommandLine.arguments) {
        return try StandardOutput.write(RampList.text(isTerminal: RampList.isTerminal))
      }
      try RepeatedOptions.check(CommandLine.arguments.dropFirst())
      try LayoutOptions.check(CommandLine.arguments.dropFirst())
      // The parser takes "-#layer", a layer of standard input, for an option.
      let arguments = CommandLine.arguments.dropFirst().map {
        $0.hasPrefix("-#") ? "/dev/stdin" + $0.dropFirst() : $0
      }
      var command = try parseAsRoot(arguments)
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

  /// Writes help, the version or a completion script.
  private static func answer(_ text: String) {
    do throws(MapStateError) { if !text.isEmpty { try StandardOutput.write(text + "\n") } } catch {
      StandardError.fail(error)
    }
  }

  /// Names the nearest subcommand for an unknown one, which the parser would report as an unexpected argument.
  private static func checkName() throws(MapStateError) {
    guard let name = CommandLine.arguments.dropFirst().first, !name.hasPrefix("-") else { return }
    let known = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    guard !known.contains(name) else { return }
    let nearest = NearestName.of(name, among: known)
    let advice =
      nearest.map { "did you mean '\($0)'?" } ?? "available: \(known.joined(separator: ", "))"
    throw MapStateError(.usage, "there is no command '\(name)'; \(advice)", suggestion: nearest)
  }
}
