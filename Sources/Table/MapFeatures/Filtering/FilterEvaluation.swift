import MapFilter

/// A condition over the columns of one table, evaluated block by block.
indirect enum BoundStep: Sendable {
  case constant(Truth)
  case all([BoundStep])
  case any([BoundStep])
  case strictAll([BoundStep])
  case not(BoundStep)
  /// Null rows are unknown; with `isUnknownElsewhere`, the rows that fail the test are unknown too.
  case test(ColumnTest, validity: RowSet?, isUnknownElsewhere: Bool)
  case comparePair(ColumnPair, ComparisonOperator, validity: RowSet?)
  /// A condition evaluated once per distinct text of a column: one test for true, one for unknown.
  case perText(isTrue: ColumnTest, isUnknown: ColumnTest)
  case compareValues(BoundValue, ComparisonOperator, BoundValue)
  case valueIsBetween(BoundValue, lower: BoundValue, upper: BoundValue, NullBounds)
  case valueIsIn(BoundValue, LiteralSet?, others: [BoundValue])
  case isNull(validity: RowSet?)
  case isNullValue(BoundValue)
  case likeOfColumns(RowTexts, RowPatterns)
  case valueIsLike(BoundValue, LikePattern)
  case likeOfRows(BoundValue, BoundValue, escape: Unicode.Scalar?)
  /// True for these rows, unknown for invalid rows.
  case rows(RowSet, validity: RowSet?)
  case arrays(ArrayPredicate, BoundArray, BoundArray)

  /// Returns the result for each row of a block.
  func truth(in block: RowBlock) -> TruthWords {
    switch self {
    case .constant(let truth): return TruthWords(truth, count: block.words.count)
    case .all(let steps):
      var result = TruthWords(.isTrue, count: block.words.count)
      for step in steps {
        result.formConjunction(step.truth(in: block))
        if result.isFalseEverywhere { break }
      }
      return result
    case .any(let steps):
      var result = TruthWords(.isFalse, count: block.words.count)
      for step in steps {
        result.formDisjunction(step.truth(in: block))
        if result.isTrueEverywhere { break }
      }
      return result
    case .strictAll(let steps):
      var result = TruthWords(.isTrue, count: block.words.count)
      for step in steps { result.formStrictConjunction(step.truth(in: block)) }
      return result
    case .not(let step):
      var result = step.truth(in: block)
      result.negate()
      return result
    case .test(let test, let validity, let isUnknownElsewhere):
      var result = TruthWords(test.bits(in: block), valid: validity, block)
      if isUnknownElsewhere { result.isUnknown = result.isTrue.map { ~$0 } }
      return result
    case .comparePair(let pair, let comparison, let validity):
      return TruthWords(pair.bits(in: block, comparison), valid: validity, block)
    case .perText(let isTrue, let isUnknown):
      return TruthWords(isTrue: isTrue.bits(in: block), isUnknown: isUnknown.bits(in: block))
    case .compareValues(let first, let comparison, let second):
      return second.compares(first.values(in: block), comparison, block)
    case .valueIsBetween(let operand, let lower, let upper, let bounds):
      let values = operand.values(in: block)
      var result = lower.compares(values, .greaterOrEqual, block)
      let other = upper.compares(values, .lessOrEqual, block)
      if bounds == .areSides { result.formConjunction(other) } else { result.formStrictConjunction(other) }
      return result
    case .valueIsIn(let operand, let elements, let others):
      let values = operand.values(in: block)
      var result = elements.map(values.isIn) ?? TruthWords(.isFalse, count: block.words.count)
      for other in others { result.formDisjunction(other.compares(values, .equal, block)) }
      return result
    case .isNull(let validity):
      guard let validity else { return TruthWords(.isFalse, count: block.words.count) }
      return TruthWords(
        isTrue: validity.words[block.words].map { ~$0 },
        isUnknown: Array(repeating: 0, count: block.words.count))
    case .isNullValue(let value):
      let isNull = value.values(in: block).isNull
      return TruthWords(isTrue: isNull, isUnknown: Array(repeating: 0, count: isNull.count))
    case .valueIsLike(let text, let pattern): return text.values(in: block).matches(pattern)
    case .likeOfRows(let text, let pattern, let escape):
      return text.values(in: block).matches(pattern.values(in: block), escape: escape)
    case .rows(let rows, let validity):
      return TruthWords(Array(rows.words[block.words]), valid: validity, block)
    case .arrays(let predicate, let first, let second): return first.truth(predicate, second, block)
    case .likeOfColumns(let texts, let patterns):
      let isUnknown = block.bits { texts[$0] == nil || patterns[$0] == nil }
      let isTrue = block.bits { row in
        if let text = texts[row], let pattern = patterns[row] { pattern.matches(text) } else { false }
      }
      return TruthWords(isTrue: isTrue, isUnknown: isUnknown)
    }
  }
}

extension BoundValue {
  /// Returns the result of comparing `values` with these values.
  fileprivate func compares(
    _ values: ValueBlock, _ comparison: ComparisonOperator, _ block: RowBlock
  ) -> TruthWords {
    if case .literal(let literal) = self { return values.compared(comparison, with: literal) }
    return ValueBlock.compare(values, comparison, self.values(in: block))
  }
}

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

/// An array per row, whose elements are values or arrays.
indirect enum BoundArray: Sendable {
  case value(BoundValue)
  case array([BoundArray])

  /// Compares the array of each row with another's; the result is unknown if an element is null.
  func truth(_ predicate: ArrayPredicate, _ other: BoundArray, _ block: RowBlock) -> TruthWords {
    let (first, second) = (worked(block), other.worked(block))
    return TruthWords(rowCount: block.rowCount) { row in
      guard let first = first.elements(row), let second = second.elements(row) else { return nil }
      return switch predicate {
      case .equals: first == second
      case .contains: first.isSuperset(of: second)
      case .containedBy: first.isSubset(of: second)
      case .overlaps: !first.isDisjoint(with: second)
      }
    }
  }

  /// Evaluates the elements for a block; arrays of literals become sets once.
  private func worked(_ block: RowBlock) -> WorkedArray {
    switch self {
    case .value(.literal(let value)): WorkedElement(value).map { .constant($0) } ?? .null
    case .value(let value): .values(value.values(in: block))
    case .array(let elements):
      WorkedArray(elements.map { $0.worked(block) })
    }
  }
}

/// An element of an array, normalised so that equal elements compare equal.
private indirect enum WorkedElement: Hashable {
  case value(AttributeValue)
  case array(Set<WorkedElement>)

  /// Normalises a value: numbers of equal value are equal, and a date equals its start, as with `=`; nil for null.
  init?(_ value: AttributeValue) {
    switch value {
    case .null: return nil
    case .real(let number): self = .value(Int64(exactly: number).map(AttributeValue.integer) ?? value)
    case .date(let date): self = .value(.instant(date.start))
    default: self = .value(value)
    }
  }
}

/// The elements of an array for the rows of a block.
private indirect enum WorkedArray {
  case null
  case constant(WorkedElement)
  case values(ValueBlock)
  case array([WorkedArray])

  init(_ elements: [WorkedArray]) {
    var set = Set<WorkedElement>()
    for element in elements {
      guard case .constant(let value) = element else { self = .array(elements); return }
      set.insert(value)
    }
    self = .constant(.array(set))
  }

  /// Returns the set of a row; nil if an element is null or the value is not an array.
  func elements(_ row: Int) -> Set<WorkedElement>? {
    if case .array(let set)? = element(row) { set } else { nil }
  }

  private func element(_ row: Int) -> WorkedElement? {
    switch self {
    case .null: return nil
    case .constant(let element): return element
    case .values(let block): return WorkedElement(block.value(row))
    case .array(let elements):
      var set = Set<WorkedElement>()
      for element in elements {
        guard let value = element.element(row) else { return nil }
        set.insert(value)
      }
      return .array(set)
    }
  }
}
