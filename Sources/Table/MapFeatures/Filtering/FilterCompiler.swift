import MapFilter

/// Compiles a checked expression into steps: names become indices, and parts that read no column are evaluated.
struct FilterCompiler {
  let fields: FilterFields
  /// The value of `CURRENT_TIMESTAMP`; nil if none was given.
  let now: Instant?

  /// Returns the condition of a whole filter.
  func filter(_ filter: FilterExpression) throws(FilterError) -> FilterStep { try condition(filter).step }

  func condition(_ filter: FilterExpression) throws(FilterError) -> CompiledCondition {
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

  private func conditions(_ terms: [FilterExpression]) throws(FilterError) -> [CompiledCondition] {
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
    _ operand: CompiledValue, _ elements: [FilterExpression]
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
  private func alternatives(_ terms: [FilterExpression]) throws(FilterError) -> [CompiledCondition] {
    var conditions: [CompiledCondition] = []
    var literals: [FilterExpression: [AttributeValue]] = [:]
    var tested: [FilterExpression] = []
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

  // MARK: Values

  func value(_ value: FilterExpression) throws(FilterError) -> CompiledValue {
    switch value {
    case .literal(let value):
      return CompiledValue(step: .literal(value), use: .none, isBoolean: value.type == .boolean)
    case .property(let name):
      let column = try fields.index(of: name)
      return CompiledValue(
        step: .column(column), use: .one(column), isBoolean: fields.fields[column].type == .boolean)
    case .arithmetic(let operation, let first, let second):
      let (steps, use) = together([try self.value(first), try self.value(second)])
      return made(.arithmetic(operation, steps[0], steps[1]), use)
    case .negative(let operand):
      let operand = try self.value(operand)
      return made(.negative(operand.step), operand.use)
    case .call(let name, let arguments): return try call(name, arguments)
    case .choice(let operand?, let branches, let otherwise): return try match(operand, branches, otherwise)
    case .choice(nil, let branches, let otherwise): return try choice(branches, otherwise)
    case .and, .or, .not, .comparison, .like, .between, .isIn, .isNull, .spatial, .temporal, .arrays,
      .geometry, .interval, .array:
      return CompiledValue(step: .literal(.null), use: .none)
    }
  }

  /// Returns a new value, evaluated at once if it reads no column.
  func made(_ step: ValueStep, _ use: ColumnUse, isBoolean: Bool = false) -> CompiledValue {
    guard use == .none else { return CompiledValue(step: step, use: use, isBoolean: isBoolean) }
    let value = FilterBinding(columns: []).bind(step).values(in: .single).value(0)
    return CompiledValue(step: .literal(value), use: .none, isBoolean: isBoolean)
  }

  private func call(_ name: String, _ arguments: [FilterExpression]) throws(FilterError) -> CompiledValue {
    guard let function = FunctionCatalog.function(named: name) else {
      return CompiledValue(step: .literal(.null), use: .none)
    }
    if function.needsCurrentTime {
      guard let now, let value = function.value(at: now) else {
        throw FilterError(.noCurrentTime(function: function.name))
      }
      return CompiledValue(step: .literal(value), use: .none)
    }
    var values: [CompiledValue] = []
    for argument in arguments { values.append(try value(argument)) }
    var isBoolean = false
    if function.result == .common { isBoolean = Self.fit(&values) }
    let (steps, use) = together(values)
    return made(.call(function.prepared(values.map(\.literal)), steps), use, isBoolean: isBoolean)
  }

  /// Converts 0 and 1 to booleans if one of the values is a boolean; returns whether one is.
  private static func fit(_ values: inout [CompiledValue]) -> Bool {
    guard let boolean = values.first(where: \.isBoolean) else { return false }
    for place in values.indices { values[place] = values[place].fitted(to: boolean) }
    return true
  }

  private func results(
    _ branches: [ChoiceBranch], _ otherwise: FilterExpression?
  ) throws(FilterError) -> (values: [CompiledValue], isBoolean: Bool) {
    var values: [CompiledValue] = []
    for branch in branches { values.append(try value(branch.then)) }
    values.append(
      try otherwise.map { value throws(FilterError) in try self.value(value) }
        ?? CompiledValue(step: .literal(.null), use: .none))
    let isBoolean = Self.fit(&values)
    return (values, isBoolean)
  }

  private func choice(
    _ branches: [ChoiceBranch], _ otherwise: FilterExpression?
  ) throws(FilterError) -> CompiledValue {
    let (results, isBoolean) = try results(branches, otherwise)
    var conditions: [CompiledCondition] = []
    for branch in branches { conditions.append(try condition(branch.when)) }
    let conditionUse = conditions.reduce(ColumnUse.none) { $0.union($1.use) }
    var (steps, use) = together(results)
    if use.union(conditionUse) == .many, use != .many { steps = perText(results) }
    use = use.union(conditionUse)
    let pairs = zip(conditions, steps).map { (when: $0.step, then: $1) }
    return made(.choice(pairs, otherwise: steps[steps.count - 1]), use, isBoolean: isBoolean)
  }

  private func match(
    _ operand: FilterExpression, _ branches: [ChoiceBranch], _ otherwise: FilterExpression?
  ) throws(FilterError) -> CompiledValue {
    var operand = try value(operand)
    var whens: [CompiledValue] = []
    for branch in branches {
      let when = try value(branch.when).fitted(to: operand)
      operand = operand.fitted(to: when)
      whens.append(when)
    }
    let (results, isBoolean) = try results(branches, otherwise)
    let (steps, use) = together([operand] + whens + results)
    let pairs = branches.indices.map { (when: steps[1 + $0], then: steps[1 + branches.count + $0]) }
    return made(.match(steps[0], pairs, otherwise: steps[steps.count - 1]), use, isBoolean: isBoolean)
  }

  /// Returns values that each read one text column, to be evaluated once per distinct text.
  private func perText(_ values: [CompiledValue]) -> [ValueStep] {
    // `together` does this in the presence of a value that reads many columns.
    Array(together(values + [CompiledValue(step: .literal(.null), use: .many)]).steps.dropLast())
  }

  // MARK: Predicates on geometries and arrays

  /// Returns a condition on the geometries of the table, or on geometries in the filter.
  func spatial(
    _ predicate: SpatialPredicate, _ first: FilterExpression, _ second: FilterExpression
  ) -> CompiledCondition {
    CompiledCondition(step: step(predicate, first, second), use: .many)
  }

  private func step(_ predicate: SpatialPredicate, _ first: FilterExpression, _ second: FilterExpression)
    -> FilterStep
  {
    switch (first, second) {
    case (.geometry(let literal), .property):
      return .spatial(SpatialQuestion(predicate.mirrored, of: nil, literal))
    case (.property, .geometry(let literal)):
      return .spatial(SpatialQuestion(predicate, of: nil, literal))
    case (.geometry(let first), .geometry(let second)):
      return .spatial(SpatialQuestion(predicate, of: first, second))
    case (.property, .property):
      // Both are the table's only geometry: unknown if it is null, otherwise each predicate has a fixed result.
      let isThere = FilterStep.any([.constant(.isUnknown), .not(.geometryIsNull)])
      return switch predicate {
      case .intersects, .equals, .within, .contains: isThere
      case .disjoint, .touches, .crosses, .overlaps: .not(isThere)
      }
    // The type check has refused all other cases.
    default: return .constant(.isUnknown)
    }
  }

  func arrays(
    _ predicate: ArrayPredicate, _ first: FilterExpression, _ second: FilterExpression
  ) throws(FilterError) -> CompiledCondition {
    let (first, second) = (try array(first), try array(second))
    return leaf(.arrays(predicate, first.step, second.step), first.use.union(second.use))
  }

  func isTrue(_ call: FilterExpression) throws(FilterError) -> CompiledCondition {
    try compare(
      value(call), .equal, CompiledValue(step: .literal(.boolean(true)), use: .none, isBoolean: true))
  }

  private func array(_ expression: FilterExpression) throws(FilterError) -> (step: ArrayStep, use: ColumnUse)
  {
    guard case .array(let elements) = expression else {
      let value = try value(expression)
      return (.value(value.step), value.use)
    }
    var (steps, use) = ([ArrayStep](), ColumnUse.none)
    for element in elements {
      let element = try array(element)
      steps.append(element.step)
      use = use.union(element.use)
    }
    return (.array(steps), use)
  }

  // MARK: Predicates on times, as comparisons of their ends; tests for null

  /// A timestamp or interval, by its ends as values; an open end is nil.
  private struct Span {
    let start, end: CompiledValue?
  }

  func temporal(
    _ predicate: TemporalPredicate, _ first: FilterExpression, _ second: FilterExpression
  ) throws(FilterError) -> CompiledCondition {
    // Dates compared only with dates stay dates; compared with timestamps, a date has a first and a last instant.
    let asDays = try types(of: first).union(types(of: second)) == [.date]
    let spans = (try span(first, asDays: asDays), try span(second, asDays: asDays))
    var conditions: [CompiledCondition] = []
    for (a, comparison, b) in predicate.comparisons {
      let (first, second) = (value(a, spans), value(b, spans))
      let ordering = IntervalSide.ordering(a.side, isOpen: first == nil, b.side, isOpen: second == nil)
      if let ordering {
        conditions.append(constant(comparison.accepts(ordering)))
      } else if let first, let second {
        conditions.append(compare(first, comparison, second))
      }
    }
    // A null end makes the whole condition unknown, even if no comparison reads that end.
    for value in [spans.0.start, spans.0.end, spans.1.start, spans.1.end] {
      if let value, value.literal == nil { conditions.append(compare(value, .equal, value)) }
    }
    let all = folded(FilterStep.strictAll, conditions)
    return predicate == .disjoint ? CompiledCondition(step: .not(all.step), use: all.use) : all
  }

  private func constant(_ answer: Bool) -> CompiledCondition {
    CompiledCondition(step: .constant(Truth(answer)), use: .none)
  }

  private func value(_ end: TemporalPredicate.End, _ spans: (Span, Span)) -> CompiledValue? {
    let span = end.isOfFirst ? spans.0 : spans.1
    return end.side == .start ? span.start : span.end
  }

  private func types(of expression: FilterExpression) throws(FilterError) -> Set<AttributeType> {
    guard case .interval(let start, let end) = expression else {
      return Set([try expression.type(in: fields)].compactMap { $0 })
    }
    var types: Set<AttributeType> = []
    for end in [start, end] { if let type = try end?.type(in: fields) { types.insert(type) } }
    return types
  }

  private func span(_ expression: FilterExpression, asDays: Bool) throws(FilterError) -> Span {
    guard case .interval(let start, let end) = expression else {
      let moment = try moment(expression, .start, asDays: asDays)
      return Span(start: moment, end: moment)
    }
    return Span(
      start: try start.map { value throws(FilterError) in try moment(value, .start, asDays: asDays) },
      end: try end.map { value throws(FilterError) in try moment(value, .end, asDays: asDays) })
  }

  private func moment(
    _ expression: FilterExpression, _ side: IntervalSide, asDays: Bool
  ) throws(FilterError) -> CompiledValue {
    let value = try value(expression)
    switch try expression.type(in: fields) {
    case .text?: return made(.call(.moment(ofTextAt: side), [value.step]), value.use)
    case .date? where side == .end && !asDays:
      return made(.arithmetic(.add, value.step, .literal(.duration(.allOfADay))), value.use)
    default: return value
    }
  }

  // MARK: Nulls

  func isNull(_ expression: FilterExpression) throws(FilterError) -> CompiledCondition {
    switch expression {
    case .property(let name) where fields.fields[try fields.index(of: name)].type == .geometry:
      return CompiledCondition(step: .geometryIsNull, use: .many)
    case .geometry: return constant(false)
    case .interval(let start, let end): return try anyIsNull([start, end].compactMap { $0 })
    case .array(let elements): return try anyIsNull(elements)
    default:
      let operand = try value(expression)
      return leaf(.isNull(operand.step), operand.use)
    }
  }

  private func anyIsNull(_ expressions: [FilterExpression]) throws(FilterError) -> CompiledCondition {
    var conditions: [CompiledCondition] = []
    for expression in expressions { conditions.append(try isNull(expression)) }
    return folded(FilterStep.any, conditions)
  }
}

extension FilterExpression {
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
