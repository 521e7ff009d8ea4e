/// Reads a filter in the text encoding of CQL2.
///
/// It reads all conformance classes: comparisons, LIKE, BETWEEN, IN, CASEI, ACCENTI, spatial, temporal and array
/// predicates, functions and arithmetic, on either side. It also reads three forms beyond the grammar: `-(a + b)`,
/// BETWEEN with dates or text, and quoted text as a date or an instant.
///
/// - Source: OGC 21-065 (CQL2 1.0), annex B.
/// - Cost: linear in the length of the text; a chain of ANDs or ORs may have any length.
public struct CQL2TextParser: FilterTextParser {
  static let language = FilterLanguage.cql2Text

  var tokenizer: Tokenizer
  var token: Token
  var nesting = 0
  var places = FilterPlaces()

  /// Reads a text as a condition; nil when the text is blank, which is no condition at all.
  ///
  /// Names, functions and types are checked later, when the tree meets a schema.
  ///
  /// - Throws: ``FilterSyntaxError`` with the offset at which reading stopped.
  public static func parse(_ text: String) throws(FilterSyntaxError) -> Expression? {
    try read(text)?.expression
  }

  init(_ text: String) throws(FilterSyntaxError) {
    tokenizer = Tokenizer(text, .cql2)
    token = try tokenizer.next()
  }

  // MARK: Forms of CQL2 alone

  mutating func negation() throws(FilterSyntaxError) -> FilterOperand {
    let start = token.offset
    guard isAt(.not) else { return try predicate() }
    try enter()
    try advance()
    let operand = try predicate()
    nesting -= 1
    try requireCondition(operand)
    return try condition(.not(operand.expression), [operand], at: start)
  }

  func escape(of pattern: FilterOperand) throws(FilterSyntaxError) -> Unicode.Scalar? {
    guard pattern.expression.patternText != nil else {
      throw FilterSyntaxError(
        .invalidForm(found: pattern.expression.nameInMessages, expected: "a pattern in single quotes"),
        at: pattern.offset)
    }
    return "\\"
  }

  func nullBounds(_ lower: Expression, _ upper: Expression) -> NullBounds { .makeUnknown }

  /// Reads `a ^ b`, which cannot be chained: readers disagree on which `^` comes first.
  mutating func factor() throws(FilterSyntaxError) -> FilterOperand {
    let base = try signed()
    guard token.kind == .arithmetic(.power) else { return base }
    try requireValue(base)
    try advance()
    let power = try calculation(.power, base, signed())
    guard token.kind != .arithmetic(.power) else {
      throw unexpected("another operator; write parentheses around one of several ^")
    }
    return power
  }

  /// Reads a sign, which binds tighter than `^`: `-2^2` is 4.
  private mutating func signed() throws(FilterSyntaxError) -> FilterOperand {
    let start = token.offset
    guard case .arithmetic(let sign) = token.kind, sign == .subtract || sign == .add else {
      return try primary()
    }
    try advance()
    if case .number(let text) = token.kind {
      return try literal(number(sign == .subtract ? "-" + text : text, at: start), at: start)
    }
    guard sign == .subtract else { throw unexpected("a number") }
    switch token.kind {
    case .name, .quotedName, .leftParenthesis: break
    default: throw unexpected("a number, a field, a function or '('")
    }
    // The JSON encoding has no sign, so a minus is a multiplication by -1 there too.
    let minusOne = try part(.literal(.integer(-1)), depth: 1, at: start)
    try enter()
    let operand = try primary()
    nesting -= 1
    return try calculation(.multiply, minusOne, operand)
  }

  private mutating func primary() throws(FilterSyntaxError) -> FilterOperand {
    let start = token.offset
    switch token.kind {
    case .number(let text): return try literal(number(text, at: start), at: start)
    case .string(let text): return try literal(.text(text), at: start)
    case .keyword(.trueWord, _), .keyword(.falseWord, _):
      let value = isAt(.trueWord)
      try advance()
      return try part(
        .literal(.boolean(value)), isCondition: true, isValue: true, depth: 1, at: start)
    case .keyword(.date, let word), .keyword(.timestamp, let word): return try calendarLiteral(word)
    case .name(let name):
      let next = peek()?.kind
      if next == .leftParenthesis { return try call(name) }
      let word = name.utf8.count <= 32 ? name.uppercased() : ""
      if CQL2Words.geometries.contains(word), word != "BBOX", next == .name("Z") || next == .name("z") {
        return try geometry(word)
      }
      guard !CQL2Words.isReserved(word) else { throw FilterSyntaxError(.reservedWord(name), at: start) }
      try advance()
      return try part(.property(name), depth: 1, at: start)
    case .quotedName(let name):
      try advance()
      return try part(.property(name), depth: 1, at: start)
    case .leftParenthesis: return try parenthesis()
    case .keyword(.null, _):
      throw FilterSyntaxError(.comparisonWithNull, at: start)
    default: throw unexpected("a value")
    }
  }

  /// Reads a condition or value in parentheses; an array when there is a comma or no content.
  private mutating func parenthesis() throws(FilterSyntaxError) -> FilterOperand {
    let start = token.offset
    try enter()
    try advance()
    if token.kind == .rightParenthesis { return try endArray([], at: start) }
    var inner = try disjunction()
    if token.kind == .comma {
      try requireValue(inner)
      return try array([asElement(inner)], at: start)
    }
    guard token.kind == .rightParenthesis else {
      throw unexpected(inner.isValue ? "an operator, ',' or ')'" : "AND, OR or ')'")
    }
    nesting -= 1
    try advance()
    // An array in parentheses is an array of one array.
    if case .array = inner.expression { return try arrayOf(inner, at: start) }
    (inner.offset, inner.parentheses) = (start, inner.parentheses + 1)
    return inner
  }

  // MARK: Arrays

  /// Reads an operand that can only be an array, so a single element in parentheses is an array too.
  mutating func arrayOperand() throws(FilterSyntaxError) -> FilterOperand {
    guard token.kind == .leftParenthesis else { return try value() }
    let start = token.offset
    try enter()
    try advance()
    if token.kind == .rightParenthesis { return try endArray([], at: start) }
    let first = try value()
    return try array([asElement(first)], at: start)
  }

  /// Returns an element of an array: its parentheses make it an array of one element.
  private mutating func asElement(_ operand: FilterOperand) throws(FilterSyntaxError) -> FilterOperand {
    var element = operand
    for _ in 0..<operand.parentheses { element = try arrayOf(element, at: operand.offset) }
    return element
  }

  private mutating func arrayOf(
    _ operand: FilterOperand, at start: Int
  ) throws(FilterSyntaxError) -> FilterOperand {
    try part(.array([operand.expression]), depth: operand.depth + 1, at: start)
  }

  private mutating func array(
    _ first: [FilterOperand], at start: Int
  ) throws(FilterSyntaxError) -> FilterOperand {
    var elements = first
    while token.kind == .comma {
      try advance()
      elements.append(try asElement(value()))
    }
    return try endArray(elements, at: start)
  }

  private mutating func endArray(
    _ elements: [FilterOperand], at start: Int
  ) throws(FilterSyntaxError) -> FilterOperand {
    guard token.kind == .rightParenthesis else { throw unexpected("',' or ')'") }
    nesting -= 1
    try advance()
    return try part(
      .array(elements.map(\.expression)), depth: elements.reduce(0) { max($0, $1.depth) } + 1, at: start)
  }

  mutating func value() throws(FilterSyntaxError) -> FilterOperand {
    let operand = try sum()
    try requireValue(operand)
    return operand
  }
}
