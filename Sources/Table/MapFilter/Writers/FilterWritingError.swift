/// A part of a filter that a language cannot express.
package struct FilterWritingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The language to write.
  package let language: String
  /// The part in lower case, except for words of a language, and without a full stop.
  package let part: String

  init(_ language: String, _ part: String) { (self.language, self.part) = (language, part) }

  /// The language and the part in one line.
  package var description: String { "\(language) cannot express \(part)" }
}

/// The binding strength of a part of a text, loosest first.
enum Tightness: Int, Comparable {
  case or, and, not, predicate, sum, product, power, single

  static func < (first: Tightness, second: Tightness) -> Bool { first.rawValue < second.rawValue }
}

extension ArithmeticOperator {
  /// The binding strength of the operator: the left operand needs this strength, the right one the next.
  var tightness: Tightness {
    switch self {
    case .add, .subtract: .sum
    case .multiply, .divide, .modulo, .divideWhole: .product
    case .power: .power
    }
  }
}

extension FilterExpression {
  /// The filter in forms that CQL2 has.
  ///
  /// A sign becomes a product with -1. BETWEEN with the null rule of SQL becomes two comparisons. A chain with fewer
  /// than two terms becomes its meaning. Children stay unchanged.
  var inFormsOfCQL2: FilterExpression {
    switch self {
    case .negative(let operand): .arithmetic(.multiply, .literal(.integer(-1)), operand)
    case .between(let operand, let lower, let upper, .areSides):
      .and([.comparison(.greaterOrEqual, operand, lower), .comparison(.lessOrEqual, operand, upper)])
    case .and(let terms) where terms.count < 2: terms.first ?? .literal(.boolean(true))
    case .or(let terms) where terms.count < 2: terms.first ?? .literal(.boolean(false))
    case .isIn(_, let elements) where elements.isEmpty: .literal(.boolean(false))
    default: self
    }
  }
}

extension LikePattern {
  /// Returns a pattern rewritten to use a backslash as its escape character.
  static func withBackslash(_ pattern: String, escape: Unicode.Scalar?) -> String {
    if escape == "\\" { return pattern }
    var result = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      if !isEscaped, scalar == escape {
        isEscaped = true
        continue
      }
      // Escaped `%` and `_` stay escaped, and every literal backslash must now be escaped.
      if scalar == "\\" || (isEscaped && (scalar == "%" || scalar == "_")) { result.append("\\") }
      result.append(scalar)
      isEscaped = false
    }
    return String(result)
  }
}
