// Tokens, parts of the tree with their places, and checks of kind.

extension FilterTextParser {
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

  /// A part of the tree, just made from parts that were made before; a value unless it is said to be a condition.
  mutating func part(
    _ expression: Expression, isCondition: Bool = false, isValue: Bool? = nil, depth: Int, at offset: Int
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
    _ expression: Expression, _ parts: [FilterOperand], at offset: Int? = nil
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

  /// Consumes the token as the last of a literal that begins at `start`.
  mutating func literal(_ value: AttributeValue, at start: Int) throws(FilterSyntaxError) -> FilterOperand {
    try advance()
    return try part(.literal(value), depth: 1, at: start)
  }

  /// An integer where 64 bits hold it, else the nearest real.
  func number(_ text: String, at offset: Int) throws(FilterSyntaxError) -> AttributeValue {
    if let integer = Int64(text) { return .integer(integer) }
    guard let real = Double(text), real.isFinite else {
      throw FilterSyntaxError(.invalidNumber(Token.shortened(text)), at: offset)
    }
    return .real(real)
  }

  /// Refuses a text that is too long to read.
  static func checkLength(_ text: String) throws(FilterSyntaxError) {
    guard text.utf8.count <= FilterSyntaxError.lengthLimit else {
      throw FilterSyntaxError(
        .tooLong(limit: FilterSyntaxError.lengthLimit), at: FilterSyntaxError.lengthLimit)
    }
  }
}
