import MapFilter

/// A block of rows evaluated together, so that intermediate results stay in the cache.
struct RowBlock {
  /// The maximum number of rows: 64 words; the numbers of an arithmetic step then take 32 KiB, a first-level cache.
  static let rowLimit = 4096

  /// The first row, a multiple of 64.
  let firstRow: Int
  /// The number of rows: `rowLimit`, or fewer in the last block of a table.
  let rowCount: Int

  /// A single row, for values that are the same in every row.
  static let single = RowBlock(firstRow: 0, rowCount: 1)

  /// A bit for each row; bits past the last row are 0.
  var allRows: [UInt64] {
    var result = [UInt64](repeating: .max, count: words.count)
    if rowCount % 64 != 0 { result[result.count - 1] = 1 &<< UInt64(rowCount % 64) &- 1 }
    return result
  }

  /// The range of words in a row set that hold these rows.
  var words: Range<Int> { firstRow / 64..<(firstRow + rowCount + 63) / 64 }

  /// Returns a bit for each row for which `test` is true; rows count from the start of the table.
  @inline(__always)
  func bits(_ test: (Int) -> Bool) -> [UInt64] {
    var result = [UInt64](repeating: 0, count: words.count)
    for word in result.indices {
      let start = word * 64
      let count = min(64, rowCount - start)
      var bits: UInt64 = 0
      // A shift by a constant per row: 64 rows become straight code without a branch on the result.
      for bit in 0..<count { bits |= (test(firstRow + start + bit) ? 1 : 0) &<< UInt64(bit) }
      result[word] = bits
    }
    return result
  }

  // The operator is chosen once per block, not once per row, and each loop reads its own array. With the values behind
  // a second closure, the compiler specialised only integers, and doubles took 12 ns per row instead of 0.5 (Swift
  // 6.3.1).

  /// Returns a bit for each row whose value compares with a limit as requested.
  @inline(__always)
  func bits<Value: Comparable>(
    _ values: [Value], _ comparison: ComparisonOperator, _ limit: Value
  ) -> [UInt64] {
    switch comparison {
    case .equal: bits { values[$0] == limit }
    case .notEqual: bits { values[$0] != limit }
    case .less: bits { values[$0] < limit }
    case .greater: bits { values[$0] > limit }
    case .lessOrEqual: bits { values[$0] <= limit }
    case .greaterOrEqual: bits { values[$0] >= limit }
    }
  }

  /// Returns a bit for each row whose two values compare as requested.
  @inline(__always)
  func bits<Value: Comparable>(
    _ first: [Value], _ comparison: ComparisonOperator, _ second: [Value]
  ) -> [UInt64] {
    switch comparison {
    case .equal: bits { first[$0] == second[$0] }
    case .notEqual: bits { first[$0] != second[$0] }
    case .less: bits { first[$0] < second[$0] }
    case .greater: bits { first[$0] > second[$0] }
    case .lessOrEqual: bits { first[$0] <= second[$0] }
    case .greaterOrEqual: bits { first[$0] >= second[$0] }
    }
  }
}

/// A test of one column's values, without regard to null rows.
enum ColumnTest: Sendable {
  case always(Bool)
  case integers([Int64], ComparisonOperator, Int64)
  case reals([Double], ComparisonOperator, Double)
  /// Integers of 32 bits, or days.
  case shortIntegers([Int32], ComparisonOperator, Int32)
  case booleans([Bool], whenTrue: Bool, whenFalse: Bool)
  /// Text by dictionary: the result for each distinct text; code -1, a null row, has none.
  case codes([Int32], answers: [Bool])
  /// Text by dictionary, with the result for null rows after the others.
  case codesAndNull([Int32], answers: [Bool])
  /// Integers in a list of ascending elements.
  case integersAreIn([Int64], [Int64])
  case realsAreIn([Double], LiteralSet)
  case shortIntegersAreIn([Int32], [Int32])

  func bits(in block: RowBlock) -> [UInt64] {
    switch self {
    case .always(let answer): block.bits { _ in answer }
    case .integers(let values, let comparison, let limit):
      block.bits(values, comparison, limit)
    case .reals(let values, let comparison, let limit): block.bits(values, comparison, limit)
    case .shortIntegers(let values, let comparison, let limit): block.bits(values, comparison, limit)
    case .booleans(let values, let whenTrue, let whenFalse):
      block.bits { values[$0] ? whenTrue : whenFalse }
    case .codes(let codes, let answers): block.bits { codes[$0] >= 0 && answers[Int(codes[$0])] }
    case .codesAndNull(let codes, let answers):
      block.bits { answers[codes[$0] < 0 ? answers.count - 1 : Int(codes[$0])] }
    case .integersAreIn(let values, let elements): block.bits { elements.sortedContains(values[$0]) }
    case .realsAreIn(let values, let elements): block.bits { elements.contains(values[$0]) }
    case .shortIntegersAreIn(let values, let elements): block.bits { elements.sortedContains(values[$0]) }
    }
  }
}

/// A comparison of two columns row by row, without regard to null rows.
enum ColumnPair: Sendable {
  case integers([Int64], [Int64])
  case reals([Double], [Double])
  case integersReals([Int64], [Double])
  case booleans([Bool], [Bool])
  /// Integers of 32 bits, or days.
  case shortIntegers([Int32], [Int32])
  case daysInstants([Int32], [Int64])
  case texts([Int32], [String], [Int32], [String])

  func bits(in block: RowBlock, _ comparison: ComparisonOperator) -> [UInt64] {
    switch self {
    case .integers(let first, let second): block.bits(first, comparison, second)
    case .reals(let first, let second): block.bits(first, comparison, second)
    case .integersReals(let first, let second):
      block.bits { ValueOrdering(integer: first[$0], real: second[$0]).map(comparison.accepts) ?? false }
    case .booleans(let first, let second):
      block.bits { comparison.accepts(ValueOrdering(first[$0] ? 1 : 0, second[$0] ? 1 : 0)) }
    case .shortIntegers(let first, let second): block.bits(first, comparison, second)
    case .daysInstants(let first, let second):
      block.bits {
        comparison.accepts(ValueOrdering(CalendarDate(days: first[$0]).start.microseconds, second[$0]))
      }
    case .texts(let first, let firstTexts, let second, let secondTexts):
      block.bits { row in
        // A null row has code -1.
        guard first[row] >= 0, second[row] >= 0 else { return false }
        return comparison.accepts(
          ValueOrdering(text: firstTexts[Int(first[row])], secondTexts[Int(second[row])]))
      }
    }
  }
}

/// The text of each row.
struct RowTexts {
  private let codes: [Int32]
  private let dictionary: [String]

  /// Creates the texts of a text column; for other columns all rows are null.
  init(_ column: Column) {
    if case .text(let codes, let dictionary) = column.storage {
      (self.codes, self.dictionary) = (codes, dictionary)
    } else {
      (codes, dictionary) = (Array(repeating: -1, count: column.count), [])
    }
  }

  /// Returns the index of the row's text among the distinct ones; nil for null.
  func place(_ row: Int) -> Int? { codes[row] < 0 ? nil : Int(codes[row]) }

  subscript(row: Int) -> String? { place(row).map { dictionary[$0] } }

  func map<Result>(_ transform: (String) -> Result) -> [Result] { dictionary.map(transform) }
}

/// The pattern of each row, each distinct one parsed once; a pattern that ends in its escape character is null.
struct RowPatterns {
  private let texts: RowTexts
  private let patterns: [LikePattern?]

  init(_ column: Column, escape: Unicode.Scalar?) {
    texts = RowTexts(column)
    patterns = texts.map { LikePattern($0, escape: escape) }
  }

  subscript(row: Int) -> LikePattern? { texts.place(row).flatMap { patterns[$0] } }
}

extension LiteralTest {
  /// Returns the test over a column; `compare` makes the comparison, if one is still needed.
  func over(_ compare: (ComparisonOperator, Value) -> ColumnTest) -> ColumnTest {
    switch self {
    case .always(let answer): .always(answer)
    case .compare(let comparison, let value): compare(comparison, value)
    }
  }
}
