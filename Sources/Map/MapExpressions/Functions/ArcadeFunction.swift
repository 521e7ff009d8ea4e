internal import MapSystem

/// A function of Arcade.
struct ArcadeFunction: Sendable {
  /// The name in lower case.
  let name: String
  /// The numbers of arguments that it takes.
  let counts: ClosedRange<Int>
  let body: @Sendable (ArcadeMachine, [ArcadeValue]) throws(ArcadeError) -> ArcadeValue

  init(
    _ name: String, _ counts: ClosedRange<Int>,
    _ body: @escaping @Sendable (ArcadeMachine, [ArcadeValue]) throws(ArcadeError) -> ArcadeValue
  ) {
    (self.name, self.counts, self.body) = (name.lowercased(), counts, body)
  }

  /// Any number of arguments from a count on.
  static func from(_ least: Int) -> ClosedRange<Int> { least...Int.max }
}

extension Array where Element == ArcadeValue {
  /// The argument in a place; null when it is missing.
  func at(_ index: Int) -> ArcadeValue { index < count ? self[index] : .null }

  /// The number in a place; a default when the argument is missing.
  func number(_ index: Int, _ standard: Double = .nan) -> Double {
    index < count ? self[index].asNumber : standard
  }
}

/// Logical functions.
///
/// - Source: https://developers.arcgis.com/arcade/function-reference/logical_functions/
extension ArcadeFunction {
  static let logical: [ArcadeFunction] = [
    ArcadeFunction("Boolean", 1...1) { _, values in .boolean(values[0].asBoolean) },
    ArcadeFunction("IsEmpty", 1...1) { _, values in .boolean(isEmpty(values[0])) },
    ArcadeFunction("DefaultValue", 2...3) { machine, values throws(ArcadeError) in
      guard values.count == 3 else { return isEmpty(values[0]) ? values[1] : values[0] }
      let found = try member(of: values[0], values[1], machine)
      return found.map(isEmpty) ?? true ? values[2] : found ?? .null
    },
    ArcadeFunction("HasValue", 2...2) { machine, values throws(ArcadeError) in
      .boolean(try member(of: values[0], values[1], machine).map { !isEmpty($0) } ?? false)
    },
    ArcadeFunction("IsNan", 1...1) { _, values in
      if case .number(let value) = values[0] { .boolean(value.isNaN) } else { .boolean(false) }
    },
    ArcadeFunction("TypeOf", 1...1) { _, values in .text(values[0].typeName) },
    ArcadeFunction("Equals", 2...2) { _, values in .boolean(ArcadeValue.areEqual(values[0], values[1])) },
  ]

  /// Returns whether a value is null or an empty text.
  static func isEmpty(_ value: ArcadeValue) -> Bool {
    switch value {
    case .null: true
    case .text(let text): text.isEmpty
    default: false
    }
  }

  /// Returns the element of a key or place, or of a list of them; nil when there is none.
  private static func member(
    of value: ArcadeValue, _ key: ArcadeValue, _ machine: ArcadeMachine
  ) throws(ArcadeError) -> ArcadeValue? {
    if case .array(let path) = key, !path.items.isEmpty {
      var found = value
      for step in path.items {
        if case .array = step { return nil }
        guard let next = try member(of: found, step, machine) else { return nil }
        found = next
      }
      return found
    }
    switch value {
    case .dictionary(let dictionary): return dictionary[try machine.inputs.text(key, machine: machine)]
    case .feature:
      return machine.inputs.value(named: try machine.inputs.text(key, machine: machine), row: machine.row)
    case .array(let array):
      let number = key.asNumber
      guard number == number.rounded() else { return nil }
      let index = Int(clamping: number < 0 ? number + Double(array.items.count) : number)
      return array.items.indices.contains(index) ? array.items[index] : nil
    default: return nil
    }
  }
}
