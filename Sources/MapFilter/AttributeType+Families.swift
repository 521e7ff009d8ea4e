extension AttributeType {
  /// Types whose values have an order among them.
  enum Family: Hashable { case number, text, boolean, moment, duration, geometry, interval, array }

  /// The types that this one compares with.
  var family: Family {
    switch self {
    case .integer, .real: .number
    case .date, .instant: .moment
    case .text: .text
    case .boolean: .boolean
    case .duration: .duration
    case .geometry: .geometry
    case .interval: .interval
    case .array: .array
    }
  }

  /// True for one value, which can be compared, kept in a list and given to a function.
  var isScalar: Bool {
    switch family {
    case .number, .text, .boolean, .moment, .duration: true
    case .geometry, .interval, .array: false
    }
  }

  /// The type that values of two types are compared as; nil when they do not compare.
  ///
  /// An integer literal 0 or 1 also stands for a boolean.
  package static func common(
    _ first: AttributeType, _ firstPart: Expression, _ second: AttributeType, _ secondPart: Expression
  ) -> AttributeType? {
    if first == second { return first.isScalar ? first : nil }
    if first.family == second.family, first.isScalar { return first.family == .number ? .real : .instant }
    if first == .boolean, secondPart.isZeroOrOne { return .boolean }
    if second == .boolean, firstPart.isZeroOrOne { return .boolean }
    return nil
  }
}

extension Expression {
  fileprivate var isZeroOrOne: Bool {
    switch self {
    case .literal(.integer(0)), .literal(.integer(1)): true
    default: false
    }
  }
}
