/// Rows of a table as bits in the order of a tree, with a running sum per word.
///
/// The sums give the number of rows in a node at once.
///
/// - Cost: one and a half bits per row.
package struct PackedRows: Sendable {
  /// The bits of the rows: row `tree.rows[i]` is bit `i % 64` of word `i / 64`.
  let words: [UInt64]
  /// The number of rows in all words before each word; one entry more than there are words.
  private let sums: [Int32]

  init(words: [UInt64]) {
    self.words = words
    var sums: [Int32] = [0]
    sums.reserveCapacity(words.count + 1)
    var sum: Int32 = 0
    for word in words {
      sum += Int32(truncatingIfNeeded: word.nonzeroBitCount)
      sums.append(sum)
    }
    self.sums = sums
  }

  /// Returns the number of these rows in a packed range that starts at a word's first bit, and ends at one or at the
  /// end.
  func count(_ range: Range<Int>) -> Int {
    Int(sums[(range.upperBound + 63) >> 6] - sums[range.lowerBound >> 6])
  }
}
