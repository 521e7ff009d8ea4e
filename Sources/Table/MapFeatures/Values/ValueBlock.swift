import MapFilter

/// The values of a block's rows; numbers are a typed array if all are of one type.
struct ValueBlock {
  enum Values {
    case integers([Int64])
    case reals([Double])
    /// All other values, and mixed numbers: slower.
    case any([AttributeValue])
  }

  var values: Values
  /// The rows whose value is null.
  ///
  /// Their numbers have no meaning; other values are null too.
  var isNull: [UInt64]

  /// Creates the values of a column.
  init(_ column: Column, _ block: RowBlock) {
    let rows = block.firstRow..<block.firstRow + block.rowCount
    isNull =
      column.validity.map { $0.words[block.words].map { ~$0 } }
      ?? Array(repeating: 0, count: block.words.count)
    switch column.storage {
    case .integers(let values): self.values = .integers(Array(values[rows]))
    case .shortIntegers(let values): self.values = .integers(values[rows].map { Int64($0) })
    case .reals(let values): self.values = .reals(Array(values[rows]))
    case .booleans(let values): self.values = .any(values[rows].map(AttributeValue.boolean))
    case .dates(let days): values = .any(days[rows].map { .date(CalendarDate(days: $0)) })
    case .instants(let values):
      self.values = .any(values[rows].map { .instant(Instant(microseconds: $0)) })
    case .text(let codes, let dictionary):
      values = .any(codes[rows].map { $0 < 0 ? .null : .text(dictionary[Int($0)]) })
    }
    guard case .any(var all) = values, column.validity != nil else { return }
    values = .integers([])
    for row in all.indices where isNull(row) { all[row] = .null }
    values = .any(all)
  }

  /// Creates a block with the same value in all rows.
  init(_ value: AttributeValue, _ block: RowBlock) {
    isNull = Array(repeating: value.isNull ? .max : 0, count: block.words.count)
    switch value {
    case .integer(let number): values = .integers(Array(repeating: number, count: block.rowCount))
    case .real(let number) where !number.isNaN:
      values = .reals(Array(repeating: number, count: block.rowCount))
    default: values = .any(Array(repeating: value, count: block.rowCount))
    }
  }

  /// Creates a block of values of any type, stored as numbers if all values except nulls are of one type.
  init(settling all: [AttributeValue]) {
    var isNull = [UInt64](repeating: 0, count: (all.count + 63) / 64)
    var (integers, reals, nulls) = (0, 0, 0)
    for row in all.indices {
      switch all[row] {
      case .null:
        nulls += 1
        isNull[row >> 6] |= 1 &<< UInt64(row & 63)
      case .integer: integers += 1
      case .real: reals += 1
      default: break
      }
    }
    self.isNull = isNull
    if integers + nulls == all.count {
      values = .integers(all.map { if case .integer(let value) = $0 { value } else { 0 } })
    } else if reals + nulls == all.count {
      values = .reals(all.map { if case .real(let value) = $0 { value } else { 0 } })
    } else {
      values = .any(all)
    }
  }

  private init(_ values: Values, isNull: [UInt64]) { (self.values, self.isNull) = (values, isNull) }

  var count: Int {
    switch values {
    case .integers(let values): values.count
    case .reals(let values): values.count
    case .any(let values): values.count
    }
  }

  @inline(__always)
  func isNull(_ row: Int) -> Bool { isNull[row >> 6] & (1 &<< UInt64(row & 63)) != 0 }

  mutating func setNull(_ row: Int) { isNull[row >> 6] |= 1 &<< UInt64(row & 63) }

  /// Returns the value of a row.
  func value(_ row: Int) -> AttributeValue {
    switch values {
    case .integers(let values): isNull(row) ? .null : .integer(values[row])
    case .reals(let values): isNull(row) ? .null : .real(values[row])
    case .any(let values): values[row]
    }
  }

  /// Returns, for each row of `block`, the value at an index of this block; negative indices select the last value.
  func gathered(_ places: ArraySlice<Int32>, _ block: RowBlock) -> ValueBlock {
    let last = count - 1
    func all<Value>(_ values: [Value]) -> [Value] { places.map { values[$0 < 0 ? last : Int($0)] } }
    let gathered: Values =
      switch values {
      case .integers(let values): .integers(all(values))
      case .reals(let values): .reals(all(values))
      case .any(let values): .any(all(values))
      }
    let hasNulls = isNull.contains { $0 != 0 }
    return ValueBlock(
      gathered,
      isNull: hasNulls
        ? block.bits { row in
          let place = places[row]
          return isNull(place < 0 ? last : Int(place))
        } : Array(repeating: 0, count: block.words.count))
  }
}
