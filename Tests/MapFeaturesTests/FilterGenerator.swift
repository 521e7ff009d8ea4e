import MapFilter
import MapTestSupport

/// Random tables and filters, the same for the same seed, with values chosen so that equality tests match.
struct FilterGenerator {
  var random: SeededGenerator
  /// The number of times that each node and operator was generated.
  private(set) var histogram: [String: Int] = [:]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  static let names = [
    "small", "Count", "extreme", "half", "vast", "word", "Text", "flag", "Open", "day", "date", "moment",
    "end", "nothing",
  ]
  static let types: [AttributeType] = [
    .integer, .integer, .integer, .real, .real, .text, .text, .boolean, .boolean, .date, .date, .instant,
    .instant,
    .real,
  ]

  mutating func table(rowCount: Int) -> FilterTable {
    // The second column of each type has no nulls, the last column only nulls.
    let rows = (0..<rowCount).map { _ in
      Self.names.indices.map { place -> AttributeValue in
        if place == 13 || ![1, 4, 6, 8, 10, 12].contains(place) && chance(6) { return .null }
        return value(place)
      }
    }
    return FilterTable(names: Self.names, types: Self.types, rows: rows)
  }

  private mutating func chance(_ n: Int) -> Bool { Int.random(in: 0..<n, using: &random) == 0 }

  private mutating func pick<T>(_ first: T, _ others: T...) -> T {
    let place = Int.random(in: 0...others.count, using: &random)
    return place == 0 ? first : others[place - 1]
  }

  /// A value that the column could contain.
  private mutating func value(_ place: Int) -> AttributeValue {
    switch place {
    case 0, 1: .integer(Int64.random(in: -4...9, using: &random))
    case 2: .integer(pick(.min, .max, 1 << 53, 1 << 53 + 1, -1 << 53 - 1, 0, 1, .max - 1))
    case 3: .real(Double(Int.random(in: -6...14, using: &random)) / 2)
    case 4:
      .real(pick(0x1p53, 0x1p63, -0x1p63, 1e300, -1e300, -0.0, 0.5, 1, 0x1p53 + 2, .leastNonzeroMagnitude))
    case 5, 6:
      .text(
        pick("", "a", "A", "ab", "aé", "ae\u{301}", "é", "Zürich", "a%b", "100%", "a_b", "😀b", "\u{FFFD}"))
    case 7, 8: .boolean(pick(true, false))
    case 9, 10: .date(CalendarDate(days: Int32.random(in: -3...6, using: &random)))
    case 11, 12:
      .instant(
        Instant(
          microseconds: Int64.random(in: -3...6, using: &random) * 86_400_000_000
            + pick(0, 0, 1, -1, 3_600_000_000)))
    default: .null
    }
  }

  private mutating func note<T>(_ name: String, _ result: T) -> T {
    histogram[name, default: 0] += 1
    return result
  }

  private mutating func comparison() -> ComparisonOperator {
    let operation: ComparisonOperator = pick(
      .equal, .notEqual, .less, .greater, .lessOrEqual, .greaterOrEqual)
    return note(operation.rawValue, operation)
  }

  mutating func condition(depth: Int) -> FilterExpression {
    let kind = Int.random(in: depth > 0 ? 0...9 : 4...9, using: &random)
    switch kind {
    case 0, 1:
      let terms = (0..<Int.random(in: 2...4, using: &random)).map { _ in condition(depth: depth - 1) }
      return kind == 0 ? note("and", .and(terms)) : note("or", .or(terms))
    case 2: return note("not", .not(condition(depth: depth - 1)))
    case 3:
      // Equality tests of one field, which are combined into a set.
      let place = Int.random(in: 0...12, using: &random)
      return note(
        "or of =",
        .or((0..<3).map { _ in .comparison(.equal, .property(Self.names[place]), literal(place)) }))
    case 4:
      let place = pick(5, 6)
      let pattern: String = pick("a%", "%b", "_", "a_b", "%é%", "", "%", "a!%b", "1__!%", "%%a", "_b")
      let escape: Unicode.Scalar? = chance(2) ? "!" : nil
      let right: FilterExpression =
        chance(5) ? .property(Self.names[pick(5, 6)]) : chance(9) ? text(depth: 1) : .literal(.text(pattern))
      let left: FilterExpression =
        chance(6) ? .literal(.text("a%b")) : chance(3) ? text(depth: 2) : .property(Self.names[place])
      return note("like", .like(left, pattern: right, escape: escape))
    case 5:
      let (operand, place) = operand(depth: 1)
      guard chance(3) else {
        return note("between", .between(operand, lower: literal(place), upper: literal(place)))
      }
      let upper = self.operand(like: place)
      // Beside literals, the parser does not distinguish the two.
      let isLiteral = if case .literal = upper { true } else { false }
      return note(
        "between of values",
        .between(operand, lower: literal(place), upper: upper, isLiteral ? .makeUnknown : .areSides))
    case 6:
      let (operand, place) = operand(depth: 1)
      let elements = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        chance(12) ? FilterExpression.literal(.null) : chance(6) ? self.operand(like: place) : literal(place)
      }
      return note("in", .isIn(operand, elements))
    case 7 where chance(2): return note("is null", .isNull(operand(depth: 2).0))
    default:
      let (first, place) = operand(depth: 2)
      let second = chance(2) ? literal(place) : self.operand(like: place)
      let isMirrored = chance(3)
      return .comparison(comparison(), isMirrored ? second : first, isMirrored ? first : second)
    }
  }

  /// A value, and a column of the same type.
  private mutating func operand(depth: Int) -> (FilterExpression, Int) {
    let place = Int.random(in: 0...13, using: &random)
    if place <= 4, chance(2) { return (number(depth: depth), place) }
    if place == 5 || place == 6, chance(2) { return (text(depth: depth), place) }
    if (9...12).contains(place), chance(2) { return (moment(depth: depth), place) }
    if place == 7 || place == 8, chance(3) {
      return (
        note(
          "coalesce of booleans",
          .call("COALESCE", [.property(Self.names[7]), .literal(.integer(pick(0, 1)))])
        ), place
      )
    }
    return (.property(Self.names[place]), place)
  }

  /// A value of a type that compares with the column's.
  private mutating func operand(like place: Int) -> FilterExpression {
    switch place {
    case 0...4, 13:
      chance(2) ? .property(Self.names[Int.random(in: 0...4, using: &random)]) : number(depth: 2)
    case 5, 6: chance(3) ? text(depth: 2) : .property(Self.names[pick(5, 6)])
    case 7, 8: .property(Self.names[pick(7, 8)])
    default: chance(3) ? moment(depth: 2) : .property(Self.names[Int.random(in: 9...12, using: &random)])
    }
  }

  private mutating func number(depth: Int) -> FilterExpression {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 2), using: &random) {
    case 6: return numberCall(depth: depth - 1)
    case 7:
      let isInteger = chance(2)
      return choice(depth: depth - 1) { isInteger ? $0.literal(0) : $0.number(depth: depth - 1) }
    case 0: return .property(Self.names[pick(0, 1, 1, 3, 2, 4, 13)])
    case 1: return literal(pick(0, 0, 3, 2, 4))
    case 2: return note("negative", .negative(number(depth: depth - 1)))
    default:
      let operation: ArithmeticOperator = pick(.add, .subtract, .multiply, .divide)
      return note(
        "arithmetic " + operation.rawValue,
        .arithmetic(operation, number(depth: depth - 1), number(depth: depth - 1)))
    }
  }

  private mutating func call(_ name: String, _ arguments: FilterExpression...) -> FilterExpression {
    note(name, .call(name, arguments))
  }

  private mutating func numberCall(depth: Int) -> FilterExpression {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return call("ABS", number(depth: depth))
    case 1: return call("FLOOR", number(depth: depth))
    case 2: return call("ROUND", number(depth: depth), .literal(.integer(pick(0, 1, -1))))
    case 3: return call("MOD", number(depth: depth), number(depth: depth))
    case 4: return call("COALESCE", number(depth: depth), number(depth: depth), literal(0))
    case 5: return call("CHAR_LENGTH", text(depth: depth))
    case 6:
      return call(
        "EXTRACT", .literal(.text(pick("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"))),
        moment(depth: depth))
    default: return call("POSITION", .literal(.text(pick("a", "é", ""))), text(depth: depth))
    }
  }

  private mutating func choice(
    depth: Int, _ result: (inout FilterGenerator) -> FilterExpression
  ) -> FilterExpression {
    let otherwise = chance(2) ? result(&self) : nil
    if chance(2) {
      let place = pick(0, 3, 5, 9)
      let branches = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        ChoiceBranch(
          when: chance(3) ? self.operand(like: place) : literal(place), then: result(&self))
      }
      let operand = chance(2) ? FilterExpression.property(Self.names[place]) : self.operand(like: place)
      return note("case of value", .choice(of: operand, branches, otherwise: otherwise))
    }
    let branches = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      ChoiceBranch(when: condition(depth: max(depth, 0)), then: result(&self))
    }
    return note("case", .choice(of: nil, branches, otherwise: otherwise))
  }

  private mutating func text(depth: Int) -> FilterExpression {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 2), using: &random) {
    case 0: return .property(Self.names[pick(5, 6)])
    case 1: return literal(5)
    case 2: return call("UPPER", text(depth: depth - 1))
    case 3: return call("LOWER", text(depth: depth - 1))
    case 4: return call("CONCAT", text(depth: depth - 1), text(depth: depth - 1))
    case 5:
      return call(
        "SUBSTRING", text(depth: depth - 1), .literal(.integer(pick(0, 1, 2))), .literal(.integer(2)))
    case 6:
      return call(
        "TRIM", .literal(.text(pick("BOTH", "LEADING", "TRAILING"))), .literal(.text("a")),
        text(depth: depth - 1))
    case 7: return call("CAST", number(depth: depth - 1), .literal(.text(pick("VARCHAR", "VARCHAR(2)"))))
    default: return choice(depth: depth - 2) { $0.text(depth: depth - 1) }
    }
  }

  private mutating func moment(depth: Int) -> FilterExpression {
    switch Int.random(in: 0..<(depth > 0 ? 4 : 1), using: &random) {
    case 0: return .property(Self.names[Int.random(in: 9...12, using: &random)])
    case 1:
      let duration = CalendarInterval(microseconds: pick(86_400_000_000, -3_600_000_000, 1))
      return note(
        "moment and duration",
        .arithmetic(pick(.add, .subtract), moment(depth: depth - 1), .literal(.duration(duration))))
    case 2: return call("NULLIF", moment(depth: depth - 1), .property(Self.names[10]))
    default: return call("CAST", moment(depth: depth - 1), .literal(.text(pick("DATE", "TIMESTAMP"))))
    }
  }

  /// A literal of a type that compares with the column's.
  private mutating func literal(_ place: Int) -> FilterExpression {
    switch place {
    case 0...4, 13:
      .literal(value(chance(4) ? Int.random(in: 0...4, using: &random) : pick(0, 3, min(place, 4))))
    case 7, 8: .literal(.integer(pick(0, 1)))
    case 9...12: .literal(value(Int.random(in: 9...12, using: &random)))
    default: .literal(value(place))
    }
  }
}

extension FilterExpression {
  /// The filter as a where clause with every part in parentheses; nil if the parser would read it
  /// differently.
  var whereClause: String {
    switch self {
    case .literal(let value):
      switch value {
      case .null: "NULL"
      case .integer(let value): String(value)
      case .real(let value): String(value)
      case .text(let text):
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
      case .boolean(let value): value ? "TRUE" : "FALSE"
      case .date(let date): "DATE '\(date)'"
      case .instant(let instant): "timestamp '\(instant.sqlTimestamp)'"
      case .duration(let duration): duration.sqlLiteral
      }
    case .property(let name): "\"\(name)\""
    case .and(let terms): "(" + terms.map(\.whereClause).joined(separator: " AND ") + ")"
    case .or(let terms): "(" + terms.map(\.whereClause).joined(separator: " or ") + ")"
    case .not(let term): "(NOT \(term.whereClause))"
    case .comparison(let comparison, let first, let second):
      "(\(first.whereClause)\(comparison.rawValue)\(second.whereClause))"
    case .like(let text, let pattern, let escape):
      "(\(text.whereClause) LIKE \(pattern.whereClause)" + (escape.map { " ESCAPE '\($0)'" } ?? "") + ")"
    case .between(let operand, let lower, let upper, _):
      "(\(operand.whereClause) BETWEEN \(lower.whereClause) AND \(upper.whereClause))"
    case .isIn(let operand, let elements):
      "(\(operand.whereClause) IN (" + elements.map(\.whereClause).joined(separator: ",") + "))"
    case .isNull(let operand): "(\(operand.whereClause) is null)"
    case .arithmetic(let operation, let first, let second):
      "(\(first.whereClause) \(operation.rawValue) \(second.whereClause))"
    // A number directly after the sign would be parsed as a negative number.
    case .negative(let operand): "(-(\(operand.whereClause)))"
    case .call(let name, let arguments): Self.call(name, arguments)
    case .choice(let operand, let branches, let otherwise):
      "CASE " + (operand.map { $0.whereClause + " " } ?? "")
        + branches.map { "WHEN \($0.when.whereClause) THEN \($0.then.whereClause) " }.joined()
        + (otherwise.map { "ELSE \($0.whereClause) " } ?? "") + "END"
    // Where clauses have no form for these.
    case .geometry, .spatial, .interval, .temporal, .array, .arrays: "?"
    }
  }

  private static func call(_ name: String, _ arguments: [FilterExpression]) -> String {
    let texts = arguments.map(\.whereClause)
    func word(_ place: Int) -> String {
      if case .literal(.text(let word)) = arguments[place] { word } else { "" }
    }
    return switch FunctionCatalog.function(named: name)?.syntax {
    case .extract: "EXTRACT(\(word(0)) FROM \(texts[1]))"
    case .trim:
      texts.count == 1 ? "TRIM(\(texts[0]))" : "TRIM(\(word(0)) \(texts[1]) FROM \(texts[2]))"
    case .position: "POSITION(\(texts[0]) IN \(texts[1]))"
    case .cast: "CAST(\(texts[0]) AS \(word(1)))"
    case .word: name
    default: "\(name.lowercased())(\(texts.joined(separator: ",")))"
    }
  }
}
