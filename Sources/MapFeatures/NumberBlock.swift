import MapFilter

/// A number of each row: columns, literals and what arithmetic makes of them.
indirect enum BoundValue {
  case literal(AttributeValue)
  case integers([Int64], validity: RowSet?)
  case reals([Double], validity: RowSet?)
  case arithmetic(ArithmeticOperator, BoundValue, BoundValue)
  case negative(BoundValue)

  /// The numbers of a block.
  func numbers(in block: RowBlock) -> NumberBlock {
    let rows = block.firstRow..<block.firstRow + block.rowCount
    switch self {
    case .literal(let value): return NumberBlock(value, block)
    case .integers(let values, let validity):
      return NumberBlock(.integers(Array(values[rows])), valid: validity, block)
    case .reals(let values, let validity):
      return NumberBlock(.reals(Array(values[rows])), valid: validity, block)
    case .arithmetic(let operation, let first, let second):
      return first.numbers(in: block).combined(operation, with: second.numbers(in: block))
    case .negative(let value): return value.numbers(in: block).negated()
    }
  }
}

/// The numbers of the rows of a block, as one typed array as long as all are of one type.
struct NumberBlock {
  enum Numbers {
    case integers([Int64])
    case reals([Double])
    /// Integers, and reals where a result was over 64 bits: slow and rare.
    case mixed([AttributeValue])
  }

  private(set) var numbers: Numbers
  /// The rows whose number is null; what stands in them means nothing.
  private(set) var isNull: [UInt64]

  init(_ numbers: Numbers, valid validity: RowSet?, _ block: RowBlock) {
    self.numbers = numbers
    isNull =
      validity.map { $0.words[block.words].map { ~$0 } } ?? Array(repeating: 0, count: block.words.count)
  }

  init(_ value: AttributeValue, _ block: RowBlock) {
    isNull = Array(repeating: 0, count: block.words.count)
    switch value {
    case .integer(let number): numbers = .integers(Array(repeating: number, count: block.rowCount))
    case .real(let number) where !number.isNaN:
      numbers = .reals(Array(repeating: number, count: block.rowCount))
    default:
      numbers = .integers(Array(repeating: 0, count: block.rowCount))
      isNull = Array(repeating: .max, count: block.words.count)
    }
  }

  private func isNull(_ row: Int) -> Bool { isNull[row >> 6] & (1 &<< UInt64(row & 63)) != 0 }

  private mutating func setNull(_ row: Int) { isNull[row >> 6] |= 1 &<< UInt64(row & 63) }

  private var count: Int {
    switch numbers {
    case .integers(let values): values.count
    case .reals(let values): values.count
    case .mixed(let values): values.count
    }
  }

  /// The number of a row; slow.
  private func value(_ row: Int) -> AttributeValue {
    if isNull(row) { return .null }
    return switch numbers {
    case .integers(let values): .integer(values[row])
    case .reals(let values): .real(values[row])
    case .mixed(let values): values[row]
    }
  }

  /// The numbers as reals; nil when they are mixed.
  private var reals: [Double]? {
    switch numbers {
    case .integers(let values): values.map(Double.init)
    case .reals(let values): values
    case .mixed: nil
    }
  }

  /// The result of an operation, row by row; the rules are those of `ArithmeticOperator.result`.
  func combined(_ operation: ArithmeticOperator, with other: NumberBlock) -> NumberBlock {
    var result = self
    for word in isNull.indices { result.isNull[word] |= other.isNull[word] }
    if operation != .divide, case .integers(let first) = numbers, case .integers(let second) = other.numbers {
      if let values = Self.integers(operation, first, second) {
        result.numbers = .integers(values)
        return result
      }
    } else if let first = reals, let second = other.reals {
      let values = Self.reals(operation, first, second)
      for row in values.indices where values[row].isNaN { result.setNull(row) }
      result.numbers = .reals(values)
      return result
    }
    // A result over 64 bits, or one before: each row keeps the type that its own numbers give it.
    result.setMixed((0..<count).map { operation.result(value($0), other.value($0)) })
    return result
  }

  /// The results of `+`, `-` or `*`; nil when one is over 64 bits.
  private static func integers(
    _ operation: ArithmeticOperator, _ first: [Int64], _ second: [Int64]
  ) -> [Int64]? {
    switch operation {
    case .add: integers(first, second) { $0.addingReportingOverflow($1) }
    case .subtract: integers(first, second) { $0.subtractingReportingOverflow($1) }
    case .multiply: integers(first, second) { $0.multipliedReportingOverflow(by: $1) }
    case .divide: nil
    }
  }

  @inline(__always)
  private static func integers(
    _ first: [Int64], _ second: [Int64], _ operation: (Int64, Int64) -> (Int64, overflow: Bool)
  ) -> [Int64]? {
    var (results, overflows) = (first, false)
    for row in results.indices {
      let (value, overflow) = operation(first[row], second[row])
      results[row] = value
      overflows = overflows || overflow
    }
    return overflows ? nil : results
  }

  /// The results of an operation; NaN for a division by zero and where there is no number.
  private static func reals(
    _ operation: ArithmeticOperator, _ first: [Double], _ second: [Double]
  ) -> [Double] {
    var results = first
    switch operation {
    case .add: for row in results.indices { results[row] += second[row] }
    case .subtract: for row in results.indices { results[row] -= second[row] }
    case .multiply: for row in results.indices { results[row] *= second[row] }
    case .divide:
      for row in results.indices {
        results[row] = second[row] == 0 ? .nan : results[row] / second[row]
      }
    }
    return results
  }

  /// The numbers with their signs turned.
  func negated() -> NumberBlock {
    var result = self
    switch numbers {
    case .reals(let values): result.numbers = .reals(values.map { -$0 })
    case .integers(let values) where !values.contains(.min): result.numbers = .integers(values.map { -$0 })
    default: result.setMixed((0..<count).map { value($0).negated })
    }
    return result
  }

  private mutating func setMixed(_ values: [AttributeValue]) {
    for row in values.indices where values[row] == .null { setNull(row) }
    numbers = .mixed(values)
  }

  /// Which rows stand in a relation; unknown where one side is null.
  static func compare(
    _ first: NumberBlock, _ comparison: ComparisonOperator, _ second: NumberBlock
  ) -> TruthWords {
    let block = RowBlock(firstRow: 0, rowCount: first.count)
    let answers =
      switch (first.numbers, second.numbers) {
      case (.integers(let a), .integers(let b)): ColumnPair.integers(a, b).bits(in: block, comparison)
      case (.reals(let a), .reals(let b)): ColumnPair.reals(a, b).bits(in: block, comparison)
      case (.integers(let a), .reals(let b)): ColumnPair.integersReals(a, b).bits(in: block, comparison)
      case (.reals(let a), .integers(let b)):
        ColumnPair.integersReals(b, a).bits(in: block, comparison.mirrored)
      default:
        block.bits { first.value($0).ordering(to: second.value($0)).map(comparison.accepts) ?? false }
      }
    var result = TruthWords(isTrue: answers, isUnknown: first.isNull)
    for word in answers.indices {
      result.isUnknown[word] |= second.isNull[word]
      result.isTrue[word] &= ~result.isUnknown[word]
    }
    return result
  }

  /// Which rows stand in a relation to a literal; as columns do, by a limit of the rows' own type.
  func compared(_ comparison: ComparisonOperator, with literal: AttributeValue) -> TruthWords {
    let block = RowBlock(firstRow: 0, rowCount: count)
    let test: ColumnTest? =
      switch numbers {
      case .integers(let values):
        LiteralLimit<Int64>(number: literal)?.test(comparison).over { .integers(values, $0, $1) }
      case .reals(let values):
        LiteralLimit<Double>(number: literal)?.test(comparison).over { .reals(values, $0, $1) }
      case .mixed: nil
      }
    guard let test else { return Self.compare(self, comparison, NumberBlock(literal, block)) }
    let answers = test.bits(in: block)
    return TruthWords(isTrue: zip(answers, isNull).map { $0 & ~$1 }, isUnknown: isNull)
  }

  /// Which rows equal an element.
  func isIn(_ elements: LiteralSet) -> TruthWords {
    let block = RowBlock(firstRow: 0, rowCount: count)
    let answers =
      switch numbers {
      case .integers(let values): block.bits { elements.integers.sortedContains(values[$0]) }
      case .reals(let values): block.bits { elements.contains(values[$0]) }
      case .mixed(let values): block.bits { elements.contains(number: values[$0]) }
      }
    let isTrue = zip(answers, isNull).map { $0 & ~$1 }
    return TruthWords(isTrue: isTrue, isUnknown: elements.hasNull ? isTrue.map { ~$0 } : isNull)
  }
}
