import Glibc

extension ArithmeticOperator {
  /// The result for two numbers, or for moments and durations; null when one is null, and for a division by zero.
  ///
  /// Integers stay integers, but division and powers are always real, and a result over 64 bits becomes the real of its
  /// two sides taken as reals. A real that is no number (∞ - ∞) is null. A date with a duration is an instant, as in PostgreSQL; two
  /// moments leave the time between; all outside the years 0001 to 9999 is null.
  ///
  /// - Source: CQL2 leaves these cases to the server; PostgreSQL raises errors for them. The choices are ours.
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

  /// True when two integers make an integer.
  package var keepsIntegers: Bool { self != .divide && self != .power }

  /// The result for two integers; it overflows too where there is none.
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

  /// The result for two reals; NaN where there is none.
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
  /// The number or duration with its sign turned; null for null, and a real for the least integer.
  public var negated: AttributeValue {
    switch self {
    case .integer(.min): .real(0x1p63)
    case .integer(let value): .integer(-value)
    case .real(let value): .real(-value)
    case .duration(let value): value.negated.map(AttributeValue.duration) ?? .null
    default: .null
    }
  }

  /// The instant, or a date's midnight; nil for all else.
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

  /// The number as a real, integers past 2^53 rounded; nil for all that is no number.
  var realNumber: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }
}
