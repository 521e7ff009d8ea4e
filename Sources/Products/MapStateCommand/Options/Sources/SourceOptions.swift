import ArgumentParser
import MapState
import MapSystem

/// The options that select local files and services for the layers of a document.
struct SourceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Allow layers to read files in this folder too; repeatable.", valueName: "dir"),
    completion: .directory)
  var allowPath: [String] = []
  @Option(
    help: ArgumentHelp(
      "Features for a drawing document: a layer resource, drawingInfo, renderer or SLD.", valueName: "source"),
    completion: .file())
  var data: String?
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Tiles for a style's source or for the streets of the basemap: archive, folder, template; repeatable.",
      valueName: "[source=]file"),
    completion: .file())
  var tiles: [String] = []
  @OptionGroup var tables: JoinOptions
  @Option(
    help: ArgumentHelp(
      "JSON file with replacements for services: files or other addresses.", valueName: "file"),
    completion: .file())
  var services: String?
  @OptionGroup var fetching: FetchOptions
  @OptionGroup var reading: ReadingOptionGroup
  @OptionGroup var reach: ReachOptions

  /// Adds a warning if no document has a style that `--tiles` could be for.
  func warnOfUnusedTiles(_ documents: [MapDocument]) {
    guard !tiles.isEmpty, documents.allSatisfy({ $0.map.vectorTiledLayers.isEmpty }) else { return }
    Warnings.add("--tiles has no effect: neither the source nor the basemap is a style")
  }

  /// Adds a warning for each given option that a description does not use.
  ///
  /// - Parameter reason: the reason, after the option.
  func warnOfUnusedOptions(_ reason: String) {
    let others = [
      ("--tiles", !tiles.isEmpty), ("--join", !tables.joins.joins.isEmpty), ("--data", data != nil),
    ]
    for name in reading.options.optionNames + others.filter(\.1).map(\.0) {
      Warnings.add("\(name) has no effect: \(reason)")
    }
  }

  /// The catalog that opens tables.
  func catalog() throws(MapStateError) -> SourceCatalog {
    do {
      for folder in allowPath { try FileAccess.checkFolder(folder) }
      let standIns = try services.map { file throws(MapStateError) in try StandInCatalog(file: file) }
      var catalog = SourceCatalog(
        allowedFolders: allowPath, standIns: standIns, services: reach.services)
      catalog.reading = reading.options
      catalog.drawingData = data
      catalog.styleTiles = tiles
      catalog.joins = tables.joins
      catalog.joins.readsStandardInput = true
      catalog.readingReport = fetching.report
      try fetching.set(&catalog.services)
      return catalog
    } catch {
      throw MapStateError(error)
    }
  }
}

/// The options that permit, limit and record requests to servers.
struct ExchangeOptions: ParsableArguments {
  #if Services
    @Option(
      help: ArgumentHelp(
        "Save the answers of services in a new folder, without credentials.", valueName: "dir"),
      completion: .directory)
    var record: String?
    @Flag(help: "Use the answers that the folder of --record already has, and request only the others.")
    var resume = false
    @Option(
      help: ArgumentHelp("Use the answers saved by --record; send no requests.", valueName: "dir"),
      completion: .directory)
    var replay: String?
    @Flag(help: "Allow services without encryption (http).")
    var allowHttp = false
    @Option(
      help: ArgumentHelp(
        "Most to fetch from a file on a server, such as 1GB; default: 256MB.", valueName: "size"))
    var maxDownload: ByteCount?
  #endif

  func validate() throws {
    #if Services
      if record != nil, replay != nil {
        throw ValidationError("--record cannot be combined with --replay; give one of them.")
      }
      if resume, record == nil {
        throw ValidationError("--resume needs --record, the folder of a run that stopped.")
      }
    #endif
  }

  /// Sets what the options state.
  ///
  /// - Throws: `FileError` for an option that names no folder, also where no service needs it.
  func set(_ services: inout ServiceAccess) throws(FileError) {
    #if Services
      services.allowsPlainHTTP = allowHttp
      if let maxDownload { services.downloadBytes = maxDownload.bytes }
      if let record {
        // A recording makes its folder.
        if FileAccess.exists(record) { try FileAccess.checkFolder(record) }
        services.record(into: record, isResumed: resume)
      }
      if let replay {
        try FileAccess.checkFolder(replay)
        services.replay(from: replay)
      }
    #endif
  }
}

/// The options that permit, limit, record and print requests to servers.
struct FetchOptions: ParsableArguments {
  @OptionGroup var exchanges: ExchangeOptions
  @Flag(
    help:
      "Print as notes: the SQL for databases, the requests for files on servers, the parts read of Parquet."
  )
  var explain = false

  /// Receives what `--explain` prints; nil without it.
  var report: (@Sendable (String) -> Void)? {
    guard explain else { return nil }
    return { Warnings.note($0) }
  }

  /// Sets what the options state.
  ///
  /// - Throws: `FileError` for an option that names no folder, also where no service needs it.
  func set(_ services: inout ServiceAccess) throws(FileError) {
    #if Services
      if explain { services.statementReport = { Warnings.note("SQL: \($0)") } }
      services.requestReport = report
    #endif
    try exchanges.set(&services)
  }
}
