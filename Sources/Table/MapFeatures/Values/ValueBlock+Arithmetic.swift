import MapFilter

extension ValueBlock {
  /// The numbers as reals; nil if they are not all of one type.
  private var reals: [Double]? {
    switch values {
    case .integers(let values): values.map(Double.init)
    case .reals(let values): values
    case .any: nil
    }
  }

  /// Returns the result of an operation per row, by the rules of `ArithmeticOperator.result`.
  func combined(_ operation: ArithmeticOperator, with other: ValueBlock) -> ValueBlock {
    var result = self
    for word in isNull.indices { result.isNull[word] |= other.isNull[word] }
    if operation.keepsIntegers, case .integers(let first) = values, case .integers(let second) = other.values
    {
      if let values = Self.integers(operation, first, second) {
        result.values = .integers(values)
        return result
      }
    } else if let first = reals, let second = other.reals {
      let values = Self.reals(operation, first, second)
      for row in values.indices where values[row].isNaN { result.setNull(row) }
      result.values = .reals(values)
      return result
    }
    // Timestamps, results beyond 64 bits, or mixed numbers: each row's type follows from its own values.
    return ValueBlock(settling: (0..<count).map { operation.result(value($0), other.value($0)) })
  }

  /// Returns the results of an operation that keeps integers; nil if one exceeds 64 bits or does not exist.
  private static func integers(
    _ operation: ArithmeticOperator, _ first: [Int64], _ second: [Int64]
  ) -> [Int64]? {
    switch operation {
    case .add: integers(first, second) { $0.addingReportingOverflow($1) }
    case .subtract: integers(first, second) { $0.subtractingReportingOverflow($1) }
    case .multiply: integers(first, second) { $0.multipliedReportingOverflow(by: $1) }
    case .divide, .modulo, .divideWhole, .power: integers(first, second) { operation.integerResult($0, $1) }
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

  /// Returns the results of an operation; NaN for division by zero and undefined results.
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
    case .modulo, .divideWhole, .power:
      for row in results.indices { results[row] = operation.realResult(results[row], second[row]) }
    }
    return results
  }

  /// Returns the results of a function of reals, with NaN as null; nil for a block of other values.
  func mapped(_ function: (Double) -> Double) -> ValueBlock? {
    guard case .reals(let values) = values else { return nil }
    var result = self
    let mapped = values.map(function)
    for row in mapped.indices where mapped[row].isNaN { result.setNull(row) }
    result.values = .reals(mapped)
    return result
  }

  /// Returns the values with opposite sign.
  func negated() -> ValueBlock {
    var result = self
    switch values {
    case .reals(let values): result.values = .reals(values.map { -$0 })
    case .integers(let values) where !values.contains(.min): result.values = .integers(values.map { -$0 })
    default: return ValueBlock(settling: (0..<count).map { value($0).negated })
    }
    return result
  }
}
