/// The physical type of the values of a column.
enum ParquetPhysicalType: Int, Sendable {
  case boolean, int32, int64, int96, float, double, bytes, fixedBytes

  /// The size of a value in bytes; nil for those of several lengths and for booleans.
  func width(typeLength: Int) -> Int? {
    switch self {
    case .boolean, .bytes: nil
    case .int32, .float: 4
    case .int64, .double: 8
    case .int96: 12
    case .fixedBytes: typeLength
    }
  }
}

/// The compression of pages.
///
/// - Source: parquet-format 2.11, `CompressionCodec`.
enum ParquetCodec: Int, Sendable {
  case none, snappy, gzip, lzo, brotli, lz4, zstd, lz4Raw

  var name: String { ["none", "Snappy", "gzip", "LZO", "Brotli", "LZ4", "Zstandard", "LZ4 raw"][rawValue] }
}

/// The smallest and the greatest value of a part of a column, as stored.
struct ParquetStatistics: Sendable {
  var least: [UInt8]?
  var greatest: [UInt8]?
  /// Whether there are no values besides nulls.
  var isOnlyNulls = false
}

/// The part of a column in a row group.
struct ParquetChunk: Sendable {
  var type = ParquetPhysicalType.boolean
  var codec = ParquetCodec.none
  var valueCount = 0
  /// The offset of the first page of values, and that of the dictionary.
  var dataOffset = 0
  var dictionaryOffset: Int?
  var compressedSize = 0
  var statistics = ParquetStatistics()
  /// The name of another file that holds the pages.
  var otherFile: String?
  var isEncrypted = false
  /// The ranges of the places of its pages, of the bounds of their values, and of its bloom filter; nil without one.
  var offsetIndex: Range<Int>?, columnIndex: Range<Int>?, bloomFilter: Range<Int>?
  /// A bit for the number of each encoding of its pages.
  var encodings: UInt32 = 0
  /// The size of its pages without compression, as stated.
  var uncompressedSize = 0

  /// The range of all pages in the file.
  ///
  /// - Throws: ``ArrowError`` for one outside the file.
  func range(fileSize: Int) throws(ArrowError) -> Range<Int> {
    var start = dataOffset
    // Some writers state 0 for no dictionary.
    if let dictionaryOffset, dictionaryOffset > 0, dictionaryOffset < start { start = dictionaryOffset }
    guard start >= 4, start <= fileSize, compressedSize >= 0, compressedSize <= fileSize - start else {
      throw .outside
    }
    return start..<start + compressedSize
  }
}

/// A horizontal part of a file.
struct ParquetRowGroup: Sendable {
  var chunks: [ParquetChunk] = []
  var rowCount = 0
}

/// The metadata at the end of a Parquet file.
///
/// - Source: parquet-format 2.11, `parquet.thrift`, `FileMetaData`.
struct ParquetFooter: Sendable {
  private(set) var elements: [ParquetElement] = []
  private(set) var rowGroups: [ParquetRowGroup] = []
  private(set) var rowCount = 0
  /// The description of geometries of GeoParquet.
  private(set) var geo: String?
  /// The fields in Arrow's types as Arrow writes them, in base64; nil for other writers.
  private(set) var arrowSchema: String?
  /// The program that wrote the file, as it states.
  private(set) var writer: String?

  /// The mark at both ends of a file.
  static let mark = Array("PAR1".utf8)
  /// The mark at both ends of a file with an encrypted footer.
  private static let encryptedMark = Array("PARE".utf8)
  /// The maximum size of a footer in bytes; its values take up to ten times as much memory.
  ///
  /// - Source: design decision; pyarrow refuses a footer of more than 100 MB by default.
  private static let largest = 64 << 20
  /// The maximum number of elements of a schema.
  private static let mostElements = 65_536

  /// Reads the footer of a file.
  init(size: Int, _ read: (Range<Int>) throws -> [UInt8]) throws {
    guard size >= 12 else { throw ArrowError("ends before its footer") }
    // One reading is enough for most footers.
    let tail = try read(max(0, size - (64 << 10))..<size)
    let mark = Array(tail.suffix(4))
    guard mark != Self.encryptedMark else { throw ArrowError("is encrypted") }
    guard mark == Self.mark else {
      throw ArrowError("ends before its footer: it is cut off, or no Parquet file")
    }
    let length = tail.span.int32(at: tail.count - 8)
    guard length > 0, length <= size - 12 else { throw ArrowError("its footer lies beyond its bytes") }
    guard length <= Self.largest else {
      throw ArrowError("its footer is larger than \(Self.largest >> 20) MB, the limit")
    }
    let bytes = length + 8 <= tail.count ? tail : try read(size - 8 - length..<size)
    do throws(ArrowError) {
      try readContent(ThriftReader(bytes, bytes.count - 8 - length..<bytes.count - 8))
    } catch { throw ArrowError("its footer: \(error)") }
  }

  private mutating func readContent(_ footer: ThriftReader) throws(ArrowError) {
    var reader = footer
    try reader.structure(.structure) { reader, id, kind throws(ArrowError) in
      switch id {
      case 2:
        try reader.list(kind) { reader, kind throws(ArrowError) in
          guard elements.count < Self.mostElements else {
            throw ArrowError("has more than \(Self.mostElements) fields")
          }
          elements.append(try ParquetElement(&reader, kind))
        }
      case 3: rowCount = try reader.integer(kind)
      case 4:
        try reader.list(kind) { reader, kind throws(ArrowError) in
          rowGroups.append(try ParquetRowGroup(&reader, kind))
        }
      case 5:
        try reader.list(kind) { reader, kind throws(ArrowError) in
          let (key, value) = try Self.pair(&reader, kind)
          if key == "geo" { geo = value }
          if key == "ARROW:schema" { arrowSchema = value }
        }
      case 6: writer = try reader.text(kind)
      case 8: throw ArrowError("is encrypted")
      default: try reader.skip(kind)
      }
    }
  }

  private static func pair(
    _ reader: inout ThriftReader, _ kind: ThriftReader.Kind
  ) throws(ArrowError) -> (key: String, value: String) {
    var (key, value) = ("", "")
    try reader.structure(kind) { reader, id, kind throws(ArrowError) in
      switch id {
      case 1: key = try reader.text(kind)
      case 2: value = try reader.text(kind)
      default: try reader.skip(kind)
      }
    }
    return (key, value)
  }

  /// Checks the row groups against the columns of a schema and the size of the file.
  ///
  /// - Throws: ``ArrowError`` for columns that are missing, of another type or outside the file, and for numbers of
  ///   rows that do not fit.
  func check(_ leaves: [ParquetLeaf], fileSize: Int) throws(ArrowError) {
    var (rows, bytes) = (0, 0)
    for (number, group) in rowGroups.enumerated() {
      guard group.chunks.count == leaves.count else {
        throw ArrowError("row group \(number + 1): has \(group.chunks.count) columns, not \(leaves.count)")
      }
      guard group.rowCount >= 0, group.rowCount <= Int(Int32.max) else {
        throw ArrowError("row group \(number + 1): has an impossible number of rows")
      }
      rows += group.rowCount
      for (leaf, chunk) in zip(leaves, group.chunks) where chunk.otherFile == nil && !chunk.isEncrypted {
        guard chunk.type == leaf.type else {
          throw ArrowError("row group \(number + 1): column \(leaf.name) is of another type than its field")
        }
        guard group.rowCount > 0 || chunk.valueCount > 0 else { continue }
        bytes += try chunk.range(fileSize: fileSize).count
        for index in [chunk.offsetIndex, chunk.columnIndex, chunk.bloomFilter] {
          guard index.map({ $0.upperBound <= fileSize }) ?? true else { throw .outside }
        }
        // Pages that several columns share would be read several times.
        guard bytes <= fileSize else { throw ArrowError("its columns are longer than its bytes") }
      }
    }
    guard rows == rowCount else {
      throw ArrowError("its row groups have \(rows) rows, but its footer states \(rowCount)")
    }
  }
}

extension ParquetRowGroup {
  /// The minimum size of the metadata of a column in bytes.
  ///
  /// - Source: the required members of `ColumnChunk`; those of an encrypted column have a size of their own.
  private static let leastChunkBytes = 8

  fileprivate init(_ reader: inout ThriftReader, _ kind: ThriftReader.Kind) throws(ArrowError) {
    try reader.structure(kind) { reader, id, kind throws(ArrowError) in
      switch id {
      case 1:
        let start = reader.place
        try reader.list(kind) { reader, kind throws(ArrowError) in
          chunks.append(try ParquetChunk(&reader, kind))
          // A structure without members takes one byte, but much more memory.
          guard reader.place - start >= Self.leastChunkBytes * chunks.count else {
            throw ArrowError("has columns without metadata")
          }
        }
      case 3: rowCount = try reader.integer(kind)
      default: try reader.skip(kind)
      }
    }
    guard !chunks.isEmpty else { throw ArrowError("has a row group without columns") }
  }
}

extension ParquetChunk {
  fileprivate init(_ reader: inout ThriftReader, _ kind: ThriftReader.Kind) throws(ArrowError) {
    var (offsets, columns) = ((start: 0, size: 0), (start: 0, size: 0))
    try reader.structure(kind) { reader, id, kind throws(ArrowError) in
      switch id {
      case 1: otherFile = try reader.text(kind)
      case 3: try readMetadata(&reader, kind)
      case 4: offsets.start = try reader.integer(kind)
      case 5: offsets.size = try reader.integer(kind)
      case 6: columns.start = try reader.integer(kind)
      case 7: columns.size = try reader.integer(kind)
      case 8, 9:
        isEncrypted = true
        try reader.skip(kind)
      default: try reader.skip(kind)
      }
    }
    (offsetIndex, columnIndex) = (Self.range(offsets), Self.range(columns))
  }

  /// Returns the range of an index; nil for none.
  private static func range(_ place: (start: Int, size: Int)) -> Range<Int>? {
    let (end, overflow) = place.start.addingReportingOverflow(place.size)
    return place.start > 0 && place.size > 0 && !overflow ? place.start..<end : nil
  }

  private mutating func readMetadata(
    _ reader: inout ThriftReader, _ kind: ThriftReader.Kind
  ) throws(ArrowError) {
    var bloom = (start: 0, size: 0)
    try reader.structure(kind) { reader, id, kind throws(ArrowError) in
      switch id {
      case 1: type = try reader.code(kind, "column of an unknown type")
      case 2:
        try reader.list(kind) { reader, kind throws(ArrowError) in
          let code = try reader.integer(kind)
          if (0..<32).contains(code) { encodings |= 1 << UInt32(code) }
        }
      case 6: uncompressedSize = try reader.integer(kind)
      case 4: codec = try reader.code(kind, "column of an unknown compression")
      case 5: valueCount = try reader.integer(kind)
      case 7: compressedSize = try reader.integer(kind)
      case 9: dataOffset = try reader.integer(kind)
      case 11: dictionaryOffset = try reader.integer(kind)
      case 12: statistics = try ParquetStatistics(&reader, kind)
      case 14: bloom.start = try reader.integer(kind)
      case 15: bloom.size = try reader.integer(kind)
      default: try reader.skip(kind)
      }
    }
    bloomFilter = Self.range(bloom)
  }
}

extension ParquetStatistics {
  /// Reads the statistics; the old members, whose order depends on the writer, are not read.
  init(_ reader: inout ThriftReader, _ kind: ThriftReader.Kind) throws(ArrowError) {
    try reader.structure(kind) { reader, id, kind throws(ArrowError) in
      switch id {
      case 5: greatest = Array(reader.bytes[try reader.range(kind)])
      case 6: least = Array(reader.bytes[try reader.range(kind)])
      default: try reader.skip(kind)
      }
    }
  }
}
