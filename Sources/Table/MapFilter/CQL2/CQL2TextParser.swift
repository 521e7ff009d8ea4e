import MapGeometry

/// Reads a filter in the text encoding of CQL2.
///
/// It reads all conformance classes: comparisons, LIKE, BETWEEN, IN, CASEI, ACCENTI, spatial, temporal and array
/// predicates, functions and arithmetic, on either side. It also reads three forms beyond the grammar: `-(a + b)`,
/// BETWEEN with dates or text, and quoted text as a date or an instant.
///
/// - Source: OGC 21-065 (CQL2 1.0), annex B.
/// - Cost: linear in the length of the text; a chain of ANDs or ORs may have any length.
package struct CQL2TextParser: FilterTextParser {
  var tokenizer: Tokenizer
  var token: Token
  var nesting = 0
  var places = FilterPlaces(.cql2Text)

  /// Reads a text as a condition; nil when the text is blank, which is no condition at all.
  ///
  /// Names, functions and types are checked later, when the tree meets a schema.
  ///
  /// - Throws: ``FilterSyntaxError`` with the offset at which reading stopped.
  package static func parse(_ text: String) throws(FilterSyntaxError) -> FilterExpression? {
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

  func nullBounds(_ lower: FilterExpression, _ upper: FilterExpression) -> NullBounds { .makeUnknown }

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

  // MARK: Calls: predicates on geometries, times and arrays; functions, dates and time intervals

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

  // MARK: Geometries: well-known text and boxes

  /// Reads a geometry whose keyword is the current token; `word` is that keyword in capitals.
  mutating func geometry(_ word: String) throws(FilterSyntaxError) -> FilterOperand {
    let start = token.offset
    let geometry = word == "BBOX" ? try box() : try wellKnownText(word)
    if let fault = geometry.fault { throw FilterSyntaxError(.invalidGeometry(fault), at: start) }
    return try part(.geometry(geometry), depth: 1, at: start)
  }

  private mutating func box() throws(FilterSyntaxError) -> GeometryLiteral {
    let start = token.offset
    try advance()
    let numbers = try list { parser throws(FilterSyntaxError) in try parser.number() }
    guard let box = GeometryLiteral(box: numbers) else {
      throw FilterSyntaxError(
        .invalidGeometry("a box of \(numbers.count) numbers; a box has 4, or 6 with Z values"), at: start)
    }
    return box
  }

  private mutating func wellKnownText(_ word: String) throws(FilterSyntaxError) -> GeometryLiteral {
    try advance()
    if case .name(let letter) = token.kind, letter == "Z" || letter == "z" { try advance() }
    switch word {
    case "POINT":
      let places = try self.places(of: 1)
      return .point(places[0])
    case "LINESTRING": return .line(try self.places())
    case "POLYGON": return .polygon(try rings())
    case "MULTIPOINT": return .multipoint(try self.places(mayHaveParentheses: true))
    case "MULTILINESTRING": return .multiline(try rings())
    case "MULTIPOLYGON":
      return .multipolygon(try list { parser throws(FilterSyntaxError) in try parser.rings() })
    default:
      let members = try list { parser throws(FilterSyntaxError) in try parser.member() }
      // A collection of one geometry is that geometry, because the JSON encoding has no such collection.
      return members.count == 1 ? members[0] : .collection(members)
    }
  }

  private mutating func member() throws(FilterSyntaxError) -> GeometryLiteral {
    guard case .name(let name) = token.kind, name.utf8.count <= 32,
      CQL2Words.geometries.contains(name.uppercased()), name.uppercased() != "BBOX",
      name.uppercased() != "GEOMETRYCOLLECTION"
    else { throw unexpected("a geometry other than a collection") }
    return try wellKnownText(name.uppercased())
  }

  // MARK: Lists of points

  /// Reads `(a, b, …)` with at least one element.
  private mutating func list<Element>(
    _ element: (inout CQL2TextParser) throws(FilterSyntaxError) -> Element
  ) throws(FilterSyntaxError) -> [Element] {
    guard token.kind == .leftParenthesis else { throw unexpected("'('") }
    var elements: [Element] = []
    repeat {
      try advance()
      elements.append(try element(&self))
    } while token.kind == .comma
    guard token.kind == .rightParenthesis else { throw unexpected("',' or ')'") }
    try advance()
    return elements
  }

  private mutating func rings() throws(FilterSyntaxError) -> [[Point]] {
    try list { parser throws(FilterSyntaxError) in try parser.places() }
  }

  private mutating func places(
    of count: Int? = nil, mayHaveParentheses: Bool = false
  ) throws(FilterSyntaxError) -> [Point] {
    let start = token.offset
    let places = try list { parser throws(FilterSyntaxError) in
      let isWrapped = mayHaveParentheses && parser.token.kind == .leftParenthesis
      if isWrapped { try parser.advance() }
      let place = try parser.place()
      guard isWrapped else { return place }
      guard parser.token.kind == .rightParenthesis else { throw parser.unexpected("')'") }
      try parser.advance()
      return place
    }
    if let count, places.count != count {
      throw FilterSyntaxError(.invalidGeometry("a point of \(places.count) positions"), at: start)
    }
    return places
  }

  /// Reads two numbers as a point; a third number, the Z value, is ignored.
  private mutating func place() throws(FilterSyntaxError) -> Point {
    let (x, y) = (try number(), try number())
    if token.kind != .comma, token.kind != .rightParenthesis { _ = try number() }
    return Point(x: x, y: y)
  }

  private mutating func number() throws(FilterSyntaxError) -> Double {
    let start = token.offset
    var sign = 1.0
    if case .arithmetic(let operation) = token.kind, operation == .subtract || operation == .add {
      if operation == .subtract { sign = -1 }
      try advance()
    }
    guard case .number(let text) = token.kind else { throw unexpected("a number") }
    let value = try number(text, at: start).realNumber ?? 0
    try advance()
    return sign * value
  }
}

extension GeometryLiteral {
  /// Creates a box from 4 numbers (west, south, east, north), or from 6 with Z values after south and north.
  init?(box numbers: [Double]) {
    guard numbers.count == 4 || numbers.count == 6 else { return nil }
    let half = numbers.count / 2
    self = .box(west: numbers[0], south: numbers[1], east: numbers[half], north: numbers[half + 1])
  }
}
