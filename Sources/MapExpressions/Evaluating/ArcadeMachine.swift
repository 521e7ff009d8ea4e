internal import Glibc
internal import MapSystem

/// The limits of one evaluation.
///
/// - Source: design decision: hundreds of times what published expressions need.
enum ArcadeLimits {
  /// The number of parts that are evaluated for a feature.
  static let steps = 200_000
  /// The number of bytes and elements that are made for a feature.
  static let memory = 1 << 22
  /// The depth of parts and calls inside each other.
  static let depth = 400
  /// The number of parts that are evaluated for all features of a table, on one thread.
  static let allSteps = 500_000_000
}

/// The state of an evaluation: it runs the tree of an expression for one feature after another.
final class ArcadeMachine {
  private let program: ArcadeProgram
  let inputs: ArcadeInputs
  /// The row of the table.
  var row = 0
  private var globals: [ArcadeValue]
  private var locals: [ArcadeValue] = []
  private var steps = 0
  private var memory = 0
  private var depth = 0
  /// The steps that are left for all features.
  private var stepsLeft = ArcadeLimits.allSteps
  /// The containers of the evaluation, emptied at its end because they may contain each other.
  private var arrays: [ArcadeArray] = []
  private var dictionaries: [ArcadeDictionary] = []

  init(_ program: ArcadeProgram, inputs: ArcadeInputs) {
    (self.program, self.inputs) = (program, inputs)
    globals = Array(repeating: .null, count: program.globalCount)
  }

  /// Evaluates the expression for a row, and hands its value to a closure.
  ///
  /// - Throws: ``ArcadeError``; the machine can be used again.
  func evaluate<Result>(
    row: Int, _ use: (ArcadeValue) throws(ArcadeError) -> Result
  ) throws(ArcadeError) -> Result {
    self.row = row
    (steps, memory, depth) = (0, 0, 0)
    if program.definesNames {
      for index in globals.indices { globals[index] = .null }
      locals = []
    }
    defer {
      stepsLeft -= steps
      emptyContainers()
    }
    if let only = program.onlyExpression { return try use(try value(only)) }
    var last = ArcadeValue.null
    switch try run(program.statements, last: &last) {
    case .returned(let value): return try use(value)
    default: return try use(last)
    }
  }

  /// Evaluates the expression for a block of rows, and hands the values to a closure.
  ///
  /// All rows together have the memory of one, so that a block without a failure has none by ``evaluate(row:_:)``.
  ///
  /// - Throws: ``ArcadeError`` for the failure of any row, and for what is evaluated row by row only.
  func evaluate<Result>(
    rows: ArraySlice<Int>, _ use: (ArcadeBlock) throws(ArcadeError) -> Result
  ) throws(ArcadeError) -> Result {
    (steps, memory, depth) = (0, 0, 0)
    defer { emptyContainers() }
    return try use(try ArcadeBlockMachine.values(program, rows: rows, inputs: inputs, machine: self))
  }

  private func emptyContainers() {
    for array in arrays { array.items = [] }
    for dictionary in dictionaries { dictionary.removeAll() }
    if !arrays.isEmpty { arrays = [] }
    if !dictionaries.isEmpty { dictionaries = [] }
  }

  // MARK: Limits

  private func count(_ offset: Int) throws(ArcadeError) {
    steps += 1
    guard steps <= ArcadeLimits.steps, steps <= stepsLeft else {
      throw ArcadeError("more than \(ArcadeLimits.steps) steps", at: offset)
    }
  }

  /// Counts bytes or elements that are made.
  func charge(_ amount: Int) throws(ArcadeError) {
    memory += amount
    guard memory <= ArcadeLimits.memory else {
      throw ArcadeError("more than \(ArcadeLimits.memory) bytes are made", at: 0)
    }
  }

  func array(_ items: [ArcadeValue]) throws(ArcadeError) -> ArcadeValue {
    try charge(16 * (items.count + 1))
    let array = ArcadeArray(items)
    arrays.append(array)
    return .array(array)
  }

  func dictionary() throws(ArcadeError) -> ArcadeDictionary {
    try charge(64)
    let dictionary = ArcadeDictionary()
    dictionaries.append(dictionary)
    return dictionary
  }

  func text(_ text: String) throws(ArcadeError) -> ArcadeValue {
    try charge(text.utf8.count)
    return .text(text)
  }

  // MARK: Statements

  private enum Flow {
    case proceeds
    case left
    case skipped
    case returned(ArcadeValue)
  }

  private func run(
    _ statements: [ArcadeStatement], last: inout ArcadeValue
  ) throws(ArcadeError) -> Flow {
    for statement in statements {
      let flow = try run(statement, last: &last)
      if case .proceeds = flow { continue }
      return flow
    }
    return .proceeds
  }

  private func run(_ statement: ArcadeStatement, last: inout ArcadeValue) throws(ArcadeError) -> Flow {
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

  private func loop(_ statement: ArcadeStatement, last: inout ArcadeValue) throws(ArcadeError) -> Flow {
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

  private func each(_ statement: ArcadeStatement, last: inout ArcadeValue) throws(ArcadeError) -> Flow {
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
      for index in 0..<text.count { if let flow = try turn(.number(Double(index)), &last) { return flow } }
    default: throw ArcadeError("this value has no elements", at: offset)
    }
    return .proceeds
  }

  // MARK: Expressions

  private func isTrue(_ node: ArcadeNode, _ offset: Int) throws(ArcadeError) -> Bool {
    guard let answer = try value(node).asCondition else {
      throw ArcadeError("a condition must be true or false", at: offset)
    }
    return answer
  }

  private func set(_ variable: ArcadeVariable, _ value: ArcadeValue) {
    if variable.isLocal { locals[variable.index] = value } else { globals[variable.index] = value }
  }

  private func get(_ variable: ArcadeVariable) -> ArcadeValue {
    variable.isLocal ? locals[variable.index] : globals[variable.index]
  }

  private func values(_ nodes: [ArcadeNode]) throws(ArcadeError) -> [ArcadeValue] {
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

  private func rareValue(_ node: ArcadeNode) throws(ArcadeError) -> ArcadeValue {
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

  private func call(
    _ function: ArcadeFunction, _ arguments: [ArcadeValue], _ offset: Int
  ) throws(ArcadeError) -> ArcadeValue {
    do throws(ArcadeError) {
      return try function.body(self, arguments)
    } catch {
      // Functions do not know their place.
      throw ArcadeError(error.reason, at: error.offset == 0 ? offset : error.offset)
    }
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

  private func get(_ target: ArcadeTarget) throws(ArcadeError) -> ArcadeValue {
    switch target {
    case .variable(let variable): return get(variable)
    case .member(let object, let key, let offset):
      return try member(try value(object), try value(key), offset)
    }
  }

  private func set(_ target: ArcadeTarget, _ new: ArcadeValue) throws(ArcadeError) {
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

  /// Returns the element that a key names; places before the first count from the end.
  private func member(
    _ object: ArcadeValue, _ key: ArcadeValue, _ offset: Int
  ) throws(ArcadeError) -> ArcadeValue {
    switch object {
    case .array(let array): return array.items[try place(key, in: array.items.count, offset)]
    case .text(let text):
      let characters = Array(text)
      try charge(characters.count)
      return .text(String(characters[try place(key, in: characters.count, offset)]))
    case .dictionary(let dictionary):
      let name = try inputs.text(key, machine: self)
      guard let value = dictionary[name] else { throw ArcadeError("there is no key \(name)", at: offset) }
      return value
    case .feature:
      let name = try inputs.text(key, machine: self)
      guard let value = inputs.value(named: name, row: row) else {
        throw ArcadeError("there is no field \(name)", at: offset)
      }
      return value
    case .geometry(.point(let x, let y)):
      switch try inputs.text(key, machine: self).lowercased() {
      case "x": return .number(x)
      case "y": return .number(y)
      default: throw ArcadeError("a point has x and y", at: offset)
      }
    case .geometry(.ofFeature):
      guard let (x, y) = inputs.point(row: row) else {
        throw ArcadeError("only the coordinates of points are read", at: offset)
      }
      return try member(.geometry(.point(x: x, y: y)), key, offset)
    case .null: throw ArcadeError("null has no members", at: offset)
    default: throw ArcadeError("this value has no members", at: offset)
    }
  }

  private func place(_ key: ArcadeValue, in count: Int, _ offset: Int) throws(ArcadeError) -> Int {
    guard case .number(let number) = key, number == number.rounded() else {
      throw ArcadeError("a place in a list is a whole number", at: offset)
    }
    let index = Int(clamping: number < 0 ? number + Double(count) : number)
    guard index >= 0, index < count else {
      throw ArcadeError("place \(ArcadeValue.text(of: number)) is outside the list", at: offset)
    }
    return index
  }

  /// Returns the result of an operator.
  func combine(
    _ sign: ArcadeOperator, _ first: ArcadeValue, _ second: ArcadeValue
  ) throws(ArcadeError) -> ArcadeValue {
    if case .number(let a) = first, case .number(let b) = second {
      switch sign {
      case .add: return .number(a + b)
      case .subtract: return .number(a - b)
      case .multiply: return .number(a * b)
      case .divide: return .number(a / b)
      case .less: return .boolean(a < b)
      case .greater: return .boolean(a > b)
      case .lessOrEqual: return .boolean(a <= b)
      case .greaterOrEqual: return .boolean(a >= b)
      case .equal: return .boolean(a == b)
      case .unequal: return .boolean(a != b)
      default: break
      }
    }
    return try combineOthers(sign, first, second)
  }

  private func combineOthers(
    _ sign: ArcadeOperator, _ first: ArcadeValue, _ second: ArcadeValue
  ) throws(ArcadeError) -> ArcadeValue {
    func isText(_ value: ArcadeValue) -> Bool { if case .text = value { true } else { false } }
    func order(_ test: ((isLess: Bool, isEqual: Bool)) -> Bool) -> ArcadeValue {
      // Two empty values are equal, and neither is the smaller.
      .boolean(ArcadeValue.order(first, second).map(test) ?? false)
    }
    let bits = { (value: ArcadeValue) in Int32(truncatingIfNeeded: Int64(clamping: value.asNumber)) }
    switch sign {
    case .add:
      guard isText(first) || isText(second) else { return .number(first.asNumber + second.asNumber) }
      return try text(
        try inputs.text(first, machine: self) + inputs.text(second, machine: self))
    case .subtract: return .number(first.asNumber - second.asNumber)
    case .multiply: return .number(first.asNumber * second.asNumber)
    case .divide: return .number(first.asNumber / second.asNumber)
    case .remainder: return .number(fmod(first.asNumber, second.asNumber))
    case .equal: return .boolean(ArcadeValue.areEqual(first, second))
    case .unequal: return .boolean(!ArcadeValue.areEqual(first, second))
    case .less: return order { $0.isLess }
    case .lessOrEqual: return order { $0.isLess || $0.isEqual }
    case .greater: return order { !$0.isLess && !$0.isEqual }
    case .greaterOrEqual: return order { !$0.isLess }
    case .bitAnd: return .number(Double(bits(first) & bits(second)))
    case .bitOr: return .number(Double(bits(first) | bits(second)))
    case .bitXor: return .number(Double(bits(first) ^ bits(second)))
    case .shiftLeft: return .number(Double(bits(first) << (bits(second) & 31)))
    case .shiftRight: return .number(Double(bits(first) >> (bits(second) & 31)))
    }
  }
}
