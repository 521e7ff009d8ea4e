/// Rows of a table as bits in the order of a tree, with a sum before each word, so that a node's rows count at once.
///
/// - Cost: a bit and a half a row.
public struct PackedRows: Sendable {
  /// Row `tree.rows[i]` is bit `i % 64` of word `i / 64`.
  let words: [UInt64]
  /// How many rows the words before each hold; one more than there are words.
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

  /// How many rows of a range of places are among them; it starts at a word's first bit, and ends at one or at the end.
  func count(_ range: Range<Int>) -> Int {
    Int(sums[(range.upperBound + 63) >> 6] - sums[range.lowerBound >> 6])
  }
}
