extension AttributeType {
  /// A group of types whose values can be compared with each other.
  enum Family: Hashable { case number, text, boolean, moment, duration, geometry, interval, array }

  /// The group of types that this type compares with.
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

  /// Whether values of this type can be compared, listed and passed to functions: a single value, not a geometry,
  /// interval or array.
  var isScalar: Bool {
    switch family {
    case .number, .text, .boolean, .moment, .duration: true
    case .geometry, .interval, .array: false
    }
  }

  /// Returns the type as which values of two types are compared; nil when they cannot be compared.
  ///
  /// An integer literal 0 or 1 is also accepted as a boolean.
  package static func common(
    _ first: AttributeType, _ firstPart: FilterExpression, _ second: AttributeType,
    _ secondPart: FilterExpression
  ) -> AttributeType? {
    if first == second { return first.isScalar ? first : nil }
    if first.family == second.family, first.isScalar { return first.family == .number ? .real : .instant }
    if first == .boolean, secondPart.isZeroOrOne { return .boolean }
    if second == .boolean, firstPart.isZeroOrOne { return .boolean }
    return nil
  }
}

extension FilterExpression {
  fileprivate var isZeroOrOne: Bool {
    switch self {
    case .literal(.integer(0)), .literal(.integer(1)): true
    default: false
    }
  }
}
