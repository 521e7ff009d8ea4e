import MapFeatures
import MapReaders
import MapSystem

/// A format that is read as Arrow's arrays.
enum ArrowFormat {
  case arrow, parquet

  /// Recognises the format by its first bytes; nil for another one.
  init?(_ head: [UInt8]) {
    if ArrowReader.looksLikeArrow(head) {
      self = .arrow
    } else if ParquetReader.looksLikeParquet(head) {
      self = .parquet
    } else {
      return nil
    }
  }
}

extension FileTable {
  /// Returns the table in Arrow data or a Parquet file.
  ///
  /// - Parameter size: The number of bytes; nil for a stream of Arrow data.
  /// - Throws: ``MapStateError``.
  static func tables(
    _ path: String, _ format: ArrowFormat, _ request: FileRequest, size: Int?,
    bytes: @escaping @Sendable (Range<Int>) throws -> [UInt8]
  ) throws(MapStateError) -> [FileTable] {
    try request.refuseDialect(path)
    if format == .parquet, let size {
      return try parquet(path, [ParquetTable.File(size: size, bytes: bytes)], request)
    }
    let columns = try columns(path, request, size: size, bytes: bytes)
      .read(request.reading).noting(request.reading)
    let table = try FileTable(name: FilePath.stem(of: path), columns: columns).placed(request.reading, path)
    return try request.chosen([table], path)
  }

  /// Returns the table in Parquet files.
  ///
  /// - Throws: ``MapStateError``.
  static func parquet(
    _ path: String, _ files: [ParquetTable.File], _ request: FileRequest
  ) throws(MapStateError) -> [FileTable] {
    var storage: StorageDescription?
    let columns = try reading(path, request) { options in
      let table = try ParquetTable(path, files, request, options)
      if request.indexUse == .checking { storage = table.storage }
      return try table.read(request.share.map { table.groups(ofShare: $0.index, of: $0.count) })
    }.read(request.reading).noting(request.reading)
    var table = FileTable(name: FilePath.stem(of: path), columns: columns)
    table.metadata.storage = storage
    return try request.chosen([try table.placed(request.reading, path)], path)
  }

  private static func columns(
    _ path: String, _ request: FileRequest, size: Int?, bytes: @Sendable (Range<Int>) throws -> [UInt8]
  ) throws(MapStateError) -> FeatureColumns {
    try reading(path, request) { options in
      try ArrowReader.read(size: size, fields: request.wanted, options: options, bytes: bytes)
    }
  }

  /// Runs a body that reads a file, again if its spatial reference is only defined and has a code.
  private static func reading(
    _ path: String, _ request: FileRequest, _ read: (ReadingOptions) throws -> FeatureColumns
  ) throws(MapStateError) -> FeatureColumns {
    try MapStateError.naming(path) {
      do { return try read(request.reading) } catch let error as ArrowError {
        guard let definition = error.definition else { throw error }
        return try WrittenReferences.read(definition, error, request.reading, read)
      }
    }
  }
}

extension ParquetTable {
  /// Opens files whose readings are reported with a path.
  init(_ path: String, _ files: [File], _ request: FileRequest, _ options: ReadingOptions) throws {
    // A kind after the path chooses rows by their geometries.
    let readsGeometry = request.readsGeometry || request.fragment != nil || options != ReadingOptions()
    try self.init(
      files, leftOut: request.leftOut, fields: request.wanted, options: options, readsGeometry: readsGeometry)
    if let report = request.report { self.report = { report("\(path): \($0)") } }
  }
}
