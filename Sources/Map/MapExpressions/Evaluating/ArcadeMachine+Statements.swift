/// Statements, and the functions of an expression.
extension ArcadeMachine {
  enum Flow {
    case proceeds
    case left
    case skipped
    case returned(ArcadeValue)
  }

  func run(
    _ statements: [ArcadeStatement], last: inout ArcadeValue
  ) throws(ArcadeError) -> Flow {
    for statement in statements {
      let flow = try run(statement, last: &last)
      if case .proceeds = flow { continue }
      return flow
    }
    return .proceeds
  }

  func run(_ statement: ArcadeStatement, last: inout ArcadeValue) throws(ArcadeError) -> Flow {
    depth += 1
    defer { depth -= 1 }
    switch statement {
    case .expression(let node): last = try value(node)
    case .variables(let list):
      for (variable, node) in list {
        set(variable, try node.map { node throws(ArcadeError) in try value(node) } ?? .null)
      }
    case .condition(let branches, let otherwise, let offset):
      for (condition, body) in branches where try isTrue(condition, offset) {
        return try run(body, last: &last)
      }
      if let otherwise { return try run(otherwise, last: &last) }
    case .loop: return try loop(statement, last: &last)
    case .each: return try each(statement, last: &last)
    case .block(let statements): return try run(statements, last: &last)
    case .result(let node):
      return .returned(try node.map { node throws(ArcadeError) in try value(node) } ?? .null)
    case .leave: return .left
    case .proceed: return .skipped
    }
    return .proceeds
  }

  func loop(_ statement: ArcadeStatement, last: inout ArcadeValue) throws(ArcadeError) -> Flow {
    guard case .loop(let first, let condition, let step, let body, let offset) = statement else {
      return .proceeds
    }
    if let first { _ = try run(first, last: &last) }
    while true {
      try count(offset)
      if let condition, try !isTrue(condition, offset) { return .proceeds }
      switch try run(body, last: &last) {
      case .left: return .proceeds
      case .returned(let value): return .returned(value)
      case .proceeds, .skipped: break
      }
      if let step { _ = try value(step) }
    }
  }

  func each(_ statement: ArcadeStatement, last: inout ArcadeValue) throws(ArcadeError) -> Flow {
    guard case .each(let variable, let list, let isValue, let body, let offset) = statement else {
      return .proceeds
    }
    func turn(_ value: ArcadeValue, _ last: inout ArcadeValue) throws(ArcadeError) -> Flow? {
      try count(offset)
      set(variable, value)
      switch try run(body, last: &last) {
      case .left: return .proceeds
      case .returned(let value): return .returned(value)
      case .proceeds, .skipped: return nil
      }
    }
    switch try value(list) {
    case .null: break
    case .array(let array):
      var index = 0
      while index < array.items.count {
        let item = isValue ? array.items[index] : .number(Double(index))
        if let flow = try turn(item, &last) { return flow }
        index += 1
      }
    case .dictionary(let dictionary):
      for key in dictionary.keys { if let flow = try turn(.text(key), &last) { return flow } }
    case .feature:
      for name in inputs.names { if let flow = try turn(.text(name), &last) { return flow } }
    case .text(let text):
      for index in 0..<text.unicodeScalars.count {
        if let flow = try turn(.number(Double(index)), &last) { return flow }
      }
    default: throw ArcadeError("this value has no elements", at: offset)
    }
    return .proceeds
  }

  /// Calls a function of the expression.
  func call(_ index: Int, _ arguments: [ArcadeValue], _ offset: Int) throws(ArcadeError) -> ArcadeValue {
    let definition = program.definitions[index]
    guard arguments.count == definition.parameterCount else {
      throw ArcadeError(
        "the function takes \(definition.parameterCount) arguments, not \(arguments.count)", at: offset)
    }
    try count(offset)
    depth += 1
    defer { depth -= 1 }
    guard depth <= ArcadeLimits.depth else {
      throw ArcadeError("more than \(ArcadeLimits.depth) calls and parts inside each other", at: offset)
    }
    let outer = locals
    defer { locals = outer }
    locals =
      arguments + Array(repeating: .null, count: max(0, definition.localCount - arguments.count))
    var last = ArcadeValue.null
    if case .returned(let value) = try run(definition.body, last: &last) { return value }
    return last
  }
}
