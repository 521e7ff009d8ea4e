/// An evaluation of an expression for many rows at once: it visits each part once for a block of rows.
///
/// A part that only some rows reach, such as a branch of `IIf`, is evaluated for these rows only. Values are therefore
/// those of ``ArcadeMachine``. A failure stops the whole block, which ``ArcadeMachine`` then evaluates row by row.
struct ArcadeBlockMachine {
  /// The number of rows of a block.
  static let size = 1024

  private let program: ArcadeProgram
  private let inputs: ArcadeInputs
  private let machine: ArcadeMachine
  private var variables: [ArcadeBlock]
  /// The value of each row so far.
  private var results = ArcadeBlock.constant(.null)
  private let count: Int

  /// Some rows of the block.
  private struct Selection {
    /// The rows of the table.
    var rows: ArraySlice<Int>
    /// The positions of the rows in the block; nil for all in order.
    var places: [Int]?

    var count: Int { rows.count }

    func subset(_ positions: [Int]) -> Selection {
      Selection(
        rows: positions.map { rows[rows.startIndex + $0] }[...],
        places: places.map { places in positions.map { places[$0] } } ?? positions)
    }
  }

  /// Evaluates the expression for some rows.
  ///
  /// - Throws: ``ArcadeError`` for the failure of any row.
  static func values(
    _ program: ArcadeProgram, rows: ArraySlice<Int>, inputs: ArcadeInputs, machine: ArcadeMachine
  ) throws(ArcadeError) -> ArcadeBlock {
    var evaluation = ArcadeBlockMachine(program, inputs, machine, count: rows.count)
    let all = Selection(rows: rows)
    if let only = program.onlyExpression { return try evaluation.value(only, all) }
    _ = try evaluation.run(program.statements, all)
    return evaluation.results
  }

  private init(_ program: ArcadeProgram, _ inputs: ArcadeInputs, _ machine: ArcadeMachine, count: Int) {
    (self.program, self.inputs, self.machine, self.count) = (program, inputs, machine, count)
    variables = Array(repeating: .constant(.null), count: program.globalCount)
  }

  // MARK: Statements

  /// Runs statements, and returns the rows that have not returned.
  private mutating func run(
    _ statements: [ArcadeStatement], _ selection: Selection
  ) throws(ArcadeError) -> Selection {
    var selection = selection
    for statement in statements where selection.count > 0 { selection = try run(statement, selection) }
    return selection
  }

  private mutating func run(
    _ statement: ArcadeStatement, _ selection: Selection
  ) throws(ArcadeError) -> Selection {
    switch statement {
    case .expression(let node): store(try value(node, selection), &results, selection)
    case .variables(let list):
      for (variable, node) in list {
        let block = try node.map { node throws(ArcadeError) in try value(node, selection) }
        store(block ?? .constant(.null), &variables[variable.index], selection)
      }
    case .condition(let branches, let otherwise, let offset):
      var (proceeding, rest) = (selection.subset([]), selection)
      for (condition, body) in branches where rest.count > 0 {
        let (chosen, others) = try split(try value(condition, rest), rest.count, offset)
        let next = try run([body], rest.subset(chosen))
        proceeding.rows += next.rows
        proceeding.places? += next.places ?? []
        rest = rest.subset(others)
      }
      if let otherwise { rest = try run([otherwise], rest) }
      proceeding.rows += rest.rows
      proceeding.places? += rest.places ?? []
      return proceeding
    case .block(let statements): return try run(statements, selection)
    case .result(let node):
      let block = try node.map { node throws(ArcadeError) in try value(node, selection) }
      store(block ?? .constant(.null), &results, selection)
      return selection.subset([])
    case .loop, .each, .leave, .proceed: throw Self.needsRows
    }
    return selection
  }

  private func store(_ block: ArcadeBlock, _ target: inout ArcadeBlock, _ selection: Selection) {
    guard let places = selection.places else { return target = block }
    var values: [ArcadeValue]
    if case .values(let old) = target {
      values = old
      // A second reference would copy the array.
      target = .constant(.null)
    } else {
      values = (0..<count).map { target[$0] }
    }
    for (index, place) in places.enumerated() { values[place] = block[index] }
    target = .values(values)
  }

  /// Returns the positions of the rows for which a condition is true, and of all others.
  private func split(
    _ block: ArcadeBlock, _ count: Int, _ offset: Int
  ) throws(ArcadeError) -> (chosen: [Int], others: [Int]) {
    guard let conditions = block.asConditions(count) else {
      throw ArcadeError("a condition must be true or false", at: offset)
    }
    var (chosen, others) = ([Int](), [Int]())
    for (position, condition) in conditions.enumerated() {
      if condition { chosen.append(position) } else { others.append(position) }
    }
    return (chosen, others)
  }

  // MARK: Expressions

  private static let needsRows = ArcadeError("this part is evaluated row by row", at: 0)

  private mutating func value(
    _ node: ArcadeNode, _ selection: Selection
  ) throws(ArcadeError) -> ArcadeBlock {
    let count = selection.count
    switch node {
    case .null: return .constant(.null)
    case .boolean(let value): return .constant(.boolean(value))
    case .number(let value): return .constant(.number(value))
    case .text(let text): return .constant(.text(text))
    case .feature: return .constant(.feature)
    case .scale: return .constant(.number(inputs.scale))
    case .variable(let variable):
      return selection.places.map { variables[variable.index].gathered($0) } ?? variables[variable.index]
    case .field(let index): return inputs.block(index, rows: selection.rows)
    case .negative(let operand): return .numbers(try value(operand, selection).asNumbers(count).map { -$0 })
    case .positive(let operand): return .numbers(try value(operand, selection).asNumbers(count))
    case .not(let operand):
      let block = try value(operand, selection)
      return .booleans((0..<count).map { !block[$0].asBoolean })
    case .binary(let sign, let first, let second):
      return try combine(sign, try value(first, selection), try value(second, selection), selection)
    case .assignment(.variable(let variable), let sign, let node):
      var new = try value(node, selection)
      if let sign { new = try combine(sign, try value(.variable(variable), selection), new, selection) }
      store(new, &variables[variable.index], selection)
      return new
    case .and(let first, let second, let offset):
      return try choose([first, second, .boolean(false)], selection, offset, isCondition: true)
    case .or(let first, let second, let offset):
      return try choose([first, .boolean(true), second], selection, offset, isCondition: true)
    case .iif(let condition, let first, let second, let offset):
      return try choose([condition, first, second], selection, offset)
    case .when(let nodes, let offset): return try choose(nodes, selection, offset)
    case .decode(let nodes): return try decode(nodes, selection)
    default: return try rowValues(node, selection)
    }
  }

  private func combine(
    _ sign: ArcadeOperator, _ first: ArcadeBlock, _ second: ArcadeBlock, _ selection: Selection
  ) throws(ArcadeError) -> ArcadeBlock {
    if let block = ArcadeBlock.combined(sign, first, second, count: selection.count) { return block }
    return try each(selection) { position throws(ArcadeError) in
      try machine.combine(sign, first[position], second[position])
    }
  }

  /// Returns the value after the first condition that is true, else the last, as `When` does.
  private mutating func choose(
    _ nodes: [ArcadeNode], _ selection: Selection, _ offset: Int, isCondition: Bool = false
  ) throws(ArcadeError) -> ArcadeBlock {
    var pieces: [(positions: [Int], block: ArcadeBlock)] = []
    var (rest, positions) = (selection, Array(0..<selection.count))
    func add(_ block: ArcadeBlock, _ places: [Int]) throws(ArcadeError) {
      guard !isCondition || block.asConditions(places.count) != nil else {
        throw ArcadeError("a condition must be true or false", at: offset)
      }
      pieces.append((places, block))
    }
    var index = 0
    while index + 1 < nodes.count, rest.count > 0 {
      let (chosen, others) = try split(try value(nodes[index], rest), rest.count, offset)
      if !chosen.isEmpty {
        try add(
          try value(nodes[index + 1], chosen.count == rest.count ? rest : rest.subset(chosen)),
          chosen.map { positions[$0] })
      }
      if others.count < rest.count {
        rest = rest.subset(others)
        positions = others.map { positions[$0] }
      }
      index += 2
    }
    if rest.count > 0 {
      try add(index < nodes.count ? try value(nodes[index], rest) : .constant(.null), positions)
    }
    return .joined(pieces, count: selection.count)
  }

  private mutating func decode(
    _ nodes: [ArcadeNode], _ selection: Selection
  ) throws(ArcadeError) -> ArcadeBlock {
    let wanted = try value(nodes[0], selection)
    var pieces: [(positions: [Int], block: ArcadeBlock)] = []
    var (rest, positions) = (selection, Array(0..<selection.count))
    var index = 1
    while index + 1 < nodes.count, rest.count > 0 {
      let key = try value(nodes[index], rest)
      var (chosen, others) = ([Int](), [Int]())
      for position in 0..<rest.count {
        if ArcadeValue.areEqual(wanted[positions[position]], key[position]) {
          chosen.append(position)
        } else {
          others.append(position)
        }
      }
      if !chosen.isEmpty {
        pieces.append((chosen.map { positions[$0] }, try value(nodes[index + 1], rest.subset(chosen))))
        rest = rest.subset(others)
        positions = others.map { positions[$0] }
      }
      index += 2
    }
    if rest.count > 0 {
      pieces.append((positions, index < nodes.count ? try value(nodes[index], rest) : .constant(.null)))
    }
    return .joined(pieces, count: selection.count)
  }

  /// Returns the values of parts that are made row by row from the blocks of their operands.
  private mutating func rowValues(
    _ node: ArcadeNode, _ selection: Selection
  ) throws(ArcadeError) -> ArcadeBlock {
    let nodes: [ArcadeNode]
    switch node {
    case .template(let parts), .array(let parts), .call(_, let parts, _): nodes = parts
    case .member(let object, let key, _): nodes = [object, key]
    default: throw Self.needsRows
    }
    var operands: [ArcadeBlock] = []
    for node in nodes { operands.append(try value(node, selection)) }
    let (machine, inputs) = (machine, inputs)
    if case .template = node {
      return try each(selection) { position throws(ArcadeError) in
        var text = ""
        for operand in operands { text += try inputs.text(operand[position], machine: machine) }
        return try machine.text(text)
      }
    }
    // One array for all rows.
    var values = Array(repeating: ArcadeValue.null, count: operands.count)
    return try each(selection) { position throws(ArcadeError) in
      for index in values.indices { values[index] = operands[index][position] }
      return try machine.value(node, values)
    }
  }

  /// Returns the values that a closure makes for the rows.
  private func each(
    _ selection: Selection, _ body: (Int) throws(ArcadeError) -> ArcadeValue
  ) throws(ArcadeError) -> ArcadeBlock {
    var values: [ArcadeValue] = []
    values.reserveCapacity(selection.count)
    for (position, row) in selection.rows.enumerated() {
      machine.row = row
      values.append(try body(position))
    }
    if case .number? = values.first {
      let numbers = values.compactMap { if case .number(let number) = $0 { number } else { nil } }
      if numbers.count == values.count { return .numbers(numbers) }
    }
    return .values(values)
  }
}

extension ArcadeProgram {
  /// Whether ``ArcadeBlockMachine`` evaluates the expression: it has no loops and no functions of its own, and is so
  /// small that it cannot reach the limits of steps and depth.
  var runsInBlocks: Bool {
    var left = 2000
    return definitions.isEmpty && statements.allSatisfy { $0.runsInBlocks(depth: 0, &left) }
  }
}

extension ArcadeStatement {
  fileprivate func runsInBlocks(depth: Int, _ left: inout Int) -> Bool {
    left -= 1
    guard left > 0, depth < 100 else { return false }
    switch self {
    case .expression(let node): return node.runsInBlocks(depth: depth, &left)
    case .variables(let list): return list.allSatisfy { $0.value?.runsInBlocks(depth: depth, &left) ?? true }
    case .condition(let branches, let otherwise, _):
      return branches.allSatisfy {
        $0.condition.runsInBlocks(depth: depth, &left) && $0.body.runsInBlocks(depth: depth + 1, &left)
      } && otherwise?.runsInBlocks(depth: depth + 1, &left) ?? true
    case .block(let statements): return statements.allSatisfy { $0.runsInBlocks(depth: depth + 1, &left) }
    case .result(let node): return node?.runsInBlocks(depth: depth, &left) ?? true
    case .loop, .each, .leave, .proceed: return false
    }
  }
}

extension ArcadeNode {
  fileprivate func runsInBlocks(depth: Int, _ left: inout Int) -> Bool {
    left -= 1
    guard left > 0, depth < 100 else { return false }
    func all(_ nodes: [ArcadeNode], _ left: inout Int) -> Bool {
      nodes.allSatisfy { $0.runsInBlocks(depth: depth + 1, &left) }
    }
    switch self {
    case .null, .boolean, .number, .text, .field, .feature, .scale: return true
    case .variable(let variable): return !variable.isLocal
    case .negative(let operand), .positive(let operand), .not(let operand): return all([operand], &left)
    case .binary(_, let first, let second), .and(let first, let second, _), .or(let first, let second, _),
      .member(let first, let second, _):
      return all([first, second], &left)
    case .assignment(.variable(let variable), _, let node): return !variable.isLocal && all([node], &left)
    case .iif(let condition, let first, let second, _): return all([condition, first, second], &left)
    case .array(let nodes), .template(let nodes), .when(let nodes, _), .decode(let nodes),
      .call(_, let nodes, _):
      return all(nodes, &left)
    case .view, .function, .assignment, .step, .dictionary, .ownCall: return false
    }
  }
}
