/// Values of the parts of an expression.
extension ArcadeMachine {
  func isTrue(_ node: ArcadeNode, _ offset: Int) throws(ArcadeError) -> Bool {
    guard let answer = try value(node).asCondition else {
      throw ArcadeError("a condition must be true or false", at: offset)
    }
    return answer
  }

  func values(_ nodes: [ArcadeNode]) throws(ArcadeError) -> [ArcadeValue] {
    var values: [ArcadeValue] = []
    values.reserveCapacity(nodes.count)
    for node in nodes { values.append(try value(node)) }
    return values
  }

  /// Returns the value of a part; rare parts are in ``rareValue(_:)``, which keeps this frame small.
  func value(_ node: ArcadeNode) throws(ArcadeError) -> ArcadeValue {
    switch node {
    case .null: return .null
    case .boolean(let value): return .boolean(value)
    case .number(let value): return .number(value)
    case .text(let text): return .text(text)
    case .variable(let variable): return get(variable)
    case .field(let index): return inputs.value(index, row: row)
    default: break
    }
    try count(0)
    depth += 1
    defer { depth -= 1 }
    guard depth <= ArcadeLimits.depth else {
      throw ArcadeError("more than \(ArcadeLimits.depth) calls and parts inside each other", at: 0)
    }
    switch node {
    case .binary(let sign, let first, let second):
      return try combine(sign, try value(first), try value(second))
    case .and(let first, let second, let offset):
      return .boolean(try isTrue(first, offset) ? try isTrue(second, offset) : false)
    case .or(let first, let second, let offset):
      return .boolean(try isTrue(first, offset) ? true : try isTrue(second, offset))
    case .not(let operand): return .boolean(!(try value(operand).asBoolean))
    case .negative(let operand): return .number(-(try value(operand).asNumber))
    case .positive(let operand): return .number(try value(operand).asNumber)
    case .scale: return .number(inputs.scale)
    case .iif(let condition, let first, let second, let offset):
      return try value(try isTrue(condition, offset) ? first : second)
    case .call(_, let nodes, _): return try value(node, try values(nodes))
    default: return try rareValue(node)
    }
  }

  func rareValue(_ node: ArcadeNode) throws(ArcadeError) -> ArcadeValue {
    switch node {
    case .feature: return .feature
    case .function(let index): return .function(index)
    case .assignment(let target, let sign, let node):
      var new = try value(node)
      if let sign { new = try combine(sign, try get(target), new) }
      try set(target, new)
      return new
    case .step(let target, let difference, let isPrefix):
      let old = try get(target).asNumber
      try set(target, .number(old + difference))
      return .number(isPrefix ? old + difference : old)
    case .array(let nodes), .template(let nodes): return try value(node, try values(nodes))
    case .member(let object, let key, _): return try value(node, try values([object, key]))
    case .dictionary(let entries):
      let result = try dictionary()
      for (key, node) in entries {
        try charge(key.utf8.count + 32)
        result.set(key, try value(node))
      }
      return .dictionary(result)
    case .when(let nodes, let offset):
      var index = 0
      while index + 1 < nodes.count {
        if try isTrue(nodes[index], offset) { return try value(nodes[index + 1]) }
        index += 2
      }
      return index < nodes.count ? try value(nodes[index]) : .null
    case .decode(let nodes):
      let wanted = try value(nodes[0])
      var index = 1
      while index + 1 < nodes.count {
        if ArcadeValue.areEqual(wanted, try value(nodes[index])) { return try value(nodes[index + 1]) }
        index += 2
      }
      return index < nodes.count ? try value(nodes[index]) : .null
    case .ownCall(let function, let nodes, let offset):
      guard case .function(let index) = try value(function) else {
        throw ArcadeError("this is not a function", at: offset)
      }
      return try call(index, try values(nodes), offset)
    default: return .null
    }
  }

  /// Returns the value of a call, an array, a template or an element from the values of its parts.
  func value(_ node: ArcadeNode, _ operands: [ArcadeValue]) throws(ArcadeError) -> ArcadeValue {
    switch node {
    case .call(let function, _, let offset): return try call(function, operands, offset)
    case .array: return try array(operands)
    case .member(_, _, let offset): return try member(operands[0], operands[1], offset)
    default:
      var result = ""
      for operand in operands { result += try inputs.text(operand, machine: self) }
      return try text(result)
    }
  }

  func call(
    _ function: ArcadeFunction, _ arguments: [ArcadeValue], _ offset: Int
  ) throws(ArcadeError) -> ArcadeValue {
    do throws(ArcadeError) {
      return try function.body(self, arguments)
    } catch {
      // Functions do not know their place.
      throw ArcadeError(error.reason, at: error.offset == 0 ? offset : error.offset)
    }
  }

  func get(_ target: ArcadeTarget) throws(ArcadeError) -> ArcadeValue {
    switch target {
    case .variable(let variable): return get(variable)
    case .member(let object, let key, let offset):
      return try member(try value(object), try value(key), offset)
    }
  }

  func set(_ target: ArcadeTarget, _ new: ArcadeValue) throws(ArcadeError) {
    switch target {
    case .variable(let variable): set(variable, new)
    case .member(let object, let key, let offset):
      switch try value(object) {
      case .array(let array):
        let index = try place(try value(key), in: array.items.count + 1, offset)
        if index == array.items.count {
          try charge(16)
          array.items.append(new)
        } else {
          array.items[index] = new
        }
      case .dictionary(let dictionary):
        let key = try inputs.text(try value(key), machine: self)
        try charge(key.utf8.count + 32)
        dictionary.set(key, new)
      default: throw ArcadeError("only elements of arrays and dictionaries can be set", at: offset)
      }
    }
  }
}
