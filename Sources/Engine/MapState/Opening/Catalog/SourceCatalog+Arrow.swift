import MapFeatures
import MapGeometry
import MapReaders
import MapSystem

#if Geospatial
  import MapGeospatial
#endif

/// The reading of Arrow data and of Parquet files, which share types and geometries.
extension SourceCatalog {
  /// The formats that become Arrow's arrays.
  enum ArrowFormat {
    case arrow, parquet

    /// Returns the format by the first bytes; nil for another one.
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

  /// Returns the table in Arrow data or a Parquet file.
  ///
  /// - Parameter size: the number of bytes; nil for a stream of Arrow data.
  static func arrowTable(
    _ path: String, _ format: ArrowFormat, _ request: FileRequest, size: Int?,
    bytes: @Sendable (Range<Int>) throws -> [UInt8]
  ) throws(MapStateError) -> FeatureColumns {
    func read(_ options: ReadingOptions) throws -> FeatureColumns {
      if format == .parquet, let size {
        return try ParquetReader.read(size: size, fields: request.wanted, options: options, bytes: bytes)
      }
      return try ArrowReader.read(size: size, fields: request.wanted, options: options, bytes: bytes)
    }
    do {
      do { return try read(request.reading) } catch let error as ArrowError {
        guard let definition = error.definition else { throw error }
        return try inKnownReference(definition, error, request.reading, read)
      }
    } catch let error as FileError {
      throw MapStateError(error)
    } catch {
      throw MapStateError(.input, "\(path): \(error)", cause: error)
    }
  }

  /// Returns the table in a large Parquet file with boxes of its geometries; nil for other files.
  ///
  /// - Throws: ``MapStateError`` for a file that fails while it is read.
  static func indexedParquet(
    _ path: String, _ request: FileRequest
  ) throws(MapStateError) -> FileTable? {
    try indexedTable(path, request) { file, all in
      try IndexedParquet(
        size: file.size, name: FilePath.stem(of: path), fields: request.wanted, all: all,
        bytes: { try file.bytes($0) })
    }
  }

  #if Geospatial
    /// Reads data whose spatial reference has a definition and no code: in the registered one that is equal, or else in
    /// WGS 84.
    static func inKnownReference(
      _ definition: String, _ error: any Error, _ options: ReadingOptions,
      _ read: (ReadingOptions) throws -> FeatureColumns
    ) throws -> FeatureColumns {
      var options = options
      // The reader's own error says what to do.
      guard let defined = try? DefinedReference(definition) else { throw error }
      options.sourceReference = defined.reference ?? .wgs84
      let table = try read(options)
      return defined.reference == nil ? try defined.inWGS84(table) : table
    }
  #else
    static func inKnownReference(
      _ definition: String, _ error: any Error, _ options: ReadingOptions,
      _ read: (ReadingOptions) throws -> FeatureColumns
    ) throws -> FeatureColumns {
      throw error
    }
  #endif
}
