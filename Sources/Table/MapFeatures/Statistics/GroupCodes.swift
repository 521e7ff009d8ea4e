import MapFilter
import MapGeometry
import MapSystem

/// The group of each row as a number, and the values of each group.
///
/// If the columns have few values, the columns' codes are the digits of the number; this needs no lookup. Otherwise
/// groups are numbered in order of first appearance.
struct GroupCodes: Sendable {
  private enum Form {
    case all
    /// The codes of every column, with the factor of each.
    case product([(codes: KeyCodes, factor: Int32)])
    /// The group of each row, 0 for rows that are not selected, and one row of each group.
    case listed([Int32], firstRows: [Int], columns: [Column])
  }

  private let form: Form
  /// The number of groups at most; ``product`` includes numbers that no row has.
  let count: Int
  /// The maximum number of such numbers; with more, keeping them costs more than looking rows up.
  private static let productLimit = 1 << 12

  /// Groups the rows by the values of some columns.
  ///
  /// - Cost: for few values, one pass over each integer column for its bounds. Otherwise one pass per column through
  ///   hash tables, except for text, which has its dictionary.
  init(_ columns: [Column], rows: RowSet) {
    guard !columns.isEmpty else {
      (form, count) = (.all, 1)
      return
    }
    var factors: [(codes: KeyCodes, factor: Int32)] = []
    var product = 1
    for column in columns {
      guard let codes = KeyCodes(column, limit: Self.productLimit / product) else { break }
      factors.append((codes, Int32(truncatingIfNeeded: product)))
      product *= codes.count
    }
    guard factors.count < columns.count else {
      (form, count) = (.product(factors), product)
      return
    }
    let (codes, firstRows) = Self.listed(columns, rows: rows)
    (form, count) = (.listed(codes, firstRows: firstRows, columns: columns), firstRows.count)
  }

  /// Writes the groups of a range of rows to the start of `groups`.
  func write(_ rows: Range<Int>, to groups: inout [Int32]) {
    switch form {
    case .all: break
    case .product(let factors):
      var span = groups.mutableSpan
      for index in 0..<rows.count { span[index] = 0 }
      for (codes, factor) in factors { codes.add(rows, times: factor, to: &span) }
    case .listed(let codes, _, _):
      var span = groups.mutableSpan
      let codes = codes.span
      for index in 0..<rows.count { span[index] = codes[rows.lowerBound + index] }
    }
  }

  /// Calls `body` with each row of a set and its group.
  func forEachRow(of rows: RowSet, _ body: (_ row: Int, _ group: Int) -> Void) {
    let blockSize = 1 << 14
    var codes = [Int32](repeating: 0, count: min(blockSize, rows.rowCount))
    for block in (0..<rows.rowCount).pieces(of: blockSize) {
      write(block, to: &codes)
      for index in block.lowerBound / 64..<(block.upperBound + 63) / 64 {
        rows.words[index].forEachBit { bit in
          let row = index * 64 + bit
          body(row, Int(codes[row - block.lowerBound]))
        }
      }
    }
  }

  /// Returns the number of rows of a set in each group.
  func rowCounts(of rows: RowSet) -> [Int] {
    var counts = [Int](repeating: 0, count: count)
    forEachRow(of: rows) { counts[$1] += 1 }
    return counts
  }

  /// Returns the values of a group, one per column.
  func values(of group: Int) -> [AttributeValue] {
    switch form {
    case .all: []
    case .product(let factors):
      factors.map { codes, factor in codes.value(of: group / Int(factor) % codes.count) }
    case .listed(_, let firstRows, let columns): columns.map { $0.value(at: firstRows[group]) }
    }
  }

  // MARK: By first appearance

  private static func listed(_ columns: [Column], rows: RowSet) -> (codes: [Int32], firstRows: [Int]) {
    var codes = [Int32](repeating: 0, count: rows.rowCount)
    var firstRows: [Int] = []
    for (index, column) in columns.enumerated() {
      let (part, partCount) = Self.codes(of: column, rows: rows)
      // At most the number of groups so far, times the number of the column's values, can occur.
      let product = max(index == 0 ? 1 : firstRows.count, 1).multipliedReportingOverflow(by: partCount)
      var table = CodeTable(capacity: product.overflow ? .max : product.partialValue)
      firstRows = []
      for row in rows {
        let combined = Int(codes[row]) * partCount + Int(part[row])
        let code = table.code(of: combined)
        if Int(code) == firstRows.count { firstRows.append(row) }
        codes[row] = code
      }
    }
    return (codes, firstRows)
  }

  /// Returns small numbers for the values of a column, including null, and their upper bound.
  private static func codes(of column: Column, rows: RowSet) -> (codes: [Int32], bound: Int) {
    if case .text(let codes, let dictionary) = column.storage {
      // Null has code -1.
      return (codes.map { $0 + 1 }, dictionary.count + 1)
    }
    var result = [Int32](repeating: 0, count: rows.rowCount)
    var seen: [UInt64: Int32] = [:]
    func assign(_ bits: (Int) -> UInt64) {
      for row in rows where column.isValid(row) {
        let next = Int32(truncatingIfNeeded: seen.count + 1)
        let key = bits(row)
        if let code = seen[key] {
          result[row] = code
        } else {
          seen[key] = next
          result[row] = next
        }
      }
    }
    switch column.storage {
    case .integers(let values): assign { UInt64(bitPattern: values[$0]) }
    case .shortIntegers(let values): assign { UInt64(UInt32(bitPattern: values[$0])) }
    // -0 and 0 are equal.
    case .reals(let values): assign { (values[$0] == 0 ? 0 : values[$0]).bitPattern }
    case .booleans(let values): assign { values[$0] ? 1 : 0 }
    case .dates(let values): assign { UInt64(UInt32(bitPattern: values[$0])) }
    case .instants(let values): assign { UInt64(bitPattern: values[$0]) }
    case .text: break
    }
    return (result, seen.count + 1)
  }
}

/// Numbers in order of first appearance for keys below a capacity: in an array if it is small, otherwise by hash.
private struct CodeTable {
  private static let arrayLimit = 1 << 22
  private var array: [Int32] = []
  private var hashed: [Int: Int32] = [:]
  private var count: Int32 = 0

  init(capacity: Int) {
    if capacity <= Self.arrayLimit { array = Array(repeating: -1, count: capacity) }
  }

  mutating func code(of key: Int) -> Int32 {
    if !array.isEmpty {
      if array[key] >= 0 { return array[key] }
      array[key] = count
    } else {
      if let code = hashed[key] { return code }
      hashed[key] = count
    }
    defer { count += 1 }
    return count
  }
}
