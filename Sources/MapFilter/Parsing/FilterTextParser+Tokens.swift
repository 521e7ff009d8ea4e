// Tokens, parts of the tree with their positions, and checks of kind.

extension FilterTextParser {
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
