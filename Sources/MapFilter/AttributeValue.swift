import MapGeometry

/// The types that filters know.
public enum AttributeType: String, Hashable, Sendable {
  /// Whole numbers of 64 bits.
  case integer
  /// Doubles.
  case real
  /// Text.
  case text
  /// True and false.
  case boolean
  /// A day without a zone.
  case date
  /// A moment in UTC.
  case instant
  /// A length of time, which no column has.
  case duration
  /// What a table has one of beside its columns.
  case geometry
  /// A span of time, which no column has.
  case interval
  /// Several values, which no column has.
  case array
}

/// One value of a row or of a filter.
///
/// Two values are the same (`==`, for sets and dictionaries) when type and content are: `1` is not `1.0`, and text is
/// compared by its bytes, so that é in one scalar is not e and an accent. What filters mean by equal is
/// ``ordering(to:)``.
public enum AttributeValue: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case boolean(Bool)
  case date(CalendarDate)
  case instant(Instant)
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

  /// How the value lies to another; nil when one is null or not a number, or when their types do not compare.
  ///
  /// Integers and reals compare by their exact values, text by Unicode scalar values, false lies before true, and a
  /// date counts as midnight UTC at its start beside an instant. Of two durations neither or both have months.
  ///
  /// - Source: CQL2 (OGC 21-065) and SQL-92 under the "C" collation; dates beside instants are ours.
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
  /// True when type and content are the same; text by its bytes.
  public static func == (first: AttributeValue, second: AttributeValue) -> Bool {
    switch (first, second) {
    case (.null, .null): true
    case (.integer(let first), .integer(let second)): first == second
    case (.real(let first), .real(let second)): first == second
    // Not String's own ==, which takes canonically equivalent text for equal.
    case (.text(let first), .text(let second)): first.utf8.elementsEqual(second.utf8)
    case (.boolean(let first), .boolean(let second)): first == second
    case (.date(let first), .date(let second)): first == second
    case (.instant(let first), .instant(let second)): first == second
    case (.duration(let first), .duration(let second)): first == second
    default: false
    }
  }

  /// Feeds type and content.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    switch self {
    case .null: break
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value)
    // Equal bytes are equal text to String too, so its hash serves.
    case .text(let value): hasher.combine(value)
    case .boolean(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .instant(let value): hasher.combine(value)
    case .duration(let value): hasher.combine(value)
    }
  }
}

/// How a value lies to another.
public enum ValueOrdering: Hashable, Sendable {
  case less, equal, greater

  /// The order of two values of one type that has no unordered ones.
  package init<Value: Comparable>(_ first: Value, _ second: Value) {
    self = first < second ? .less : first == second ? .equal : .greater
  }

  /// The order of an integer and a real by their exact values; nil for NaN.
  ///
  /// The integer is never rounded: 2^53 + 1 is greater than the real 2^53.
  public init?(integer: Int64, real: Double) {
    guard !real.isNaN else { return nil }
    // From here on every real lies beyond every integer.
    guard real < 0x1p63 else { self = .less; return }
    guard real >= -0x1p63 else { self = .greater; return }
    let floor = real.rounded(.down)
    let whole = Int64(clamping: floor)
    self = integer != whole ? (integer < whole ? .less : .greater) : floor < real ? .less : .equal
  }

  /// The order of two texts by Unicode scalar values, which UTF-8 keeps; canonically equivalent texts may differ.
  public init(text first: String, _ second: String) {
    let (a, b) = (first.utf8.span, second.utf8.span)
    for index in 0..<Swift.min(a.count, b.count) where a[index] != b[index] {
      self = a[index] < b[index] ? .less : .greater
      return
    }
    self.init(a.count, b.count)
  }

  /// The order seen from the other value.
  public var reversed: ValueOrdering {
    switch self {
    case .less: .greater
    case .equal: .equal
    case .greater: .less
    }
  }
}
