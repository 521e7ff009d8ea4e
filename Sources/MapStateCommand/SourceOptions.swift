import ArgumentParser
import MapState

/// Where the tables that a document names may lie, and how services are asked.
struct SourceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A folder outside the document's that its layers may name; repeatable.", valueName: "dir"))
  var allowPath: [String] = []
  @Option(
    help: ArgumentHelp(
      "Local files that stand in for services: a JSON object of addresses and paths.", valueName: "file"))
  var services: String?
  #if MAPSTATE_SERVICES
    @Option(
      help: ArgumentHelp(
        "Keep the exchanges with services in a new folder, without secrets.", valueName: "dir"))
    var record: String?
    @Option(
      help: ArgumentHelp("Answer for services from a recorded folder alone.", valueName: "dir"))
    var replay: String?
    @Flag(help: "Ask services without encryption too, where their address says http.")
    var allowHttp = false

    func validate() throws {
      if record != nil, replay != nil {
        throw ValidationError("--record asks services and --replay does not; give one of them.")
      }
    }
  #endif

  /// What finds the tables.
  func catalog(_ reporting: ReportingOptions) throws(MapError) -> SourceCatalog {
    do { try checkFolders() } catch { throw MapError(error) }
    do {
      let standIns = try services.map { file throws(SourceError) in try StandInCatalog(file: file) }
      var catalog = SourceCatalog(
        allowedFolders: allowPath, standIns: standIns, services: reporting.services)
      #if MAPSTATE_SERVICES
        catalog.services.allowsPlainHTTP = allowHttp
        if let record { catalog.services.record(into: record) }
        if let replay { catalog.services.replay(from: replay) }
      #endif
      return catalog
    } catch {
      throw MapError(error)
    }
  }

  /// Refuses options that name no folder, also where no layer and no service needs it.
  private func checkFolders() throws(FileError) {
    for folder in allowPath { try FileAccess.checkFolder(folder) }
    #if MAPSTATE_SERVICES
      if let replay { try FileAccess.checkFolder(replay) }
      // A recording makes its folder.
      if let record, FileAccess.exists(record) { try FileAccess.checkFolder(record) }
    #endif
  }
}
