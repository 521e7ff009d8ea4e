/// Evaluation of whole expressions.
extension ArcadeMachine {
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
}
