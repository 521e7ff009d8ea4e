extension AttributeType {
  /// Types whose values have an order among them.
  enum Family: Hashable { case number, text, boolean, moment, duration }

  /// The types that this one compares with.
  var family: Family {
    switch self {
    case .integer, .real: .number
    case .date, .instant: .moment
    case .text: .text
    case .boolean: .boolean
    case .duration: .duration
    }
  }

  /// The type that values of two types are compared as; nil when they do not compare.
  ///
  /// An integer literal 0 or 1 also stands for a boolean.
  package static func common(
    _ first: AttributeType, _ firstPart: Expression, _ second: AttributeType, _ secondPart: Expression
  ) -> AttributeType? {
    if first == second { return first }
    if first.family == second.family { return first.family == .number ? .real : .instant }
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
