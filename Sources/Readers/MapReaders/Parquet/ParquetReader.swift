package import MapFeatures
import MapGeometry
import MapSystem

/// Reads Parquet files into columns, with the geometries of GeoParquet.
///
/// Pages of both versions and all of their encodings are read, with Snappy, Zstandard, gzip and LZ4. The values become
/// arrays of Arrow, so that fields, geometries and spatial references have the same rules as in Arrow data. Lists,
/// structures and maps become JSON text. Intervals and bytes are not read, with a warning.
///
/// - Source: parquet-format 2.11, github.com/apache/parquet-format; GeoParquet 1.0 and 1.1, geoparquet.org.
/// - Cost: one pass by row groups on all cores. Columns that are not needed are not read from the file.
package enum ParquetReader {
  /// Whether the bytes start a Parquet file, or are its last four, which are the same.
  package static func looksLikeParquet(_ head: [UInt8]) -> Bool {
    head.starts(with: ParquetFooter.mark) || head.starts(with: Array("PARE".utf8))
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - size: The size in bytes.
  ///   - fields: The fields to read.
  ///   - bytes: Returns a range of the bytes; called on several threads, one at a time.
  /// - Throws: ``ArrowError``, and the errors of `bytes`.
  package static func read(
    size: Int, fields: FieldSelection = .all, options: ReadingOptions = ReadingOptions(),
    bytes: @escaping @Sendable (Range<Int>) throws -> [UInt8]
  ) throws -> FeatureColumns {
    try ParquetTable([ParquetTable.File(size: size, bytes: bytes)], fields: fields, options: options).read()
  }
}

/// The footer of a Parquet file and the tree of its fields.
struct ParquetFile: Sendable {
  let footer: ParquetFooter
  let schema: ParquetSchema
  let size: Int

  /// Reads the footer.
  init(size: Int, _ read: (Range<Int>) throws -> [UInt8]) throws {
    self.size = size
    footer = try ParquetFooter(size: size, read)
    schema = try ParquetSchema(footer.elements)
    try footer.check(schema.leaves, fileSize: size)
  }

  /// The fields in Arrow's types.
  var arrowSchema: ArrowSchema {
    ArrowSchema(fields: schema.nodes.map { $0.field(schema.leaves) }, geoMetadata: footer.geo)
  }
}

/// A row group, or some of its rows, with the pages of the columns that are read.
struct ParquetPiece: Sendable {
  /// The index of the row group among those of all files.
  let group: Int
  /// The file and the number of the row group in messages.
  let name: String
  let contents: [ParquetTable.Content]
  /// The pages of the columns, by their indices.
  let columns: [(index: Int, pages: ParquetPages)]
  /// The rows of the row group that are read, in ascending ranges; nil for all.
  let rows: [Range<Int>]?
  let rowCount: Int
  /// The number of rows before the row group.
  let firstRow: Int
  /// The number of bytes that geometries may take together.
  let sharedBytes: Int

  /// The number of rows that one core puts into columns at a time; a multiple of 64.
  ///
  /// - Source: design decision; writers put up to a million rows into a row group.
  private static let partRows = 65_536

  /// Returns the rows in the columns of a table, in parts.
  func rows(_ plan: ArrowPlan) throws -> [ArrowRows] {
    let arrays = try arrays()
    let parts = max(1, (rowCount + Self.partRows - 1) / Self.partRows)
    return try concurrentMap(parts) { part in
      let rows = part * Self.partRows..<min(rowCount, (part + 1) * Self.partRows)
      let own = parts == 1 ? arrays : arrays.map { ($0.rows(rows), $1) }
      return try ArrowRows(
        plan, own, rowCount: rows.count, firstRow: firstRow + rows.lowerBound,
        sharedBytes: sharedBytes)
    }
  }

  /// Returns the arrays of the fields that are read, decoded on all cores.
  func arrays() throws -> [(ArrowArray, ArrowDictionary?)] {
    let decoded = try concurrentMap(columns.count) { number in
      let pages = columns[number].pages
      do {
        var column = try ParquetColumn(pages)
        if let rows { try column.keep(rows, of: pages.rows) }
        return column
      } catch let error as ArrowError { throw ArrowError("\(name): column \(pages.leaf.name): \(error)") }
    }
    let arrays = ParquetArrays(
      columns: Dictionary(uniqueKeysWithValues: zip(columns.map(\.index), decoded)))
    return try concurrentMap(contents.count) { number throws(ArrowError) in
      switch contents[number] {
      case .node(let node):
        do { return try arrays.array(node, rowCount: rowCount) } catch {
          throw ArrowError("\(name): field \(node.name): \(error)")
        }
      case .text(let text): return try ParquetArrays.constant(text, rowCount: rowCount)
      case .number(let number): return (ParquetArrays.constant(number, rowCount: rowCount), nil)
      case .missing:
        return (ArrowArray(type: .null, count: rowCount, validity: nil, buffers: [], children: []), nil)
      }
    }
  }
}

extension ArrowPlan {
  /// The indices of the fields that are read, in ascending order.
  var readFields: [Int] {
    Set(columns.map(\.field) + [geometry?.field].compactMap { $0 }).sorted()
  }
}

/// The limits of what a Parquet file may take beyond its own size.
///
/// - Source: design decision, as for Arrow data and archives.
struct ParquetLimits: Sendable {
  /// The number of bytes, values or rows that are allowed for a file of any size.
  private static let free = 4 << 20
  /// The number of bytes that pages may still take after decompression.
  private var uncompressed: Int
  /// The number of values and nulls; a run of equal ones takes a few bytes.
  private var values: Int
  private var rows: Int
  private var shared: Int

  init(size: Int) {
    (uncompressed, values) = (
      Self.free + ArchiveLimits().ratio * size, Self.free + ArchiveLimits().ratio * size
    )
    (rows, shared) = (values, Self.free + 16 * size)
  }

  /// The number of bytes that values which share bytes may take together.
  var sharedBytes: Int { shared }

  /// Takes the rows of a row group from the limits.
  mutating func take(rows count: Int) throws(ArrowError) {
    rows -= count
    guard rows >= 0 else { throw ArrowError("has more rows than its size allows") }
  }

  /// Takes the pages of a column from the limits.
  mutating func take(_ column: ParquetPages) throws(ArrowError) {
    uncompressed -= column.uncompressedSize
    guard uncompressed >= 0 else {
      throw ArrowError("is compressed more than \(ArchiveLimits().ratio):1, the limit")
    }
    values -= column.valueCount
    guard values >= 0 else { throw ArrowError("has more values than its size allows") }
    shared += 16 * column.uncompressedSize
  }
}
