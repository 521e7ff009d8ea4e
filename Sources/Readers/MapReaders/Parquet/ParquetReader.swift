package import MapFeatures
import MapGeometry
import MapSystem

/// Reads Parquet files into columns, with the geometries of GeoParquet.
///
/// Pages of both versions and all of their encodings are read, with Snappy, Zstandard, gzip and LZ4. The values become
/// arrays of Arrow, so that fields, geometries and spatial references have the same rules as in Arrow data. Maps,
/// intervals and bytes are not read, with a warning.
///
/// - Source: parquet-format 2.11, github.com/apache/parquet-format; GeoParquet 1.0 and 1.1, geoparquet.org.
/// - Cost: one pass by row groups on all cores. Columns that are not needed are not read from the file.
package enum ParquetReader {
  /// Whether the bytes start a Parquet file.
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
    bytes: @Sendable (Range<Int>) throws -> [UInt8]
  ) throws -> FeatureColumns {
    let file = try ParquetFile(size: size, bytes)
    let plan = try ArrowPlan(file.arrowSchema, wanted: fields, options: options)
    return try concurrentPipeline(
      ParquetFeed(file, plan.readFields, groups: Array(file.footer.rowGroups.indices)),
      next: { try $0.next(bytes) }, work: { try $0.rows(plan) },
      into: ArrowRows(plan), take: { rows, parts in for part in parts { try rows.append(part) } }
    ).table()
  }
}

/// The footer of a Parquet file and the tree of its fields.
struct ParquetFile: Sendable {
  let footer: ParquetFooter
  let schema: ParquetSchema
  let size: Int
  /// The number of rows before each row group.
  let firstRows: [Int]

  /// Reads the footer.
  init(size: Int, _ read: (Range<Int>) throws -> [UInt8]) throws {
    self.size = size
    footer = try ParquetFooter(size: size, read)
    schema = try ParquetSchema(footer.elements)
    try footer.check(schema.leaves, fileSize: size)
    var (firstRows, rows) = ([Int](), 0)
    for group in footer.rowGroups {
      firstRows.append(rows)
      rows += group.rowCount
    }
    self.firstRows = firstRows
  }

  /// The fields in Arrow's types.
  var arrowSchema: ArrowSchema {
    ArrowSchema(fields: schema.nodes.map { $0.field(schema.leaves) }, geoMetadata: footer.geo)
  }
}

/// A row group with the pages of the columns that are read.
struct ParquetPiece: Sendable {
  /// The number of the row group, from 1.
  let number: Int
  let nodes: [ParquetNode]
  /// The pages of the columns, by their indices.
  let columns: [(index: Int, pages: ParquetPages)]
  let rowCount: Int
  /// The number of rows before it.
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
      do { return try ParquetColumn(columns[number].pages) } catch let error as ArrowError {
        throw ArrowError("row group \(self.number): column \(columns[number].pages.leaf.name): \(error)")
      }
    }
    let arrays = ParquetArrays(
      columns: Dictionary(uniqueKeysWithValues: zip(columns.map(\.index), decoded)))
    return try concurrentMap(nodes.count) { number throws(ArrowError) in
      do { return try arrays.array(nodes[number], rowCount: rowCount) } catch {
        throw ArrowError("row group \(self.number): field \(nodes[number].name): \(error)")
      }
    }
  }
}

extension ArrowPlan {
  /// The indices of the fields that are read.
  var readFields: Set<Int> { Set(columns.map(\.field) + [geometry?.field].compactMap { $0 }) }
}

/// Divides a file into its row groups.
struct ParquetFeed: Sendable {
  private let file: ParquetFile
  /// The row groups that are read, in ascending order.
  private let groups: [Int]
  /// The fields that are read.
  private let nodes: [ParquetNode]
  private let keepsDictionary: Set<Int>
  /// The index among the row groups of the next one.
  private var next = 0
  private var limits: ParquetLimits

  init(_ file: ParquetFile, _ fields: Set<Int>, groups: [Int]) {
    self.init(
      file, file.schema.nodes.indices.filter { fields.contains($0) }.map { file.schema.nodes[$0] },
      groups: groups)
  }

  /// Creates a feed of fields, or of fields within others.
  init(_ file: ParquetFile, _ nodes: [ParquetNode], groups: [Int]) {
    (self.file, self.nodes, self.groups) = (file, nodes, groups)
    var kept: Set<Int> = []
    for node in nodes {
      // Texts and geometries of a dictionary are read once each.
      if case .leaf(let index) = node.content, file.schema.leaves[index].type == .bytes,
        node.field(file.schema.leaves).type.isBytes
      {
        kept.insert(index)
      }
    }
    keepsDictionary = kept
    limits = ParquetLimits(size: file.size)
  }

  /// Returns the next row group; nil after the last.
  mutating func next(_ read: (Range<Int>) throws -> [UInt8]) throws -> ParquetPiece? {
    guard next < groups.count else { return nil }
    let number = groups[next] + 1
    let group = file.footer.rowGroups[groups[next]]
    next += 1
    var columns: [(index: Int, pages: ParquetPages)] = []
    do {
      try limits.take(rows: group.rowCount)
      for index in nodes.flatMap(\.leaves) {
        let pages = try pages(group.chunks[index], index, rows: group.rowCount, read)
        try limits.take(pages)
        columns.append((index, pages))
      }
    } catch let error as ArrowError { throw ArrowError("row group \(number): \(error)") }
    return ParquetPiece(
      number: number, nodes: nodes, columns: columns, rowCount: group.rowCount,
      firstRow: file.firstRows[number - 1],
      sharedBytes: limits.sharedBytes)
  }

  private func pages(
    _ chunk: ParquetChunk, _ index: Int, rows: Int, _ read: (Range<Int>) throws -> [UInt8]
  ) throws -> ParquetPages {
    let leaf = file.schema.leaves[index]
    do {
      guard chunk.otherFile == nil else { throw ArrowError("its values are in another file") }
      guard !chunk.isEncrypted else { throw ArrowError("is encrypted") }
      guard chunk.valueCount >= 0, chunk.valueCount <= Int(Int32.max),
        leaf.repetition > 0 || chunk.valueCount == rows
      else { throw ArrowError("has \(chunk.valueCount) values in \(rows) rows") }
      let bytes = chunk.valueCount == 0 ? [] : try read(try chunk.range(fileSize: file.size))
      let pages = try ParquetPage.pages(bytes, valueCount: chunk.valueCount)
      // Writers give up a dictionary of geometries soon; then they are read without it.
      return ParquetPages(
        leaf: leaf, codec: chunk.codec, bytes: bytes,
        pages: pages,
        keepsDictionary: keepsDictionary.contains(index)
          && (leaf.valueType.isText || pages.dropFirst().allSatisfy(\.hasIndices)))
    } catch let error as ArrowError { throw ArrowError("column \(leaf.name): \(error)") }
  }
}

extension ArrowType {
  /// Whether the values have several lengths.
  fileprivate var isBytes: Bool { if case .bytes = self { true } else { false } }
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
