/// Writes a tree in CQL2 text, with the fewest parentheses that keep the tree.
///
/// - Source: OGC 21-065 (CQL2 1.0), annex B.
struct CQL2TextWriter {
  private(set) var text = ""
  static let language = "CQL2"

  // MARK: Conditions

  /// Writes a condition, in parentheses if it binds less tightly than `tightness`.
  mutating func condition(_ filter: FilterExpression, above tightness: Tightness) throws(FilterWritingError) {
    let filter = filter.inFormsOfCQL2
    switch filter {
    case .and(let terms): try chain(terms, " AND ", .and, above: tightness)
    case .or(let terms): try chain(terms, " OR ", .or, above: tightness)
    case .not(let term): try negation(term, above: tightness)
    case .literal(.boolean), .call: try value(filter, above: .sum)
    default: try predicate(filter, isNegated: false)
    }
  }

  private mutating func chain(
    _ terms: [FilterExpression], _ word: String, _ own: Tightness, above tightness: Tightness
  ) throws(FilterWritingError) {
    if own < tightness { text += "(" }
    for (place, term) in terms.enumerated() {
      if place > 0 { text += word }
      try condition(term, above: own == .or ? .and : .not)
    }
    if own < tightness { text += ")" }
  }

  private mutating func negation(_ term: FilterExpression, above tightness: Tightness)
    throws(FilterWritingError)
  {
    switch term.inFormsOfCQL2 {
    case .like, .between, .isIn, .isNull: try predicate(term, isNegated: true)
    default:
      if Tightness.not < tightness { text += "(" }
      text += "NOT "
      try condition(term, above: .predicate)
      if Tightness.not < tightness { text += ")" }
    }
  }

  private mutating func predicate(_ filter: FilterExpression, isNegated: Bool) throws(FilterWritingError) {
    let not = isNegated ? " NOT" : ""
    switch filter {
    case .comparison(let comparison, let first, let second):
      try value(first, above: .sum)
      text += " \(comparison.rawValue) "
      try value(second, above: .sum)
    case .like(let operand, let pattern, let escape):
      try value(operand, above: .sum)
      text += "\(not) LIKE "
      try value(pattern.asPatternOfCQL2(escape: escape), above: .sum)
    case .between(let operand, let lower, let upper, _):
      try value(operand, above: .sum)
      text += "\(not) BETWEEN "
      try value(lower, above: .sum)
      text += " AND "
      try value(upper, above: .sum)
    case .isIn(let operand, let elements):
      try value(operand, above: .sum)
      text += "\(not) IN "
      try list(elements)
    case .isNull(let operand):
      try value(operand, above: .sum)
      text += " IS\(not) NULL"
    case .spatial(let predicate, let first, let second): try pair(predicate.textName, first, second)
    case .temporal(let predicate, let first, let second): try pair(predicate.textName, first, second)
    case .arrays(let predicate, let first, let second): try pair(predicate.textName, first, second)
    default: throw FilterWritingError(Self.language, "\(filter.nameInMessages) as a condition")
    }
  }

  private mutating func pair(
    _ name: String, _ first: FilterExpression, _ second: FilterExpression
  ) throws(FilterWritingError) {
    text += name
    try list([first, second])
  }

  private mutating func list(_ values: [FilterExpression]) throws(FilterWritingError) {
    text += "("
    for (place, value) in values.enumerated() {
      if place > 0 { text += ", " }
      try self.value(value, above: .sum)
    }
    text += ")"
  }

  // MARK: Values

  mutating func value(_ value: FilterExpression, above tightness: Tightness) throws(FilterWritingError) {
    switch value.inFormsOfCQL2 {
    case .literal(let literal): text += try Self.literal(literal)
    case .property(let name): text += try Self.name(name)
    case .arithmetic(.multiply, .literal(.integer(-1)), let operand) where operand.isNamed:
      text += "-"
      try self.value(operand, above: .single)
    case .arithmetic(let operation, let first, let second):
      try arithmetic(operation, first, second, above: tightness)
    case .call(let name, let arguments): try call(name, arguments)
    case .geometry(let geometry): text += geometry.wellKnownText
    case .interval(let start, let end):
      text += "INTERVAL("
      try self.end(start)
      text += ", "
      try self.end(end)
      text += ")"
    case .array(let elements): try list(elements)
    case .choice: throw FilterWritingError(Self.language, "CASE")
    default: throw FilterWritingError(Self.language, "a condition as a value")
    }
  }

  private mutating func arithmetic(
    _ operation: ArithmeticOperator, _ first: FilterExpression, _ second: FilterExpression,
    above tightness: Tightness
  ) throws(FilterWritingError) {
    let own = operation.tightness
    if own < tightness { text += "(" }
    // A chain of `^` cannot be read, so each side must be a single term.
    try value(first, above: own == .power ? .single : own)
    text += " \(operation.rawValue) "
    try value(second, above: own == .sum ? .product : own == .product ? .power : .single)
    if own < tightness { text += ")" }
  }

  private mutating func call(_ name: String, _ arguments: [FilterExpression]) throws(FilterWritingError) {
    guard Self.isIdentifier(name),
      !CQL2Words.isReserved(name.uppercased()) || CQL2Words.isLetterFunction(name),
      name.uppercased() != "INTERVAL"
    else { throw FilterWritingError(Self.language, "the function \(Token.shortened(name))") }
    for argument in arguments {
      if case .array(let elements) = argument, elements.count == 1 {
        throw FilterWritingError(Self.language, "an array of one element as an argument")
      }
    }
    text += name
    try list(arguments)
  }

  private mutating func end(_ expression: FilterExpression?) throws(FilterWritingError) {
    switch expression {
    case nil: text += "'\(CQL2Words.openEnd)'"
    case .literal(let value)?: text += "'\(try CQL2Words.bareMoment(value))'"
    case .property?, .call?: try value(expression ?? .literal(.null), above: .single)
    default: throw FilterWritingError(Self.language, "an interval with a computed end")
    }
  }

  private static func literal(_ value: AttributeValue) throws(FilterWritingError) -> String {
    switch value {
    case .integer(let number): return String(number)
    case .real(let number) where number.isFinite: return String(number)
    case .text(let text): return quoted(text)
    case .boolean(let flag): return flag ? "TRUE" : "FALSE"
    case .date: return "DATE('\(try CQL2Words.bareMoment(value))')"
    case .instant: return "TIMESTAMP('\(try CQL2Words.bareMoment(value))')"
    case .null, .real, .duration: throw FilterWritingError(language, value.nameInMessages)
    }
  }

  /// Returns text in quotes; a backslash is doubled where it would change the meaning of the next character.
  private static func quoted(_ text: String) -> String {
    var result: [UInt8] = [0x27]
    let bytes = Array(text.utf8)
    for (place, byte) in bytes.enumerated() {
      if byte == 0x27 {
        result += [0x27, 0x27]
      } else if byte == 0x5C {
        // The backslash may be followed by a quote, which closes the text or is doubled.
        let next = place + 1 < bytes.count ? bytes[place + 1] : 0x27
        let isAmbiguous = Tokenizer.escapes[next] != nil || letters[next] != nil
        result += isAmbiguous ? [0x5C, 0x5C] : [0x5C]
      } else if let letter = letters[byte] {
        result += [0x5C, letter]
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result + [0x27], as: UTF8.self)
  }

  /// The control characters that are written as a letter after a backslash.
  private static let letters = Dictionary(
    uniqueKeysWithValues: Tokenizer.escapes.filter { $0.value < 0x20 }.map { ($0.value, $0.key) })

  private static func name(_ name: String) throws(FilterWritingError) -> String {
    guard !name.isEmpty else { throw FilterWritingError(language, "a field without a name") }
    if isIdentifier(name), !CQL2Words.isReserved(name.uppercased()) { return name }
    return "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  /// Returns whether a name is a single unquoted word in CQL2 text.
  private static func isIdentifier(_ name: String) -> Bool {
    var tokenizer = Tokenizer(name, .cql2)
    guard let token = try? tokenizer.next(), let end = try? tokenizer.next(), end.kind == .end else {
      return false
    }
    // The comparison refuses names with blanks around the word, and goes byte by byte, since strings compare by
    // canonical equivalence.
    if case .name(let word) = token.kind { return word.utf8.elementsEqual(name.utf8) }
    return false
  }
}

extension FilterExpression {
  /// Whether the expression is a field or a function call, which may directly follow a sign.
  var isNamed: Bool {
    switch self {
    case .property, .call: true
    default: false
    }
  }

  /// Returns the pattern of LIKE with a backslash as its escape character.
  func asPatternOfCQL2(escape: Unicode.Scalar?) throws(FilterWritingError) -> FilterExpression {
    switch self {
    case .literal(.text(let text)): return .literal(.text(LikePattern.withBackslash(text, escape: escape)))
    case .call(let name, let arguments) where CQL2Words.isLetterFunction(name) && arguments.count == 1:
      return .call(name, [try arguments[0].asPatternOfCQL2(escape: escape)])
    default: throw FilterWritingError(CQL2TextWriter.language, "a pattern that is not a literal")
    }
  }
}

extension CQL2Words {
  /// Returns whether a function is CASEI or ACCENTI, which only change the letters of text.
  static func isLetterFunction(_ name: String) -> Bool { name == "CASEI" || name == "ACCENTI" }

  /// Returns a date or an instant as CQL2 writes it without DATE or TIMESTAMP.
  static func bareMoment(_ value: AttributeValue) throws(FilterWritingError) -> String {
    let text: String? =
      switch value {
      case .date(let date): date.description
      case .instant(let instant): instant.description
      default: nil
      }
    // Years before 1 and after 9999 cannot be written.
    guard let text, AttributeValue(cql2Moment: text) != nil else {
      throw FilterWritingError(CQL2TextWriter.language, value.nameInMessages)
    }
    return text
  }
}
