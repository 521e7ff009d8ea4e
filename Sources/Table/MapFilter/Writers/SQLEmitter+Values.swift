import MapGeometry

/// Values in SQL, each converted to the type that its context needs.
extension SQLEmitter {
  /// Returns the type of a checked part.
  func type(_ expression: FilterExpression) throws(FilterWritingError) -> AttributeType? {
    do throws(FilterError) { return try expression.type(in: fields) } catch {
      throw inexpressible("\(error)")
    }
  }

  /// Returns the type as which two values are compared.
  func commonType(_ first: FilterExpression, _ second: FilterExpression) throws(FilterWritingError)
    -> AttributeType?
  {
    let (a, b) = (try type(first), try type(second))
    guard let a, let b else { return a ?? b }
    return AttributeType.common(a, first, b, second)
  }

  /// Returns an expression that does not depend on a row as a literal; others unchanged.
  func folded(_ expression: FilterExpression) -> FilterExpression {
    guard case .call(let name, let arguments) = expression,
      let function = FunctionCatalog.function(named: name),
      !function.needsCurrentTime, function.argumentCount.contains(arguments.count)
    else { return expression }
    var values: [AttributeValue] = []
    for argument in arguments {
      guard case .literal(let value) = folded(argument) else { return expression }
      values.append(value)
    }
    return .literal(function.value(of: values))
  }

  mutating func value(_ expression: FilterExpression, as type: AttributeType?) throws(FilterWritingError)
    -> String
  {
    let expression = folded(expression)
    if case .literal(let value) = expression { return try literal(value, as: type) }
    let own = try self.type(expression)
    let text = try plain(expression)
    return own == .date && type == .instant ? moment(ofDay: text) : text
  }

  // MARK: Literals

  private mutating func literal(
    _ value: AttributeValue, as type: AttributeType?
  ) throws(FilterWritingError) -> String {
    switch (value, type) {
    case (.null, _): return "NULL"
    // 0 and 1 beside a boolean are booleans.
    case (.integer(let number), .boolean?): return try parameter(boolean(number != 0))
    case (.boolean(let flag), _): return try parameter(boolean(flag))
    case (.integer(let number), _): return try parameter(.integer(number))
    case (.real(let number), _) where number.isFinite: return try parameter(.real(number))
    case (.text(let text), _) where !text.unicodeScalars.contains("\0"): return try parameter(.text(text))
    case (.date(let date), .instant?): return try moment(date.start)
    case (.date(let date), _) where CalendarDate(iso8601: date.description) != nil:
      let text = try parameter(.text(date.description))
      return dialect == .postGIS ? "\(text)::date" : text
    case (.instant(let instant), _): return try moment(instant)
    case (.real, _), (.text, _), (.date, _), (.duration, _): throw inexpressible(value.nameInMessages)
    }
  }

  /// Returns the parameter of a boolean; SQLite has no booleans, so it gets 1 or 0.
  private func boolean(_ flag: Bool) -> SQLParameter {
    dialect == .postGIS ? .boolean(flag) : .integer(flag ? 1 : 0)
  }

  private mutating func moment(_ instant: Instant) throws(FilterWritingError) -> String {
    guard Instant(rfc3339: instant.description) != nil else {
      throw inexpressible(AttributeValue.instant(instant).nameInMessages)
    }
    guard dialect == .spatiaLite else { return "\(try parameter(.text(instant.description)))::timestamptz" }
    // SQLite times have three decimals. The last microsecond of a day is cut to three nines, as in SQLite's own times.
    let rest = instant.microsecondOfDay % 1000
    guard rest == 0 || instant == instant.date.last else {
      throw inexpressible("a fraction of a millisecond")
    }
    let whole = Instant(microseconds: instant.microseconds - rest)
    let text = whole.description.dropLast()
    let digits = text.split(separator: ".").dropFirst().first?.utf8.count ?? 0
    return try parameter(
      .text(text + (digits == 0 ? "." : "") + String(repeating: "0", count: 3 - digits)))
  }

  /// Returns the start of a day as an instant in SQL.
  private func moment(ofDay text: String) -> String {
    dialect == .postGIS
      ? "(\(text)::timestamp AT TIME ZONE 'UTC')" : "strftime('%Y-%m-%dT%H:%M:%f', \(text))"
  }

  // MARK: Columns, arithmetic, CASE

  /// Writes a value in its own type.
  private mutating func plain(_ expression: FilterExpression) throws(FilterWritingError) -> String {
    switch expression {
    case .property(let name):
      let column = try self.column(name)
      // The function gives ISO 8601 text in one form, whatever form the table uses.
      if dialect == .spatiaLite, try type(expression) == .instant { return moment(ofDay: column) }
      return column
    case .negative(let operand):
      guard try type(operand) != .duration else { throw inexpressible("an interval of time") }
      return "(- \(try value(operand, as: type(operand))))"
    case .arithmetic(let operation, let first, let second): return try arithmetic(operation, first, second)
    case .call(let name, let arguments): return try call(name, arguments)
    case .choice(let operand, let branches, let otherwise): return try choice(operand, branches, otherwise)
    default: throw inexpressible(expression.nameInMessages)
    }
  }

  private mutating func arithmetic(
    _ operation: ArithmeticOperator, _ first: FilterExpression, _ second: FilterExpression
  ) throws(FilterWritingError) -> String {
    let types = (try type(first), try type(second))
    if types.0 == .date, operation == .add, second == .literal(.duration(.allOfADay)) {
      // A day becomes its last instant, which ends time intervals.
      let day = try value(first, as: .date)
      return dialect == .postGIS
        ? "((\(day) + time '23:59:59.999999') AT TIME ZONE 'UTC')"
        : "strftime('%Y-%m-%dT23:59:59.999', \(day))"
    }
    let isWhole = types == (.integer, .integer)
    guard isWhole || [types.0, types.1].allSatisfy({ $0 == nil || $0 == .integer || $0 == .real }) else {
      throw inexpressible("arithmetic with times")
    }
    let (a, b) = (try value(first, as: .real), try value(second, as: .real))
    let isPostGIS = dialect == .postGIS
    switch operation {
    case .add, .subtract, .multiply:
      // Integers beyond 64 bits are an error in PostgreSQL, and reals in SQLite and here.
      return isPostGIS && isWhole
        ? "(\(a)::numeric \(operation.rawValue) \(b)::numeric)" : "(\(a) \(operation.rawValue) \(b))"
    case .divide:
      return isPostGIS
        ? "(\(a)::double precision / NULLIF(\(b)::double precision, 0))" : "(CAST(\(a) AS REAL) / \(b))"
    case .divideWhole where isWhole:
      return isPostGIS ? "div(\(a)::numeric, NULLIF(\(b), 0)::numeric)" : "(\(a) / \(b))"
    case .modulo where isWhole:
      return isPostGIS ? "mod(\(a)::numeric, NULLIF(\(b), 0)::numeric)" : "(\(a) % \(b))"
    case .divideWhole:
      return isPostGIS
        ? "trunc(\(a)::double precision / NULLIF(\(b)::double precision, 0))"
        : "trunc(CAST(\(a) AS REAL) / \(b))"
    case .modulo:
      guard !isPostGIS else { throw inexpressible("% of reals") }
      return "mod(\(a), \(b))"
    case .power:
      // For other exponents databases raise errors or return infinity where the result here is null.
      guard case .literal(let exponent) = second, let number = exponent.realNumber, number >= 0,
        number == number.rounded()
      else { throw inexpressible("^ with an exponent other than a literal whole number from 0 up") }
      return isPostGIS ? "power(\(a)::double precision, \(b)::double precision)" : "pow(\(a), \(b))"
    }
  }

  private mutating func choice(
    _ operand: FilterExpression?, _ branches: [ChoiceBranch], _ otherwise: FilterExpression?
  ) throws(FilterWritingError) -> String {
    let common = try type(.choice(of: operand, branches, otherwise: otherwise))
    var text = "CASE"
    for branch in branches {
      let condition = operand.map { FilterExpression.comparison(.equal, $0, branch.when) } ?? branch.when
      text +=
        " WHEN \(try self.condition(condition, isNegated: false)) THEN \(try value(branch.then, as: common))"
    }
    if let otherwise { text += " ELSE \(try value(otherwise, as: common))" }
    return "\(text) END"
  }
}
