import MapFilter

/// The position of a literal among a column's values, so that one typed comparison decides each row exactly.
///
/// `v < 3.5` over integers is `v <= 3`; in a real column, 2^53 + 1 lies between two neighbouring doubles.
enum LiteralLimit<Value: Comparable> {
  case exactly(Value)
  /// Greater than this value, and less than the next one.
  case justAbove(Value)
  /// Less than this value, and greater than the previous one.
  case justBelow(Value)
  case aboveAll
  case belowAll

  /// Returns the test for a value of the column, or a constant result.
  func test(_ comparison: ComparisonOperator) -> LiteralTest<Value> {
    let isLess = comparison == .less || comparison == .lessOrEqual
    switch self {
    case .exactly(let value): return .compare(comparison, value)
    // The literal lies between two neighbouring values, so no value equals it.
    case .justAbove(let value):
      if comparison == .equal || comparison == .notEqual { return .always(comparison == .notEqual) }
      return .compare(isLess ? .lessOrEqual : .greater, value)
    case .justBelow(let value):
      if comparison == .equal || comparison == .notEqual { return .always(comparison == .notEqual) }
      return .compare(isLess ? .less : .greaterOrEqual, value)
    case .aboveAll: return .always(isLess || comparison == .notEqual)
    case .belowAll: return .always(!isLess && comparison != .equal)
    }
  }
}

/// The test that remains for a value.
enum LiteralTest<Value> {
  case compare(ComparisonOperator, Value)
  case always(Bool)
}

extension LiteralLimit<Int64> {
  /// Creates the position of a number among integers; nil for other values.
  init?(number: AttributeValue) {
    switch number {
    case .integer(let value): self = .exactly(value)
    case .real(let value):
      if value.isNaN { return nil }
      let floor = value.rounded(.down)
      if let integer = Int64(exactly: floor) {
        self = floor == value ? .exactly(integer) : .justAbove(integer)
      } else {
        self = value < 0 ? .belowAll : .aboveAll
      }
    default: return nil
    }
  }

  /// Creates the position of a date or instant among instants in microseconds; nil for other values.
  init?(moment: AttributeValue) {
    switch moment {
    case .instant(let instant): self = .exactly(instant.microseconds)
    case .date(let date): self = .exactly(date.start.microseconds)
    default: return nil
    }
  }
}

extension LiteralLimit<Double> {
  /// Creates the position of a number among doubles; nil for other values.
  init?(number: AttributeValue) {
    switch number {
    case .real(let value):
      if value.isNaN { return nil }
      self = .exactly(value)
    case .integer(let value):
      let nearest = Double(value)
      switch ValueOrdering(integer: value, real: nearest) {
      case .less: self = .justBelow(nearest)
      case .greater: self = .justAbove(nearest)
      default: self = .exactly(nearest)
      }
    default: return nil
    }
  }
}

extension LiteralLimit<Int32> {
  /// Creates the position of a number among integers of 32 bits; nil for other values.
  init?(number: AttributeValue) {
    guard let limit = LiteralLimit<Int64>(number: number) else { return nil }
    switch limit {
    case .exactly(let value): self = Int32(exactly: value).map { .exactly($0) } ?? Self.beyond(value)
    case .justAbove(let value): self = Int32(exactly: value).map { .justAbove($0) } ?? Self.beyond(value)
    case .justBelow(let value): self = Int32(exactly: value).map { .justBelow($0) } ?? Self.beyond(value)
    case .aboveAll: self = .aboveAll
    case .belowAll: self = .belowAll
    }
  }

  /// The position of a number that does not fit, or of one next to it.
  private static func beyond(_ value: Int64) -> Self { value < 0 ? .belowAll : .aboveAll }

  /// Creates the position of a date or instant among days; nil for other values.
  init?(moment: AttributeValue) {
    switch moment {
    case .date(let date): self = .exactly(date.days)
    case .instant(let instant):
      self = instant.microsecondOfDay == 0 ? .exactly(instant.date.days) : .justAbove(instant.date.days)
    default: return nil
    }
  }
}
