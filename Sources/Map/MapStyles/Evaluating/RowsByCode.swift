import Synchronization

/// The rows of a tile's layer by the codes of a property's values.
struct RowsByCode: Sendable {
  /// For each code from -1, the place of its first row; then the number of rows.
  private let starts: [Int]
  private let rows: [Int32]

  /// The number of codes, with that of rows without a value.
  var count: Int { starts.count - 1 }

  /// Sorts rows by their codes, which are -1 or more and less than `count`.
  ///
  /// - Cost: linear in the rows and codes.
  init(codes: [Int32], count: Int) {
    var next = [Int](repeating: 0, count: count + 2)
    for code in codes { next[Int(max(code, -1)) + 2] += 1 }
    for index in next.indices.dropFirst() { next[index] += next[index - 1] }
    starts = next
    var rows = [Int32](repeating: 0, count: codes.count)
    for (row, code) in codes.enumerated() {
      let number = Int(max(code, -1)) + 1
      rows[next[number]] = Int32(truncatingIfNeeded: row)
      next[number] += 1
    }
    self.rows = rows
  }

  /// The rows with a code, from 0 for those without a value, in ascending order.
  subscript(number: Int) -> ArraySlice<Int32> { rows[starts[number]..<starts[number + 1]] }
}

/// The rows by the values of properties, each found when it is first asked for.
final class RowsByValue: Sendable {
  private let known = Mutex<[String: RowsByCode]>([:])

  func rows(of name: String, codes: [Int32], count: Int) -> RowsByCode {
    known.withLock { known in
      if let rows = known[name] { return rows }
      let rows = RowsByCode(codes: codes, count: count)
      known[name] = rows
      return rows
    }
  }
}
