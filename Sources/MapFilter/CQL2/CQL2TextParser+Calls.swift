// The calls of CQL2 text: predicates on geometries, times and arrays; functions, dates and time intervals.

extension CQL2TextParser {
  /// Reads a name that is followed by a parenthesis: a geometry, a predicate, an interval or a function call.
  mutating func call(_ name: String) throws(FilterSyntaxError) -> FilterOperand {
    let start = token.offset
    let word = name.utf8.count <= 32 ? name.uppercased() : ""
    if CQL2Words.geometries.contains(word) { return try geometry(word) }
    try enter()
    try advance()
    try advance()
    if let predicate = CQL2Words.spatial[word] {
      let sides = try pair { parser throws(FilterSyntaxError) in try parser.value() }
      return try condition(
        .spatial(predicate, sides.0.expression, sides.1.expression), [sides.0, sides.1], at: start)
    }
    if let predicate = CQL2Words.temporal[word] {
      let sides = try pair { parser throws(FilterSyntaxError) in try parser.moment() }
      return try condition(
        .temporal(predicate, sides.0.expression, sides.1.expression), [sides.0, sides.1], at: start)
    }
    if let predicate = CQL2Words.arrays[word] {
      let sides = try pair { parser throws(FilterSyntaxError) in try parser.arrayOperand() }
      return try condition(
        .arrays(predicate, sides.0.expression, sides.1.expression), [sides.0, sides.1], at: start)
    }
    if word == "INTERVAL" { return try interval(at: start) }
    guard !CQL2Words.isReserved(word) || ["CASEI", "ACCENTI"].contains(word) else {
      throw FilterSyntaxError(.reservedWord(name), at: start)
    }
    return try function(CQL2Words.functionName(name), at: start)
  }

  /// Reads two operands and the closing parenthesis after them.
  private mutating func pair(
    _ operand: (inout CQL2TextParser) throws(FilterSyntaxError) -> FilterOperand
  ) throws(FilterSyntaxError) -> (FilterOperand, FilterOperand) {
    let first = try operand(&self)
    guard token.kind == .comma else { throw unexpected("',' and the second of two operands") }
    try advance()
    let second = try operand(&self)
    try close()
    return (first, second)
  }

  /// Consumes the parenthesis that ends a call.
  private mutating func close() throws(FilterSyntaxError) {
    guard token.kind == .rightParenthesis else { throw unexpected("')'") }
    nesting -= 1
    try advance()
  }

  private mutating func function(_ name: String, at start: Int) throws(FilterSyntaxError) -> FilterOperand {
    var arguments: [FilterOperand] = []
    if token.kind != .rightParenthesis {
      arguments.append(try value())
      while token.kind == .comma {
        try advance()
        arguments.append(try value())
      }
    }
    guard token.kind == .rightParenthesis else { throw unexpected("',' or ')'") }
    try close()
    return try part(
      .call(name, arguments.map(\.expression)), isCondition: true, isValue: true,
      depth: arguments.reduce(0) { max($0, $1.depth) } + 1, at: start)
  }

  // MARK: Times

  /// Reads `DATE('…')` or `TIMESTAMP('…')`.
  mutating func calendarLiteral(_ word: String) throws(FilterSyntaxError) -> FilterOperand {
    let start = token.offset
    let isDate = isAt(.date)
    guard peek()?.kind == .leftParenthesis else { throw FilterSyntaxError(.reservedWord(word), at: start) }
    try advance()
    try advance()
    let form = isDate ? CQL2Words.dateForm : CQL2Words.timestampForm
    guard case .string(let text) = token.kind else {
      throw unexpected("text in single quotes, as in \(form)")
    }
    let value =
      isDate
      ? CalendarDate(iso8601: text).map(AttributeValue.date) : Instant(cql2: text).map(AttributeValue.instant)
    guard let value else {
      throw FilterSyntaxError(.invalidDate(Token.shortened(text), expected: form), at: token.offset)
    }
    try advance()
    guard token.kind == .rightParenthesis else { throw unexpected("')'") }
    return try literal(value, at: start)
  }

  /// Reads an operand of a temporal predicate; text in quotes is a date or an instant.
  private mutating func moment() throws(FilterSyntaxError) -> FilterOperand {
    guard case .string(let text) = token.kind else { return try value() }
    return try literal(moment(text), at: token.offset)
  }

  private func moment(_ text: String) throws(FilterSyntaxError) -> AttributeValue {
    guard let value = AttributeValue(cql2Moment: text) else {
      throw FilterSyntaxError(
        .invalidDate(Token.shortened(text), expected: "'yyyy-mm-dd' or 'yyyy-mm-ddThh:mm:ssZ'"),
        at: token.offset)
    }
    return value
  }

  private mutating func interval(at start: Int) throws(FilterSyntaxError) -> FilterOperand {
    let first = try end()
    guard token.kind == .comma else { throw unexpected("',' and the end of the interval") }
    try advance()
    let second = try end()
    try close()
    let depth = max(first?.depth ?? 0, second?.depth ?? 0) + 1
    return try part(.interval(start: first?.expression, end: second?.expression), depth: depth, at: start)
  }

  /// Reads one end of a time interval; nil for an open end.
  private mutating func end() throws(FilterSyntaxError) -> FilterOperand? {
    switch token.kind {
    case .string(CQL2Words.openEnd):
      try advance()
      return nil
    case .string(let text): return try literal(moment(text), at: token.offset)
    case .name, .quotedName: return try value()
    default: throw unexpected("a date or time in single quotes, '..', a field or a function")
    }
  }
}
