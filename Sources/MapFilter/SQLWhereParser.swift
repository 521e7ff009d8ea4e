/// Reads the where clause of ArcGIS services: what follows WHERE in a SELECT, as standardized queries allow it.
///
/// Read are comparisons, AND, OR, NOT, LIKE with ESCAPE, IN, BETWEEN, IS NULL, arithmetic, CASE, the functions of
/// ``FunctionCatalog``, numbers, text, DATE, TIMESTAMP and INTERVAL literals, and fields bare or in double quotes.
///
/// - Source: Esri, "Standardized SQL functions in the query operation"; SQL-92 for what it leaves open.
/// - Cost: linear in the length of the text; a chain of ANDs or ORs may be of any length.
public struct SQLWhereParser {
  private var tokenizer: Tokenizer
  /// The token not yet consumed.
  private(set) var token: Token
  /// How many parentheses, NOT, signs, calls and CASE are open.
  var nesting = 0
  /// Where each part of the tree begins, in the order in which they are made.
  var places = FilterPlaces()

  /// The condition that a where clause states; nil when it is empty or blank, which is no condition at all.
  ///
  /// Names and types are not looked at: that comes when the tree meets a schema.
  ///
  /// - Throws: ``FilterSyntaxError`` with the place where reading stopped.
  public static func parse(_ text: String) throws(FilterSyntaxError) -> Expression? {
    try read(text)?.expression
  }

  /// The condition with the places of its parts.
  static func read(_ text: String) throws(FilterSyntaxError) -> FilterText? {
    guard text.utf8.count <= FilterSyntaxError.lengthLimit else {
      throw FilterSyntaxError(
        .tooLong(limit: FilterSyntaxError.lengthLimit), at: FilterSyntaxError.lengthLimit)
    }
    var parser = try SQLWhereParser(text)
    if parser.token.kind == .end { return nil }
    let filter = try parser.disjunction()
    try parser.requireCondition(filter)
    guard parser.token.kind == .end else { throw parser.unexpected("AND, OR or the end of the text") }
    return FilterText(text: text, expression: filter.expression, places: parser.places)
  }

  private init(_ text: String) throws(FilterSyntaxError) {
    tokenizer = Tokenizer(text)
    token = try tokenizer.next()
  }

  /// A part already read: what SQL calls a search condition or a value expression.
  ///
  /// One grammar reads both, and the kind is checked where they are combined. So a parenthesis needs no look-ahead.
  struct Operand {
    var expression: Expression
    var isCondition: Bool
    /// Levels of the tree.
    var depth: Int
    /// Where its text begins.
    var offset: Int
  }

  // MARK: Conditions

  mutating func disjunction() throws(FilterSyntaxError) -> Operand {
    let first = try conjunction()
    guard isAt(.or) else { return first }
    var (terms, depth) = ([Expression](), 0)
    try append(first, to: &terms, &depth)
    while isAt(.or) {
      try advance()
      let next = try conjunction()
      try append(next, to: &terms, &depth)
    }
    return try part(.or(terms), isCondition: true, depth: depth + 1, at: first.offset)
  }

  private mutating func conjunction() throws(FilterSyntaxError) -> Operand {
    let first = try negation()
    guard isAt(.and) else { return first }
    var (terms, depth) = ([Expression](), 0)
    try append(first, to: &terms, &depth)
    while isAt(.and) {
      try advance()
      let next = try negation()
      try append(next, to: &terms, &depth)
    }
    return try part(.and(terms), isCondition: true, depth: depth + 1, at: first.offset)
  }

  private func append(
    _ operand: Operand, to terms: inout [Expression], _ depth: inout Int
  ) throws(FilterSyntaxError) {
    try requireCondition(operand)
    terms.append(operand.expression)
    depth = max(depth, operand.depth)
  }

  private mutating func negation() throws(FilterSyntaxError) -> Operand {
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

  private mutating func predicate() throws(FilterSyntaxError) -> Operand {
    let left = try sum()
    switch token.kind {
    case .comparison(let comparison):
      try requireValue(left)
      try advance()
      let right = try comparedValue()
      try rejectNull(left)
      return try condition(.comparison(comparison, left.expression, right.expression), [left, right])
    case .keyword(.isWord, _):
      try requireValue(left)
      try advance()
      let isNegated = try take(.not)
      guard try take(.null) else { throw unexpected(isNegated ? "NULL" : "NULL or NOT NULL") }
      return try negated(isNegated, condition(.isNull(left.expression), [left]))
    case .keyword(.not, _), .keyword(.like, _), .keyword(.between, _), .keyword(.isIn, _):
      try requireValue(left)
      try rejectNull(left)
      let isNegated = try take(.not)
      if try take(.like) { return try negated(isNegated, like(left)) }
      if try take(.between) { return try negated(isNegated, between(left)) }
      if try take(.isIn) { return try negated(isNegated, membership(left)) }
      throw unexpected("LIKE, BETWEEN or IN")
    default: return left
    }
  }

  private mutating func like(_ left: Operand) throws(FilterSyntaxError) -> Operand {
    let pattern = try comparedValue()
    var escape: Unicode.Scalar?
    if try take(.escape) {
      guard case .string(let text) = token.kind else { throw unexpected("one character in single quotes") }
      guard let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1 else {
        throw FilterSyntaxError(.invalidEscape(Token.shortened(text)), at: token.offset)
      }
      escape = scalar
      try advance()
    }
    if case .literal(.text(let text)) = pattern.expression, LikePattern(text, escape: escape) == nil {
      let isEscape = LikePattern.endsInEscape(text, escape: escape)
      throw FilterSyntaxError(
        isEscape ? .patternEndsInEscape : .patternTooLong(limit: LikePattern.wildcardLimit),
        at: pattern.offset)
    }
    return try condition(
      .like(left.expression, pattern: pattern.expression, escape: escape), [left, pattern])
  }

  private mutating func between(_ left: Operand) throws(FilterSyntaxError) -> Operand {
    let lower = try comparedValue()
    guard try take(.and) else { throw unexpected("AND and the upper bound of BETWEEN") }
    let upper = try comparedValue()
    // Beside literals, which are not null here, both kinds of bounds mean the same.
    let isLiteral =
      if case .literal = lower.expression, case .literal = upper.expression { true } else { false }
    return try condition(
      .between(
        left.expression, lower: lower.expression, upper: upper.expression,
        isLiteral ? .makeUnknown : .areSides),
      [left, lower, upper])
  }

  private mutating func membership(_ left: Operand) throws(FilterSyntaxError) -> Operand {
    guard token.kind == .leftParenthesis else { throw unexpected("'(' and a list") }
    try enter()
    var (elements, depth) = ([Expression](), left.depth)
    repeat {
      try advance()
      let element = try sum()
      try requireValue(element)
      elements.append(element.expression)
      depth = max(depth, element.depth)
    } while token.kind == .comma
    guard token.kind == .rightParenthesis else { throw unexpected("',' or ')'") }
    nesting -= 1
    try advance()
    return try part(.isIn(left.expression, elements), isCondition: true, depth: depth + 1, at: left.offset)
  }

  // MARK: Tokens and checks

  mutating func advance() throws(FilterSyntaxError) { token = try tokenizer.next() }

  func isAt(_ keyword: Keyword) -> Bool {
    if case .keyword(keyword, _) = token.kind { true } else { false }
  }

  /// The token behind the one not yet consumed; nil where none can be read.
  func peek() -> Token? {
    var tokenizer = tokenizer
    return try? tokenizer.next()
  }

  /// Consumes the keyword if it is next.
  mutating func take(_ keyword: Keyword) throws(FilterSyntaxError) -> Bool {
    guard isAt(keyword) else { return false }
    try advance()
    return true
  }

  mutating func enter() throws(FilterSyntaxError) {
    nesting += 1
    guard nesting <= FilterSyntaxError.nestingLimit else {
      throw FilterSyntaxError(.nestingTooDeep(limit: FilterSyntaxError.nestingLimit), at: token.offset)
    }
  }

  /// A part of the tree, just made from parts that were made before.
  mutating func part(
    _ expression: Expression, isCondition: Bool = false, depth: Int, at offset: Int
  ) throws(FilterSyntaxError) -> Operand {
    guard depth <= FilterSyntaxError.treeDepthLimit else {
      throw FilterSyntaxError(.nestingTooDeep(limit: FilterSyntaxError.treeDepthLimit), at: token.offset)
    }
    places.append(offset)
    return Operand(expression: expression, isCondition: isCondition, depth: depth, offset: offset)
  }

  private mutating func condition(
    _ expression: Expression, _ parts: [Operand]
  ) throws(FilterSyntaxError) -> Operand {
    let depth = parts.reduce(0) { max($0, $1.depth) } + 1
    return try part(expression, isCondition: true, depth: depth, at: parts.first?.offset ?? 0)
  }

  private mutating func negated(
    _ isNegated: Bool, _ operand: Operand
  ) throws(FilterSyntaxError) -> Operand {
    isNegated ? try condition(.not(operand.expression), [operand]) : operand
  }

  mutating func comparedValue() throws(FilterSyntaxError) -> Operand {
    let operand = try sum()
    try requireValue(operand)
    try rejectNull(operand)
    return operand
  }

  func rejectNull(_ operand: Operand) throws(FilterSyntaxError) {
    guard operand.expression == .literal(.null) else { return }
    throw FilterSyntaxError(.comparisonWithNull, at: operand.offset)
  }

  func requireValue(_ operand: Operand) throws(FilterSyntaxError) {
    guard operand.isCondition else { return }
    throw FilterSyntaxError(.conditionAsValue, at: operand.offset)
  }

  func requireCondition(_ operand: Operand) throws(FilterSyntaxError) {
    guard !operand.isCondition else { return }
    throw unexpected("a comparison (=, <>, <, >, <=, >=), LIKE, IN, BETWEEN or IS")
  }

  func unexpected(_ expected: String) -> FilterSyntaxError {
    FilterSyntaxError(.unexpected(found: token.description, expected: expected), at: token.offset)
  }
}
