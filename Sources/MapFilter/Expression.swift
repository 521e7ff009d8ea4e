/// A filter, or a value in it, as a tree that every syntax is read into and written from.
///
/// Conditions are `and`, `or`, `not`, `comparison`, `like`, `between`, `isIn`, `isNull`, `spatial`, `temporal`, `arrays`,
/// the literals true and false, and a call that gives a boolean; the rest are values. A condition is true, false or
/// unknown for a row, and a row is selected when it is true. Negated forms are `not` around the plain ones.
///
/// - Source: OGC 21-065 (CQL2), 6 and 7, for the nodes and their three-valued logic.
/// - Cost: comparing, hashing and freeing recurse as deep as the tree is; parsers keep it under
///   ``FilterSyntaxError/treeDepthLimit``.
public indirect enum Expression: Hashable, Sendable {
  /// A value; `.null` is allowed as an element of a list, inside arithmetic and as an argument.
  case literal(AttributeValue)
  /// A field by its name, resolved when the tree meets a schema.
  case property(String)
  /// True when all are, false when one is false; two or more.
  case and([Expression])
  /// True when one is, false when all are false; two or more.
  case or([Expression])
  /// True when the condition is false, and the reverse.
  case not(Expression)
  /// One value beside another; unknown when one is null.
  case comparison(ComparisonOperator, Expression, Expression)
  /// Text that fits a pattern of `%` (any run) and `_` (any one scalar); after `escape` a scalar stands for itself.
  case like(Expression, pattern: Expression, escape: Unicode.Scalar?)
  /// `value >= lower and value <= upper`; the last says what a null bound does.
  case between(Expression, lower: Expression, upper: Expression, NullBounds = .makeUnknown)
  /// Equal to one element; unknown when none is equal and the value or an element is null.
  case isIn(Expression, [Expression])
  /// True when the value is null, else false.
  case isNull(Expression)
  /// Two numbers make one, a moment and a duration a moment; null when one is null.
  case arithmetic(ArithmeticOperator, Expression, Expression)
  /// The number or duration with its sign turned.
  case negative(Expression)
  /// A function of ``FunctionCatalog`` by its name there, in upper case.
  case call(String, [Expression])
  /// CASE: the value of the first branch whose condition is true, or that equals the value after CASE.
  case choice(of: Expression?, [ChoiceBranch], otherwise: Expression?)
  /// A geometry in WGS 84.
  case geometry(GeometryLiteral)
  /// How one geometry lies to another; unknown when one is null.
  case spatial(SpatialPredicate, Expression, Expression)
  /// A span of time with both its ends; a missing end is open. Null when an end is.
  case interval(start: Expression?, end: Expression?)
  /// How one moment or span of time lies to another; unknown when one is null.
  case temporal(TemporalPredicate, Expression, Expression)
  /// Values, or arrays of them, whose order and repetition do not count.
  case array([Expression])
  /// How one array lies to another; unknown when an element is null.
  case arrays(ArrayPredicate, Expression, Expression)
}

/// WHEN and THEN of a CASE.
public struct ChoiceBranch: Hashable, Sendable {
  /// A condition; a value where CASE itself has one.
  public let when: Expression
  /// The value.
  public let then: Expression

  /// A branch.
  public init(when: Expression, then: Expression) { (self.when, self.then) = (when, then) }
}

/// What BETWEEN is beside a bound that is null.
///
/// Such a row is never selected, but under NOT the two differ.
public enum NullBounds: Hashable, Sendable {
  /// Unknown, whatever the other bound says: CQL2.
  case makeUnknown
  /// False where the other bound alone says so: SQL, `5 BETWEEN 10 AND NULL`.
  case areSides
}

extension Expression {
  /// The parts right below, in the order of the text.
  var children: [Expression] {
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

  /// True when a function in it asks for the current time; recurses as deep as the tree is.
  package var needsCurrentTime: Bool {
    if case .call(let name, _) = self, FunctionCatalog.function(named: name)?.needsCurrentTime == true {
      return true
    }
    return children.contains(where: \.needsCurrentTime)
  }

  /// The names of the fields in it, as they are spelt; recurses as deep as the tree is.
  public var propertyNames: Set<String> {
    if case .property(let name) = self { return [name] }
    return children.reduce(into: []) { $0.formUnion($1.propertyNames) }
  }

  /// How many parts the tree has, this one included; recurses as deep as it is.
  var partCount: Int { children.reduce(1) { $0 + $1.partCount } }
}

/// How a comparison orders its two sides, in the spelling of SQL and CQL2.
public enum ComparisonOperator: String, Hashable, Sendable {
  case equal = "="
  case notEqual = "<>"
  case less = "<"
  case greater = ">"
  case lessOrEqual = "<="
  case greaterOrEqual = ">="

  /// The operator for the sides exchanged.
  public var mirrored: ComparisonOperator {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .greater: .less
    case .lessOrEqual: .greaterOrEqual
    case .greaterOrEqual: .lessOrEqual
    }
  }

  /// True when values that lie so satisfy the operator.
  public func accepts(_ ordering: ValueOrdering) -> Bool {
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

/// What arithmetic does with two numbers, in the spelling of CQL2; a where clause has the first four.
public enum ArithmeticOperator: String, CaseIterable, Hashable, Sendable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  /// Of two integers too, a real.
  case divide = "/"
  /// The rest of a division, with the sign of the first number.
  case modulo = "%"
  /// A division cut towards zero.
  case divideWhole = "div"
  case power = "^"
}
