/// A filter, or a value in it, as a tree that every syntax is read into and written from.
///
/// Conditions are `and`, `or`, `not`, `comparison`, `like`, `between`, `isIn`, `isNull` and the literals true and false;
/// the rest are values. A condition is true, false or unknown for a row, and a row is selected when it is true. Negated
/// forms are `not` around the plain ones.
///
/// - Source: OGC 21-065 (CQL2), 6 and 7, for the nodes and their three-valued logic.
/// - Cost: comparing, hashing and freeing recurse as deep as the tree is; parsers keep it under
///   ``FilterSyntaxError/treeDepthLimit``.
public indirect enum Expression: Hashable, Sendable {
  /// A value; `.null` is allowed as an element of a list and inside arithmetic.
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
  /// `value >= lower and value <= upper`, but unknown as soon as one of the three is null.
  case between(Expression, lower: Expression, upper: Expression)
  /// Equal to one element; unknown when none is equal and the value or an element is null.
  case isIn(Expression, [Expression])
  /// True when the value is null, else false.
  case isNull(Expression)
  /// Two numbers make one; null when one is null.
  case arithmetic(ArithmeticOperator, Expression, Expression)
  /// The number with its sign turned.
  case negative(Expression)
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

/// What arithmetic does with two numbers, in the spelling of SQL and CQL2.
public enum ArithmeticOperator: String, Hashable, Sendable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
}
