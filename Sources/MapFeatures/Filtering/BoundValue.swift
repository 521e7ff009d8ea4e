import MapFilter

/// A value per row: columns, literals, and the results of arithmetic, functions and CASE.
indirect enum BoundValue: Sendable {
  case literal(AttributeValue)
  case column(Column)
  case arithmetic(ArithmeticOperator, BoundValue, BoundValue)
  case negative(BoundValue)
  case call(FilterFunction, [BoundValue])
  case choice([(when: BoundStep, then: BoundValue)], otherwise: BoundValue)
  case match(BoundValue, [(when: BoundValue, then: BoundValue)], otherwise: BoundValue)
  /// The value for each distinct text of a column, followed by the value for null.
  case lookup(codes: [Int32], ValueBlock)

  /// Returns the values of a block.
  func values(in block: RowBlock) -> ValueBlock {
    switch self {
    case .literal(let value): ValueBlock(value, block)
    case .column(let column): ValueBlock(column, block)
    case .arithmetic(let operation, let first, let second):
      first.values(in: block).combined(operation, with: second.values(in: block))
    case .negative(let value): value.values(in: block).negated()
    case .call(let function, let arguments): Self.call(function, arguments, block)
    case .choice(let branches, let otherwise):
      Self.choice(branches.count, otherwise, block) { place in
        (branches[place].when.truth(in: block).isTrue, branches[place].then)
      }
    case .match(let operand, let branches, let otherwise):
      Self.match(operand.values(in: block), branches, otherwise, block)
    case .lookup(let codes, let table):
      table.gathered(codes[block.firstRow..<block.firstRow + block.rowCount], block)
    }
  }

  private static func call(
    _ function: FilterFunction, _ arguments: [BoundValue], _ block: RowBlock
  ) -> ValueBlock {
    if let real = function.realFunction, arguments.count == 1,
      let block = arguments[0].values(in: block).mapped(real)
    {
      return block
    }
    // One array holds the arguments of each row in turn; literals are stored once.
    var row: [AttributeValue] = []
    var varying: [(place: Int, values: ValueBlock)] = []
    for (place, argument) in arguments.enumerated() {
      if case .literal(let value) = argument {
        row.append(value)
      } else {
        row.append(.null)
        varying.append((place, argument.values(in: block)))
      }
    }
    var results: [AttributeValue] = []
    results.reserveCapacity(block.rowCount)
    for index in 0..<block.rowCount {
      for argument in varying { row[argument.place] = argument.values.value(index) }
      results.append(function.value(of: row))
    }
    return ValueBlock(settling: results)
  }

  /// Returns for each row the value of the first branch whose condition is true.
  private static func choice(
    _ count: Int, _ otherwise: BoundValue, _ block: RowBlock,
    _ branch: (Int) -> (isTaken: [UInt64], value: BoundValue)
  ) -> ValueBlock {
    var results = [AttributeValue](repeating: .null, count: block.rowCount)
    var open = block.allRows
    for place in 0..<count {
      let (isTaken, value) = branch(place)
      let taken = zip(open, isTaken).map { $0 & $1 }
      value.fill(&results, taken, block)
      for word in open.indices { open[word] &= ~taken[word] }
      // Stop when no row is left: the remaining branches cost nothing.
      if open.allSatisfy({ $0 == 0 }) { return ValueBlock(settling: results) }
    }
    otherwise.fill(&results, open, block)
    return ValueBlock(settling: results)
  }

  private static func match(
    _ operand: ValueBlock, _ branches: [(when: BoundValue, then: BoundValue)], _ otherwise: BoundValue,
    _ block: RowBlock
  ) -> ValueBlock {
    choice(branches.count, otherwise, block) { place in
      let truth =
        if case .literal(let value) = branches[place].when {
          operand.compared(.equal, with: value)
        } else {
          ValueBlock.compare(operand, .equal, branches[place].when.values(in: block))
        }
      return (truth.isTrue, branches[place].then)
    }
  }

  /// Stores the values of the selected rows in `results`.
  private func fill(_ results: inout [AttributeValue], _ rows: [UInt64], _ block: RowBlock) {
    if rows.allSatisfy({ $0 == 0 }) { return }
    if case .literal(let value) = self {
      for row in results.indices where rows[row >> 6] & (1 &<< UInt64(row & 63)) != 0 { results[row] = value }
    } else {
      let values = values(in: block)
      for row in results.indices where rows[row >> 6] & (1 &<< UInt64(row & 63)) != 0 {
        results[row] = values.value(row)
      }
    }
  }
}
