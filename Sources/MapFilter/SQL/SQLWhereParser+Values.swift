// The values of a where clause: signs, literals and fields. Calls and CASE are in `SQLWhereParser+Calls.swift`.

extension SQLWhereParser {
  mutating func factor() throws(FilterSyntaxError) -> FilterOperand {
    let start = token.offset
    var (minuses, signs) = (0, 0)
    while case .arithmetic(let operation) = token.kind, operation == .subtract || operation == .add {
      try enter()
      signs += 1
      if operation == .subtract { minuses += 1 }
      try advance()
    }
    var operand: FilterOperand
    if minuses > 0, case .number(let text) = token.kind {
      // The sign is part of the number, since the least integer has no positive counterpart.
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

  private mutating func primary() throws(FilterSyntaxError) -> FilterOperand {
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

  /// Reads `DATE 'yyyy-mm-dd'` or `TIMESTAMP 'yyyy-mm-dd hh:mm:ss'`.
  private mutating func calendarLiteral(_ word: String) throws(FilterSyntaxError) -> FilterOperand {
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

  /// Returns the error for a keyword instead of a value.
  private func misplaced(_ keyword: Keyword, _ word: String) -> FilterSyntaxError {
    switch keyword {
    case .trueWord, .falseWord:
      unexpected("a value; a where clause writes 1 = 1 for true, and 1 or 0 beside a field")
    case .and, .or, .not, .like, .isIn, .between, .isWord, .escape: unexpected("a value")
    default: FilterSyntaxError(.reservedWord(word), at: token.offset)
    }
  }
}
