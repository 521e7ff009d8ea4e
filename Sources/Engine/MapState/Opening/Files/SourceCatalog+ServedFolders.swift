#if Services
  import MapFeatures
  import MapReaders
  import MapServices
  import MapSystem
  import Synchronization

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
        let found = try await services.objects(below: url, isNamedByDocument: isNamedByDocument)
          .filter { Self.isNamedParquet($0.name) }
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
