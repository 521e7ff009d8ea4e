import MapJSON

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

  /// Reads `DATE 'yyyy-mm-dd'` or `TIMESTAMP 'yyyy-mm-dd hh:mm:ss'`, in all forms of ``CalendarLiteral``.
  ///
  /// A date with a time is a timestamp, as file geodatabases write it. A timestamp without a time is the start of its day.
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
    guard let found = CalendarLiteral(text) else {
      let form = isDate ? "DATE 'yyyy-mm-dd'" : "TIMESTAMP 'yyyy-mm-dd hh:mm:ss'"
      throw FilterSyntaxError(
        .invalidDate(Token.shortened(text), expected: form), at: token.offset)
    }
    return try literal(isDate ? found.value : .instant(found.start), at: start)
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

  // MARK: Calls, CASE and intervals

  /// Reads a call; the current token is its name or keyword.
  mutating func call(_ name: String) throws(FilterSyntaxError) -> FilterOperand {
    let start = token.offset
    try advance()
    guard token.kind == .leftParenthesis else { throw FilterSyntaxError(.reservedWord(name), at: start) }
    guard let function = FunctionCatalog.function(named: name), function.syntax != .absent else {
      let isAggregate = FunctionCatalog.aggregates.contains(name.prefix(16).uppercased())
      throw FilterSyntaxError(
        isAggregate
          ? .unsupported("the aggregate function \(Token.shortened(name))")
          : .unknownFunction(
            Token.shortened(name), nearest: FunctionCatalog.nearestName(to: name, inWhereClauses: true)),
        at: start
      )
    }
    try enter()
    try advance()
    var arguments: [FilterOperand] = []
    switch function.syntax {
    case .list, .word, .choice, .absent: try list(into: &arguments)
    case .extract: try extraction(into: &arguments)
    case .trim: try trimming(into: &arguments)
    case .position: try position(into: &arguments)
    case .substring: try substring(into: &arguments)
    case .cast: try cast(into: &arguments)
    }
    guard token.kind == .rightParenthesis else {
      throw unexpected(function.syntax == .list ? "',' or ')'" : "')', as in \(function.form)")
    }
    guard function.argumentCount.contains(arguments.count) else {
      throw FilterSyntaxError(
        .argumentCount(function: function.name, expected: function.argumentCount, found: arguments.count),
        at: start)
    }
    nesting -= 1
    try advance()
    return try part(
      .call(function.name, arguments.map(\.expression)),
      depth: arguments.reduce(0) { max($0, $1.depth) } + 1, at: start)
  }

  private mutating func value(into arguments: inout [FilterOperand]) throws(FilterSyntaxError) {
    let operand = try sum()
    try requireValue(operand)
    arguments.append(operand)
  }

  private mutating func list(into arguments: inout [FilterOperand]) throws(FilterSyntaxError) {
    if token.kind == .rightParenthesis { return }
    try value(into: &arguments)
    while token.kind == .comma {
      try advance()
      try value(into: &arguments)
    }
  }

  /// Returns whether the current token is a given word of a call's syntax that is not a keyword.
  private func isAtWord(_ word: String) -> Bool {
    if case .name(let name) = token.kind {
      name.utf8.count == word.utf8.count && name.uppercased() == word
    } else {
      false
    }
  }

  // MARK: Calls with special syntax

  private mutating func extraction(into arguments: inout [FilterOperand]) throws(FilterSyntaxError) {
    let unit = try unit(of: "EXTRACT")
    arguments.append(try literal(.text(unit.rawValue), at: token.offset))
    guard try take(.from) else { throw unexpected("FROM") }
    // EXTRACT of CURRENT_TIME, which is text, reads the hour, minute and second of CURRENT_TIMESTAMP instead.
    let isTimeOfDay = isAt(.currentTime) && [.hour, .minute, .second].contains(unit)
    try value(into: &arguments)
    if isTimeOfDay, arguments[1].expression == .call("CURRENT_TIME", []) {
      arguments[1].expression = .call("CURRENT_TIMESTAMP", [])
    }
  }

  private mutating func trimming(into arguments: inout [FilterOperand]) throws(FilterSyntaxError) {
    let start = token.offset
    let firstPart = places.count
    if let side = trimmedSide() {
      arguments.append(try literal(.text(side), at: start))
      if isAt(.from) {
        arguments.append(try part(.literal(.text(" ")), depth: 1, at: token.offset))
      } else {
        try value(into: &arguments)
      }
      guard try take(.from) else { throw unexpected("FROM") }
      return try value(into: &arguments)
    }
    if try take(.from) { return try value(into: &arguments) }
    try value(into: &arguments)
    guard try take(.from) else { return }
    places.insert(start, at: firstPart)
    arguments.insert(
      FilterOperand(
        expression: .literal(.text("BOTH")), isCondition: false, isValue: true, depth: 1, offset: start),
      at: 0)
    try value(into: &arguments)
  }

  /// Returns the side in TRIM; nil where the word is a field, such as in `TRIM(leading)`.
  private func trimmedSide() -> String? {
    for side in ["BOTH", "LEADING", "TRAILING"] where isAtWord(side) {
      switch peek()?.kind {
      case .keyword(.from, _), .name, .quotedName, .string, .leftParenthesis, .keyword(.caseWord, _),
        .keyword(.cast, _):
        return side
      default: return nil
      }
    }
    return nil
  }

  private mutating func position(into arguments: inout [FilterOperand]) throws(FilterSyntaxError) {
    try value(into: &arguments)
    guard try take(.isIn) else { throw unexpected("IN") }
    try value(into: &arguments)
  }

  private mutating func substring(into arguments: inout [FilterOperand]) throws(FilterSyntaxError) {
    try value(into: &arguments)
    guard try take(.from) else {
      guard token.kind == .comma else { throw unexpected("FROM or ','") }
      try advance()
      return try list(into: &arguments)
    }
    try value(into: &arguments)
    if isAtWord("FOR") {
      try advance()
      try value(into: &arguments)
    }
  }

  private mutating func cast(into arguments: inout [FilterOperand]) throws(FilterSyntaxError) {
    try value(into: &arguments)
    guard isAtWord("AS") else { throw unexpected("AS") }
    try advance()
    let start = token.offset
    let expected = "INT, FLOAT, VARCHAR(n), DATE or TIMESTAMP"
    var name: String
    switch token.kind {
    case .name(let word), .keyword(.date, let word), .keyword(.timestamp, let word): name = word
    default: throw unexpected(expected)
    }
    try advance()
    if name.utf8.count == 6, name.uppercased() == "DOUBLE", isAtWord("PRECISION") {
      name = "DOUBLE PRECISION"
      try advance()
    }
    var length: Int?
    if token.kind == .leftParenthesis {
      try advance()
      guard case .number(let digits) = token.kind, let number = Int(digits) else {
        throw unexpected("a number of characters")
      }
      length = number
      try advance()
      guard token.kind == .rightParenthesis else { throw unexpected("')'") }
      try advance()
    }
    guard let type = CastType(name: name, length: length) else {
      throw FilterSyntaxError(
        .unknownWord(
          Token.shortened(name) + (length.map { "(\($0))" } ?? ""), of: "CAST", expected: expected,
          nearest: length == nil ? NearestName.of(name, among: CastType.names.keys.sorted()) : nil), at: start
      )
    }
    arguments.append(try part(.literal(.text(type.description)), depth: 1, at: start))
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

  // MARK: Units and intervals

  private func unit(of part: String) throws(FilterSyntaxError) -> CalendarUnit {
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
