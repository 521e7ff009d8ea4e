extension Expression {
  /// Checks names and types before any row is read, so that every evaluator and writer refuses the same filters.
  ///
  /// Numbers compare with numbers, text with text, dates with dates and instants, booleans with booleans; an integer
  /// literal 0 or 1 also stands for a boolean, since where clauses have no other.
  ///
  /// - Throws: ``FilterError`` for the first part that does not fit, in branches that are never reached too.
  public func check(against fields: FilterFields) throws(FilterError) {
    try FilterTypeCheck(fields: fields).condition(self, depth: 0)
  }
}

/// The walk over a tree that finds unknown names and wrong types.
private struct FilterTypeCheck {
  let fields: FilterFields

  func condition(_ filter: Expression, depth: Int) throws(FilterError) {
    let depth = try deeper(depth)
    switch filter {
    case .literal(.boolean): break
    case .and(let terms), .or(let terms):
      for term in terms { try condition(term, depth: depth) }
    case .not(let term): try condition(term, depth: depth)
    case .comparison(_, let first, let second):
      let type = try value(first, depth: depth)
      try compare(first, type, second, value(second, depth: depth))
    case .like(let text, let pattern, let escape):
      for operand in [text, pattern] {
        if let type = try value(operand, depth: depth), type != .text {
          throw wrongType(operand, type, operation: "LIKE", expected: "text")
        }
      }
      if case .literal(.text(let text)) = pattern, LikePattern(text, escape: escape) == nil {
        throw FilterError(.patternEndsInEscape(pattern.nameInMessages))
      }
    case .between(let operand, let lower, let upper):
      let type = try value(operand, depth: depth)
      try compare(operand, type, lower, value(lower, depth: depth))
      try compare(operand, type, upper, value(upper, depth: depth))
    case .isIn(let operand, let elements):
      let type = try value(operand, depth: depth)
      for element in elements { try compare(operand, type, element, value(element, depth: depth)) }
    case .isNull(let operand): _ = try value(operand, depth: depth)
    case .literal, .property, .arithmetic, .negative: throw FilterError(.notACondition(filter.nameInMessages))
    }
  }

  /// The type of a value; nil for NULL, which fits everywhere.
  private func value(_ value: Expression, depth: Int) throws(FilterError) -> AttributeType? {
    let depth = try deeper(depth)
    switch value {
    case .literal(let value): return value.type
    case .property(let name):
      guard let type = fields.fields[try fields.index(of: name)].type else {
        throw FilterError(.unusableField(Token.shortened(name)))
      }
      return type
    case .arithmetic(let operation, let first, let second):
      let firstType = try number(first, operation.rawValue, depth: depth)
      let secondType = try number(second, operation.rawValue, depth: depth)
      return firstType == .integer && secondType == .integer && operation != .divide ? .integer : .real
    case .negative(let operand): return try number(operand, "-", depth: depth)
    case .and, .or, .not, .comparison, .like, .between, .isIn, .isNull: throw FilterError(.notAValue)
    }
  }

  private func number(
    _ operand: Expression, _ operation: String, depth: Int
  ) throws(FilterError) -> AttributeType? {
    let type = try value(operand, depth: depth)
    guard type == nil || type == .integer || type == .real else {
      throw wrongType(operand, type ?? .text, operation: operation, expected: "numbers")
    }
    return type
  }

  private func deeper(_ depth: Int) throws(FilterError) -> Int {
    guard depth < FilterSyntaxError.treeDepthLimit else {
      throw FilterError(.nestingTooDeep(limit: FilterSyntaxError.treeDepthLimit))
    }
    return depth + 1
  }

  private func wrongType(
    _ operand: Expression, _ type: AttributeType, operation: String, expected: String
  ) -> FilterError {
    FilterError(.wrongType(operand.nameInMessages, type, operation: operation, expected: expected))
  }

  private func compare(
    _ first: Expression, _ firstType: AttributeType?, _ second: Expression, _ secondType: AttributeType?
  ) throws(FilterError) {
    guard let firstType, let secondType else { return }
    if firstType.compares(with: secondType) { return }
    if firstType == .boolean, second.isZeroOrOne { return }
    if secondType == .boolean, first.isZeroOrOne { return }
    let advice = Self.advice(second, for: firstType) ?? Self.advice(first, for: secondType)
    throw FilterError(
      .incomparable(first.nameInMessages, firstType, second.nameInMessages, secondType, advice: advice))
  }

  /// What to write in place of a literal so that it compares with a type.
  private static func advice(_ operand: Expression, for type: AttributeType) -> String? {
    guard case .literal(let value) = operand else { return nil }
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
    default: return nil
    }
  }
}

extension AttributeType {
  /// True when values of the two types have an order.
  fileprivate func compares(with other: AttributeType) -> Bool {
    switch self {
    case .integer, .real: other == .integer || other == .real
    case .date, .instant: other == .date || other == .instant
    case .text, .boolean: self == other
    }
  }
}

extension Expression {
  fileprivate var isZeroOrOne: Bool {
    self == .literal(.integer(0)) || self == .literal(.integer(1))
  }
}
