import MapGeometry
import MapSystem

/// A type of the values in filters.
public enum AttributeType: String, Hashable, Sendable {
  /// A 64-bit integer.
  case integer
  /// A double.
  case real
  /// Text.
  case text
  /// True or false.
  case boolean
  /// A day without a time zone.
  case date
  /// An instant in UTC.
  case instant
  /// A length of time; no column has this type.
  case duration
  /// A geometry; a table has at most one, apart from its columns.
  case geometry
  /// A time interval with a start and an end; no column has this type.
  case interval
  /// An array of values; no column has this type.
  case array
}

/// One value of a row or of a filter.
///
/// Two values are the same (`==`, for sets and dictionaries) when their types and contents are the same. `1` is not
/// `1.0`. Text is compared by its bytes, so é as one scalar differs from e with a combining accent. Filters compare
/// values by ``ordering(to:)`` instead.
public enum AttributeValue: Sendable {
  /// No value.
  case null
  /// A 64-bit integer.
  case integer(Int64)
  /// A double.
  case real(Double)
  /// Text.
  case text(String)
  /// True or false.
  case boolean(Bool)
  /// A day without a time zone.
  case date(CalendarDate)
  /// An instant in UTC.
  case instant(Instant)
  /// A length of time.
  case duration(CalendarInterval)

  /// The type; nil for null.
  public var type: AttributeType? {
    switch self {
    case .null: nil
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .boolean: .boolean
    case .date: .date
    case .instant: .instant
    case .duration: .duration
    }
  }

  /// Returns the order of this value relative to another; nil when one is null or NaN, or when their types do not
  /// compare.
  ///
  /// Integers and reals compare by their exact values, and text by Unicode scalar values. False comes before true. A
  /// date compares with an instant as midnight UTC at its start. Two durations compare only when both or neither have
  /// months.
  ///
  /// - Source: CQL2 (OGC 21-065) and SQL-92 under the "C" collation; comparing dates with instants is a design
  ///   decision.
  public func ordering(to other: AttributeValue) -> ValueOrdering? {
    switch (self, other) {
    case (.integer(let first), .integer(let second)): ValueOrdering(first, second)
    case (.real(let first), .real(let second)):
      first.isNaN || second.isNaN ? nil : ValueOrdering(first, second)
    case (.integer(let first), .real(let second)): ValueOrdering(integer: first, real: second)
    case (.real(let first), .integer(let second)): ValueOrdering(integer: second, real: first)?.reversed
    case (.text(let first), .text(let second)): ValueOrdering(text: first, second)
    case (.boolean(let first), .boolean(let second)): ValueOrdering(first ? 1 : 0, second ? 1 : 0)
    case (.date(let first), .date(let second)): ValueOrdering(first, second)
    case (.instant(let first), .instant(let second)): ValueOrdering(first, second)
    case (.date(let first), .instant(let second)): ValueOrdering(first.start, second)
    case (.instant(let first), .date(let second)): ValueOrdering(first, second.start)
    case (.duration(let first), .duration(let second)): first.ordering(to: second)
    default: nil
    }
  }
}

extension AttributeValue: Hashable {
  /// Returns whether type and content are the same; text is compared by its bytes.
  public static func == (first: AttributeValue, second: AttributeValue) -> Bool {
    switch (first, second) {
    case (.null, .null): true
    case (.integer(let first), .integer(let second)): first == second
    case (.real(let first), .real(let second)): first == second
    // String's own ==, which finds most differences sooner, treats canonically equivalent texts as equal.
    case (.text(let first), .text(let second)):
      first == second && ValueOrdering(text: first, second) == .equal
    case (.boolean(let first), .boolean(let second)): first == second
    case (.date(let first), .date(let second)): first == second
    case (.instant(let first), .instant(let second)): first == second
    case (.duration(let first), .duration(let second)): first == second
    default: false
    }
  }

  /// Feeds the type and the content to the hasher.
  public func hash(into hasher: inout Hasher) {
    // A number for each type: the type itself would be hashed as its name.
    func combine(_ type: UInt8, _ value: some Hashable) {
      hasher.combine(type)
      hasher.combine(value)
    }
    switch self {
    case .null: hasher.combine(0 as UInt8)
    case .integer(let value): combine(1, value)
    case .real(let value): combine(2, value)
    // Texts with equal bytes also have equal String hashes.
    case .text(let value): combine(3, value)
    case .boolean(let value): combine(4, value)
    case .date(let value): combine(5, value)
    case .instant(let value): combine(6, value)
    case .duration(let value): combine(7, value)
    }
  }
}

/// The order of a value relative to another.
public enum ValueOrdering: Hashable, Sendable {
  /// The value comes before the other.
  case less
  /// The values are equal.
  case equal
  /// The value comes after the other.
  case greater

  /// Compares two values of a type in which every two values have an order.
  package init<Value: Comparable>(_ first: Value, _ second: Value) {
    self = first < second ? .less : first == second ? .equal : .greater
  }

  /// Compares an integer and a real by their exact values; nil for NaN.
  ///
  /// The integer is never rounded: 2^53 + 1 is greater than the real 2^53.
  public init?(integer: Int64, real: Double) {
    guard !real.isNaN else { return nil }
    // Reals beyond the range of integers are handled here; the others convert without overflow.
    guard real < 0x1p63 else { self = .less; return }
    guard real >= -0x1p63 else { self = .greater; return }
    let floor = real.rounded(.down)
    let whole = Int64(clamping: floor)
    self = integer != whole ? (integer < whole ? .less : .greater) : floor < real ? .less : .equal
  }

  /// Compares two texts by Unicode scalar values, an order that UTF-8 keeps; canonically equivalent texts may differ.
  public init(text first: String, _ second: String) {
    let (a, b) = (first.utf8.span, second.utf8.span)
    for index in 0..<Swift.min(a.count, b.count) where a[index] != b[index] {
      self = a[index] < b[index] ? .less : .greater
      return
    }
    self.init(a.count, b.count)
  }

  /// The order of the other value relative to this one.
  public var reversed: ValueOrdering {
    switch self {
    case .less: .greater
    case .equal: .equal
    case .greater: .less
    }
  }
}

extension AttributeValue {
  /// Whether the value is null; faster than a comparison.
  package var isNull: Bool { if case .null = self { true } else { false } }

  /// The value as a number, for dates and times the milliseconds since 1970 as in JSON; nil for null and other types.
  package var numberOrMilliseconds: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    case .date(let date): Double(date.days) * 86_400_000
    case .instant(let instant): Double(instant.microseconds) / 1000
    case .null, .text, .boolean, .duration: nil
    }
  }

  var text: String? { if case .text(let value) = self { value } else { nil } }
  var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

  /// Creates a real, or null for NaN.
  init(real: Double) { self = real.isNaN ? .null : .real(real) }
}
