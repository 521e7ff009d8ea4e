/// A set of a table's rows, as a bitmap.
///
/// - Cost: one bit per row; and, or, not and count process 64 rows at a time.
public struct RowSet: Hashable, Sendable {
  /// The number of rows of the table.
  public let rowCount: Int
  /// Row `r` is bit `r % 64` of word `r / 64`; bits past the last row are 0.
  public private(set) var words: [UInt64]

  /// Creates the set of no rows, or of all.
  public init(rowCount: Int, all: Bool = false) {
    self.rowCount = rowCount
    words = Array(repeating: all ? .max : 0, count: (rowCount + 63) / 64)
    clearTail()
  }

  /// Creates the set with these words; clears bits past the last row.
  package init(rowCount: Int, words: [UInt64]) {
    precondition(words.count == (rowCount + 63) / 64, "words do not fit the rows")
    self.rowCount = rowCount
    self.words = words
    clearTail()
  }

  /// Creates the set of these rows, in any order.
  public init(rowCount: Int, rows: some Sequence<Int>) {
    self.init(rowCount: rowCount)
    for row in rows { insert(row) }
  }

  private mutating func clearTail() {
    let used = rowCount % 64
    if used != 0 { words[words.count - 1] &= (1 << UInt64(used)) - 1 }
  }

  /// The number of rows in the set.
  public var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }
  /// Whether no row is in the set.
  public var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// Whether the row is in the set.
  public func contains(_ row: Int) -> Bool { words[row >> 6] & (1 << UInt64(row & 63)) != 0 }

  /// Inserts a row.
  public mutating func insert(_ row: Int) { words[row >> 6] |= 1 << UInt64(row & 63) }

  /// Removes a row.
  public mutating func remove(_ row: Int) { words[row >> 6] &= ~(1 << UInt64(row & 63)) }

  /// Keeps only the rows that are also in `other`.
  public mutating func formIntersection(_ other: RowSet) {
    precondition(rowCount == other.rowCount, "row sets of two tables")
    for index in words.indices { words[index] &= other.words[index] }
  }

  /// Adds the rows of `other`.
  public mutating func formUnion(_ other: RowSet) {
    precondition(rowCount == other.rowCount, "row sets of two tables")
    for index in words.indices { words[index] |= other.words[index] }
  }

  /// Removes the rows of `other`.
  public mutating func subtract(_ other: RowSet) {
    precondition(rowCount == other.rowCount, "row sets of two tables")
    for index in words.indices { words[index] &= ~other.words[index] }
  }

  /// Returns the rows that are in both sets.
  public func intersection(_ other: RowSet) -> RowSet {
    var result = self
    result.formIntersection(other)
    return result
  }

  /// Returns the rows that are not in the set.
  public func inverted() -> RowSet { RowSet(rowCount: rowCount, words: words.map { ~$0 }) }
}

extension RowSet: Sequence {
  /// The number of rows in the set, for which arrays reserve their memory.
  public var underestimatedCount: Int { count }

  /// Returns an iterator over the rows in the set, ascending.
  public func makeIterator() -> Iterator { Iterator(words: words) }

  /// An iterator over the set bits of the words.
  public struct Iterator: IteratorProtocol {
    private let words: [UInt64]
    private var index = 0
    private var word: UInt64

    fileprivate init(words: [UInt64]) {
      self.words = words
      word = words.first ?? 0
    }

    /// Returns the next row; nil at the end.
    public mutating func next() -> Int? {
      while word == 0 {
        index += 1
        guard index < words.count else { return nil }
        word = words[index]
      }
      let bit = word.trailingZeroBitCount
      word &= word - 1
      return index << 6 | bit
    }
  }
}
