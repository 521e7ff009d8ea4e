extension ArithmeticOperator {
  /// The result for two numbers; null when one is null, and for a division by zero.
  ///
  /// Integers stay integers, but division is always real, and a result over 64 bits becomes the real of its two sides
  /// taken as reals. A real that is no number (∞ - ∞) is null.
  ///
  /// - Source: CQL2 leaves these cases to the server; PostgreSQL raises errors for them. The choices are ours.
  public func result(_ first: AttributeValue, _ second: AttributeValue) -> AttributeValue {
    if case .integer(let a) = first, case .integer(let b) = second, self != .divide {
      let (value, overflow) = integerResult(a, b)
      if !overflow { return .integer(value) }
    }
    guard let a = first.realNumber, let b = second.realNumber, let value = realResult(a, b)
    else { return .null }
    return .real(value)
  }

  private func integerResult(_ first: Int64, _ second: Int64) -> (Int64, overflow: Bool) {
    switch self {
    case .add: first.addingReportingOverflow(second)
    case .subtract: first.subtractingReportingOverflow(second)
    case .multiply: first.multipliedReportingOverflow(by: second)
    case .divide: (0, true)
    }
  }

  private func realResult(_ first: Double, _ second: Double) -> Double? {
    let value =
      switch self {
      case .add: first + second
      case .subtract: first - second
      case .multiply: first * second
      case .divide: second == 0 ? Double.nan : first / second
      }
    return value.isNaN ? nil : value
  }
}

extension AttributeValue {
  /// The number with its sign turned; null for null, and a real for the least integer.
  public var negated: AttributeValue {
    switch self {
    case .integer(.min): .real(0x1p63)
    case .integer(let value): .integer(-value)
    case .real(let value): .real(-value)
    default: .null
    }
  }

  /// The number as a real, integers past 2^53 rounded; nil for all that is no number.
  fileprivate var realNumber: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }
}
