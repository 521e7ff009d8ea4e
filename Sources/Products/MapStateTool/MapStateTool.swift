import MapStateCommand

/// The program `mapstate`: the commands of `MapStateCommand` with the words of its command line.
@main
enum MapStateTool {
  static func main() { MapStateCommand.run(CommandLine.arguments) }
}
