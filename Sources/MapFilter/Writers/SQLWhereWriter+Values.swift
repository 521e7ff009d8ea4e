// The values of a where clause.

extension SQLWhereWriter {
  func list(_ values: [Expression]) throws(FilterWritingError) -> String {
    var texts: [String] = []
    for value in values { texts.append(try self.value(value, above: .sum)) }
    return texts.joined(separator: ", ")
  }

  func value(_ value: Expression, above tightness: Tightness) throws(FilterWritingError) -> String {
    switch value {
    case .literal(let literal):
      let text = try Self.literal(literal)
      return text.contains(" + ") && literal.type == .duration && tightness > .sum ? "(\(text))" : text
    case .property(let name): return Self.name(name)
    case .negative(let operand):
      // Directly after a sign, a number would be read as negative, and a second sign would start a comment.
      let text = try self.value(operand, above: .single)
      let isPlain = text.utf8.first.map { $0 != 0x2D && $0 != 0x2E && !(0x30...0x39).contains($0) } ?? false
      return isPlain ? "-\(text)" : "-(\(text))"
    case .arithmetic(let operation, let first, let second):
      return try arithmetic(operation, first, second, above: tightness)
    case .call(let name, let arguments): return try call(name, arguments)
    case .choice(let operand, let branches, let otherwise):
      return try choice(operand, branches, otherwise)
    case .geometry: throw FilterWritingError(Self.language, "a geometry")
    case .interval: throw FilterWritingError(Self.language, "an interval of time")
    case .array: throw FilterWritingError(Self.language, "an array")
    case .and, .or, .not, .comparison, .like, .between, .isIn, .isNull, .spatial, .temporal, .arrays:
      throw FilterWritingError(Self.language, "a condition as a value")
    }
  }

  private func arithmetic(
    _ operation: ArithmeticOperator, _ first: Expression, _ second: Expression, above tightness: Tightness
  ) throws(FilterWritingError) -> String {
    switch operation {
    case .modulo: return try "MOD(\(list([first, second])))"
    case .power: return try "POWER(\(list([first, second])))"
    case .divideWhole:
      return try "TRUNCATE(\(value(.arithmetic(.divide, first, second), above: .sum)), 0)"
    case .add, .subtract, .multiply, .divide:
      let own = operation.tightness
      let text =
        try value(first, above: own) + " \(operation.rawValue) "
        + value(second, above: own == .sum ? .product : .power)
      return own < tightness ? "(\(text))" : text
    }
  }

  private func call(_ name: String, _ arguments: [Expression]) throws(FilterWritingError) -> String {
    guard let function = FunctionCatalog.function(named: name), function.syntax != .absent,
      function.argumentCount.contains(arguments.count)
    else { throw FilterWritingError(Self.language, "the function \(Token.shortened(name))") }
    switch function.syntax {
    case .word: return name
    case .extract: return try "EXTRACT(\(word(arguments[0])) FROM \(value(arguments[1], above: .sum)))"
    case .position:
      return try "POSITION(\(value(arguments[0], above: .sum)) IN \(value(arguments[1], above: .sum)))"
    case .cast: return try "CAST(\(value(arguments[0], above: .sum)) AS \(word(arguments[1])))"
    case .trim where arguments.count == 3:
      return try
        "TRIM(\(word(arguments[0])) \(value(arguments[1], above: .sum)) FROM \(value(arguments[2], above: .sum)))"
    case .list, .substring, .trim, .choice, .absent: return try "\(name)(\(list(arguments)))"
    }
  }

  /// Returns a keyword of a call's own syntax, which the tree stores as text.
  private func word(_ argument: Expression) throws(FilterWritingError) -> String {
    guard case .literal(.text(let word)) = argument else {
      throw FilterWritingError(Self.language, argument.nameInMessages)
    }
    return word
  }

  private func choice(
    _ operand: Expression?, _ branches: [ChoiceBranch], _ otherwise: Expression?
  ) throws(FilterWritingError) -> String {
    var text = "CASE"
    if let operand { text += try " \(value(operand, above: .sum))" }
    for branch in branches {
      let when = try operand == nil ? inCase(branch.when) : value(branch.when, above: .sum)
      text += try " WHEN \(when) THEN \(value(branch.then, above: .sum))"
    }
    if let otherwise { text += try " ELSE \(value(otherwise, above: .sum))" }
    return text + " END"
  }

  /// Writes a condition of CASE, where unknown counts as false, whatever surrounds the CASE.
  private func inCase(_ condition: Expression) throws(FilterWritingError) -> String {
    var writer = self
    return try writer.text(condition)
  }

  private static func literal(_ value: AttributeValue) throws(FilterWritingError) -> String {
    switch value {
    case .null: return "NULL"
    case .integer(let number): return String(number)
    case .real(let number) where number.isFinite: return String(number)
    case .text(let text): return quoted(text)
    case .boolean(let flag): return flag ? "1" : "0"
    case .date(let date) where CalendarDate(iso8601: date.description) != nil: return "DATE '\(date)'"
    case .instant(let instant) where Instant(sqlTimestamp: instant.sqlTimestamp) != nil:
      return "TIMESTAMP '\(instant.sqlTimestamp)'"
    case .duration(let duration): return duration.sqlLiteral
    case .real, .date, .instant: throw FilterWritingError(language, value.nameInMessages)
    }
  }

  static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }

  private static func name(_ name: String) -> String {
    var tokenizer = Tokenizer(name, .sqlWhere)
    if let token = try? tokenizer.next(), case .name(let word) = token.kind,
      word.utf8.elementsEqual(name.utf8),
      !wordsOfCalls.contains(word.uppercased())
    {
      return name
    }
    return "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  /// The words with a meaning inside calls; a field of that name must be quoted.
  private static let wordsOfCalls: Set<String> = ["BOTH", "LEADING", "TRAILING", "FOR", "AS", "PRECISION"]
}
