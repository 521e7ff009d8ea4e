/// The common parts of the text parsers: conditions, sums and products, tokens, depths and positions.
///
/// Each parser adds the factors of a product and its own forms of NOT, LIKE and BETWEEN.
protocol FilterTextParser {
  /// Creates a parser at the first token of a text.
  init(_ text: String) throws(FilterSyntaxError)

  var tokenizer: Tokenizer { get set }
  /// The current token, not yet consumed.
  var token: Token { get set }
  /// The number of open parentheses, NOT, signs, calls and CASE.
  var nesting: Int { get set }
  /// The offset of each part of the tree, in the order in which the parts are made.
  var places: FilterPlaces { get set }

  /// Reads an operand of AND.
  mutating func negation() throws(FilterSyntaxError) -> FilterOperand
  /// Reads an operand of `*`, `/` and operators of the same precedence.
  mutating func factor() throws(FilterSyntaxError) -> FilterOperand
  /// Reads the escape character of a pattern that was just read; it may refuse the pattern.
  mutating func escape(of pattern: FilterOperand) throws(FilterSyntaxError) -> Unicode.Scalar?
  /// Returns the rule for null bounds of BETWEEN.
  func nullBounds(_ lower: FilterExpression, _ upper: FilterExpression) -> NullBounds
}

/// A part of a filter text that has been read: a search condition or a value expression of SQL.
///
/// One grammar reads both, and the kind is checked when parts are combined. Therefore a parenthesis needs no
/// look-ahead.
struct FilterOperand {
  var expression: FilterExpression
  /// Whether the part is valid as a condition.
  var isCondition: Bool
  /// Whether the part is valid as a value; some parts are both, such as TRUE in CQL2.
  var isValue: Bool
  /// The depth of the tree.
  var depth: Int
  /// The offset of the part's text.
  var offset: Int
  /// The number of parentheses around the whole part.
  var parentheses = 0
}

extension FilterTextParser {
  /// Reads a text as a condition with the positions of its parts; nil when it is blank.
  static func read(
    _ text: String
  ) throws(FilterSyntaxError) -> (expression: FilterExpression, places: FilterPlaces)? {
    ParsedTexts.record(text)
    try checkLength(text)
    var parser = try Self(text)
    if parser.token.kind == .end { return nil }
    let filter = try parser.disjunction()
    try parser.requireCondition(filter)
    guard parser.token.kind == .end else { throw parser.unexpected("AND, OR or the end of the text") }
    return (filter.expression, parser.places)
  }

  mutating func disjunction() throws(FilterSyntaxError) -> FilterOperand {
    let first = try conjunction()
    guard isAt(.or) else { return first }
    var (terms, depth) = ([FilterExpression](), 0)
    try append(first, to: &terms, &depth)
    while isAt(.or) {
      try advance()
      let next = try conjunction()
      try append(next, to: &terms, &depth)
    }
    return try part(.or(terms), isCondition: true, depth: depth + 1, at: first.offset)
  }

  mutating func conjunction() throws(FilterSyntaxError) -> FilterOperand {
    let first = try negation()
    guard isAt(.and) else { return first }
    var (terms, depth) = ([FilterExpression](), 0)
    try append(first, to: &terms, &depth)
    while isAt(.and) {
      try advance()
      let next = try negation()
      try append(next, to: &terms, &depth)
    }
    return try part(.and(terms), isCondition: true, depth: depth + 1, at: first.offset)
  }

  private func append(
    _ operand: FilterOperand, to terms: inout [FilterExpression], _ depth: inout Int
  ) throws(FilterSyntaxError) {
    try requireCondition(operand)
    terms.append(operand.expression)
    depth = max(depth, operand.depth)
  }

  mutating func predicate() throws(FilterSyntaxError) -> FilterOperand {
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

  private mutating func like(_ left: FilterOperand) throws(FilterSyntaxError) -> FilterOperand {
    let pattern = try comparedValue()
    let escape = try escape(of: pattern)
    if let text = pattern.expression.patternText, LikePattern(text, escape: escape) == nil {
      let isEscape = LikePattern.endsInEscape(text, escape: escape)
      throw FilterSyntaxError(
        isEscape ? .patternEndsInEscape : .patternTooLong(limit: LikePattern.wildcardLimit),
        at: pattern.offset)
    }
    return try condition(
      .like(left.expression, pattern: pattern.expression, escape: escape), [left, pattern])
  }

  private mutating func between(_ left: FilterOperand) throws(FilterSyntaxError) -> FilterOperand {
    let lower = try comparedValue()
    guard try take(.and) else { throw unexpected("AND and the upper bound of BETWEEN") }
    let upper = try comparedValue()
    return try condition(
      .between(
        left.expression, lower: lower.expression, upper: upper.expression,
        nullBounds(lower.expression, upper.expression)),
      [left, lower, upper])
  }

  private mutating func membership(_ left: FilterOperand) throws(FilterSyntaxError) -> FilterOperand {
    guard token.kind == .leftParenthesis else { throw unexpected("'(' and a list") }
    try enter()
    var (elements, depth) = ([FilterExpression](), left.depth)
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

  // MARK: Arithmetic

  mutating func sum() throws(FilterSyntaxError) -> FilterOperand {
    var left = try product()
    while case .arithmetic(let operation) = token.kind, operation.isAdditive {
      try requireValue(left)
      try advance()
      left = try calculation(operation, left, product())
    }
    return left
  }

  mutating func product() throws(FilterSyntaxError) -> FilterOperand {
    var left = try factor()
    while case .arithmetic(let operation) = token.kind, !operation.isAdditive, operation != .power {
      try requireValue(left)
      try advance()
      left = try calculation(operation, left, factor())
    }
    return left
  }

  mutating func calculation(
    _ operation: ArithmeticOperator, _ left: FilterOperand, _ right: FilterOperand
  ) throws(FilterSyntaxError) -> FilterOperand {
    try requireValue(right)
    return try part(
      .arithmetic(operation, left.expression, right.expression), depth: max(left.depth, right.depth) + 1,
      at: left.offset)
  }

  // MARK: Tokens, parts of the tree with their positions, and checks of kind

  mutating func advance() throws(FilterSyntaxError) { token = try tokenizer.next() }

  func isAt(_ keyword: Keyword) -> Bool {
    if case .keyword(keyword, _) = token.kind { true } else { false }
  }

  /// Returns the token after the current one; nil when it cannot be read.
  func peek() -> Token? {
    var tokenizer = tokenizer
    return try? tokenizer.next()
  }

  /// Consumes the keyword if it is the current token, and returns whether it was.
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

  /// Records a part of the tree after its own parts; it is a value unless `isCondition` says otherwise.
  mutating func part(
    _ expression: FilterExpression, isCondition: Bool = false, isValue: Bool? = nil, depth: Int,
    at offset: Int
  ) throws(FilterSyntaxError) -> FilterOperand {
    guard depth <= FilterSyntaxError.treeDepthLimit else {
      throw FilterSyntaxError(.nestingTooDeep(limit: FilterSyntaxError.treeDepthLimit), at: token.offset)
    }
    places.append(offset)
    return FilterOperand(
      expression: expression, isCondition: isCondition, isValue: isValue ?? !isCondition, depth: depth,
      offset: offset)
  }

  mutating func condition(
    _ expression: FilterExpression, _ parts: [FilterOperand], at offset: Int? = nil
  ) throws(FilterSyntaxError) -> FilterOperand {
    let depth = parts.reduce(0) { max($0, $1.depth) } + 1
    return try part(expression, isCondition: true, depth: depth, at: offset ?? parts.first?.offset ?? 0)
  }

  mutating func negated(
    _ isNegated: Bool, _ operand: FilterOperand
  ) throws(FilterSyntaxError) -> FilterOperand {
    isNegated ? try condition(.not(operand.expression), [operand]) : operand
  }

  mutating func comparedValue() throws(FilterSyntaxError) -> FilterOperand {
    let operand = try sum()
    try requireValue(operand)
    try rejectNull(operand)
    return operand
  }

  func rejectNull(_ operand: FilterOperand) throws(FilterSyntaxError) {
    guard operand.expression == .literal(.null) else { return }
    throw FilterSyntaxError(.comparisonWithNull, at: operand.offset)
  }

  func requireValue(_ operand: FilterOperand) throws(FilterSyntaxError) {
    guard !operand.isValue else { return }
    throw FilterSyntaxError(.conditionAsValue, at: operand.offset)
  }

  func requireCondition(_ operand: FilterOperand) throws(FilterSyntaxError) {
    guard !operand.isCondition else { return }
    throw unexpected("a comparison (=, <>, <, >, <=, >=), LIKE, IN, BETWEEN or IS")
  }

  func unexpected(_ expected: String) -> FilterSyntaxError {
    FilterSyntaxError(.unexpected(found: token.description, expected: expected), at: token.offset)
  }

  /// Consumes the current token as the last of a literal that begins at `start`.
  mutating func literal(_ value: AttributeValue, at start: Int) throws(FilterSyntaxError) -> FilterOperand {
    try advance()
    return try part(.literal(value), depth: 1, at: start)
  }

  /// Reads an integer if it fits in 64 bits, else the nearest real.
  func number(_ text: String, at offset: Int) throws(FilterSyntaxError) -> AttributeValue {
    if let integer = Int64(text) { return .integer(integer) }
    guard let real = Double(text), real.isFinite else {
      throw FilterSyntaxError(.invalidNumber(Token.shortened(text)), at: offset)
    }
    return .real(real)
  }

  /// Refuses a text that is longer than the limit.
  static func checkLength(_ text: String) throws(FilterSyntaxError) {
    guard text.utf8.count <= FilterSyntaxError.lengthLimit else {
      throw FilterSyntaxError(
        .tooLong(limit: FilterSyntaxError.lengthLimit), at: FilterSyntaxError.lengthLimit)
    }
  }
}

extension ArithmeticOperator {
  fileprivate var isAdditive: Bool { self == .add || self == .subtract }
}
