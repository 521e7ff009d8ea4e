package import MapFilter

/// The values of one field in columnar form, with one type for all rows.
package struct Column: Hashable, Sendable {
  /// The values; those of null rows have no meaning (text: code -1).
  package enum Storage: Hashable, Sendable {
    /// Integers of every width.
    case integers([Int64])
    /// Integers that all fit 32 bits, in half of the memory; readers choose it where they can.
    ///
    /// They are not equal to the same numbers in ``integers(_:)``.
    case shortIntegers([Int32])
    /// Decimal numbers; never NaN in a row that is not null.
    case reals([Double])
    /// Booleans.
    case booleans([Bool])
    /// Text by dictionary: per row the index of its text; each distinct text once, in order of first appearance.
    case text(codes: [Int32], dictionary: [String])
    /// Days since 1970-01-01.
    case dates([Int32])
    /// Microseconds since 1970-01-01T00:00:00Z.
    case instants([Int64])
  }

  /// The values.
  package let storage: Storage
  /// The rows that are not null; nil if no row is null.
  package let validity: RowSet?

  /// Creates a column; `validity` must cover as many rows as there are values.
  package init(_ storage: Storage, validity: RowSet? = nil) {
    self.storage = storage
    self.validity = validity
    precondition(validity == nil || validity?.rowCount == count, "validity does not fit the column")
  }

  /// The number of rows.
  package var count: Int {
    switch storage {
    case .integers(let values): values.count
    case .shortIntegers(let values): values.count
    case .reals(let values): values.count
    case .booleans(let values): values.count
    case .text(let codes, _): codes.count
    case .dates(let values): values.count
    case .instants(let values): values.count
    }
  }

  /// The value type in filters.
  package var type: AttributeType {
    switch storage {
    case .integers, .shortIntegers: .integer
    case .reals: .real
    case .booleans: .boolean
    case .text: .text
    case .dates: .date
    case .instants: .instant
    }
  }

  /// The integers, those of null rows without a meaning; nil for another type.
  ///
  /// - Cost: for short integers, a copy.
  package var integers: [Int64]? {
    switch storage {
    case .integers(let values): values
    case .shortIntegers(let values): values.map { Int64($0) }
    default: nil
    }
  }

  /// Whether the row holds a value.
  package func isValid(_ row: Int) -> Bool { validity?.contains(row) ?? true }

  /// Returns the value of a row; too slow for hot loops.
  package func value(at row: Int) -> AttributeValue {
    guard isValid(row) else { return .null }
    return switch storage {
    case .integers(let values): .integer(values[row])
    case .shortIntegers(let values): .integer(Int64(values[row]))
    case .reals(let values): .real(values[row])
    case .booleans(let values): .boolean(values[row])
    case .text(let codes, let dictionary): .text(dictionary[Int(codes[row])])
    case .dates(let values): .date(CalendarDate(days: values[row]))
    case .instants(let values): .instant(Instant(microseconds: values[row]))
    }
  }
}
