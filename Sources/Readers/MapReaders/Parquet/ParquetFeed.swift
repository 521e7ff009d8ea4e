internal import Synchronization

/// Divides the files of a table into their row groups.
struct ParquetFeed: Sendable {
  private let table: ParquetTable
  /// The row groups that are read, in ascending order, with the rows; nil for all rows.
  private let groups: [(group: Int, rows: [Range<Int>]?)]
  /// For each file, the sources of the fields that are read.
  private let contents: [[ParquetTable.Content]]
  /// For each file, the columns whose values are referred to by the indices of a dictionary.
  private let keepsDictionary: [Set<Int>]
  private let tally: ParquetTally
  /// The index among the row groups of the next one.
  private var position = 0
  /// For each file, what it may still take.
  private var limits: [ParquetLimits]

  /// Creates a feed of fields, or of fields within others.
  init(
    _ table: ParquetTable, _ contents: [[ParquetTable.Content]],
    groups: [(group: Int, rows: [Range<Int>]?)], _ tally: ParquetTally
  ) {
    (self.table, self.contents, self.groups, self.tally) = (table, contents, groups, tally)
    keepsDictionary = zip(table.parts, contents).map { part, contents in
      let leaves = part.file.schema.leaves
      var kept: Set<Int> = []
      for node in contents.compactMap(\.node) {
        // Texts and geometries of a dictionary are read once each.
        if case .leaf(let index) = node.content, leaves[index].type == .bytes, node.field(leaves).type.isBytes
        {
          kept.insert(index)
        }
      }
      return kept
    }
    limits = table.parts.map { ParquetLimits(size: $0.file.size) }
  }

  /// Returns the next row group; nil after the last.
  mutating func next() throws -> ParquetPiece? {
    guard position < groups.count else { return nil }
    let (index, rows) = groups[position]
    position += 1
    let place = table.groups[index]
    let (part, group) = (
      table.parts[place.part], table.parts[place.part].file.footer.rowGroups[place.number]
    )
    var columns: [(index: Int, pages: ParquetPages)] = []
    let name = (part.source.name.map { $0 + ": " } ?? "") + "row group \(place.number + 1)"
    do {
      try limits[place.part].take(rows: group.rowCount)
      let leaves = contents[place.part].compactMap(\.node).flatMap(\.leaves)
      let chunks = try leaves.map { leaf in try ChunkReading(part, group, leaf, rows: rows) }
      // The chunks of a row group are read in their order in the file.
      let order = chunks.indices.sorted { chunks[$0].start < chunks[$1].start }
      try part.source.announce(order.flatMap { chunks[$0].ranges })
      var bytes = [[UInt8]](repeating: [], count: chunks.count)
      for index in order { bytes[index] = try chunks[index].read(part) }
      for (index, chunk) in chunks.enumerated() {
        let pages = try chunk.pages(
          bytes[index], keepsDictionary: keepsDictionary[place.part].contains(chunk.leaf), part)
        try limits[place.part].take(pages)
        columns.append((chunk.leaf, pages))
        tally.add(chunk.ranges.reduce(0) { $0 + $1.count }, pages.pages.count, of: chunk.pageCount)
      }
      tally.add(rowGroup: index, columns: leaves)
    } catch let error as ArrowError { throw ArrowError("\(name): \(error)") }
    return ParquetPiece(
      group: index, name: name, contents: contents[place.part], columns: columns, rows: rows,
      rowCount: rows.map { $0.reduce(0) { $0 + $1.count } } ?? group.rowCount, firstRow: place.firstRow,
      sharedBytes: limits[place.part].sharedBytes)
  }
}

/// The ranges of a column in a row group that are read.
private struct ChunkReading {
  let leaf: Int
  /// The ranges in the file, in ascending order.
  private(set) var ranges: [Range<Int>]
  /// The number of pages of the column, if its index states them.
  private(set) var pageCount: Int?
  private let column: ParquetLeaf
  private let chunk: ParquetChunk
  /// The rows of the pages; nil for all.
  private var held: [Range<Int>]?
  private let rowCount: Int

  var start: Int { ranges.first?.lowerBound ?? 0 }

  init(_ part: ParquetTable.Part, _ group: ParquetRowGroup, _ leaf: Int, rows: [Range<Int>]?) throws {
    (self.leaf, column, chunk) = (leaf, part.file.schema.leaves[leaf], group.chunks[leaf])
    rowCount = group.rowCount
    do {
      guard chunk.otherFile == nil else { throw ArrowError("its values are in another file") }
      guard !chunk.isEncrypted else { throw ArrowError("is encrypted") }
      guard chunk.valueCount >= 0, chunk.valueCount <= Int(Int32.max),
        column.repetition > 0 || chunk.valueCount == rowCount
      else { throw ArrowError("has \(chunk.valueCount) values in \(rowCount) rows") }
      ranges = []
      guard chunk.valueCount > 0 else { return }
      let whole = try chunk.range(fileSize: part.file.size)
      ranges = [whole]
      guard let rows, let index = try ParquetPageIndex(chunk, whole, rowCount: rowCount, part.source.bytes)
      else { return }
      let chosen = index.pages(of: rows)
      pageCount = index.pages.count + (index.dictionary.isEmpty ? 0 : 1)
      guard chosen.count < index.pages.count else { return }
      held = chosen.map { index.pages[$0].rows }
      ranges = index.dictionary.isEmpty || chosen.isEmpty ? [] : [index.dictionary]
      for page in chosen {
        if let last = ranges.last, last.upperBound == index.pages[page].range.lowerBound {
          ranges[ranges.count - 1] = last.lowerBound..<index.pages[page].range.upperBound
        } else {
          ranges.append(index.pages[page].range)
        }
      }
    } catch let error as ArrowError { throw ArrowError("column \(column.name): \(error)") }
  }

  func read(_ part: ParquetTable.Part) throws -> [UInt8] {
    guard ranges.count != 1 else { return try part.source.bytes(ranges[0]) }
    return try ranges.flatMap { try part.source.bytes($0) }
  }

  func pages(
    _ bytes: [UInt8], keepsDictionary: Bool, _ part: ParquetTable.Part
  ) throws(ArrowError) -> ParquetPages {
    do {
      let pages = try ParquetPage.pages(bytes, valueCount: held == nil ? chunk.valueCount : nil)
      // Writers give up a dictionary of geometries soon; then they are read without it.
      return ParquetPages(
        leaf: column, codec: chunk.codec, bytes: bytes, pages: pages, rows: held ?? [0..<rowCount],
        keepsDictionary: keepsDictionary
          && (column.valueType.isText || pages.dropFirst().allSatisfy(\.hasIndices)))
    } catch { throw ArrowError("column \(column.name): \(error)") }
  }
}

extension ArrowType {
  /// Whether the values have several lengths.
  fileprivate var isBytes: Bool { if case .bytes = self { true } else { false } }
}

/// The numbers of a reading: its row groups, pages, columns and bytes.
final class ParquetTally: Sendable {
  private struct Numbers {
    var groups: Set<Int> = [], columns: Set<Int> = []
    var pages = 0, allPages = 0, bytes = 0
  }

  private let numbers = Mutex(Numbers())
  private let groupCount: Int, columnCount: Int, size: Int

  init(_ table: ParquetTable) {
    groupCount = table.groups.count
    columnCount = table.parts.map(\.file.schema.leaves.count).max() ?? 0
    size = table.parts.reduce(0) { $0 + $1.file.size }
  }

  /// Adds a column of a row group.
  fileprivate func add(_ bytes: Int, _ pages: Int, of all: Int?) {
    numbers.withLock { numbers in
      numbers.bytes += bytes
      numbers.pages += pages
      numbers.allPages += all ?? pages
    }
  }

  fileprivate func add(rowGroup: Int, columns: [Int]) {
    numbers.withLock { numbers in
      numbers.groups.insert(rowGroup)
      numbers.columns.formUnion(columns)
    }
  }

  /// The numbers of what was read and of all; pages are those of the row groups and columns that were read.
  var text: String {
    numbers.withLock { numbers in
      "read \(numbers.groups.count) of \(groupCount) row groups, \(numbers.pages) of \(numbers.allPages) pages in them, "
        + "\(numbers.columns.count) of \(columnCount) columns, \(numbers.bytes) of \(size) bytes"
    }
  }
}
