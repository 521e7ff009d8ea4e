import MapJSON

/// Dates, timestamps and intervals in where clauses.
extension SQLWhereParser {
  /// Reads `DATE 'yyyy-mm-dd'` or `TIMESTAMP 'yyyy-mm-dd hh:mm:ss'`, in all forms of ``CalendarLiteral``.
  ///
  /// A date with a time is a timestamp, as file geodatabases write it. A timestamp without a time is the start of its day.
  mutating func calendarLiteral(_ word: String) throws(FilterSyntaxError) -> FilterOperand {
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
    guard let found = CalendarLiteral(text) else {
      let form = CalendarLiteral.form(of: text, hasTime: !isDate)
      throw FilterSyntaxError(
        .invalidDate(Token.shortened(text), expected: "\(isDate ? "DATE" : "TIMESTAMP") '\(form)'"),
        at: token.offset)
    }
    return try literal(isDate ? found.value : .instant(found.start), at: start)
  }

  /// Reads `CURRENT_DATE` and similar functions, with or without `()`.
  mutating func currentTime(_ word: String) throws(FilterSyntaxError) -> FilterOperand {
    let start = token.offset
    try advance()
    if token.kind == .leftParenthesis {
      try advance()
      guard token.kind == .rightParenthesis else { throw unexpected("')'") }
      try advance()
    }
    return try part(.call(word.uppercased(), []), depth: 1, at: start)
  }

  func unit(of part: String) throws(FilterSyntaxError) -> CalendarUnit {
    guard case .name(let word) = token.kind else {
      throw unexpected("YEAR, MONTH, DAY, HOUR, MINUTE or SECOND")
    }
    guard word.utf8.count <= 16, let unit = CalendarUnit(rawValue: word.uppercased()) else {
      throw FilterSyntaxError(
        .unknownWord(
          Token.shortened(word), of: part, expected: "YEAR, MONTH, DAY, HOUR, MINUTE or SECOND",
          nearest: NearestName.of(word, among: CalendarUnit.allCases.map(\.rawValue))), at: token.offset)
    }
    return unit
  }

  /// Reads `INTERVAL '7' DAY` or `INTERVAL '1 12:00:00' DAY TO SECOND`, with a sign before the text or inside it.
  mutating func interval(_ word: String) throws(FilterSyntaxError) -> FilterOperand {
    let start = token.offset
    try advance()
    var sign = ""
    if case .arithmetic(let operation) = token.kind, operation == .subtract || operation == .add,
      case .string? = peek()?.kind
    {
      sign = operation.rawValue
      try advance()
    }
    guard case .string(let text) = token.kind else {
      guard case .number = token.kind else { throw FilterSyntaxError(.reservedWord(word), at: start) }
      throw unexpected("text in single quotes, as in INTERVAL '7' DAY")
    }
    let textOffset = token.offset
    try advance()
    let first = try unit(of: "INTERVAL")
    try advance()
    // SQL allows a number of digits after the unit; it is ignored here, since all digits are kept.
    if token.kind == .leftParenthesis {
      try advance()
      guard case .number = token.kind else { throw unexpected("a number of digits") }
      try advance()
      guard token.kind == .rightParenthesis else { throw unexpected("')'") }
      try advance()
    }
    var last = first
    let lastOffset = token.offset
    if isAtWord("TO") {
      try advance()
      last = try unit(of: "INTERVAL")
      try advance()
    }
    guard let units = CalendarInterval.units(first, to: last) else {
      throw FilterSyntaxError(
        .unsupported("an interval from \(first.rawValue) to \(last.rawValue)"), at: lastOffset)
    }
    let (unsigned, ownSign) = text.hasPrefix("-") ? (String(text.dropFirst()), "-") : (text, "")
    let isNegative = (sign == "-") != (ownSign == "-")
    guard !unsigned.hasPrefix("-"), ownSign.isEmpty || !unsigned.hasPrefix("+"),
      let value = CalendarInterval((isNegative ? "-" : "") + unsigned, units: units)
    else {
      throw FilterSyntaxError(
        .invalidInterval(Token.shortened(text), expected: CalendarInterval.form(units)), at: textOffset)
    }
    return try part(.literal(.duration(value)), depth: 1, at: start)
  }
}
