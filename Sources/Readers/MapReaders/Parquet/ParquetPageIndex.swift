/// The pages of a column in a row group with their rows, and the bounds of their values.
///
/// - Source: parquet-format 2.11, `PageIndex.md`.
struct ParquetPageIndex: Sendable {
  /// A page of values.
  struct Page: Sendable {
    /// The range in the file.
    var range: Range<Int>
    /// The rows in the row group.
    var rows: Range<Int>
  }

  /// The pages in the order of their rows.
  private(set) var pages: [Page] = []
  /// The range of the dictionary in the file; empty without one.
  private(set) var dictionary: Range<Int>

  /// The maximum size of an index in bytes.
  ///
  /// - Source: design decision; a page takes about 12 bytes, and its bounds up to some hundred.
  private static let largest = 16 << 20

  /// Reads the index; nil if there is none, or one that does not fit the column.
  ///
  /// - Parameter whole: The range of all pages.
  init?(
    _ chunk: ParquetChunk, _ whole: Range<Int>, rowCount: Int, _ read: (Range<Int>) throws -> [UInt8]
  ) throws {
    guard let place = chunk.offsetIndex, place.count <= Self.largest else { return nil }
    let bytes = try read(place)
    guard let found = try? Self.locations(bytes), let first = found.first, first.row == 0 else { return nil }
    for (index, page) in found.enumerated() {
      let end = index + 1 < found.count ? found[index + 1].row : rowCount
      guard page.size > 0, page.start >= (pages.last?.range.upperBound ?? whole.lowerBound),
        page.start <= whole.upperBound, page.size <= whole.upperBound - page.start, page.row < end
      else { return nil }
      pages.append(Page(range: page.start..<page.start + page.size, rows: page.row..<end))
    }
    dictionary = whole.lowerBound..<first.start
  }

  private static func locations(_ bytes: [UInt8]) throws(ArrowError) -> [(start: Int, size: Int, row: Int)] {
    var reader = ThriftReader(bytes, 0..<bytes.count)
    var found: [(start: Int, size: Int, row: Int)] = []
    try reader.structure(.structure) { reader, id, kind throws(ArrowError) in
      guard id == 1 else { return try reader.skip(kind) }
      try reader.list(kind) { reader, kind throws(ArrowError) in
        var page = (start: -1, size: -1, row: -1)
        try reader.structure(kind) { reader, id, kind throws(ArrowError) in
          switch id {
          case 1: page.start = try reader.integer(kind)
          case 2: page.size = try reader.integer(kind)
          case 3: page.row = try reader.integer(kind)
          default: try reader.skip(kind)
          }
        }
        guard page.row >= 0 else { throw ArrowError("has a page without a row") }
        found.append(page)
      }
    }
    return found
  }

  /// Returns the indices of the pages that have some of the rows.
  func pages(of rows: [Range<Int>]) -> [Int] {
    var next = 0
    return pages.indices.filter { page in
      while next < rows.count, rows[next].upperBound <= pages[page].rows.lowerBound { next += 1 }
      return next < rows.count && rows[next].lowerBound < pages[page].rows.upperBound
    }
  }

  /// Reads the bounds of each page; nil for a page whose values are not bounded, and empty bounds for one of nulls.
  ///
  /// Nil if there are none, or if their number is not that of the pages.
  func bounds(
    _ chunk: ParquetChunk, _ read: (Range<Int>) throws -> [UInt8]
  ) throws -> [ParquetStatistics]? {
    guard let place = chunk.columnIndex, place.count <= Self.largest else { return nil }
    let bytes = try read(place)
    guard let found = try? Self.bounds(bytes), found.count == pages.count else { return nil }
    return found
  }

  private static func bounds(_ bytes: [UInt8]) throws(ArrowError) -> [ParquetStatistics] {
    var reader = ThriftReader(bytes, 0..<bytes.count)
    var (areNull, least, greatest) = ([Bool](), [[UInt8]](), [[UInt8]]())
    try reader.structure(.structure) { reader, id, kind throws(ArrowError) in
      switch id {
      case 1:
        try reader.list(kind) { reader, kind throws(ArrowError) in areNull.append(try reader.boolean(kind)) }
      case 2, 3:
        try reader.list(kind) { reader, kind throws(ArrowError) in
          let value = Array(reader.bytes[try reader.range(kind)])
          if id == 2 { least.append(value) } else { greatest.append(value) }
        }
      default: try reader.skip(kind)
      }
    }
    guard areNull.count == least.count, least.count == greatest.count else {
      throw ArrowError("has bounds for another number of pages")
    }
    return areNull.indices.map { index in
      areNull[index]
        ? ParquetStatistics(isOnlyNulls: true)
        : ParquetStatistics(least: least[index], greatest: greatest[index])
    }
  }
}

extension [Range<Int>] {
  /// Returns the numbers in both of two lists of ascending ranges.
  func intersection(_ others: [Range<Int>]) -> [Range<Int>] {
    var (found, own, other) = ([Range<Int>](), 0, 0)
    while own < count, other < others.count {
      let (start, end) = (
        Swift.max(self[own].lowerBound, others[other].lowerBound),
        Swift.min(self[own].upperBound, others[other].upperBound)
      )
      if start < end { found.append(start..<end) }
      if self[own].upperBound < others[other].upperBound { own += 1 } else { other += 1 }
    }
    return found
  }

  /// Creates ascending ranges from ascending numbers.
  init(of numbers: some Sequence<Int>) {
    self = []
    for number in numbers {
      if let last, last.upperBound == number {
        self[count - 1] = last.lowerBound..<number + 1
      } else {
        append(number..<number + 1)
      }
    }
  }
}
