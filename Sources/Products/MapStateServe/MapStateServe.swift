import ArgumentParser
import MapState
import MapSystem

/// The server of maps.
@main
struct MapStateServe: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mapstate-serve",
    abstract: "Serve images, counts, features and tiles of maps by HTTP.",
    usage: """
      mapstate-serve [<path> ...] [<options>]
      mapstate-serve preview <file> [<options>]
      mapstate-serve review <report> [<options>]
      """,
    discussion: """
      Without the name of a subcommand, serves a folder of maps, by default the folder maps; see mapstate-serve maps \
      --help for its options.

      EXAMPLES:
        mapstate-serve Styles
        mapstate-serve preview Styles/world-cities.json
        mapstate-serve review snapshot-report
      """,
    version: "\(Release.version)",
    subcommands: [MapsCommand.self, PreviewCommand.self, ReviewCommand.self],
    defaultSubcommand: MapsCommand.self)
}
