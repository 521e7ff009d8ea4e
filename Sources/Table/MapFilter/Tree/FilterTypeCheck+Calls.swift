extension FilterTypeCheck {
  /// Checks a function call as a condition, which counts as one part of the tree.
  mutating func booleanCall(_ call: FilterExpression, depth: Int) throws(FilterError) {
    let operand = try value(call, depth: depth)
    guard operand.type == .boolean || operand.type == nil else {
      throw error(.notACondition(call.nameInMessages), at: operand)
    }
  }

  mutating func call(
    _ name: String, _ arguments: [FilterExpression], in call: FilterExpression, depth: Int
  ) throws(FilterError) -> AttributeType? {
    guard let function = FunctionCatalog.function(named: name) else {
      throw error(
        .unknownFunction(Token.shortened(name), nearest: FunctionCatalog.nearestName(to: name)), whole: call)
    }
    guard function.argumentCount.contains(arguments.count) else {
      throw error(
        .argumentCount(function: function.name, expected: function.argumentCount, found: arguments.count),
        whole: call)
    }
    var operands: [Operand] = []
    for argument in arguments { operands.append(try value(argument, depth: depth)) }
    // Only TRIM may omit its first two arguments.
    let skipped = function.syntax == .trim && operands.count == 1 ? 2 : 0
    guard function.syntax != .trim || operands.count != 2 else {
      throw error(.argumentCount(function: function.name, expected: function.argumentCount, found: 2))
    }
    for (place, operand) in operands.enumerated() {
      try check(operand, function.argument(at: place + skipped), of: function)
    }
    switch function.result {
    case .always(let type): return type
    case .first: return operands[0].type
    case .number: return operands.allSatisfy { $0.type == .integer } ? .integer : .real
    case .common: return try common(operands, of: function.name)
    case .unit:
      return operands[0].expression == .literal(.text(CalendarUnit.second.rawValue)) ? .real : .integer
    case .cast: return try cast(operands[0], to: operands[1])
    }
  }

  private func check(
    _ operand: Operand, _ argument: FilterFunction.Argument, of function: FilterFunction
  ) throws(FilterError) {
    let expected: String
    switch (argument, operand.type) {
    case (.word(let words), _):
      guard case .literal(.text(let word)) = operand.expression, words.contains(word) else {
        throw error(
          .unknownWord(
            operand.expression.nameInMessages, function: function.name,
            expected: words.joined(separator: ", ")), at: operand)
      }
      return
    case (.castType, _):
      guard case .literal(.text(let name)) = operand.expression, CastType(name) != nil else {
        throw error(
          .unknownWord(
            operand.expression.nameInMessages, function: function.name,
            expected: "INT, FLOAT, VARCHAR(n), DATE or TIMESTAMP"), at: operand)
      }
      return
    case (_, nil): return
    case (.any, let type?):
      if type.isScalar { return }
      expected = "a single value"
    case (.number, let type?):
      if type.family == .number { return }
      expected = "a number"
    case (.integer, let type?):
      if type == .integer { return }
      expected = "a whole number"
    case (.text, let type?):
      if type == .text { return }
      expected = "text"
    case (.moment, let type?):
      if type.family == .moment { return }
      expected = "a date"
    }
    throw wrongType(operand, operand.type ?? .text, operation: function.name, expected: expected)
  }

  private func cast(_ operand: Operand, to type: Operand) throws(FilterError) -> AttributeType? {
    guard case .literal(.text(let name)) = type.expression, let cast = CastType(name) else { return nil }
    if let type = operand.type, !cast.accepts(type) {
      throw wrongType(operand, type, operation: "CAST AS \(cast)", expected: "a value of another type")
    }
    // SQL refuses such a text in a row, too; here, its cast is null.
    if case .literal(.text(let text)) = operand.expression, cast.value(of: .text(text)).isNull {
      throw error(
        .unreadableText(
          Token.shortened(text), type: cast.description,
          expected: TextCast(field: "", type: cast).expected), at: operand)
    }
    return cast.attributeType
  }

  mutating func choice(
    _ operand: FilterExpression?, _ branches: [ChoiceBranch], _ otherwise: FilterExpression?, depth: Int
  ) throws(FilterError) -> AttributeType? {
    var chosen: Operand?
    if let operand { chosen = try value(operand, depth: depth) }
    var results: [Operand] = []
    for branch in branches {
      if let chosen {
        try compare(chosen, value(branch.when, depth: depth))
      } else {
        try condition(branch.when, depth: depth)
      }
      results.append(try value(branch.then, depth: depth))
    }
    if let otherwise { results.append(try value(otherwise, depth: depth)) }
    return try common(results, of: "CASE")
  }

  /// Returns the common type of several results; nil when all are NULL.
  private func common(_ operands: [Operand], of function: String) throws(FilterError) -> AttributeType? {
    var found: Operand?
    for operand in operands {
      guard let type = operand.type else { continue }
      guard type.isScalar else {
        throw wrongType(operand, type, operation: function, expected: "a single value")
      }
      guard let held = found, let heldType = held.type else { found = operand; continue }
      guard let common = AttributeType.common(heldType, held.expression, type, operand.expression) else {
        throw error(.mixedResults(function: function, heldType, type), at: operand)
      }
      found = Operand(
        expression: heldType == common ? held.expression : operand.expression, type: common, part: held.part)
    }
    return found?.type
  }
}
