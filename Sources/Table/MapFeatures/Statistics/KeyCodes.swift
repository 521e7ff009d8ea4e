import MapFilter
import MapGeometry
import MapSystem

/// Small numbers for the values of a column with few values, 0 for null: text, and integers within a narrow range.
struct KeyCodes: Sendable {
  private enum Values {
    case texts([Int32], [String])
    /// Integers, numbered from the least one.
    case integers([Int64], least: Int64)
    case shortIntegers([Int32], least: Int32)
  }

  private let values: Values
  private let validity: RowSet?
  /// The number of codes, including that of null.
  let count: Int

  /// Creates the numbers; nil for another type of column, or if more than `limit` numbers are needed.
  init?(_ column: Column, limit: Int) {
    validity = column.validity
    switch column.storage {
    case .text(let codes, let dictionary):
      (values, count) = (.texts(codes, dictionary), dictionary.count + 1)
    case .integers(let integers):
      guard let (least, greatest) = Self.bounds(integers),
        case let width = greatest.subtractingReportingOverflow(least),
        !width.overflow, width.partialValue < limit
      else { return nil }
      (values, count) = (.integers(integers, least: least), Int(width.partialValue) + 2)
    case .shortIntegers(let integers):
      guard let (least, greatest) = Self.bounds(integers), Int(greatest) - Int(least) < limit else {
        return nil
      }
      (values, count) = (.shortIntegers(integers, least: least), Int(greatest) - Int(least) + 2)
    case .reals, .booleans, .dates, .instants: return nil
    }
    if count > limit { return nil }
  }

  /// Returns the least and the greatest number, including the unused numbers of null rows.
  private static func bounds<Value: FixedWidthInteger & Sendable>(_ values: [Value]) -> (Value, Value)? {
    let pieces = values.indices.pieces(of: 1 << 18)
    let parts = concurrentMap(pieces.count) { piece in
      let span = values.span
      var (least, greatest) = (Value.max, Value.min)
      for row in pieces[piece] {
        least = span[row] < least ? span[row] : least
        greatest = span[row] > greatest ? span[row] : greatest
      }
      return (least, greatest)
    }
    guard let first = parts.first else { return nil }
    return parts.reduce(first) { (min($0.0, $1.0), max($0.1, $1.1)) }
  }

  /// Adds to `groups` the number of each row, times a factor; the range of rows must start at a word.
  func add(_ rows: Range<Int>, times factor: Int32, to groups: inout MutableSpan<Int32>) {
    switch values {
    case .texts(let codes, _):
      let codes = codes.span.extracting(rows)
      for index in 0..<rows.count { groups[index] &+= (codes[index] &+ 1) &* factor }
    case .integers(let integers, let least): add(integers, least, rows, times: factor, to: &groups)
    case .shortIntegers(let integers, let least): add(integers, least, rows, times: factor, to: &groups)
    }
  }

  @inline(__always)
  private func add<Value: FixedWidthInteger>(
    _ integers: [Value], _ least: Value, _ rows: Range<Int>, times factor: Int32,
    to groups: inout MutableSpan<Int32>
  ) {
    let integers = integers.span.extracting(rows)
    for index in 0..<rows.count {
      groups[index] &+= Int32(truncatingIfNeeded: integers[index] &- least &+ 1) &* factor
    }
    // Null rows are few: subtract their numbers again.
    guard let validity else { return }
    for word in rows.lowerBound / 64..<(rows.upperBound + 63) / 64 {
      (~validity.words[word]).forEachBit { bit in
        let index = word * 64 + bit - rows.lowerBound
        guard index < rows.count else { return }
        groups[index] &-= Int32(truncatingIfNeeded: integers[index] &- least &+ 1) &* factor
      }
    }
  }

  /// Returns the value of a number.
  func value(of code: Int) -> AttributeValue {
    guard code > 0 else { return .null }
    return switch values {
    case .texts(_, let dictionary): .text(dictionary[code - 1])
    case .integers(_, let least): .integer(least + Int64(code - 1))
    case .shortIntegers(_, let least): .integer(Int64(least) + Int64(code - 1))
    }
  }
}
