import MapFilter

/// The keys of two columns as numbers from 0, which are equal where the keys are; -1 for null.
///
/// Integers and decimal numbers are compared as numbers, without rounding. Booleans, dates and timestamps are compared
/// with values of their own type. Otherwise keys are compared as text, byte by byte.
struct JoinKeys: Sendable {
  /// The key of each row of the layer.
  let layer: [Int32]
  /// The key of each row of the table.
  let table: [Int32]
  /// The number of distinct keys.
  let count: Int
  /// The texts of the keys; nil for keys that are not compared as text.
  let texts: TextTable?

  /// Compares the keys of a layer with those of a table.
  ///
  /// - Cost: one lookup per row, or per text of a dictionary.
  init(layer: Column, table: Column) {
    let areNumbers = [layer.type, table.type].allSatisfy { $0 == .integer || $0 == .real }
    if layer.type != .text, areNumbers || layer.type == table.type {
      var numbers = NumberCodes()
      (self.table, self.layer) = (numbers.codes(of: table), numbers.codes(of: layer))
      (count, texts) = (numbers.count, nil)
    } else {
      var texts = TextTable()
      (self.table, self.layer) = (texts.codes(of: table), texts.codes(of: layer))
      (count, self.texts) = (texts.count, texts)
    }
  }
}

/// The distinct numbers of columns, numbered in order of first appearance.
private struct NumberCodes {
  private var whole: [Int64: Int32] = [:]
  /// Numbers that no 64-bit integer equals, by their bits.
  private var others: [UInt64: Int32] = [:]
  private(set) var count = 0

  mutating func codes(of column: Column) -> [Int32] {
    if column.count > whole.capacity { whole.reserveCapacity(column.count) }
    return switch column.storage {
    case .integers(let values), .instants(let values): codes(values, column) { $0 }
    case .shortIntegers(let values), .dates(let values): codes(values, column) { Int64($0) }
    case .booleans(let values): codes(values, column) { $0 ? 1 : 0 }
    case .reals(let values):
      codes(values, column) {
        Int64(exactly: $0)
      } other: {
        $0.bitPattern
      }
    // Texts are compared as text.
    case .text(let codes, _): [Int32](repeating: -1, count: codes.count)
    }
  }

  private mutating func codes<Value>(
    _ values: [Value], _ column: Column, _ whole: (Value) -> Int64?, other: (Value) -> UInt64 = { _ in 0 }
  ) -> [Int32] {
    var codes: [Int32] = []
    codes.reserveCapacity(values.count)
    for row in values.indices {
      guard column.isValid(row) else {
        codes.append(-1)
        continue
      }
      if let number = whole(values[row]) {
        let code = self.whole[number] ?? Int32(count)
        if code == count {
          self.whole[number] = code
          count += 1
        }
        codes.append(code)
      } else {
        let bits = other(values[row])
        let code = others[bits] ?? Int32(count)
        if code == count {
          others[bits] = code
          count += 1
        }
        codes.append(code)
      }
    }
    return codes
  }
}

extension TextTable {
  /// Returns the codes of a column's values as text, -1 for null.
  fileprivate mutating func codes(of column: Column) -> [Int32] {
    func code(_ text: String) -> Int32 {
      let bytes = Array(text.utf8)
      return self.code(of: bytes, 0..<bytes.count)
    }
    guard case .text(let codes, let dictionary) = column.storage else {
      return (0..<column.count).map { row in
        column.isValid(row) ? code(column.value(at: row).keyText) : -1
      }
    }
    var known = [Int32](repeating: -1, count: dictionary.count)
    return codes.indices.map { row in
      let index = Int(codes[row])
      guard index >= 0, column.isValid(row) else { return -1 }
      // A dictionary may hold texts that no row has.
      if known[index] < 0 { known[index] = code(dictionary[index]) }
      return known[index]
    }
  }
}

extension AttributeValue {
  /// The value as keys are compared and listed: whole numbers without decimals, dates as ISO 8601.
  var keyText: String {
    switch self {
    case .null: ""
    case .integer(let value): String(value)
    case .real(let value): Int64(exactly: value).map { String($0) } ?? "\(value)"
    case .text(let text): text
    case .boolean(let value): value ? "true" : "false"
    case .date(let date): date.description
    case .instant(let instant): instant.description
    case .duration(let duration): duration.sqlLiteral
    }
  }
}
