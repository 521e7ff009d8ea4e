import Glibc

extension ArithmeticOperator {
  /// Returns the result for two numbers, or for times and durations; null when an operand is null, and for a division
  /// by zero.
  ///
  /// Integers stay integers, except that division and powers are always real. A result that needs more than 64 bits is
  /// computed again with both operands as reals. A real that is not a number (∞ - ∞) is null. A date plus a duration is
  /// an instant, as in PostgreSQL. The difference of two instants is the time between them. A result outside the years
  /// 0001 to 9999 is null.
  ///
  /// - Source: CQL2 leaves these cases to the server, and PostgreSQL raises errors for them. The results here are a
  ///   design decision.
  public func result(_ first: AttributeValue, _ second: AttributeValue) -> AttributeValue {
    if case .integer(let a) = first, case .integer(let b) = second, keepsIntegers {
      let (value, overflow) = integerResult(a, b)
      if !overflow { return .integer(value) }
    }
    if first.duration != nil || first.moment != nil { return timeResult(first, second) }
    guard let a = first.realNumber, let b = second.realNumber else { return .null }
    return AttributeValue(real: realResult(a, b))
  }

  private func timeResult(_ first: AttributeValue, _ second: AttributeValue) -> AttributeValue {
    let result: AttributeValue?
    switch (self, first.moment, second.moment) {
    case (.add, let moment?, nil), (.add, nil, let moment?):
      result = (first.duration ?? second.duration).flatMap(moment.adding).map(AttributeValue.instant)
    case (.subtract, let moment?, nil):
      result = second.duration?.negated.flatMap(moment.adding).map(AttributeValue.instant)
    case (.subtract, let end?, let start?): result = end.since(start).map(AttributeValue.duration)
    case (.add, nil, nil), (.subtract, nil, nil):
      guard let a = first.duration, let b = self == .add ? second.duration : second.duration?.negated
      else { return .null }
      result = a.adding(b).map(AttributeValue.duration)
    default: result = nil
    }
    return result ?? .null
  }

  /// Whether the operator gives an integer for two integers.
  package var keepsIntegers: Bool { self != .divide && self != .power }

  /// Returns the result for two integers; reports overflow also where no integer result exists.
  package func integerResult(_ first: Int64, _ second: Int64) -> (Int64, overflow: Bool) {
    switch self {
    case .add: first.addingReportingOverflow(second)
    case .subtract: first.subtractingReportingOverflow(second)
    case .multiply: first.multipliedReportingOverflow(by: second)
    case .modulo: second == -1 ? (0, false) : first.remainderReportingOverflow(dividingBy: second)
    case .divideWhole: first.dividedReportingOverflow(by: second)
    case .divide, .power: (0, true)
    }
  }

  /// Returns the result for two reals; NaN where none exists.
  package func realResult(_ first: Double, _ second: Double) -> Double {
    switch self {
    case .add: first + second
    case .subtract: first - second
    case .multiply: first * second
    case .divide: second == 0 ? .nan : first / second
    case .modulo: first.truncatingRemainder(dividingBy: second)
    case .divideWhole: second == 0 ? .nan : (first / second).rounded(.towardZero)
    case .power: first == 0 && second < 0 ? .nan : pow(first, second)
    }
  }
}

extension AttributeValue {
  /// The number or duration with the opposite sign; null for null, and a real for the least integer.
  public var negated: AttributeValue {
    switch self {
    case .integer(.min): .real(0x1p63)
    case .integer(let value): .integer(-value)
    case .real(let value): .real(-value)
    case .duration(let value): value.negated.map(AttributeValue.duration) ?? .null
    default: .null
    }
  }

  /// The instant, or a date's midnight UTC; nil for other values.
  var moment: Instant? {
    switch self {
    case .date(let date): date.start
    case .instant(let instant): instant
    default: nil
    }
  }

  fileprivate var duration: CalendarInterval? {
    if case .duration(let value) = self { value } else { nil }
  }

  /// The number as a real, with integers beyond 2^53 rounded; nil for values that are not numbers.
  var realNumber: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }
}
