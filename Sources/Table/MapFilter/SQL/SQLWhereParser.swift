/// Reads the where clause of ArcGIS services: the condition after WHERE in a SELECT, as standardized queries allow it.
///
/// It reads comparisons, AND, OR, NOT, LIKE with ESCAPE, IN, BETWEEN, IS NULL, arithmetic, CASE and the functions of
/// ``FunctionCatalog``. Values are numbers, text, DATE, TIMESTAMP and INTERVAL literals, and field names with or
/// without double quotes.
///
/// - Source: Esri, "Standardized SQL functions in the query operation"; SQL-92 where that is silent.
/// - Cost: linear in the length of the text; a chain of ANDs or ORs may have any length.
package struct SQLWhereParser: FilterTextParser {
  var tokenizer: Tokenizer
  var token: Token
  var nesting = 0
  var places = FilterPlaces(.sqlWhere)

  /// Reads a where clause as a condition; nil when it is empty or blank, which is no condition at all.
  ///
  /// Names and types are checked later, when the tree meets a schema.
  ///
  /// - Throws: ``FilterSyntaxError`` with the offset at which reading stopped.
  package static func parse(_ text: String) throws(FilterSyntaxError) -> FilterExpression? {
    try read(text)?.expression
  }

  init(_ text: String) throws(FilterSyntaxError) {
    tokenizer = Tokenizer(text, .sqlWhere)
    token = try tokenizer.next()
  }

  // MARK: Forms of where clauses alone

  mutating func negation() throws(FilterSyntaxError) -> FilterOperand {
    let start = token.offset
    var count = 0
    while isAt(.not) {
      count += 1
      try enter()
      try advance()
    }
    var operand = try predicate()
    nesting -= count
    guard count > 0 else { return operand }
    try requireCondition(operand)
    for _ in 0..<count {
      operand = try part(.not(operand.expression), isCondition: true, depth: operand.depth + 1, at: start)
    }
    return operand
  }

  mutating func escape(of pattern: FilterOperand) throws(FilterSyntaxError) -> Unicode.Scalar? {
    guard try take(.escape) else { return nil }
    guard case .string(let text) = token.kind else { throw unexpected("one character in single quotes") }
    guard let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1 else {
      throw FilterSyntaxError(.invalidEscape(Token.shortened(text)), at: token.offset)
    }
    try advance()
    return scalar
  }

  func nullBounds(_ lower: FilterExpression, _ upper: FilterExpression) -> NullBounds {
    // With literal bounds, which are not null here, both rules give the same result.
    if case .literal = lower, case .literal = upper { return .makeUnknown }
    return .areSides
  }

  // MARK: Values: signs, literals and fields

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

  /// Returns whether the current token is a given word of a call's syntax that is not a keyword.
  func isAtWord(_ word: String) -> Bool {
    if case .name(let name) = token.kind {
      name.utf8.count == word.utf8.count && name.uppercased() == word
    } else {
      false
    }
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

  // MARK: CASE

  mutating func choice() throws(FilterSyntaxError) -> FilterOperand {
    let start = token.offset
    try enter()
    try advance()
    var depth = 0
    func deepen(_ operand: FilterOperand) -> FilterExpression {
      depth = max(depth, operand.depth)
      return operand.expression
    }
    var (operand, branches, otherwise): (FilterExpression?, [ChoiceBranch], FilterExpression?) = (
      nil, [], nil
    )
    if !isAt(.when) { operand = deepen(try comparedValue()) }
    while try take(.when) {
      let when: FilterExpression
      if operand == nil {
        let condition = try disjunction()
        try requireCondition(condition)
        when = deepen(condition)
      } else {
        when = deepen(try comparedValue())
      }
      guard try take(.then) else { throw unexpected("THEN") }
      let then = try sum()
      try requireValue(then)
      branches.append(ChoiceBranch(when: when, then: deepen(then)))
    }
    guard !branches.isEmpty else { throw unexpected("WHEN") }
    if try take(.elseWord) {
      let value = try sum()
      try requireValue(value)
      otherwise = deepen(value)
    }
    guard try take(.end) else { throw unexpected(otherwise == nil ? "WHEN, ELSE or END" : "END") }
    nesting -= 1
    return try part(.choice(of: operand, branches, otherwise: otherwise), depth: depth + 1, at: start)
  }
}
