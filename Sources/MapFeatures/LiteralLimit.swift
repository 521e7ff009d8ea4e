import MapFilter

/// Where a literal lies among the values that a column can hold, so that one typed comparison decides a row exactly.
///
/// `v < 3.5` over integers is `v <= 3`; a real column beside 2^53 + 1 is cut between two neighbouring doubles.
enum LiteralLimit<Value: Comparable> {
  case exactly(Value)
  /// Past this value and before the next.
  case justAbove(Value)
  /// Before this value and past the one before.
  case justBelow(Value)
  case aboveAll
  case belowAll

  /// The test of a value of the column, or the same answer for all of them.
  func test(_ comparison: ComparisonOperator) -> LiteralTest<Value> {
    let isLess = comparison == .less || comparison == .lessOrEqual
    switch self {
    case .exactly(let value): return .compare(comparison, value)
    // No value lies between two neighbours, so none is equal.
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

/// What is left to ask of a value.
enum LiteralTest<Value> {
  case compare(ComparisonOperator, Value)
  case always(Bool)
}

extension LiteralLimit<Int64> {
  /// The place of a number among integers; nil for all that is no number.
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

  /// The place of a date or instant among instants in microseconds.
  init?(moment: AttributeValue) {
    switch moment {
    case .instant(let instant): self = .exactly(instant.microseconds)
    case .date(let date): self = .exactly(date.start.microseconds)
    default: return nil
    }
  }
}

extension LiteralLimit<Double> {
  /// The place of a number among doubles.
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
  /// The place of a date or instant among days.
  init?(moment: AttributeValue) {
    switch moment {
    case .date(let date): self = .exactly(date.days)
    case .instant(let instant):
      self = instant.microsecondOfDay == 0 ? .exactly(instant.date.days) : .justAbove(instant.date.days)
    default: return nil
    }
  }
}
