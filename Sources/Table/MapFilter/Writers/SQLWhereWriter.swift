/// Writes a tree as a where clause of ArcGIS services, with the fewest parentheses that keep its meaning.
///
/// Temporal predicates become comparisons of their ends. CASEI becomes UPPER when the other side is ASCII text; only
/// for the dotless i and the Kelvin sign do the two give different results.
///
/// - Source: Esri, "Standardized SQL functions in the query operation"; SQL-92.
struct SQLWhereWriter {
  /// The types of fields; when nil, all fields in temporal predicates count as instants.
  let fields: FilterFields?
  static let language = "a where clause"
  /// The greatest number of elements in a list; services refuse longer lists.
  private static let listLimit = 1000

  mutating func text(_ filter: FilterExpression) throws(FilterWritingError) -> String {
    try condition(filter, above: .or, isNegated: false)
  }

  // MARK: Conditions

  /// Writes a condition; below a negation, unknown may become true, elsewhere false.
  ///
  /// The same rows are selected either way, since AND, OR and NOT pass on a result only as far as it decides.
  private func condition(
    _ filter: FilterExpression, above tightness: Tightness, isNegated: Bool
  ) throws(FilterWritingError) -> String {
    switch filter {
    case .and(let terms): return try chain(terms, .and, " AND ", above: tightness, isNegated)
    case .or(let terms): return try chain(terms, .or, " OR ", above: tightness, isNegated)
    case .not(.like(let operand, let pattern, let escape)):
      return try like(operand, " NOT LIKE ", pattern, escape)
    case .not(.isIn(let operand, let elements)) where elements.count <= Self.listLimit:
      return try membership(operand, " NOT IN ", elements)
    case .not(.isNull(let operand)) where !operand.isInterval:
      return try value(operand, above: .sum) + " IS NOT NULL"
    case .not(let term):
      return Self.wrapped(
        "NOT " + (try condition(term, above: .not, isNegated: !isNegated)), .not, above: tightness)
    case .literal(.boolean(let flag)): return flag ? "1 = 1" : "1 = 0"
    case .comparison(let comparison, let first, let second):
      return try compare(first, comparison, second)
    case .like(let operand, let pattern, let escape): return try like(operand, " LIKE ", pattern, escape)
    case .between(let operand, let lower, let upper, let bounds):
      return try between(operand, lower, upper, bounds, above: tightness, isNegated)
    case .isIn(let operand, let elements):
      guard elements.count > Self.listLimit else { return try membership(operand, " IN ", elements) }
      let lists = stride(from: 0, to: elements.count, by: Self.listLimit).map {
        FilterExpression.isIn(operand, Array(elements[$0..<min($0 + Self.listLimit, elements.count)]))
      }
      return try chain(lists, .or, " OR ", above: tightness, isNegated)
    case .isNull(let operand): return try isNull(operand, above: tightness)
    case .temporal(let predicate, let first, let second):
      let comparisons = try TemporalForm(fields: fields, language: Self.language)
        .comparisons(predicate, first, second, isNegated: isNegated)
      return try condition(comparisons, above: tightness, isNegated: isNegated)
    case .call: return try value(filter, above: .sum) + " = 1"
    case .spatial(let predicate, _, _): throw FilterWritingError(Self.language, predicate.textName)
    case .arrays(let predicate, _, _): throw FilterWritingError(Self.language, predicate.textName)
    case .literal, .property, .arithmetic, .negative, .choice, .geometry, .interval, .array:
      throw FilterWritingError(Self.language, "\(filter.nameInMessages) as a condition")
    }
  }

  private static func wrapped(_ text: String, _ own: Tightness, above tightness: Tightness) -> String {
    own < tightness ? "(\(text))" : text
  }

  private func chain(
    _ terms: [FilterExpression], _ own: Tightness, _ word: String, above tightness: Tightness,
    _ isNegated: Bool
  ) throws(FilterWritingError) -> String {
    guard terms.count > 1 else {
      return try condition(
        terms.first ?? .literal(.boolean(own == .and)), above: tightness, isNegated: isNegated)
    }
    var texts: [String] = []
    for term in terms {
      texts.append(try condition(term, above: own == .or ? .and : .not, isNegated: isNegated))
    }
    return Self.wrapped(texts.joined(separator: word), own, above: tightness)
  }

  private func compare(
    _ first: FilterExpression, _ comparison: ComparisonOperator, _ second: FilterExpression
  ) throws(FilterWritingError) -> String {
    let isEquality = comparison == .equal || comparison == .notEqual
    let (first, second) =
      isEquality ? Self.inCapitals(first, [second]) ?? (first, [second]) : (first, [second])
    for side in [first] + second where side == .literal(.null) {
      throw FilterWritingError(Self.language, "a comparison with NULL")
    }
    return try "\(value(first, above: .sum)) \(comparison.rawValue) \(value(second[0], above: .sum))"
  }

  private func like(
    _ operand: FilterExpression, _ word: String, _ pattern: FilterExpression, _ escape: Unicode.Scalar?
  ) throws(FilterWritingError) -> String {
    let (operand, patterns) = Self.inCapitals(operand, [pattern]) ?? (operand, [pattern])
    var text = try value(operand, above: .sum) + word + value(patterns[0], above: .sum)
    if let escape {
      // ESCAPE is needed only when the pattern contains the escape character.
      let isPlain =
        if case .literal(.text(let text)) = patterns[0] { !text.unicodeScalars.contains(escape) } else {
          false
        }
      if !isPlain { text += " ESCAPE \(Self.quoted(String(escape)))" }
    }
    return text
  }

  private func membership(
    _ operand: FilterExpression, _ word: String, _ elements: [FilterExpression]
  ) throws(FilterWritingError) -> String {
    guard !elements.isEmpty else { return word == " IN " ? "1 = 0" : "1 = 1" }
    let (operand, elements) = Self.inCapitals(operand, elements) ?? (operand, elements)
    return try value(operand, above: .sum) + word + "(" + list(elements) + ")"
  }

  private func between(
    _ operand: FilterExpression, _ lower: FilterExpression, _ upper: FilterExpression, _ bounds: NullBounds,
    above tightness: Tightness, _ isNegated: Bool
  ) throws(FilterWritingError) -> String {
    let text = try
      "\(value(operand, above: .sum)) BETWEEN \(value(lower, above: .sum)) AND \(value(upper, above: .sum))"
    // In SQL, BETWEEN with a null bound is false when the other bound makes it false.
    let nullable = [lower, upper].filter { if case .literal = $0 { false } else { true } }
    guard bounds == .makeUnknown, isNegated, !nullable.isEmpty else { return text }
    let nulls = try nullable.map { (bound) throws(FilterWritingError) in
      try value(bound, above: .sum) + " IS NULL"
    }
    return Self.wrapped(([text] + nulls).joined(separator: " OR "), .or, above: tightness)
  }

  private func isNull(_ operand: FilterExpression, above tightness: Tightness) throws(FilterWritingError)
    -> String
  {
    guard case .interval(let start, let end) = operand else {
      return try value(operand, above: .sum) + " IS NULL"
    }
    let ends = [start, end].compactMap { $0 }.map { FilterExpression.isNull($0) }
    return try chain(ends, .or, " OR ", above: tightness, false)
  }

  /// Returns CASEI and ASCII texts as UPPER and capitals; nil for all other operands.
  private static func inCapitals(
    _ first: FilterExpression, _ others: [FilterExpression]
  ) -> (FilterExpression, [FilterExpression])? {
    guard case .call("CASEI", let arguments) = first, arguments.count == 1 else { return nil }
    var texts: [FilterExpression] = []
    for other in others {
      guard case .call("CASEI", let inner) = other, inner.count == 1,
        case .literal(.text(let text)) = inner[0],
        text.utf8.allSatisfy({ $0 < 0x80 })
      else { return nil }
      texts.append(.literal(.text(text.uppercased())))
    }
    return (.call("UPPER", arguments), texts)
  }

  // MARK: Values

  func list(_ values: [FilterExpression]) throws(FilterWritingError) -> String {
    var texts: [String] = []
    for value in values { texts.append(try self.value(value, above: .sum)) }
    return texts.joined(separator: ", ")
  }

  func value(_ value: FilterExpression, above tightness: Tightness) throws(FilterWritingError) -> String {
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
    _ operation: ArithmeticOperator, _ first: FilterExpression, _ second: FilterExpression,
    above tightness: Tightness
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

  private func call(_ name: String, _ arguments: [FilterExpression]) throws(FilterWritingError) -> String {
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
  private func word(_ argument: FilterExpression) throws(FilterWritingError) -> String {
    guard case .literal(.text(let word)) = argument else {
      throw FilterWritingError(Self.language, argument.nameInMessages)
    }
    return word
  }

  private func choice(
    _ operand: FilterExpression?, _ branches: [ChoiceBranch], _ otherwise: FilterExpression?
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
  private func inCase(_ condition: FilterExpression) throws(FilterWritingError) -> String {
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
