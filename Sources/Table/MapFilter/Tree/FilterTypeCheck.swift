extension FilterExpression {
  /// Checks names and types before any row is read, so that every evaluator and writer refuses the same filters.
  ///
  /// Numbers compare with numbers, text with text, dates with dates and instants, booleans with booleans. An integer
  /// literal 0 or 1 is accepted as a boolean, since where clauses have no other form. `places` must be the positions of
  /// this tree.
  ///
  /// - Throws: ``FilterError`` for the first part that does not fit, also in branches that are never evaluated.
  package func check(against fields: FilterFields, places: FilterPlaces? = nil) throws(FilterError) {
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
  /// The language for advice; SQL for a tree without a text.
  var language: FilterLanguage { places?.language ?? .sqlWhere }
  /// The number of completed parts, which is the index of the next part in `places`.
  private var partsDone = 0
  /// The first part of a comparison whose second part is next, where text without single quotes is an unknown field.
  private var nextIsComparedWith: FilterExpression?

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
      nextIsComparedWith = first.expression
      try compare(first, value(second, depth: depth), in: filter)
    case .like(let text, let pattern, let escape): try like(text, pattern, escape, depth: depth)
    case .between(let operand, let lower, let upper, _):
      let operand = try value(operand, depth: depth)
      nextIsComparedWith = operand.expression
      try compare(operand, value(lower, depth: depth), in: filter)
      nextIsComparedWith = operand.expression
      try compare(operand, value(upper, depth: depth), in: filter)
    case .isIn(let operand, let elements):
      let operand = try value(operand, depth: depth)
      for element in elements {
        nextIsComparedWith = operand.expression
        try compare(operand, value(element, depth: depth), in: filter)
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
    nextIsComparedWith = text
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
    let other = nextIsComparedWith
    nextIsComparedWith = nil
    let type: AttributeType?
    switch value {
    case .literal(let value): type = value.type
    case .property(let name): type = try field(name, comparedWith: other)
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

  /// Returns the type of a field.
  ///
  /// The error for an unknown name that is compared lists no fields, and does not propose the field that it is compared
  /// with, because the name may be text.
  private func field(
    _ name: String, comparedWith other: FilterExpression?
  ) throws(FilterError) -> AttributeType {
    do throws(FilterError) {
      guard let type = fields.fields[try fields.index(of: name)].type else {
        throw FilterError(.unusableField(Token.shortened(name)))
      }
      return type
    } catch {
      // In JSON, a text without quotes is no field.
      guard let other, language != .cql2JSON else {
        throw FilterError(
          error.reason, at: places?[partsDone], available: error.available, hasFields: error.hasFields)
      }
      var reason = error.reason
      if case .unknownField(let written, let nearest?) = reason, case .property(let field) = other,
        nearest.lowercased() == field.lowercased()
      {
        reason = .unknownField(written, nearest: nil)
      }
      throw FilterError(
        reason, at: places?[partsDone], available: [], hasFields: error.hasFields, isText: true)
    }
  }

  private func result(
    of operation: ArithmeticOperator, _ first: Operand, _ second: Operand
  ) throws(FilterError) -> AttributeType? {
    switch (operation, first.type?.family, second.type?.family) {
    case (.add, .moment, .duration), (.add, .duration, .moment), (.subtract, .moment, .duration):
      let whole = FilterExpression.arithmetic(operation, first.expression, second.expression)
      guard whole.constant?.isNull != true else {
        throw error(.impossibleMoment(operation.rawValue), at: second)
      }
      return .instant
    case (.subtract, .moment, .moment): return .duration
    case (.add, .duration, .duration), (.subtract, .duration, .duration): return .duration
    // A null is accepted instead of a fitting operand.
    case (.add, .moment, nil), (.add, nil, .moment), (.subtract, .moment, nil), (_, .duration, nil),
      (_, nil, .duration):
      return nil
    case (.add, .moment, .number), (.subtract, .moment, .number), (.add, .number, .moment):
      let (moment, number) = first.type?.family == .moment ? (first, second) : (second, first)
      guard let form = language.durationForm else {
        throw wrongType(moment, moment.type ?? .instant, operation: operation.rawValue, expected: "numbers")
      }
      throw wrongType(
        number, number.type ?? .integer, operation: operation.rawValue,
        expected: "an interval beside a date, such as \(form)")
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

  /// Refuses operands of another type than `type`.
  private mutating func both(
    _ first: FilterExpression, _ second: FilterExpression, _ type: AttributeType, _ operation: String,
    _ expected: String, depth: Int
  ) throws(FilterError) {
    let (first, second) = (try value(first, depth: depth), try value(second, depth: depth))
    try require(type, of: first, operation: operation, expected: expected)
    try require(type, of: second, operation: operation, expected: expected)
  }

  /// Refuses an operand of another type than `type`; NULL fits.
  private func require(
    _ type: AttributeType, of operand: Operand, operation: String, expected: String
  ) throws(FilterError) {
    guard let found = operand.type, found != type else { return }
    throw wrongType(operand, found, operation: operation, expected: expected)
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
      .wrongType(language.name(of: operand.expression), type, operation: operation, expected: expected),
      at: operand)
  }
}

extension FilterTypeCheck {
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

extension FilterExpression {
  /// The value of arithmetic on literals; nil for other parts.
  var constant: AttributeValue? {
    switch self {
    case .literal(let value): value
    case .arithmetic(let operation, let first, let second):
      if let first = first.constant, let second = second.constant {
        operation.result(first, second)
      } else {
        nil
      }
    default: nil
    }
  }
}
