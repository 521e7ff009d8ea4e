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
  let program: ArcadeProgram
  let inputs: ArcadeInputs
  /// The row of the table.
  var row = 0
  var globals: [ArcadeValue]
  var locals: [ArcadeValue] = []
  var steps = 0
  var memory = 0
  var depth = 0
  /// The steps that are left for all features.
  var stepsLeft = ArcadeLimits.allSteps
  /// The containers of the evaluation, emptied at its end because they may contain each other.
  var arrays: [ArcadeArray] = []
  var dictionaries: [ArcadeDictionary] = []

  /// The last format of numbers, which most features share.
  private var lastFormat: (text: String, format: ArcadeNumberFormat)?

  init(_ program: ArcadeProgram, inputs: ArcadeInputs) {
    (self.program, self.inputs) = (program, inputs)
    globals = Array(repeating: .null, count: program.globalCount)
  }

  func emptyContainers() {
    for array in arrays { array.items = [] }
    for dictionary in dictionaries { dictionary.removeAll() }
    if !arrays.isEmpty { arrays = [] }
    if !dictionaries.isEmpty { dictionaries = [] }
  }

  /// Returns a format of numbers.
  func numberFormat(_ text: String) -> ArcadeNumberFormat {
    if let lastFormat, lastFormat.text == text { return lastFormat.format }
    let format = ArcadeNumberFormat(text)
    lastFormat = (text, format)
    return format
  }

  // MARK: Limits

  func count(_ offset: Int) throws(ArcadeError) {
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

  func set(_ variable: ArcadeVariable, _ value: ArcadeValue) {
    if variable.isLocal { locals[variable.index] = value } else { globals[variable.index] = value }
  }

  func get(_ variable: ArcadeVariable) -> ArcadeValue {
    variable.isLocal ? locals[variable.index] : globals[variable.index]
  }
}
