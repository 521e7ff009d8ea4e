import MapFeatures
import MapJSON
import MapReaders
import MapStyles
import MapSystem
import MapTiles

#if Services
  import MapServices
  import Synchronization
#endif

/// Files of features on web servers.
extension SourceCatalog {
  /// Whether an address is that of a file of features on a server.
  static func isServedFile(_ url: String) -> Bool {
    let isOfWeb = ["http", "https"].contains(SourceAddress.scheme(of: url))
    return SourceAddress.isOfObject(url) || isOfWeb && namesDataFile(url)
  }

  /// Whether an address ends like a file of features.
  static func namesDataFile(_ url: String) -> Bool {
    let path = SourceAddress.shown(url)
    let ending = FilePath.pathExtension(of: path)
    guard ending == "json" else {
      return textEndings.contains(ending) || otherEndings.contains(ending) || unreadEndings[ending] != nil
    }
    // Services also answer with files of JSON.
    return !path.lowercased().split(separator: "/").contains {
      ["featureserver", "mapserver", "collections"].contains($0)
    }
  }

  /// The endings of texts, which servers may compress.
  private static let textEndings: Set<String> = [
    "csv", "tsv", "geojson", "geojsonl", "ndjson", "json", "kml", "gpx", "gml", "topojson",
  ]
  private static let otherEndings = parquetEndings.union([
    "fgb", "gpkg", "kmz", "zip", "gz", "arrow", "arrows", "feather", "pmtiles", "xlsx", "ods",
  ])
  /// The endings of files that are only read on this machine, with the reason.
  private static let unreadEndings = [
    "mbtiles":
      "MBTiles are a database, which is read only from a local file; use PMTiles, which are read by byte ranges, or "
      + "a local copy",
    "shp": "a shapefile has several files; name a .zip of all of them, or a local copy",
  ]

  /// Divides the address of a file and the layer name after `#`.
  static func fileAddress(_ url: String) -> (address: String, fragment: String?) {
    guard let hash = url.firstIndex(of: "#") else { return (url, nil) }
    return (String(url[..<hash]), String(url[url.index(after: hash)...]))
  }

  /// Returns the tables in a file on a server.
  ///
  /// - Throws: ``MapStateError``.
  func servedTables(
    at url: String, isNamedByDocument: Bool, _ request: FileRequest
  ) async throws(MapStateError) -> [FileTable] {
    let (address, fragment) = Self.fileAddress(url)
    let place = SourceAddress.shown(address)
    if let reason = Self.unreadEndings[FilePath.pathExtension(of: place)] {
      throw MapStateError(.input, "\(place): \(reason)")
    }
    var request = request
    request.fragment = fragment
    (request.report, request.share) = (readingReport, share)
    // The file is removed when its tables are in memory.
    request.passesRows = false
    #if Services
      do {
        if ObjectAddress.isFolder(address) {
          return try await servedFolder(at: address, isNamedByDocument: isNamedByDocument, request)
        }
        let transfer = try services.transfer(at: address, isNamedByDocument: isNamedByDocument)
        let content = try await ServedFile.open(transfer, asking: Self.firstRequest(place))
        guard request.share == nil || content.isParquet else {
          throw Self.withoutShares(place)
        }
        switch content {
        case .whole(let bytes, let hasRanges):
          var tables = try Self.servedTables(bytes, place, request)
          if !hasRanges, bytes.count > ServedFile.firstBytes, !tables.isEmpty {
            tables[0].metadata.notes.append(
              "\(place): the server has no byte ranges, so the whole file was fetched (\(ByteText.text(bytes.count)))"
            )
          }
          return tables
        case .parts(let file):
          if let tables = try Self.partlyRead(file, transfer, place, request) { return tables }
          return try await Self.servedTables(file, transfer, place, request)
        }
      } catch { throw MapStateError(error, kind: .service) }
    #else
      throw MapStateError(
        .input, "\(place): this build has no services; give a stand-in for it with --services FILE")
    #endif
  }

  /// Returns the tables in the bytes of a file.
  private static func servedTables(
    _ bytes: [UInt8], _ place: String, _ request: FileRequest
  ) throws(MapStateError) -> [FileTable] {
    if TextFormat(bytes, path: place, request.reading.delimiter) == .otherJSON,
      let json = try? JSONValue(parsing: bytes), StyleDocument.isStyle(json)
    {
      throw styleNotFetched(place)
    }
    let isText = bytes.isEmpty || TextFormat(bytes, path: place, request.reading.delimiter) != nil
    if isText || ArrowFormat(bytes) != nil { return try tables(bytes: bytes, name: place, request) }
    let folder: PrivateFolder
    do {
      folder = try PrivateFolder()
      try folder.append(bytes, to: fileName(place))
    } catch { throw MapStateError(error) }
    return try tables(in: folder, place, request)
  }

  /// Returns the tables of the file in a folder; its errors name the address.
  private static func tables(
    in folder: PrivateFolder, _ place: String, _ request: FileRequest
  ) throws(MapStateError) -> [FileTable] {
    let path = FilePath.join(folder.path, fileName(place))
    do throws(MapStateError) {
      var request = request
      if request.indexUse != .checking { request.indexUse = .none }
      return try withExtendedLifetime(folder) { () throws(MapStateError) in try tables(path, request) }
    } catch {
      throw MapStateError(error.kind, error.description.replacing(path, with: place), cause: error.cause)
    }
  }

  /// Returns the name of a file, for a folder of this machine: the last part of the address.
  private static func fileName(_ place: String) -> String {
    let written = FilePath.name(of: place)
    #if Services
      let name = (PercentEncoding.decode(written.replacing("+", with: "%2B")) ?? written)
    #else
      let name = written
    #endif
    let plain = name.filter { !$0.isNewline && $0 != "/" && ($0.asciiValue ?? 0x20) >= 0x20 }
    let isUsable = plain.utf8.count < 200 && !plain.hasPrefix(".")
    return isUsable && !plain.isEmpty ? plain : "data." + FilePath.pathExtension(of: place).prefix(20)
  }
}

#if Services
  extension SourceCatalog {
    /// Returns the part of a file that is asked for first, by the ending of its name.
    ///
    /// - Source: Azure Storage REST API Reference, "Specifying the range header for Blob service operations": Azure
    ///   gives no last bytes of a file whose size is not known.
    private static func firstRequest(_ place: String) -> FirstRequest {
      let ending = FilePath.pathExtension(of: place)
      if textEndings.contains(ending) { return .whole }
      return parquetEndings.contains(ending) && SourceAddress.scheme(of: place) != "az" ? .end : .start
    }

    /// The part of the rows of FlatGeobuf that is fetched by the index at most, one fourth.
    ///
    /// - Source: design decision; the nodes of more rows take much memory, and the whole file takes fewer requests.
    private static let fetchedPart = 4

    /// Fetches a file, and returns its tables; a file that changes meanwhile is fetched once more.
    private static func servedTables(
      _ file: ServedFile, _ transfer: FileTransfer, _ place: String, _ request: FileRequest
    ) async throws -> [FileTable] {
      do { return try tables(in: try await fetched(file, place), place, request) } catch {
        guard (error as? ServiceError)?.isOfChangedFile == true,
          case .parts(let file) = try await ServedFile.open(transfer, asking: .start, refreshes: true)
        else { throw error }
        return try tables(in: try await fetched(file, place), place, request)
      }
    }

    /// Fetches a file into a folder.
    private static func fetched(_ file: ServedFile, _ place: String) async throws -> PrivateFolder {
      let work = CurrentWork.begin("fetching \(place)")
      defer { CurrentWork.end(work) }
      let folder = try PrivateFolder()
      let size = ByteText.text(file.size)
      try await file.pass {
        CurrentWork.report("\(ByteText.text($0)) of \(size)", of: work)
      } to: { bytes in
        try folder.append(bytes, to: fileName(place))
      }
      return folder
    }

    /// Returns the tables of a file that is read by byte ranges; nil for one that must be fetched whole.
    private static func partlyRead(
      _ file: ServedFile, _ transfer: FileTransfer, _ place: String, _ request: FileRequest
    ) throws -> [FileTable]? {
      let isQuestion = request.indexUse == .answering && request.reading == ReadingOptions()
      if FlatGeobufReader.looksLikeFlatGeobuf(file.head) {
        guard isQuestion else { return nil }
        var rest = request
        rest.indexUse = .none
        let table = try IndexedFlatGeobuf(
          size: file.size, fields: request.wanted, largestPart: fetchedPart,
          all: { [rest] in
            let tables = try BlockingRequest.value {
              try await servedTables(file, transfer, place, rest)
            }
            return try inMemory(tables, place)
          }, announce: { try file.announce($0) }, bytes: { try file.bytes($0) })
        return table.flatMap { indexed($0, request) }
      }
      if file.head.starts(with: "PMTiles".utf8) {
        let bytes = TileBytes(
          size: file.size, announce: { try file.announce($0) }, bytes: { try file.bytes($0) })
        let archive: TileArchive
        do { archive = try TileArchive(pmtiles: bytes, place: place) } catch {
          throw MapStateError(.input, "\(error)", cause: error)
        }
        return try tileTables(of: archive, place, request)
      }
      guard file.isParquet else { return nil }
      let part = ParquetTable.File(
        size: file.size, bytes: { try file.bytes($0) }, announce: { try file.announce($0) })
      return try servedParquet([part], place, request)
    }

    static func inMemory(
      _ tables: [FileTable], _ place: String
    ) throws(MapStateError) -> InMemorySource {
      guard let table = try FileTable.onlySource(of: tables, path: place).inMemory else {
        throw MapStateError(.input, "\(place): changed while it was read")
      }
      return table
    }

    /// Returns a table that answers by its index; nil for one whose fragment or extent does not allow that.
    static func indexed(_ table: any IndexedTable, _ request: FileRequest) -> [FileTable]? {
      guard request.fragment == nil || request.fragment == table.name, !table.reachesPoles,
        let source = PartlyReadSource(table, operations: .installed)
      else { return nil }
      return [FileTable(name: table.name, columns: nil, indexed: source)]
    }
  }

  /// Folders of Parquet files in stores of objects.
  extension SourceCatalog {
    /// The number of bytes at the end of a file that are fetched first; they contain the footer of most files.
    private static let footerBytes = 64 << 10

    /// Returns the table of the Parquet files below a folder.
    ///
    /// - Throws: ``MapStateError``.
    func servedFolder(
      at url: String, isNamedByDocument: Bool, _ request: FileRequest
    ) async throws(MapStateError) -> [FileTable] {
      let place = SourceAddress.shown(url)
      try request.refuseDialect(place)
      do {
        let all = try await services.objects(below: url, isNamedByDocument: isNamedByDocument)
        let found = all.filter { Self.isNamedParquet($0.name) }
        var request = request
        request.leftOut = all.map(\.name).filter { Self.hasParquetEnding($0) && !Self.isNamedParquet($0) }
        guard !found.isEmpty else { throw MapStateError(.input, "\(place): has no Parquet files") }
        guard found.count <= Self.mostFiles else {
          throw MapStateError(
            .input, "\(place): has \(found.count) files; a table has at most \(Self.mostFiles)")
        }
        let folder = ServedFolder(files: found.map { ServedFile($0.transfer, listed: $0.object) })
        try await ServedFile.fetchEnds(of: folder.files, count: Self.footerBytes)
        let files = found.enumerated().map { index, item in
          ParquetTable.File(
            name: item.name, size: item.object.size, values: Self.values(of: item.name),
            bytes: { try folder.files[index].bytes($0) }, announce: { try folder.announce($0, of: index) })
        }
        return try Self.servedParquet(files, place, request)
      } catch { throw MapStateError(error, kind: .service) }
    }

    /// Returns the table of Parquet files on servers, which a question about an extent reads in part.
    static func servedParquet(
      _ files: [ParquetTable.File], _ place: String, _ request: FileRequest
    ) throws -> [FileTable] {
      if request.indexUse == .answering || request.indexUse == .filtering, request.share == nil,
        request.reading == ReadingOptions()
      {
        var rest = request
        rest.indexUse = .none
        let table = try IndexedParquet(
          ParquetTable(place, files, request, ReadingOptions()), name: FilePath.stem(of: place),
          all: { [rest] in try inMemory(FileTable.parquet(place, files, rest), place) })
        if let indexed = table.flatMap({ indexed($0, request) }) { return indexed }
      }
      return try FileTable.parquet(place, files, request)
    }
  }

  /// Files of a folder, which are read one after the other.
  private final class ServedFolder: Sendable {
    let files: [ServedFile]
    private let current = Mutex<Int?>(nil)

    init(files: [ServedFile]) { self.files = files }

    /// Fetches ranges of a file; the parts of the file before it are no longer needed.
    func announce(_ ranges: [Range<Int>], of index: Int) throws {
      let before = current.withLock { current in
        defer { current = index }
        return current
      }
      if let before, before != index { files[before].forget() }
      try files[index].announce(ranges)
    }
  }
#endif
