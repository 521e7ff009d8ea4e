import ArgumentParser
import MapState

/// Where the tables that a document names may lie.
struct SourceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A folder outside the document's that its layers may name; repeatable.", valueName: "dir"))
  var allowPath: [String] = []
  @Option(
    help: ArgumentHelp(
      "Local files that stand in for services: a JSON object of addresses and paths.", valueName: "file"))
  var services: String?

  /// What finds the tables.
  func catalog() throws(MapError) -> SourceCatalog {
    do {
      let standIns = try services.map { file throws(SourceError) in try StandInCatalog(file: file) }
      return SourceCatalog(allowedFolders: allowPath, standIns: standIns)
    } catch {
      throw MapError(error)
    }
  }
}
