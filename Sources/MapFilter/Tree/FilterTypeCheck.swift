extension FilterExpression {
  /// Checks names and types before any row is read, so that every evaluator and writer refuses the same filters.
  ///
  /// Numbers compare with numbers, text with text, dates with dates and instants, booleans with booleans. An integer
  /// literal 0 or 1 is accepted as a boolean, since where clauses have no other form. `places` must be the positions of
  /// this tree.
  ///
  /// - Throws: ``FilterError`` for the first part that does not fit, also in branches that are never evaluated.
  public func check(against fields: FilterFields, places: FilterPlaces? = nil) throws(FilterError) {
    var check = FilterTypeCheck(fields: fields, places: places)
    try check.condition(self, depth: 0)
  }
}

extension FilterExpression {
  /// Returns the type of this part of a checked tree; nil for NULL.
  ///
  /// - Throws: ``FilterError`` for a tree that has not passed the check.
  package func type(in fields: FilterFields) throws(FilterError) -> AttributeType? {
    var check = FilterTypeCheck(fields: fields, places: nil)
    return try check.value(self, depth: 0).type
  }
}

/// A traversal of a tree that finds unknown names and wrong types.
struct FilterTypeCheck {
  let fields: FilterFields
  let places: FilterPlaces?
  /// The number of completed parts, which is the index of the next part in `places`.
  private var partsDone = 0
  /// Whether the next value is the second one of a comparison, where text without single quotes is an unknown field.
  private var isNextCompared = false

  init(fields: FilterFields, places: FilterPlaces?) { (self.fields, self.places) = (fields, places) }

  /// A part that has been checked.
  struct Operand {
    let expression: FilterExpression
    /// The type; nil for NULL, which fits everywhere.
    let type: AttributeType?
    let part: Int
  }

  mutating func condition(_ filter: FilterExpression, depth: Int) throws(FilterError) {
    let depth = try deeper(depth)
    switch filter {
    case .literal(.boolean): break
    case .and(let terms), .or(let terms):
      for term in terms { try condition(term, depth: depth) }
    case .not(let term): try condition(term, depth: depth)
    case .comparison(_, let first, let second):
      let first = try value(first, depth: depth)
      isNextCompared = true
      try compare(first, value(second, depth: depth))
    case .like(let text, let pattern, let escape): try like(text, pattern, escape, depth: depth)
    case .between(let operand, let lower, let upper, _):
      let operand = try value(operand, depth: depth)
      isNextCompared = true
      try compare(operand, value(lower, depth: depth))
      isNextCompared = true
      try compare(operand, value(upper, depth: depth))
    case .isIn(let operand, let elements):
      let operand = try value(operand, depth: depth)
      for element in elements {
        isNextCompared = true
        try compare(operand, value(element, depth: depth))
      }
    case .isNull(.array): throw error(.notACondition("a test of an array for null"), whole: filter)
    case .isNull(let operand): _ = try value(operand, depth: depth)
    case .spatial(let predicate, let first, let second):
      try both(first, second, .geometry, predicate.textName, "a geometry", depth: depth)
    case .temporal(let predicate, let first, let second): try temporal(predicate, first, second, depth: depth)
    case .arrays(let predicate, let first, let second):
      try both(first, second, .array, predicate.textName, "an array", depth: depth)
    case .call: return try booleanCall(filter, depth: depth - 1)
    case .literal, .property, .arithmetic, .negative, .choice, .geometry, .interval, .array:
      throw error(.notACondition(filter.nameInMessages), whole: filter)
    }
    partsDone += 1
  }

  // This is a separate function, so that its locals do not enlarge the stack frame of every level of a deep tree.
  private mutating func like(
    _ text: FilterExpression, _ pattern: FilterExpression, _ escape: Unicode.Scalar?, depth: Int
  ) throws(FilterError) {
    let first = try value(text, depth: depth)
    isNextCompared = true
    let second = try value(pattern, depth: depth)
    try require(.text, of: first, operation: "LIKE", expected: "text")
    try require(.text, of: second, operation: "LIKE", expected: "text")
    if let text = pattern.patternText, LikePattern(text, escape: escape) == nil {
      let isEscape = LikePattern.endsInEscape(text, escape: escape)
      throw FilterError(
        isEscape
          ? .patternEndsInEscape(pattern.nameInMessages)
          : .patternTooLong(limit: LikePattern.wildcardLimit), at: places?[partsDone - 1])
    }
  }

  /// Checks a value and returns it with its type.
  mutating func value(_ value: FilterExpression, depth: Int) throws(FilterError) -> Operand {
    let depth = try deeper(depth)
    let isCompared = isNextCompared
    isNextCompared = false
    let type: AttributeType?
    switch value {
    case .literal(let value): type = value.type
    case .property(let name): type = try field(name, isCompared: isCompared)
    case .arithmetic(let operation, let first, let second):
      let first = try self.value(first, depth: depth)
      type = try result(of: operation, first, self.value(second, depth: depth))
    case .negative(let operand):
      let operand = try self.value(operand, depth: depth)
      type = operand.type == .duration ? .duration : try number(operand, "-")
    case .call(let name, let arguments): type = try call(name, arguments, in: value, depth: depth)
    case .choice(let operand, let branches, let otherwise):
      type = try choice(operand, branches, otherwise, depth: depth)
    case .geometry: type = .geometry
    case .interval(let start, let end): type = try interval(start, end, depth: depth)
    case .array(let elements): type = try array(elements, depth: depth)
    case .and, .or, .not, .comparison, .like, .between, .isIn, .isNull, .spatial, .temporal, .arrays:
      throw error(.notAValue, whole: value)
    }
    partsDone += 1
    return Operand(expression: value, type: type, part: partsDone - 1)
  }

  /// Returns the type of a field; the error for an unknown name lists the fields unless the name is compared.
  private func field(_ name: String, isCompared: Bool) throws(FilterError) -> AttributeType {
    do throws(FilterError) {
      guard let type = fields.fields[try fields.index(of: name)].type else {
        throw FilterError(.unusableField(Token.shortened(name)))
      }
      return type
    } catch {
      throw FilterError(
        error.reason, at: places?[partsDone], available: isCompared ? [] : error.available)
    }
  }

  private func result(
    of operation: ArithmeticOperator, _ first: Operand, _ second: Operand
  ) throws(FilterError) -> AttributeType? {
    switch (operation, first.type?.family, second.type?.family) {
    case (.add, .moment, .duration), (.add, .duration, .moment), (.subtract, .moment, .duration):
      return .instant
    case (.subtract, .moment, .moment): return .duration
    case (.add, .duration, .duration), (.subtract, .duration, .duration): return .duration
    // A null is accepted instead of a fitting operand.
    case (.add, .moment, nil), (.add, nil, .moment), (.subtract, .moment, nil), (_, .duration, nil),
      (_, nil, .duration):
      return nil
    case (.add, .moment, .number), (.subtract, .moment, .number), (.add, .number, .moment):
      let number = first.type?.family == .moment ? second : first
      throw wrongType(
        number, number.type ?? .integer, operation: operation.rawValue,
        expected: "an interval beside a date, such as INTERVAL '1' DAY")
    default:
      let firstType = try number(first, operation.rawValue)
      let secondType = try number(second, operation.rawValue)
      return firstType == .integer && secondType == .integer && operation != .divide ? .integer : .real
    }
  }

  private func number(_ operand: Operand, _ operation: String) throws(FilterError) -> AttributeType? {
    if let type = operand.type, type.family != .number {
      throw wrongType(operand, type, operation: operation, expected: "numbers")
    }
    return operand.type
  }

  func deeper(_ depth: Int) throws(FilterError) -> Int {
    guard depth < FilterSyntaxError.treeDepthLimit else {
      throw FilterError(.nestingTooDeep(limit: FilterSyntaxError.treeDepthLimit), at: places?[partsDone])
    }
    return depth + 1
  }

  // MARK: Errors

  /// Returns an error about a part when none of the parts below it has been checked yet.
  func error(_ reason: FilterError.Reason, whole part: FilterExpression) -> FilterError {
    FilterError(reason, at: places.flatMap { $0[partsDone + part.partCount - 1] })
  }

  /// Returns an error about a part when all parts below it have been checked.
  func error(_ reason: FilterError.Reason) -> FilterError { FilterError(reason, at: places?[partsDone]) }

  func error(_ reason: FilterError.Reason, at operand: Operand) -> FilterError {
    FilterError(reason, at: places?[operand.part])
  }

  func wrongType(
    _ operand: Operand, _ type: AttributeType, operation: String, expected: String
  ) -> FilterError {
    error(
      .wrongType(operand.expression.nameInMessages, type, operation: operation, expected: expected),
      at: operand)
  }

  func compare(_ first: Operand, _ second: Operand) throws(FilterError) {
    guard let firstType = first.type, let secondType = second.type,
      AttributeType.common(firstType, first.expression, secondType, second.expression) == nil
    else { return }
    let firstAdvice = Self.advice(first.expression, for: secondType)
    let secondAdvice = Self.advice(second.expression, for: firstType)
    // The caret is placed under the literal to change, else under the first operand.
    throw error(
      .incomparable(
        first.expression.nameInMessages, firstType, second.expression.nameInMessages, secondType,
        advice: secondAdvice ?? firstAdvice), at: secondAdvice != nil ? second : first)
  }

  /// Returns advice for rewriting a literal so that it compares with a type.
  private static func advice(_ operand: FilterExpression, for type: AttributeType) -> String? {
    guard case .literal(let value) = operand, type.isScalar else { return nil }
    switch (type, value) {
    case (.integer, .text(let text)), (.real, .text(let text)):
      return Double(text).map { $0.isFinite ? "write \(text) without quotes" : nil }
        ?? "write a number without quotes"
    case (.text, .integer(let number)): return "write '\(number)' in quotes"
    case (.text, .real(let number)): return "write '\(number)' in quotes"
    case (.text, .date(let date)): return "write '\(date)' without DATE"
    case (.text, .instant(let instant)): return "write '\(instant.sqlTimestamp)' without TIMESTAMP"
    case (.boolean, _): return "write 1 for true and 0 for false"
    case (.date, .text(let text)), (.instant, .text(let text)):
      if let date = CalendarDate(iso8601: text) { return "write DATE '\(date)'" }
      if let instant = Instant(rfc3339: text) { return "write TIMESTAMP '\(instant.sqlTimestamp)'" }
      return "write DATE 'yyyy-mm-dd' or TIMESTAMP 'yyyy-mm-dd hh:mm:ss'"
    case (.date, _), (.instant, _): return "write DATE 'yyyy-mm-dd' or TIMESTAMP 'yyyy-mm-dd hh:mm:ss'"
    case (.duration, _): return "write INTERVAL '1' DAY"
    default: return nil
    }
  }

  // MARK: Calls and CASE

  mutating func call(
    _ name: String, _ arguments: [FilterExpression], in call: FilterExpression, depth: Int
  ) throws(FilterError) -> AttributeType? {
    guard let function = FunctionCatalog.function(named: name) else {
      throw error(
        .unknownFunction(Token.shortened(name), nearest: FunctionCatalog.nearestName(to: name)), whole: call)
    }
    guard function.argumentCount.contains(arguments.count) else {
      throw error(
        .argumentCount(function: function.name, expected: function.argumentCount, found: arguments.count),
        whole: call)
    }
    var operands: [Operand] = []
    for argument in arguments { operands.append(try value(argument, depth: depth)) }
    // Only TRIM may omit its first two arguments.
    let skipped = function.syntax == .trim && operands.count == 1 ? 2 : 0
    guard function.syntax != .trim || operands.count != 2 else {
      throw error(.argumentCount(function: function.name, expected: function.argumentCount, found: 2))
    }
    for (place, operand) in operands.enumerated() {
      try check(operand, function.argument(at: place + skipped), of: function)
    }
    switch function.result {
    case .always(let type): return type
    case .first: return operands[0].type
    case .number: return operands.allSatisfy { $0.type == .integer } ? .integer : .real
    case .common: return try common(operands, of: function.name)
    case .unit:
      return operands[0].expression == .literal(.text(CalendarUnit.second.rawValue)) ? .real : .integer
    case .cast: return try cast(operands[0], to: operands[1])
    }
  }

  private func check(
    _ operand: Operand, _ argument: FilterFunction.Argument, of function: FilterFunction
  ) throws(FilterError) {
    let expected: String
    switch (argument, operand.type) {
    case (.word(let words), _):
      guard case .literal(.text(let word)) = operand.expression, words.contains(word) else {
        throw error(
          .unknownWord(
            operand.expression.nameInMessages, function: function.name,
            expected: words.joined(separator: ", ")), at: operand)
      }
      return
    case (.castType, _):
      guard case .literal(.text(let name)) = operand.expression, CastType(name) != nil else {
        throw error(
          .unknownWord(
            operand.expression.nameInMessages, function: function.name,
            expected: "INT, FLOAT, VARCHAR(n), DATE or TIMESTAMP"), at: operand)
      }
      return
    case (_, nil): return
    case (.any, let type?):
      if type.isScalar { return }
      expected = "a single value"
    case (.number, let type?):
      if type.family == .number { return }
      expected = "a number"
    case (.integer, let type?):
      if type == .integer { return }
      expected = "a whole number"
    case (.text, let type?):
      if type == .text { return }
      expected = "text"
    case (.moment, let type?):
      if type.family == .moment { return }
      expected = "a date"
    }
    throw wrongType(operand, operand.type ?? .text, operation: function.name, expected: expected)
  }

  private func cast(_ operand: Operand, to type: Operand) throws(FilterError) -> AttributeType? {
    guard case .literal(.text(let name)) = type.expression, let cast = CastType(name) else { return nil }
    if let type = operand.type, !cast.accepts(type) {
      throw wrongType(operand, type, operation: "CAST AS \(cast)", expected: "a value of another type")
    }
    return cast.attributeType
  }

  mutating func choice(
    _ operand: FilterExpression?, _ branches: [ChoiceBranch], _ otherwise: FilterExpression?, depth: Int
  ) throws(FilterError) -> AttributeType? {
    var chosen: Operand?
    if let operand { chosen = try value(operand, depth: depth) }
    var results: [Operand] = []
    for branch in branches {
      if let chosen {
        try compare(chosen, value(branch.when, depth: depth))
      } else {
        try condition(branch.when, depth: depth)
      }
      results.append(try value(branch.then, depth: depth))
    }
    if let otherwise { results.append(try value(otherwise, depth: depth)) }
    return try common(results, of: "CASE")
  }

  /// Returns the common type of several results; nil when all are NULL.
  private func common(_ operands: [Operand], of function: String) throws(FilterError) -> AttributeType? {
    var found: Operand?
    for operand in operands {
      guard let type = operand.type else { continue }
      guard type.isScalar else {
        throw wrongType(operand, type, operation: function, expected: "a single value")
      }
      guard let held = found, let heldType = held.type else { found = operand; continue }
      guard let common = AttributeType.common(heldType, held.expression, type, operand.expression) else {
        throw error(.mixedResults(function: function, heldType, type), at: operand)
      }
      found = Operand(
        expression: heldType == common ? held.expression : operand.expression, type: common, part: held.part)
    }
    return found?.type
  }

  // MARK: Predicates on times and arrays

  /// Refuses operands of another type than `type`.
  mutating func both(
    _ first: FilterExpression, _ second: FilterExpression, _ type: AttributeType, _ operation: String,
    _ expected: String,
    depth: Int
  ) throws(FilterError) {
    let (first, second) = (try value(first, depth: depth), try value(second, depth: depth))
    try require(type, of: first, operation: operation, expected: expected)
    try require(type, of: second, operation: operation, expected: expected)
  }

  /// Refuses an operand of another type than `type`; NULL fits.
  ///
  /// Callers do not loop over an array of two operands: Swift 6.3 unrolls such a loop differently from build to build,
  /// so that one commit gives different bytes.
  private func require(
    _ type: AttributeType, of operand: Operand, operation: String, expected: String
  ) throws(FilterError) {
    guard let found = operand.type, found != type else { return }
    throw wrongType(operand, found, operation: operation, expected: expected)
  }

  /// Checks a function call as a condition, which counts as one part of the tree.
  mutating func booleanCall(_ call: FilterExpression, depth: Int) throws(FilterError) {
    let operand = try value(call, depth: depth)
    guard operand.type == .boolean || operand.type == nil else {
      throw error(.notACondition(call.nameInMessages), at: operand)
    }
  }

  /// Checks that operands are dates, instants or intervals; a text field only beside literals, which show that its
  /// values are times.
  ///
  /// - Source: OGC 21-065 (CQL2), 7.7, for predicates on intervals only; accepting text fields is a design decision.
  mutating func temporal(
    _ predicate: TemporalPredicate, _ first: FilterExpression, _ second: FilterExpression, depth: Int
  ) throws(FilterError) {
    let (first, second) = (try value(first, depth: depth), try value(second, depth: depth))
    for (operand, other) in [(first, second), (second, first)] {
      guard let type = operand.type else { continue }
      let fits =
        switch type.family {
        case .interval: true
        case .moment: !predicate.takesIntervalsOnly
        case .text: !predicate.takesIntervalsOnly && other.expression.isTemporalLiteral
        default: false
        }
      guard fits else {
        throw wrongType(
          operand, type, operation: predicate.textName,
          expected: predicate.takesIntervalsOnly ? "only intervals" : "dates, times and intervals")
      }
    }
  }

  mutating func interval(
    _ start: FilterExpression?, _ end: FilterExpression?, depth: Int
  ) throws(FilterError) -> AttributeType? {
    for expression in [start, end] {
      guard let expression else { continue }
      let operand = try value(expression, depth: depth)
      guard let type = operand.type, type.family != .moment, type != .text else { continue }
      throw wrongType(operand, type, operation: "INTERVAL", expected: "dates and times")
    }
    return .interval
  }

  mutating func array(_ elements: [FilterExpression], depth: Int) throws(FilterError) -> AttributeType? {
    for expression in elements {
      let operand = try value(expression, depth: depth)
      guard let type = operand.type, !type.isScalar, type != .array else { continue }
      throw wrongType(operand, type, operation: "an array", expected: "single values and arrays")
    }
    return .array
  }
}

extension FilterExpression {
  /// Whether the expression is a literal, or an interval of literals.
  fileprivate var isTemporalLiteral: Bool {
    switch self {
    case .literal: true
    case .interval(let start, let end): [start, end].allSatisfy { $0?.isTemporalLiteral ?? true }
    default: false
    }
  }
}
