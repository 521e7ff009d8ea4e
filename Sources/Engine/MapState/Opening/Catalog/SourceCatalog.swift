package import MapFeatures
import MapJSON
public import MapReaders
import MapStyles
import MapSystem
import MapTiles

extension MapStateError {
  /// Returns the error for an address that is only read from a stand-in and has none.
  static func notAsked(_ kind: String, at address: String) -> MapStateError {
    MapStateError(
      .service,
      "\(address): \(kind) are not queried; map this address to a file with --services or MAPSTATE_SERVICES")
  }
}

/// A catalogue that opens the table at a path or address with the suitable reader.
public struct SourceCatalog: Sendable {
  /// The folders outside a document's own folder that its layers may read.
  ///
  /// - Source: `--allow-path`.
  public var allowedFolders: [String]
  /// The stand-ins for services; nil uses those of the environment.
  ///
  /// - Source: `--services`.
  public var standIns: StandInCatalog?
  /// The access to services without a stand-in.
  public var services: ServiceAccess
  /// The options for what files do not say; those of a document's layer come first.
  ///
  /// - Source: `--source-reference`, `--x`, `--y`, `--encoding`, `--delimiter`, `--decimal`, `--skip-bad-rows`.
  public var reading = ReadingOptions()
  /// The data source that gives features to the layers of a drawing document; nil leaves them without.
  ///
  /// - Source: `--data`.
  public var drawingData: String?
  /// The archives that take the place of a style's sources, each as `FILE` or `SOURCE=FILE`.
  ///
  /// - Source: `--tiles`.
  public var styleTiles: [String] = []
  /// The tables whose columns are added to layers.
  ///
  /// - Source: `--join`, `--join-first`.
  public var joins = TableJoins()

  /// The files of the package whose style is opened, at which the style's relative addresses start; nil for others.
  var stylePackage: VectorTilePackage?
  /// The tables that other documents have read, and that this one shares; nil to read all files.
  package var recentTables: RecentTables?
  /// The use of the spatial indexes of files.
  package var indexUse = IndexUse.none
  /// Whether the rows are passed on and not kept, so that a large file is read in pieces.
  package var passesRows = false
  /// Whether the geometries of a data source are read, if its format can leave them out; those of documents always are.
  package var readsGeometry = true
  /// The share of the row groups of Parquet files that is read; nil for all.
  package var share: RowShare?
  /// Receives what each reading of Parquet files reads: row groups, pages, columns and bytes; nil receives none.
  ///
  /// - Source: `--explain`.
  public var readingReport: (@Sendable (String) -> Void)?

  /// Creates a catalogue.
  public init(
    allowedFolders: [String] = [], standIns: StandInCatalog? = nil, services: ServiceAccess = ServiceAccess()
  ) {
    (self.allowedFolders, self.standIns, self.services) = (allowedFolders, standIns, services)
  }

  /// Opens the table that a document names.
  ///
  /// A path is relative to the document's folder and must be below it or below an allowed folder. `fields` selects
  /// the fields that are read from a file.
  /// - Throws: ``MapStateError``.
  package func open(
    _ url: String, documentFolder: String, fields: FieldSelection = .all
  ) async throws(MapStateError) -> any FeatureSource {
    try await open(
      url, documentFolder: documentFolder, fields: fields, reading: reading, isDataFile: false, adding: [])
  }

  /// Opens the table that a document names, with the options of its layer.
  ///
  /// - Parameters:
  ///   - isDataFile: whether the layer is a file at its address, and not a service.
  ///   - parameters: those that are added to each request.
  func open(
    _ url: String, documentFolder: String, fields: FieldSelection, reading: ReadingOptions, isDataFile: Bool,
    adding parameters: [ServiceParameter]
  ) async throws(MapStateError) -> any FeatureSource {
    let work = CurrentWork.begin("reading \(SourceAddress.shown(url))")
    defer { CurrentWork.end(work) }
    if let scheme = SourceAddress.scheme(of: url) {
      try Self.check(scheme, of: url)
      return try await service(
        at: url, isNamedByDocument: true, fields: fields, reading: reading, isDataFile: isDataFile,
        indexUse: indexUse, adding: parameters
      ).source
    }
    let (_, fragment) = SourceAddress.split(url, folder: documentFolder)
    let path = try path(of: url, documentFolder: documentFolder)
    func read() throws(MapStateError) -> any FeatureSource {
      try Self.read(
        path, fragment: fragment, fields: fields, reading: reading, indexUse: indexUse,
        passesRows: passesRows, folders: folders(of: documentFolder), share: share, report: readingReport)
    }
    guard let recentTables, indexUse == .none, !passesRows, share == nil else { return try read() }
    let real = FileAccess.realPath(path) ?? path
    return try recentTables.table(
      of: .init(path: real, fragment: fragment, fields: fields, options: reading), read)
  }

  static func check(_ scheme: String, of url: String) throws(MapStateError) {
    guard
      scheme == "http" || scheme == "https" || SourceAddress.isOfObject(url)
        || SourceAddress.isOfDatabase(url)
    else {
      throw MapStateError(
        .input,
        "\(SourceAddress.shown(url)): the scheme \"\(scheme)\" is not supported; use a file path, https, s3, gs, az "
          + "or postgresql")
    }
  }

  /// Opens the table at an address that the caller names, and returns it with its name.
  ///
  /// - Throws: ``MapStateError``.
  func openNamed(
    _ url: String, fields: FieldSelection = .all
  ) async throws(MapStateError) -> (source: any FeatureSource, name: String) {
    let item =
      SourceAddress.item(url) == nil ? nil : PortalItemAddress(source: url, portal: services.portal)
    let url = item?.place ?? url
    try Self.check(SourceAddress.scheme(of: url) ?? "", of: url)
    return try await service(at: url, fields: fields)
  }

  /// Returns the path of a file that a document names; it must be below the document's folder or an allowed folder.
  ///
  /// - Throws: ``MapStateError``.
  func path(
    of url: String, documentFolder: String, allowsFolders: Bool = false
  ) throws(MapStateError) -> String {
    // The file reader takes "-" for standard input, which only the caller may name.
    guard url != "-" else { throw MapStateError(.input, "-: a document must name files, not standard input") }
    guard !url.utf8.contains(0) else {
      throw MapStateError(.input, "\(url): has a zero byte in its name, which no file has")
    }
    let (path, _) = SourceAddress.split(url, folder: documentFolder)
    let full = FilePath.join(documentFolder, path)
    // A missing file has no real path. It is refused by its text, so that a probe learns nothing about other
    // folders.
    let outside = path.hasPrefix("/") || path.split(separator: "/").contains("..")
    let isInside = folders(of: documentFolder).contains(full, allowsFolders: allowsFolders)
    guard isInside ?? !outside else { throw MapStateError(.input, "\(url): \(AllowedFolders.refusal)") }
    // Reading a pipe without a writer would block forever.
    if isInside != nil, case .other = FileAccess.look(at: full) {
      throw MapStateError(.input, "\(url): is not a regular file that can be read")
    }
    return full
  }

  /// Returns the folders whose files a document in a folder may name.
  func folders(of documentFolder: String) -> AllowedFolders {
    AllowedFolders([documentFolder] + allowedFolders)
  }

  /// Refuses options that have no use without others.
  ///
  /// - Throws: ``MapStateError`` of kind usage.
  func checkOptions() throws(MapStateError) {
    guard (reading.xField == nil) == (reading.yField == nil) else {
      throw MapStateError(.usage, "the coordinate columns x and y go together; give both of them")
    }
    guard !joins.takesFirst || !joins.isEmpty else {
      throw MapStateError(.usage, "the first of several rows is only taken for a join; name a table to join")
    }
  }

  /// Refuses ``drawingData`` for a source that has no use for it.
  ///
  /// - Throws: ``MapStateError`` of kind usage.
  func refuseData(for source: String, isDocument: Bool) throws(MapStateError) {
    guard let data = drawingData else { return }
    throw MapStateError(
      .usage,
      "--data \(SourceAddress.shown(data)) has no use: \(source) is a \(isDocument ? "document" : "data source") with "
        + "features of its own, and --join adds columns; --data is for a layer definition, drawingInfo, renderer or SLD"
    )
  }

  /// Returns the stand-in for an address; nil if there is none.
  ///
  /// - Throws: ``MapStateError`` if the environment's stand-ins cannot be read.
  func standIn(for url: String) throws(MapStateError) -> StandInCatalog.Place? {
    let standIns = if let standIns { standIns } else { try StandInCatalog.environment() }
    return standIns.place(of: url)
  }

  /// Returns the table at an address: its stand-in, else that of the service.
  ///
  /// - Throws: ``MapStateError``.
  func service(
    at url: String, isNamedByDocument: Bool = false, fields: FieldSelection = .all,
    reading: ReadingOptions? = nil, isDataFile: Bool = false, indexUse: IndexUse = .none,
    adding parameters: [ServiceParameter] = []
  ) async throws(MapStateError) -> (source: any FeatureSource, name: String) {
    switch try standIn(for: url) {
    case .source(let source): return (source, StandInCatalog.name(of: url))
    case .file(let path):
      let (file, fragment) = SourceAddress.split(path, folder: ".")
      do {
        return (
          try Self.read(file, fragment: fragment, reading: reading ?? self.reading),
          fragment ?? FilePath.stem(of: file)
        )
      } catch {
        throw MapStateError(error.kind, "\(SourceAddress.shown(url)): its stand-in \(error)", cause: error)
      }
    // The caller chose the stand-in, so a document does not name this address.
    case .service(let other) where SourceAddress.isOfDatabase(other):
      return try await services.databaseTable(
        at: other, isNamedByDocument: false, fields: fields, reading: reading ?? self.reading)
    case .service(let other) where Self.isServedFile(other):
      let request = FileRequest(fields: fields, reading: reading ?? self.reading, indexUse: indexUse)
      let tables = try await servedTables(at: other, isNamedByDocument: false, request)
      return (
        try FileTable.onlySource(of: tables, path: SourceAddress.shown(other)),
        StandInCatalog.name(of: url)
      )
    case .service(let other): return try await services.table(at: other, isNamedByDocument: false)
    case nil where SourceAddress.isOfDatabase(url):
      return try await services.databaseTable(
        at: url, isNamedByDocument: isNamedByDocument, fields: fields, reading: reading ?? self.reading)
    case nil:
      if let item = PortalItemAddress(source: url, portal: services.portal) {
        let address = try await services.table(of: item)
        return try await service(
          at: address, isNamedByDocument: true, fields: fields, reading: reading,
          isDataFile: address == item.data, indexUse: indexUse)
      }
      guard isDataFile || Self.isServedFile(url) else {
        return try await services.table(
          at: url, isNamedByDocument: isNamedByDocument, adding: parameters)
      }
      let request = FileRequest(
        fields: fields, reading: reading ?? self.reading, indexUse: indexUse,
        isOfDocument: isNamedByDocument)
      let tables = try await servedTables(
        at: parameters.added(to: url), isNamedByDocument: isNamedByDocument, request)
      let address = SourceAddress.shown(url)
      return (
        try FileTable.onlySource(of: tables, path: address), tables.first?.name ?? FilePath.stem(of: address)
      )
    }
  }

  /// Reads the only table in a file.
  ///
  /// - Throws: ``MapStateError``.
  static func read(
    _ path: String, fragment: String?, fields: FieldSelection = .all,
    reading: ReadingOptions = ReadingOptions(), indexUse: IndexUse = .none, passesRows: Bool = false,
    folders: AllowedFolders? = nil, share: RowShare? = nil, report: (@Sendable (String) -> Void)? = nil
  ) throws(MapStateError) -> any FeatureSource {
    let request = FileRequest(
      fragment: fragment, fields: fields, reading: reading, indexUse: indexUse, passesRows: passesRows,
      isOfDocument: true, share: share, report: report, folders: folders)
    var tables = try tables(path, request)
    if let option = reading.dialectOptions.first, !holdsCSV(path, reading.delimiter) {
      let warning = "\(option) is not applied: it is for CSV, which this file is not"
      for index in tables.indices { tables[index].columns = tables[index].columns?.adding([warning]) }
    }
    return try FileTable.onlySource(of: tables, path: path)
  }

  /// Whether a file is CSV, or an archive, which may contain it.
  private static func holdsCSV(_ path: String, _ delimiter: CSVDelimiter?) -> Bool {
    guard case .file(let head) = FileAccess.look(at: path) else { return false }
    return UnpackedFile.isArchive(head) || TextFormat(head, path: path, delimiter) == .csv
  }
}

extension SourceCatalog {
  /// Returns the error for a style at an address where none may be fetched.
  static func styleNotFetched(_ address: String) -> MapStateError {
    MapStateError(
      .service,
      "\(SourceAddress.shown(address)): styles, and the tiles, images and glyphs that they name, are fetched only with "
        + "--online; or map the address to a file with --services")
  }
}
