import ArgumentParser

@main
struct MapStateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "mapstate")
}
