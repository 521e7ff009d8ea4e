/// Reads the where clause of ArcGIS services: the condition after WHERE in a SELECT, as standardized queries allow it.
///
/// It reads comparisons, AND, OR, NOT, LIKE with ESCAPE, IN, BETWEEN, IS NULL, arithmetic, CASE and the functions of
/// ``FunctionCatalog``. Values are numbers, text, DATE, TIMESTAMP and INTERVAL literals, and field names with or
/// without double quotes.
///
/// - Source: Esri, "Standardized SQL functions in the query operation"; SQL-92 where that is silent.
/// - Cost: linear in the length of the text; a chain of ANDs or ORs may have any length.
public struct SQLWhereParser: FilterTextParser {
  static let language = FilterLanguage.sqlWhere

  var tokenizer: Tokenizer
  var token: Token
  var nesting = 0
  var places = FilterPlaces()

  /// Reads a where clause as a condition; nil when it is empty or blank, which is no condition at all.
  ///
  /// Names and types are checked later, when the tree meets a schema.
  ///
  /// - Throws: ``FilterSyntaxError`` with the offset at which reading stopped.
  public static func parse(_ text: String) throws(FilterSyntaxError) -> Expression? {
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

  func nullBounds(_ lower: Expression, _ upper: Expression) -> NullBounds {
    // With literal bounds, which are not null here, both rules give the same result.
    if case .literal = lower, case .literal = upper { return .makeUnknown }
    return .areSides
  }
}
