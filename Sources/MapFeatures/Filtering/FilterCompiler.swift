import MapFilter

/// Compiles a checked expression into steps: names become indices, and parts that read no column are evaluated.
struct FilterCompiler {
  let fields: FilterFields
  /// The value of `CURRENT_TIMESTAMP`; nil if none was given.
  let now: Instant?

  /// Returns the condition of a whole filter.
  func filter(_ filter: Expression) throws(FilterError) -> FilterStep { try condition(filter).step }

  func condition(_ filter: Expression) throws(FilterError) -> CompiledCondition {
    switch filter {
    case .literal(.boolean(let value)): return CompiledCondition(step: .constant(Truth(value)), use: .none)
    case .and(let terms):
      return folded(FilterStep.all, try conditions(terms))
    case .or(let terms): return folded(FilterStep.any, try alternatives(terms))
    case .not(let term):
      let term = try condition(term)
      return CompiledCondition(step: .not(term.step), use: term.use)
    case .comparison(let comparison, let first, let second):
      return try compare(value(first), comparison, value(second))
    case .like(let text, let pattern, let escape):
      return try like(value(text), value(pattern), escape)
    case .between(let operand, let lower, let upper, let bounds):
      return try between(value(operand), value(lower), value(upper), bounds)
    case .isIn(let operand, let elements): return try membership(value(operand), elements)
    case .isNull(let operand): return try isNull(operand)
    case .spatial(let predicate, let first, let second):
      return spatial(predicate, first, second)
    case .temporal(let predicate, let first, let second): return try temporal(predicate, first, second)
    case .arrays(let predicate, let first, let second):
      return try arrays(predicate, first, second)
    // A function whose result is a boolean.
    case .call: return try isTrue(filter)
    // The type check has refused these.
    case .literal, .property, .arithmetic, .negative, .choice, .geometry, .interval, .array:
      return CompiledCondition(step: .constant(.isUnknown), use: .none)
    }
  }

  private func conditions(_ terms: [Expression]) throws(FilterError) -> [CompiledCondition] {
    var conditions: [CompiledCondition] = []
    for term in terms { conditions.append(try condition(term)) }
    return conditions
  }

  func folded(
    _ join: ([FilterStep]) -> FilterStep, _ terms: [CompiledCondition]
  ) -> CompiledCondition {
    CompiledCondition(
      step: join(terms.map(\.step)), use: terms.reduce(ColumnUse.none) { $0.union($1.use) })
  }

  /// Returns a condition on values, evaluated at once if it reads no column, and per distinct text if it reads one text
  /// column.
  func leaf(_ step: FilterStep, _ use: ColumnUse) -> CompiledCondition {
    switch use {
    case .none:
      let truth = FilterBinding(columns: []).bind(step).truth(in: .single)
      let answer: Truth =
        truth.isUnknown[0] & 1 != 0 ? .isUnknown : truth.isTrue[0] & 1 != 0 ? .isTrue : .isFalse
      return CompiledCondition(step: .constant(answer), use: .none)
    case .one(let column) where isText(column) && !isNullTestOfColumn(step):
      return CompiledCondition(step: .perText(column: column, step), use: use)
    default: return CompiledCondition(step: step, use: use)
    }
  }

  private func isNullTestOfColumn(_ step: FilterStep) -> Bool {
    if case .isNull(.column) = step { true } else { false }
  }

  func isText(_ column: Int) -> Bool { fields.fields[column].type == .text }

  /// Returns the steps of values in one condition; each that reads one text column is evaluated per distinct text.
  func together(_ values: [CompiledValue]) -> (steps: [ValueStep], use: ColumnUse) {
    let use = values.reduce(ColumnUse.none) { $0.union($1.use) }
    guard use == .many else { return (values.map(\.step), use) }
    return (
      values.map { value in
        guard case .one(let column) = value.use, isText(column) else { return value.step }
        if case .column = value.step { return value.step }
        return .perText(column: column, value.step)
      }, use
    )
  }

  // MARK: Conditions

  func compare(
    _ first: CompiledValue, _ comparison: ComparisonOperator, _ second: CompiledValue
  ) -> CompiledCondition {
    let (first, second) = (first.fitted(to: second), second.fitted(to: first))
    switch (first.step, second.step) {
    case (.literal(let a), .literal(let b)):
      return CompiledCondition(
        step: .constant(Truth(a.ordering(to: b).map(comparison.accepts))), use: .none)
    case (.literal, _): return compare(second, comparison.mirrored, first)
    case (_, .literal(.null)): return CompiledCondition(step: .constant(.isUnknown), use: .none)
    case (.column(let column), .literal(let value)):
      return CompiledCondition(
        step: .compareWithLiteral(column: column, comparison, value), use: .one(column))
    case (.column(let a), .column(let b)):
      return CompiledCondition(step: .compareColumns(a, comparison, b), use: first.use.union(second.use))
    default:
      let (steps, use) = together([first, second])
      return leaf(.compareValues(steps[0], comparison, steps[1]), use)
    }
  }

  private func like(
    _ text: CompiledValue, _ pattern: CompiledValue, _ escape: Unicode.Scalar?
  ) -> CompiledCondition {
    let (steps, use) = together([text, pattern])
    guard case .literal(.text(let patternText)) = pattern.step,
      let pattern = LikePattern(patternText, escape: escape)
    else { return leaf(.likeOfRows(steps[0], pattern: steps[1], escape: escape), use) }
    if case .column(let column) = text.step {
      return CompiledCondition(step: .like(column: column, pattern), use: use)
    }
    return leaf(.valueIsLike(steps[0], pattern), use)
  }

  private func between(
    _ operand: CompiledValue, _ lower: CompiledValue, _ upper: CompiledValue, _ bounds: NullBounds
  ) -> CompiledCondition {
    // A column can be read twice at no cost, and its comparison with a literal is the fastest.
    if case .column = operand.step {
      let sides = [compare(operand, .greaterOrEqual, lower), compare(operand, .lessOrEqual, upper)]
      return folded(bounds == .areSides ? FilterStep.all : FilterStep.strictAll, sides)
    }
    let values = [
      operand.fitted(to: lower).fitted(to: upper), lower.fitted(to: operand), upper.fitted(to: operand),
    ]
    let (steps, use) = together(values)
    return leaf(.valueIsBetween(steps[0], lower: steps[1], upper: steps[2], bounds), use)
  }

  private func membership(
    _ operand: CompiledValue, _ elements: [Expression]
  ) throws(FilterError) -> CompiledCondition {
    var literals: [AttributeValue] = []
    var others: [CompiledValue] = []
    for element in elements {
      let element = try value(element).fitted(to: operand)
      if let literal = element.literal { literals.append(literal) } else { others.append(element) }
    }
    switch operand.step {
    case .column:
      // The column is read again for each element that is not a literal, at no cost.
      var conditions = others.map { compare(operand, .equal, $0) }
      if !literals.isEmpty { conditions.append(membership(operand, literals)) }
      return conditions.count == 1 ? conditions[0] : folded(FilterStep.any, conditions)
    case .literal where literals.isEmpty:
      let conditions = others.map { compare(operand, .equal, $0) }
      return conditions.count == 1 ? conditions[0] : folded(FilterStep.any, conditions)
    default:
      let (steps, use) = together([operand] + others)
      return leaf(
        .valueIsIn(
          steps[0], literals.isEmpty ? nil : LiteralSet(literals), others: Array(steps.dropFirst())), use)
    }
  }

  /// Returns the membership of a value in literals that match its type.
  private func membership(_ operand: CompiledValue, _ literals: [AttributeValue]) -> CompiledCondition {
    if case .column(let column) = operand.step {
      return CompiledCondition(step: .columnIsIn(column, LiteralSet(literals)), use: operand.use)
    }
    return leaf(.valueIsIn(operand.step, LiteralSet(literals), others: []), operand.use)
  }

  /// Returns the conditions of an OR, with the equality tests of one value gathered into one set.
  ///
  /// Lists are often written this way, and 100,000 tests must not cause 100,000 passes over the column.
  private func alternatives(_ terms: [Expression]) throws(FilterError) -> [CompiledCondition] {
    var conditions: [CompiledCondition] = []
    var literals: [Expression: [AttributeValue]] = [:]
    var tested: [Expression] = []
    for term in terms {
      if case .comparison(.equal, let operand, .literal(let value)) = term, operand.isTestedOften {
        if literals[operand] == nil { tested.append(operand) }
        literals[operand, default: []].append(value)
      } else {
        conditions.append(try condition(term))
      }
    }
    for operand in tested {
      let (value, values) = (try value(operand), literals[operand] ?? [])
      let fitted = values.compactMap {
        CompiledValue(step: .literal($0), use: .none).fitted(to: value).literal
      }
      conditions.append(
        fitted.count == 1
          ? compare(value, .equal, CompiledValue(step: .literal(fitted[0]), use: .none))
          : membership(value, fitted))
    }
    return conditions
  }
}

extension Expression {
  /// Whether the expression is often compared with many literals: fields, and functions of them.
  fileprivate var isTestedOften: Bool {
    switch self {
    case .property, .call: true
    default: false
    }
  }
}

extension CompiledValue {
  /// Returns a literal 0 or 1 as a boolean if it is compared with a boolean.
  func fitted(to other: CompiledValue) -> CompiledValue {
    guard other.isBoolean, !isBoolean, case .literal(.integer(let number)) = step else { return self }
    return CompiledValue(step: .literal(.boolean(number != 0)), use: .none, isBoolean: true)
  }
}
