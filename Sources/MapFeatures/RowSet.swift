/// A set of rows of one table, as a bitmap.
///
/// - Cost: one bit a row; and, or, not and count go 64 rows at a time.
public struct RowSet: Hashable, Sendable {
  /// Number of rows of the table, in the set or not.
  public let rowCount: Int
  /// Row `r` is bit `r % 64` of word `r / 64`; bits past the last row are 0.
  public private(set) var words: [UInt64]

  /// The set of no rows, or of all.
  public init(rowCount: Int, all: Bool = false) {
    self.rowCount = rowCount
    words = Array(repeating: all ? .max : 0, count: (rowCount + 63) / 64)
    clearTail()
  }

  /// The set with these words; bits past the last row are cleared.
  public init(rowCount: Int, words: [UInt64]) {
    precondition(words.count == (rowCount + 63) / 64, "words do not fit the rows")
    self.rowCount = rowCount
    self.words = words
    clearTail()
  }

  /// The set of these rows, in any order.
  public init(rowCount: Int, rows: some Sequence<Int>) {
    self.init(rowCount: rowCount)
    for row in rows { insert(row) }
  }

  private mutating func clearTail() {
    let used = rowCount % 64
    if used != 0 { words[words.count - 1] &= (1 << UInt64(used)) - 1 }
  }

  /// Number of rows in the set.
  public var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }
  /// True when no row is in the set.
  public var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// True when the row is in the set.
  public func contains(_ row: Int) -> Bool { words[row >> 6] & (1 << UInt64(row & 63)) != 0 }

  /// Puts a row in.
  public mutating func insert(_ row: Int) { words[row >> 6] |= 1 << UInt64(row & 63) }

  /// Takes a row out.
  public mutating func remove(_ row: Int) { words[row >> 6] &= ~(1 << UInt64(row & 63)) }

  /// Keeps the rows that are in `other` too.
  public mutating func formIntersection(_ other: RowSet) {
    precondition(rowCount == other.rowCount, "row sets of two tables")
    for index in words.indices { words[index] &= other.words[index] }
  }

  /// Adds the rows of `other`.
  public mutating func formUnion(_ other: RowSet) {
    precondition(rowCount == other.rowCount, "row sets of two tables")
    for index in words.indices { words[index] |= other.words[index] }
  }

  /// Takes out the rows of `other`.
  public mutating func subtract(_ other: RowSet) {
    precondition(rowCount == other.rowCount, "row sets of two tables")
    for index in words.indices { words[index] &= ~other.words[index] }
  }

  /// The rows in both.
  public func intersection(_ other: RowSet) -> RowSet {
    var result = self
    result.formIntersection(other)
    return result
  }

  /// The rows not in the set.
  public func inverted() -> RowSet { RowSet(rowCount: rowCount, words: words.map { ~$0 }) }
}

extension RowSet: Sequence {
  /// The rows in the set, ascending.
  public func makeIterator() -> Iterator { Iterator(words: words) }

  /// Walks the set bits of the words.
  public struct Iterator: IteratorProtocol {
    private let words: [UInt64]
    private var index = 0
    private var word: UInt64

    fileprivate init(words: [UInt64]) {
      self.words = words
      word = words.first ?? 0
    }

    /// The next row.
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
