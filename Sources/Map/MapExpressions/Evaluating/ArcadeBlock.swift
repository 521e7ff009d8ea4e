/// The values of a part of an expression for some rows.
enum ArcadeBlock {
  /// The same value for every row.
  case constant(ArcadeValue)
  case numbers([Double])
  case booleans([Bool])
  /// Values of any types.
  case values([ArcadeValue])

  /// The value for a row, by its position in the block.
  subscript(position: Int) -> ArcadeValue {
    switch self {
    case .constant(let value): value
    case .numbers(let numbers): .number(numbers[position])
    case .booleans(let booleans): .boolean(booleans[position])
    case .values(let values): values[position]
    }
  }

  /// Whether every value is a number.
  var isNumeric: Bool {
    switch self {
    case .constant(.number), .numbers: true
    default: false
    }
  }

  /// Returns the values as numbers; NaN for those that have none.
  func asNumbers(_ count: Int) -> [Double] {
    switch self {
    case .constant(let value): Array(repeating: value.asNumber, count: count)
    case .numbers(let numbers): numbers
    case .booleans(let booleans): booleans.map { $0 ? 1 : 0 }
    case .values(let values): values.map(\.asNumber)
    }
  }

  /// Returns the values as conditions; nil when one of them is no Boolean.
  func asConditions(_ count: Int) -> [Bool]? {
    switch self {
    case .constant(.boolean(let value)): return Array(repeating: value, count: count)
    case .booleans(let booleans): return booleans
    case .values(let values):
      let conditions = values.compactMap(\.asCondition)
      return conditions.count == count ? conditions : nil
    case .constant, .numbers: return nil
    }
  }

  /// Returns the values at some positions.
  func gathered(_ positions: [Int]) -> ArcadeBlock {
    switch self {
    case .constant: self
    case .numbers(let numbers): .numbers(positions.map { numbers[$0] })
    case .booleans(let booleans): .booleans(positions.map { booleans[$0] })
    case .values(let values): .values(positions.map { values[$0] })
    }
  }

  /// Joins blocks of different rows; each position from 0 to `count` is in one of them.
  static func joined(_ pieces: [(positions: [Int], block: ArcadeBlock)], count: Int) -> ArcadeBlock {
    if pieces.count == 1 { return pieces[0].block }
    if pieces.allSatisfy(\.block.isNumeric) {
      var numbers = Array(repeating: 0.0, count: count)
      for (positions, block) in pieces {
        let values = block.asNumbers(positions.count)
        for (index, position) in positions.enumerated() { numbers[position] = values[index] }
      }
      return .numbers(numbers)
    }
    var values = Array(repeating: ArcadeValue.null, count: count)
    for (positions, block) in pieces {
      for (index, position) in positions.enumerated() { values[position] = block[index] }
    }
    return .values(values)
  }
}

// MARK: Operators

extension ArcadeBlock {
  /// Returns the results of an operator; nil when the types of each row decide.
  static func combined(
    _ sign: ArcadeOperator, _ first: ArcadeBlock, _ second: ArcadeBlock, count: Int
  ) -> ArcadeBlock? {
    let (isFirst, isSecond) = (first.isNumeric, second.isNumeric)
    switch sign {
    case .subtract: return numbers(first, second, count) { $0 - $1 }
    case .multiply: return numbers(first, second, count) { $0 * $1 }
    case .divide: return numbers(first, second, count) { $0 / $1 }
    case .add where isFirst && isSecond: return numbers(first, second, count) { $0 + $1 }
    case .equal where isFirst && isSecond: return booleans(first, second, count) { $0 == $1 }
    case .unequal where isFirst && isSecond: return booleans(first, second, count) { $0 != $1 }
    // A number and a text compare as numbers.
    case .less where isFirst || isSecond: return booleans(first, second, count) { $0 < $1 }
    case .greater where isFirst || isSecond: return booleans(first, second, count) { $0 > $1 }
    case .lessOrEqual where isFirst || isSecond: return booleans(first, second, count) { $0 <= $1 }
    case .greaterOrEqual where isFirst || isSecond: return booleans(first, second, count) { $0 >= $1 }
    default: return nil
    }
  }

  @inline(__always)
  private static func numbers(
    _ first: ArcadeBlock, _ second: ArcadeBlock, _ count: Int, _ operation: (Double, Double) -> Double
  ) -> ArcadeBlock {
    let (a, b) = (first.asNumbers(count), second.asNumbers(count))
    return .numbers((0..<count).map { operation(a[$0], b[$0]) })
  }

  @inline(__always)
  private static func booleans(
    _ first: ArcadeBlock, _ second: ArcadeBlock, _ count: Int, _ test: (Double, Double) -> Bool
  ) -> ArcadeBlock {
    let (a, b) = (first.asNumbers(count), second.asNumbers(count))
    return .booleans((0..<count).map { test(a[$0], b[$0]) })
  }
}
