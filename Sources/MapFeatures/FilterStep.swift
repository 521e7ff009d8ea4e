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
  case columnIsIn(Int, LiteralSet)
  case valueIsIn(ValueStep, LiteralSet)
  case isNull(ValueStep)
  case like(column: Int, LikePattern)
  case likeOfRows(ValueStep, pattern: ValueStep, escape: Unicode.Scalar?)
}

/// A value of each row, or of all.
indirect enum ValueStep: Sendable {
  case literal(AttributeValue)
  case column(Int)
  case arithmetic(ArithmeticOperator, ValueStep, ValueStep)
  case negative(ValueStep)
}

/// One of the three truth values.
enum Truth: Sendable {
  case isTrue, isFalse, isUnknown

  init(_ value: Bool?) { self = value.map { $0 ? .isTrue : .isFalse } ?? .isUnknown }
}

/// Turns a checked tree into steps: names become places, and what hangs on no row is worked out.
struct FilterCompiler {
  let fields: FilterFields

  func step(_ filter: Expression) throws(FilterError) -> FilterStep {
    switch filter {
    case .literal(.boolean(let value)): return .constant(Truth(value))
    case .and(let terms):
      var steps: [FilterStep] = []
      for term in terms { steps.append(try step(term)) }
      return .all(steps)
    case .or(let terms): return try alternatives(terms)
    case .not(let term): return .not(try step(term))
    case .comparison(let comparison, let first, let second):
      return try comparisonStep(comparison, value(first), value(second))
    case .like(let text, let pattern, let escape):
      return try like(value(text), value(pattern), escape)
    case .between(let operand, let lower, let upper):
      let operand = try value(operand)
      return try .strictAll([
        comparisonStep(.greaterOrEqual, operand, value(lower)),
        comparisonStep(.lessOrEqual, operand, value(upper)),
      ])
    case .isIn(let operand, let elements): return try membership(value(operand), elements)
    case .isNull(let operand):
      let operand = try value(operand)
      if case .literal(let value) = operand { return .constant(Truth(value == .null)) }
      return .isNull(operand)
    // The check has refused these.
    case .literal, .property, .arithmetic, .negative: return .constant(.isUnknown)
    }
  }

  private func value(_ value: Expression) throws(FilterError) -> ValueStep {
    switch value {
    case .literal(let value): return .literal(value)
    case .property(let name): return .column(try fields.index(of: name))
    case .arithmetic(let operation, let first, let second):
      let (first, second) = try (self.value(first), self.value(second))
      if case .literal(let a) = first, case .literal(let b) = second {
        return .literal(operation.result(a, b))
      }
      return .arithmetic(operation, first, second)
    case .negative(let operand):
      let operand = try self.value(operand)
      if case .literal(let value) = operand { return .literal(value.negated) }
      return .negative(operand)
    case .and, .or, .not, .comparison, .like, .between, .isIn, .isNull: return .literal(.null)
    }
  }

  private func comparisonStep(
    _ comparison: ComparisonOperator, _ first: ValueStep, _ second: ValueStep
  ) -> FilterStep {
    switch (first, second) {
    case (.literal(let first), .literal(let second)):
      let (a, b) = (fitted(first, to: second.type), fitted(second, to: first.type))
      return .constant(Truth(a.ordering(to: b).map(comparison.accepts)))
    case (.literal, _): return comparisonStep(comparison.mirrored, second, first)
    case (_, .literal(.null)): return .constant(.isUnknown)
    case (.column(let column), .literal(let value)):
      return .compareWithLiteral(
        column: column, comparison, fitted(value, to: fields.fields[column].type))
    case (.column(let first), .column(let second)): return .compareColumns(first, comparison, second)
    default: return .compareValues(first, comparison, second)
    }
  }

  /// 0 and 1 beside a boolean as the boolean they stand for.
  private func fitted(_ value: AttributeValue, to type: AttributeType?) -> AttributeValue {
    guard type == .boolean, case .integer(let number) = value else { return value }
    return .boolean(number != 0)
  }

  private func like(
    _ text: ValueStep, _ pattern: ValueStep, _ escape: Unicode.Scalar?
  ) -> FilterStep {
    guard case .literal(.text(let patternText)) = pattern,
      let pattern = LikePattern(patternText, escape: escape)
    else { return .likeOfRows(text, pattern: pattern, escape: escape) }
    switch text {
    case .column(let column): return .like(column: column, pattern)
    case .literal(.text(let text)): return .constant(Truth(pattern.matches(text)))
    default: return .constant(.isUnknown)
    }
  }

  private func membership(
    _ operand: ValueStep, _ elements: [Expression]
  ) throws(FilterError) -> FilterStep {
    var literals: [AttributeValue] = []
    var others: [FilterStep] = []
    for element in elements {
      switch try value(element) {
      case .literal(let value): literals.append(value)
      case let element: others.append(comparisonStep(.equal, operand, element))
      }
    }
    if !literals.isEmpty { others.append(membership(operand, literals)) }
    return others.count == 1 ? others[0] : .any(others)
  }

  private func membership(_ operand: ValueStep, _ literals: [AttributeValue]) -> FilterStep {
    switch operand {
    case .literal(let value):
      return .any(literals.map { comparisonStep(.equal, .literal(value), .literal($0)) })
    case .column(let column):
      let type = fields.fields[column].type
      return .columnIsIn(column, LiteralSet(literals.map { fitted($0, to: type) }))
    default: return .valueIsIn(operand, LiteralSet(literals))
    }
  }

  /// An OR whose tests of one field for equality are gathered into one set.
  ///
  /// People write lists so, and 100,000 of them must not mean 100,000 passes over the column.
  private func alternatives(_ terms: [Expression]) throws(FilterError) -> FilterStep {
    var steps: [FilterStep] = []
    var literals: [Int: [AttributeValue]] = [:]
    for term in terms {
      if case .comparison(.equal, .property(let name), .literal(let value)) = term {
        literals[try fields.index(of: name), default: []].append(value)
      } else {
        steps.append(try step(term))
      }
    }
    for (column, values) in literals {
      steps.append(
        values.count == 1
          ? comparisonStep(.equal, .column(column), .literal(values[0])) : membership(.column(column), values)
      )
    }
    return .any(steps)
  }
}
