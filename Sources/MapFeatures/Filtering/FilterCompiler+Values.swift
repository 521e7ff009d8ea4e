import MapFilter

// Values as steps.

extension FilterCompiler {
  func value(_ value: Expression) throws(FilterError) -> CompiledValue {
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

  private func call(_ name: String, _ arguments: [Expression]) throws(FilterError) -> CompiledValue {
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
    _ branches: [ChoiceBranch], _ otherwise: Expression?
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
    _ branches: [ChoiceBranch], _ otherwise: Expression?
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
    _ operand: Expression, _ branches: [ChoiceBranch], _ otherwise: Expression?
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
}
