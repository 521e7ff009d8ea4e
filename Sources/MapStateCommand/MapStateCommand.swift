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
      RenderCommand.self, CountCommand.self, StatisticsCommand.self, QueryCommand.self, InspectCommand.self,
      RunCommand.self, SnapshotCommand.self,
    ])

  /// Runs the tool: an error becomes its line on standard error and its exit code.
  static func main() async {
    StopSignal.install()
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let error as MapError {
      StandardError.fail(error)
    } catch let error as ExitCode {
      Glibc.exit(error.rawValue)
    } catch {
      // Help and version are "errors" of the parser that go to standard output with code 0.
      let code = exitCode(for: error)
      guard code != .success else { exit(withError: error) }
      StandardError.write("error: \(oneLine(message(for: error)))")
      Glibc.exit(MapError.Kind.usage.exitCode)
    }
  }

  private static func oneLine(_ message: String) -> String {
    let line = message.split(separator: "\n").joined(separator: " ")
    return line.hasPrefix("Error: ") ? String(line.dropFirst(7)) : line
  }
}
