import ArgumentParser
import Glibc
import MapState

/// The tool: one file a subcommand; each parses, calls the library once and prints.
@main
struct MapStateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mapstate",
    abstract: "A map without a screen: draw it, count what it shows, drive it from a script.",
    // Before 1.0 names that the contract does not fix may change.
    version: "0.1.0",
    subcommands: [
      RenderCommand.self, CountCommand.self, StatisticsCommand.self, QueryCommand.self, FilterCommand.self,
      ExplainCommand.self,
      InspectCommand.self, RunCommand.self, SnapshotCommand.self,
    ])

  /// Runs the tool: an error becomes its line on standard error and its exit code.
  static func main() async {
    StandardOutput.fillClosedStreams()
    StopSignal.install()
    FreedMemory.keepForReuse()
    do {
      try checkName()
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      Warnings.printFolded()
      if let error = Warnings.strictError { throw error }
    } catch let error as MapError {
      StandardError.fail(error)
    } catch let error as ExitCode {
      Glibc.exit(error.rawValue)
    } catch {
      // Help and version are "errors" of the parser that go to standard output with code 0.
      let code = exitCode(for: error)
      guard code != .success else { return answer(fullMessage(for: error)) }
      StandardError.fail(MapError(.usage, oneLine(message(for: error))))
    }
  }

  /// Writes help, a version or a script for a shell.
  private static func answer(_ text: String) {
    do throws(MapError) { if !text.isEmpty { try StandardOutput.write(text + "\n") } } catch {
      StandardError.fail(error)
    }
  }

  /// Names the nearest subcommand for one that is not there; the parser would speak of unexpected arguments.
  private static func checkName() throws(MapError) {
    guard let name = CommandLine.arguments.dropFirst().first, !name.hasPrefix("-") else { return }
    let known = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    guard !known.contains(name) else { return }
    let nearest = NearestName.of(name, among: known)
    let advice =
      nearest.map { "did you mean '\($0)'?" } ?? "available: \(known.joined(separator: ", "))"
    throw MapError(.usage, "there is no command '\(name)'; \(advice)", suggestion: nearest)
  }

  private static func oneLine(_ message: String) -> String {
    let line = message.split(separator: "\n").joined(separator: " ")
    return line.hasPrefix("Error: ") ? String(line.dropFirst(7)) : line
  }
}
