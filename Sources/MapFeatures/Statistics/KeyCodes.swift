import MapFilter
import MapGeometry

/// The values of a column as small numbers, 0 for null, for columns that hold few: text, and whole numbers close together.
struct KeyCodes: Sendable {
  private enum Values {
    case texts([Int32], [String])
    /// Numbers from the least one on.
    case integers([Int64], least: Int64)
  }

  private let values: Values
  private let validity: RowSet?
  /// How many numbers there are, that of null among them.
  let count: Int

  /// Nil for a column of another type, and for one that needs more numbers than a limit.
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
    case .reals, .booleans, .dates, .instants: return nil
    }
    if count > limit { return nil }
  }

  /// The least and the greatest of some numbers, what stands in null rows among them.
  private static func bounds(_ values: [Int64]) -> (Int64, Int64)? {
    let pieces = values.indices.pieces(of: 1 << 18)
    let parts = concurrentMap(pieces.count) { piece in
      let span = values.span
      var (least, greatest) = (Int64.max, Int64.min)
      for row in pieces[piece] {
        least = span[row] < least ? span[row] : least
        greatest = span[row] > greatest ? span[row] : greatest
      }
      return (least, greatest)
    }
    guard let first = parts.first else { return nil }
    return parts.reduce(first) { (min($0.0, $1.0), max($0.1, $1.1)) }
  }

  /// Adds the number of each row of a range that starts with a word, times a factor, to what stands in `groups`.
  func add(_ rows: Range<Int>, times factor: Int32, to groups: inout MutableSpan<Int32>) {
    switch values {
    case .texts(let codes, _):
      let codes = codes.span.extracting(rows)
      for index in 0..<rows.count { groups[index] &+= (codes[index] &+ 1) &* factor }
    case .integers(let integers, let least):
      let integers = integers.span.extracting(rows)
      for index in 0..<rows.count {
        groups[index] &+= Int32(truncatingIfNeeded: integers[index] &- least &+ 1) &* factor
      }
      // Null rows are few; theirs is taken out again.
      guard let validity else { return }
      for word in rows.lowerBound / 64..<(rows.upperBound + 63) / 64 {
        (~validity.words[word]).forEachBit { bit in
          let index = word * 64 + bit - rows.lowerBound
          guard index < rows.count else { return }
          groups[index] &-= Int32(truncatingIfNeeded: integers[index] &- least &+ 1) &* factor
        }
      }
    }
  }

  /// The value that has a number.
  func value(of code: Int) -> AttributeValue {
    guard code > 0 else { return .null }
    return switch values {
    case .texts(_, let dictionary): .text(dictionary[code - 1])
    case .integers(_, let least): .integer(least + Int64(code - 1))
    }
  }
}
