import MapFilter

/// A condition over columns by their place, as compiled from a tree that has passed the check of types.
indirect enum FilterStep: Sendable {
  case constant(Truth)
  case all([FilterStep])
  case any([FilterStep])
  case not(FilterStep)
  /// Like `all`, but unknown as soon as one is: BETWEEN with its bounds.
  case strictAll([FilterStep])
  case compareWithLiteral(column: Int, ComparisonOperator, AttributeValue)
  case compareColumns(Int, ComparisonOperator, Int)
  case compareValues(ValueStep, ComparisonOperator, ValueStep)
  /// Both sides of a value that is worked out once.
  case valueIsBetween(ValueStep, lower: ValueStep, upper: ValueStep, NullBounds)
  case columnIsIn(Int, LiteralSet)
  /// Equal to a literal or to one of the other values.
  case valueIsIn(ValueStep, LiteralSet?, others: [ValueStep])
  case isNull(ValueStep)
  case like(column: Int, LikePattern)
  case valueIsLike(ValueStep, LikePattern)
  case likeOfRows(ValueStep, pattern: ValueStep, escape: Unicode.Scalar?)
  /// A condition on one column of text alone: asked once for each distinct text.
  case perText(column: Int, FilterStep)
  /// The answer of the table's index and geometries; unknown for a row without geometry that it asks about.
  case spatial(SpatialQuestion)
  case geometryIsNull
  case arrays(ArrayPredicate, ArrayStep, ArrayStep)
}

/// An array of each row, or of all.
indirect enum ArrayStep: Sendable {
  case value(ValueStep)
  case array([ArrayStep])
}

extension FilterStep {
  /// The questions of all parts, by order.
  var spatialQuestions: [SpatialQuestion] {
    switch self {
    case .spatial(let question): [question]
    case .all(let steps), .any(let steps), .strictAll(let steps): steps.flatMap(\.spatialQuestions)
    case .not(let step): step.spatialQuestions
    case .constant, .compareWithLiteral, .compareColumns, .compareValues, .valueIsBetween, .columnIsIn,
      .valueIsIn, .isNull, .like, .valueIsLike, .likeOfRows, .perText, .geometryIsNull, .arrays:
      // A value holds conditions in CASE alone, which no syntax with spatial predicates has.
      []
    }
  }
}

/// A value of each row, or of all.
indirect enum ValueStep: Sendable {
  case literal(AttributeValue)
  case column(Int)
  case arithmetic(ArithmeticOperator, ValueStep, ValueStep)
  case negative(ValueStep)
  case call(FilterFunction, [ValueStep])
  /// The value of the first branch whose condition is true.
  case choice([(when: FilterStep, then: ValueStep)], otherwise: ValueStep)
  /// The value of the first branch that equals the first value.
  case match(ValueStep, [(when: ValueStep, then: ValueStep)], otherwise: ValueStep)
  /// A value that hangs on one column of text alone: worked out once for each distinct text.
  case perText(column: Int, ValueStep)
}

/// One of the three truth values.
enum Truth: Sendable {
  case isTrue, isFalse, isUnknown

  init(_ value: Bool?) { self = value.map { $0 ? .isTrue : .isFalse } ?? .isUnknown }
}

/// Which columns a part of a filter reads.
enum ColumnUse: Equatable {
  case none, one(Int), many

  func union(_ other: ColumnUse) -> ColumnUse {
    switch (self, other) {
    case (.none, _): other
    case (_, .none): self
    default: self == other ? self : .many
    }
  }
}

/// A compiled value, with what the parts above must know of it.
struct CompiledValue {
  var step: ValueStep
  var use: ColumnUse
  /// True for booleans, beside which a literal 0 or 1 is one too.
  var isBoolean = false

  var literal: AttributeValue? { if case .literal(let value) = step { value } else { nil } }
}

/// A compiled condition, with the columns that it reads.
struct CompiledCondition {
  var step: FilterStep
  var use: ColumnUse
}
