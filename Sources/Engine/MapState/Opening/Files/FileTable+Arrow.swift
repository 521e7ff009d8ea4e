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
    bytes: @Sendable (Range<Int>) throws -> [UInt8]
  ) throws(MapStateError) -> [FileTable] {
    try request.refuseDialect(path)
    let columns = try columns(path, format, request, size: size, bytes: bytes)
      .read(request.reading).noting(request.reading)
    let table = try FileTable(name: FilePath.stem(of: path), columns: columns).placed(request.reading, path)
    return try request.chosen([table], path)
  }

  private static func columns(
    _ path: String, _ format: ArrowFormat, _ request: FileRequest, size: Int?,
    bytes: @Sendable (Range<Int>) throws -> [UInt8]
  ) throws(MapStateError) -> FeatureColumns {
    func read(_ options: ReadingOptions) throws -> FeatureColumns {
      if format == .parquet, let size {
        return try ParquetReader.read(size: size, fields: request.wanted, options: options, bytes: bytes)
      }
      return try ArrowReader.read(size: size, fields: request.wanted, options: options, bytes: bytes)
    }
    return try MapStateError.naming(path) {
      do { return try read(request.reading) } catch let error as ArrowError {
        guard let definition = error.definition else { throw error }
        return try WrittenReferences.read(definition, error, request.reading, read)
      }
    }
  }
}
