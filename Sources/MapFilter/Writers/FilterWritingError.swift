import MapJSON

/// A part of a filter that a language cannot express.
public struct FilterWritingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is written.
  public let language: String
  /// The part, lower case where it is no word of a language, no full stop.
  public let part: String

  init(_ language: String, _ part: String) { (self.language, self.part) = (language, part) }

  /// Language and part in one line.
  public var description: String { "\(language) cannot express \(part)" }
}

extension Expression {
  /// The filter in a language.
  ///
  /// CQL2 Text has the fewest parentheses that keep the tree. Where a language has no such part, another of the same
  /// meaning is written where there is one: predicates on times become comparisons in a where clause, BETWEEN with the
  /// nulls of SQL two comparisons in CQL2. `fields` tell a where clause which fields hold days and which hold moments;
  /// without them all hold moments.
  ///
  /// - Throws: ``FilterWritingError`` for a part that the language cannot express.
  public func text(
    in language: FilterLanguage, fields: FilterFields? = nil
  ) throws(FilterWritingError) -> String {
    switch language {
    case .sqlWhere:
      var writer = SQLWhereWriter(fields: fields)
      return try writer.text(self)
    case .cql2Text:
      var writer = CQL2TextWriter()
      try writer.condition(self, above: .or)
      return writer.text
    case .cql2JSON: return try CQL2JSONWriter.json(self).text()
    }
  }
}

/// How tightly the parts of a text hold together, loosest first.
enum Tightness: Int, Comparable {
  case or, and, not, predicate, sum, product, power, single

  static func < (first: Tightness, second: Tightness) -> Bool { first.rawValue < second.rawValue }
}

extension ArithmeticOperator {
  /// How tightly its sides hold together: the left one needs this, the right one the next.
  var tightness: Tightness {
    switch self {
    case .add, .subtract: .sum
    case .multiply, .divide, .modulo, .divideWhole: .product
    case .power: .power
    }
  }
}

extension Expression {
  /// The filter in forms that CQL2 has.
  ///
  /// A sign is a product with -1, BETWEEN with the nulls of SQL two comparisons, and a chain of less than two terms what
  /// it means. Children are left as they are.
  var inFormsOfCQL2: Expression {
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
  /// A pattern rewritten so that a backslash escapes in it.
  static func withBackslash(_ pattern: String, escape: Unicode.Scalar?) -> String {
    if escape == "\\" { return pattern }
    var result = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      if !isEscaped, scalar == escape {
        isEscaped = true
        continue
      }
      // What was escaped stays so where it would mean something; a backslash now always does.
      if scalar == "\\" || (isEscaped && (scalar == "%" || scalar == "_")) { result.append("\\") }
      result.append(scalar)
      isEscaped = false
    }
    return String(result)
  }
}
