/// A filter, or a value in a filter, as a tree that all filter languages are read into and written from.
///
/// The conditions are `and`, `or`, `not`, `comparison`, `like`, `between`, `isIn`, `isNull`, `spatial`, `temporal`,
/// `arrays`, the literals true and false, and calls that return a boolean. All other nodes are values. A condition is
/// true, false or unknown for a row; a row is selected when it is true. Negated forms are `not` around the plain ones.
///
/// - Source: OGC 21-065 (CQL2), 6 and 7, for the nodes and their three-valued logic.
/// - Cost: comparing, hashing and freeing recurse to the depth of the tree; parsers keep it under
///   ``FilterSyntaxError/treeDepthLimit``.
package indirect enum FilterExpression: Hashable, Sendable {
  /// A value; `.null` is allowed as a list element, in arithmetic and as an argument.
  case literal(AttributeValue)
  /// A field by name, resolved when the tree meets a schema.
  case property(String)
  /// True when all terms are true, false when one is false; has two or more terms.
  case and([FilterExpression])
  /// True when one term is true, false when all are false; has two or more terms.
  case or([FilterExpression])
  /// True when the condition is false, and false when it is true.
  case not(FilterExpression)
  /// A comparison of two values; unknown when one is null.
  case comparison(ComparisonOperator, FilterExpression, FilterExpression)
  /// Text that matches a pattern: `%` is any run of scalars, `_` any one scalar, and a scalar after `escape` is
  /// literal.
  case like(FilterExpression, pattern: FilterExpression, escape: Unicode.Scalar?)
  /// `value >= lower and value <= upper`; the last argument states the result for a null bound.
  case between(FilterExpression, lower: FilterExpression, upper: FilterExpression, NullBounds = .makeUnknown)
  /// Whether the value equals one element; unknown when none is equal and the value or an element is null.
  case isIn(FilterExpression, [FilterExpression])
  /// True when the value is null, else false.
  case isNull(FilterExpression)
  /// Arithmetic on two numbers, or on times and durations; null when an operand is null.
  case arithmetic(ArithmeticOperator, FilterExpression, FilterExpression)
  /// The number or duration with the opposite sign.
  case negative(FilterExpression)
  /// A call of a function of ``FunctionCatalog`` by its name there, in upper case.
  case call(String, [FilterExpression])
  /// CASE: the value of the first branch whose condition is true or whose value equals the operand of CASE.
  case choice(of: FilterExpression?, [ChoiceBranch], otherwise: FilterExpression?)
  /// A geometry in WGS 84.
  case geometry(GeometryLiteral)
  /// A spatial relation between two geometries; unknown when one is null.
  case spatial(SpatialPredicate, FilterExpression, FilterExpression)
  /// A time interval that includes both ends; a missing end is open. Null when an end is null.
  case interval(start: FilterExpression?, end: FilterExpression?)
  /// A temporal relation between two instants or time intervals; unknown when one is null.
  case temporal(TemporalPredicate, FilterExpression, FilterExpression)
  /// An array of values or arrays; order and repetition are ignored.
  case array([FilterExpression])
  /// A relation between two arrays; unknown when an element is null.
  case arrays(ArrayPredicate, FilterExpression, FilterExpression)
}

/// A WHEN … THEN … branch of a CASE.
package struct ChoiceBranch: Hashable, Sendable {
  /// A condition; a value where CASE has an operand.
  package let when: FilterExpression
  /// The value of the branch.
  package let then: FilterExpression

  /// Creates a branch.
  package init(when: FilterExpression, then: FilterExpression) { (self.when, self.then) = (when, then) }
}

/// The result of BETWEEN with a null bound.
///
/// Such a row is never selected, but under NOT the two rules differ.
package enum NullBounds: Hashable, Sendable {
  /// Unknown, whatever the other bound gives: CQL2.
  case makeUnknown
  /// False where the other bound alone makes it false: SQL, `5 BETWEEN 10 AND NULL`.
  case areSides
}

extension FilterExpression {
  /// The direct parts, in the order of the text.
  package var children: [FilterExpression] {
    switch self {
    case .literal, .property, .geometry: []
    case .and(let terms), .or(let terms), .array(let terms): terms
    case .not(let operand), .isNull(let operand), .negative(let operand): [operand]
    case .comparison(_, let first, let second), .arithmetic(_, let first, let second),
      .spatial(_, let first, let second), .temporal(_, let first, let second),
      .arrays(_, let first, let second):
      [first, second]
    case .interval(let start, let end): [start, end].compactMap { $0 }
    case .like(let text, let pattern, _): [text, pattern]
    case .between(let operand, let lower, let upper, _): [operand, lower, upper]
    case .isIn(let operand, let elements): [operand] + elements
    case .call(_, let arguments): arguments
    case .choice(let operand, let branches, let otherwise):
      [operand].compactMap { $0 } + branches.flatMap { [$0.when, $0.then] } + [otherwise].compactMap { $0 }
    }
  }

  /// The text of a literal pattern, also inside CASEI and ACCENTI; nil for other patterns.
  var patternText: String? {
    switch self {
    case .literal(.text(let text)): text
    case .call("CASEI", let arguments) where arguments.count == 1: arguments[0].patternText
    case .call("ACCENTI", let arguments) where arguments.count == 1: arguments[0].patternText
    default: nil
    }
  }

  /// The names of the fields in the tree, as spelt; recurses to the depth of the tree.
  package var propertyNames: Set<String> {
    if case .property(let name) = self { return [name] }
    return children.reduce(into: []) { $0.formUnion($1.propertyNames) }
  }

  /// The number of parts in the tree, including this one; recurses to the depth of the tree.
  var partCount: Int { children.reduce(1) { $0 + $1.partCount } }
}

/// A comparison of two values, with its spelling in SQL and CQL2.
package enum ComparisonOperator: String, Hashable, Sendable {
  /// The sides are equal.
  case equal = "="
  /// The sides differ.
  case notEqual = "<>"
  /// The first side is less.
  case less = "<"
  /// The first side is greater.
  case greater = ">"
  /// The first side is less or equal.
  case lessOrEqual = "<="
  /// The first side is greater or equal.
  case greaterOrEqual = ">="

  /// The operator that gives the same result when the sides are exchanged.
  package var mirrored: ComparisonOperator {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .greater: .less
    case .lessOrEqual: .greaterOrEqual
    case .greaterOrEqual: .lessOrEqual
    }
  }

  /// Returns whether values in a given order satisfy the operator.
  package func accepts(_ ordering: ValueOrdering) -> Bool {
    switch self {
    case .equal: ordering == .equal
    case .notEqual: ordering != .equal
    case .less: ordering == .less
    case .greater: ordering == .greater
    case .lessOrEqual: ordering != .greater
    case .greaterOrEqual: ordering != .less
    }
  }
}

/// An arithmetic operation on two values, with its spelling in CQL2; where clauses have the first four operators.
package enum ArithmeticOperator: String, CaseIterable, Hashable, Sendable {
  /// The sum.
  case add = "+"
  /// The difference.
  case subtract = "-"
  /// The product.
  case multiply = "*"
  /// The quotient; a real also for two integers.
  case divide = "/"
  /// The remainder of a division, with the sign of the first number.
  case modulo = "%"
  /// The quotient truncated towards zero.
  case divideWhole = "div"
  /// The power.
  case power = "^"
}
