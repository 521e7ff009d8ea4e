import MapFilter

/// The group of each row, as a number, and the values that make each group.
struct GroupCodes {
  /// The group of each row, 0 for those that are not asked for; nil when all rows are one group.
  private(set) var codes: [Int32]?
  /// The values of each group, in order of first sight.
  private(set) var keys: [[AttributeValue]] = [[]]

  /// Groups the rows by the values of some columns.
  ///
  /// - Cost: one pass a column; text by its dictionary, other types through a hash table.
  init(_ columns: [Column], rows: RowSet) {
    guard !columns.isEmpty else { return }
    var codes = [Int32](repeating: 0, count: rows.rowCount)
    var firstRows: [Int] = []
    for (index, column) in columns.enumerated() {
      let (part, partCount) = Self.codes(of: column, rows: rows)
      // How many groups there are so far, times how many values the column has: more than that cannot occur.
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
    self.codes = codes
    keys = firstRows.map { row in columns.map { $0.value(at: row) } }
  }

  /// Small numbers for the values of a column, null among them, and a bound for them.
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
    // -0 and 0 are one value.
    case .reals(let values): assign { (values[$0] == 0 ? 0 : values[$0]).bitPattern }
    case .booleans(let values): assign { values[$0] ? 1 : 0 }
    case .dates(let values): assign { UInt64(UInt32(bitPattern: values[$0])) }
    case .instants(let values): assign { UInt64(bitPattern: values[$0]) }
    case .text: break
    }
    return (result, seen.count + 1)
  }
}

/// Numbers in order of first sight for keys below a capacity: by an array where that is small, else by hash.
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
