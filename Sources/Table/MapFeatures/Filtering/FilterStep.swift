import MapFilter

/// A condition over columns by their indices, compiled from an expression that has passed the type check.
indirect enum FilterStep: Sendable {
  case constant(Truth)
  case all([FilterStep])
  case any([FilterStep])
  case not(FilterStep)
  /// Like `all`, but unknown as soon as one part is: BETWEEN with its bounds.
  case strictAll([FilterStep])
  case compareWithLiteral(column: Int, ComparisonOperator, AttributeValue)
  case compareColumns(Int, ComparisonOperator, Int)
  case compareValues(ValueStep, ComparisonOperator, ValueStep)
  /// Both comparisons of BETWEEN, with the value evaluated once.
  case valueIsBetween(ValueStep, lower: ValueStep, upper: ValueStep, NullBounds)
  case columnIsIn(Int, LiteralSet)
  /// Equality with a literal or with one of the other values.
  case valueIsIn(ValueStep, LiteralSet?, others: [ValueStep])
  case isNull(ValueStep)
  case like(column: Int, LikePattern)
  case valueIsLike(ValueStep, LikePattern)
  case likeOfRows(ValueStep, pattern: ValueStep, escape: Unicode.Scalar?)
  /// A condition on a single text column, evaluated once per distinct text.
  case perText(column: Int, FilterStep)
  /// The result of the table's index and geometries; unknown for a row without the geometry that is compared.
  case spatial(SpatialQuestion)
  case geometryIsNull
  case arrays(ArrayPredicate, ArrayStep, ArrayStep)
}

/// An array per row, or one for all rows.
indirect enum ArrayStep: Sendable {
  case value(ValueStep)
  case array([ArrayStep])
}

extension FilterStep {
  /// The spatial conditions of all parts, in order.
  var spatialQuestions: [SpatialQuestion] {
    switch self {
    case .spatial(let question): [question]
    case .all(let steps), .any(let steps), .strictAll(let steps): steps.flatMap(\.spatialQuestions)
    case .not(let step): step.spatialQuestions
    case .constant, .compareWithLiteral, .compareColumns, .compareValues, .valueIsBetween, .columnIsIn,
      .valueIsIn, .isNull, .like, .valueIsLike, .likeOfRows, .perText, .geometryIsNull, .arrays:
      // Values contain conditions only in CASE, which no language with spatial predicates has.
      []
    }
  }
}

/// A value per row, or one for all rows.
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
  /// A value that depends on a single text column, evaluated once per distinct text.
  case perText(column: Int, ValueStep)
}

/// The columns that a part of a filter reads.
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

/// A compiled value, with the properties that the enclosing parts need.
struct CompiledValue {
  var step: ValueStep
  var use: ColumnUse
  /// Whether the value is a boolean, so that a literal 0 or 1 compared with it is one too.
  var isBoolean = false

  var literal: AttributeValue? { if case .literal(let value) = step { value } else { nil } }
}

/// A compiled condition, with the columns that it reads.
struct CompiledCondition {
  var step: FilterStep
  var use: ColumnUse
}
