// The values of a where clause: arithmetic, literals and fields. Calls and CASE: `SQLWhereParser+Calls.swift`.

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

  private mutating func calculation(
    _ operation: ArithmeticOperator, _ left: Operand, _ right: Operand
  ) throws(FilterSyntaxError) -> Operand {
    try requireValue(right)
    return try part(
      .arithmetic(operation, left.expression, right.expression), depth: max(left.depth, right.depth) + 1,
      at: left.offset)
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
      operand = try literal(number("-" + text, at: start), at: start)
      minuses -= 1
    } else {
      operand = try primary()
    }
    nesting -= signs
    guard signs > 0 else { return operand }
    try requireValue(operand)
    for _ in 0..<minuses {
      operand = try part(.negative(operand.expression), depth: operand.depth + 1, at: start)
    }
    return operand
  }

  private mutating func primary() throws(FilterSyntaxError) -> Operand {
    let start = token.offset
    switch token.kind {
    case .number(let text): return try literal(number(text, at: start), at: start)
    case .string(let text): return try literal(.text(text), at: start)
    case .keyword(.null, _): return try literal(.null, at: start)
    case .keyword(.date, let word): return try calendarLiteral(word)
    case .keyword(.timestamp, let word): return try calendarLiteral(word)
    case .keyword(.interval, let word): return try interval(word)
    case .keyword(.caseWord, _): return try choice()
    case .keyword(.cast, let word): return try call(word)
    case .keyword(.currentDate, let word), .keyword(.currentTime, let word),
      .keyword(.currentTimestamp, let word):
      return try currentTime(word)
    case .name(let name):
      if peek()?.kind == .leftParenthesis { return try call(name) }
      try advance()
      return try part(.property(name), depth: 1, at: start)
    case .quotedName(let name):
      try advance()
      return try part(.property(name), depth: 1, at: start)
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

  /// Consumes the token as the last of a literal that begins at `start`.
  mutating func literal(_ value: AttributeValue, at start: Int) throws(FilterSyntaxError) -> Operand {
    try advance()
    return try part(.literal(value), depth: 1, at: start)
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
    return try literal(value, at: start)
  }

  /// What to say of a keyword where a value should stand.
  private func misplaced(_ keyword: Keyword, _ word: String) -> FilterSyntaxError {
    switch keyword {
    case .trueWord, .falseWord:
      unexpected("a value; a where clause writes 1 = 1 for true, and 1 or 0 beside a field")
    case .and, .or, .not, .like, .isIn, .between, .isWord, .escape: unexpected("a value")
    default: FilterSyntaxError(.reservedWord(word), at: token.offset)
    }
  }
}
