/// A comparison of two values.
enum StyleComparison: String, Hashable, Sendable {
  case equal = "=="
  case unequal = "!="
  case less = "<"
  case greater = ">"
  case lessOrEqual = "<="
  case greaterOrEqual = ">="

  /// Whether the order of the values matters.
  var isOrder: Bool { self != .equal && self != .unequal }

  /// Returns whether values of a type may be compared.
  func takes(_ type: StyleType) -> Bool {
    switch type {
    case .string, .number, .value: true
    case .boolean, .null: !isOrder
    default: false
    }
  }

  /// Returns the result for a difference: negative when the first value is less.
  func holds(_ difference: Int) -> Bool {
    switch self {
    case .equal: difference == 0
    case .unequal: difference != 0
    case .less: difference < 0
    case .greater: difference > 0
    case .lessOrEqual: difference <= 0
    case .greaterOrEqual: difference >= 0
    }
  }

  /// Returns the result for two values, with the order of texts where a collator gives it.
  func holds(_ first: StyleValue, _ second: StyleValue, _ collator: StyleCollator?) throws(StyleFault) -> Bool
  {
    switch (first, second) {
    case (.number(let a), .number(let b)):
      switch self {
      case .equal: return a == b
      case .unequal: return a != b
      case .less: return a < b
      case .greater: return a > b
      case .lessOrEqual: return a <= b
      case .greaterOrEqual: return a >= b
      }
    case (.string(let a), .string(let b)):
      if let collator { return holds(collator.compare(a, b)) }
      if !isOrder { return StyleText.areSame(a, b) == (self == .equal) }
      return holds(StyleText.isLess(a, b) ? -1 : StyleText.isLess(b, a) ? 1 : 0)
    default:
      guard !isOrder else {
        throw StyleFault(
          "Expected arguments for \"\(rawValue)\" to be (string, string) or (number, number), but found "
            + "(\(Self.kind(first)), \(Self.kind(second))) instead.")
      }
      return StyleValue.areSame(first, second) == (self == .equal)
    }
  }

  private static func kind(_ value: StyleValue) -> String {
    if case .array = value { "array" } else { value.type.description }
  }
}
