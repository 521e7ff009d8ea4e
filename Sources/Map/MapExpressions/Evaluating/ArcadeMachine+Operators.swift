internal import Glibc
internal import MapSystem

/// Elements, and operators with the conversions of Arcade.
extension ArcadeMachine {
  /// Returns the element that a key names; places before the first count from the end.
  func member(
    _ object: ArcadeValue, _ key: ArcadeValue, _ offset: Int
  ) throws(ArcadeError) -> ArcadeValue {
    switch object {
    case .array(let array): return array.items[try place(key, in: array.items.count, offset)]
    case .text(let text):
      let characters = Array(text.unicodeScalars)
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

  func place(_ key: ArcadeValue, in count: Int, _ offset: Int) throws(ArcadeError) -> Int {
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

  func combineOthers(
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
