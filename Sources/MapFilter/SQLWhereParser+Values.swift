// The values of a where clause: arithmetic, literals and fields.

extension SQLWhereParser {
  mutating func sum() throws(FilterSyntaxError) -> Operand {
    var left = try product()
    while case .arithmetic(let operation) = token.kind, operation == .add || operation == .subtract {
      try requireValue(left)
      try advance()
      left = try calculation(operation, left, product())
    }
    return left
  }

  private mutating func product() throws(FilterSyntaxError) -> Operand {
    var left = try signed()
    while case .arithmetic(let operation) = token.kind, operation == .multiply || operation == .divide {
      try requireValue(left)
      try advance()
      left = try calculation(operation, left, signed())
    }
    return left
  }

  private func calculation(
    _ operation: ArithmeticOperator, _ left: Operand, _ right: Operand
  ) throws(FilterSyntaxError) -> Operand {
    try requireValue(right)
    return try checked(
      Operand(
        expression: .arithmetic(operation, left.expression, right.expression), isCondition: false,
        depth: max(left.depth, right.depth) + 1, offset: left.offset))
  }

  private mutating func signed() throws(FilterSyntaxError) -> Operand {
    let start = token.offset
    var (minuses, signs) = (0, 0)
    while case .arithmetic(let operation) = token.kind, operation == .subtract || operation == .add {
      try enter()
      signs += 1
      if operation == .subtract { minuses += 1 }
      try advance()
    }
    var operand: Operand
    if minuses > 0, case .number(let text) = token.kind {
      // The sign belongs to the number: the least integer has no positive counterpart.
      operand = try literal(number("-" + text, at: start))
      minuses -= 1
    } else {
      operand = try primary()
    }
    nesting -= signs
    guard signs > 0 else { return operand }
    try requireValue(operand)
    for _ in 0..<minuses { operand.expression = .negative(operand.expression) }
    operand.depth += minuses
    operand.offset = start
    return try checked(operand)
  }

  private mutating func primary() throws(FilterSyntaxError) -> Operand {
    let start = token.offset
    switch token.kind {
    case .number(let text): return try literal(number(text, at: start))
    case .string(let text): return try literal(.text(text))
    case .keyword(.null, _): return try literal(.null)
    case .keyword(.date, let word): return try calendarLiteral(word)
    case .keyword(.timestamp, let word): return try calendarLiteral(word)
    case .name(let name):
      try advance()
      guard token.kind != .leftParenthesis else {
        throw FilterSyntaxError(.unknownFunction(Token.shortened(name)), at: start)
      }
      return Operand(expression: .property(name), isCondition: false, depth: 1, offset: start)
    case .quotedName(let name):
      try advance()
      return Operand(expression: .property(name), isCondition: false, depth: 1, offset: start)
    case .leftParenthesis:
      try enter()
      try advance()
      var inner = try disjunction()
      guard token.kind == .rightParenthesis else {
        throw unexpected(inner.isCondition ? "AND, OR or ')'" : "an operator or ')'")
      }
      nesting -= 1
      try advance()
      inner.offset = start
      return inner
    case .keyword(let keyword, let word): throw misplaced(keyword, word)
    default: throw unexpected("a value")
    }
  }

  /// Consumes the token as a literal.
  private mutating func literal(_ value: AttributeValue) throws(FilterSyntaxError) -> Operand {
    let operand = Operand(expression: .literal(value), isCondition: false, depth: 1, offset: token.offset)
    try advance()
    return operand
  }

  /// An integer where 64 bits hold it, else the nearest real.
  private func number(_ text: String, at offset: Int) throws(FilterSyntaxError) -> AttributeValue {
    if let integer = Int64(text) { return .integer(integer) }
    guard let real = Double(text), real.isFinite else {
      throw FilterSyntaxError(.invalidNumber(Token.shortened(text)), at: offset)
    }
    return .real(real)
  }

  /// `DATE 'yyyy-mm-dd'` or `TIMESTAMP 'yyyy-mm-dd hh:mm:ss'`.
  private mutating func calendarLiteral(_ word: String) throws(FilterSyntaxError) -> Operand {
    let start = token.offset
    let isDate = token.kind == .keyword(.date, word)
    try advance()
    guard case .string(let text) = token.kind else {
      if token.kind == .leftParenthesis {
        throw unexpected(
          "text in single quotes, as in \(isDate ? "DATE '2020-01-31'" : "TIMESTAMP '2020-01-31 12:00:00'")")
      }
      throw FilterSyntaxError(.reservedWord(word), at: start)
    }
    let value =
      isDate
      ? CalendarDate(iso8601: text).map(AttributeValue.date)
      : Instant(sqlTimestamp: text).map(AttributeValue.instant)
    guard let value else {
      let form = isDate ? "DATE 'yyyy-mm-dd'" : "TIMESTAMP 'yyyy-mm-dd hh:mm:ss'"
      throw FilterSyntaxError(
        .invalidDate(Token.shortened(text), expected: form), at: token.offset)
    }
    var operand = try literal(value)
    operand.offset = start
    return operand
  }

  /// What to say of a keyword where a value should stand.
  private func misplaced(_ keyword: Keyword, _ word: String) -> FilterSyntaxError {
    switch keyword {
    case .caseWord, .cast, .interval, .currentDate, .currentTime, .currentTimestamp:
      FilterSyntaxError(.unsupported(keyword.rawValue), at: token.offset)
    case .trueWord, .falseWord:
      unexpected("a value; a where clause writes 1 = 1 for true, and 1 or 0 beside a field")
    case .and, .or, .not, .like, .isIn, .between, .isWord, .escape: unexpected("a value")
    default: FilterSyntaxError(.reservedWord(word), at: token.offset)
    }
  }
}
