extension FilterTypeCheck {
  /// Refuses two operands whose types do not compare.
  ///
  /// - Parameter whole: the condition that compares them; nil for the operands of CASE.
  func compare(
    _ first: Operand, _ second: Operand, in whole: FilterExpression? = nil
  ) throws(FilterError) {
    guard let firstType = first.type, let secondType = second.type,
      AttributeType.common(firstType, first.expression, secondType, second.expression) == nil
    else { return }
    func isLiteral(_ part: FilterExpression) -> Bool { if case .literal = part { true } else { false } }
    // A text that is no literal is cast; a text literal is written without quotes.
    let secondIsRead = firstType == .text && !isLiteral(first.expression)
    let firstIsRead = secondType == .text && !isLiteral(second.expression)
    let cast = firstIsRead || secondIsRead ? whole.flatMap(castAdvice) : nil
    let digits = firstIsRead || secondIsRead ? whole.flatMap(\.digitsAdvice) : nil
    let quotes = whole?.listsTexts ?? false
    let days = firstType == .instant || secondType == .instant ? whole.flatMap(dayAdvice) : nil
    let firstAdvice = firstIsRead ? digits ?? cast?.advice : days ?? advice(first.expression, for: secondType)
    let secondAdvice =
      secondIsRead && !quotes ? digits ?? cast?.advice : days ?? advice(second.expression, for: firstType)
    // The caret is placed under the literal to change, else under the first operand.
    throw error(
      .incomparable(
        language.name(of: first.expression), firstType, language.name(of: second.expression), secondType,
        advice: secondAdvice ?? firstAdvice, cast: digits == nil ? cast?.cast : nil),
      at: secondAdvice != nil ? second : first)
  }

  /// Returns advice to cast the texts of a condition that compares them with numbers or times, and the cast if it is that
  /// of a field; nil if the language has no such condition.
  private func castAdvice(_ whole: FilterExpression) -> (advice: String, cast: TextCast?)? {
    let cast = whole.casting(in: fields) { if case .literal = $0 { false } else { true } }
    guard cast != whole, let text = try? cast.readable.text(in: language, fields: fields) else { return nil }
    return ("write \(text)", cast.textCasts.first)
  }

  /// Returns advice to compare the days of timestamps with texts that are days; nil for other conditions.
  ///
  /// A timestamp equals a date at midnight alone, and is greater than it during the whole day.
  private func dayAdvice(_ whole: FilterExpression) -> String? {
    whole.comparingDays(in: fields).flatMap { try? $0.text(in: language, fields: fields) }.map {
      "write \($0)"
    }
  }

  /// Returns advice for rewriting a literal in the filter's language, so that it compares with a type.
  private func advice(_ operand: FilterExpression, for type: AttributeType) -> String? {
    guard case .literal(let value) = operand, type.isScalar else { return nil }
    switch (type, value) {
    case (.integer, .text(let text)), (.real, .text(let text)):
      guard let number = DecimalText.number(text), let plain = DecimalText.text(of: number) else {
        return "write a number without quotes"
      }
      return "write \(plain) without quotes"
    // Of a list with texts, the others are texts, too.
    case (.text, .integer(let number)): return "write \(language.quoted("\(number)")) in quotes"
    case (.text, .real(let number)): return "write \(language.quoted("\(number)")) in quotes"
    case (.boolean, _): return "write \(language.booleanForms)"
    case (.date, .text(let text)), (.instant, .text(let text)):
      if let literal = CalendarLiteral(text) { return "write \(language.written(literal.value))" }
      return "write \(language.momentForms)"
    case (.date, _), (.instant, _): return "write \(language.momentForms)"
    case (.duration, _): return language.durationForm.map { "write \($0)" }
    default: return nil
    }
  }
}

extension FilterExpression {
  /// Whether the condition compares its first part with a text literal among others, in IN or BETWEEN.
  fileprivate var listsTexts: Bool {
    func isText(_ part: FilterExpression) -> Bool { if case .literal(.text) = part { true } else { false } }
    return switch self {
    case .between(_, let lower, let upper, _): isText(lower) || isText(upper)
    case .isIn(_, let elements): elements.contains(where: isText)
    default: false
    }
  }

  /// The condition with dates for its texts and the days of its timestamps; nil if a text is no day, and for conditions
  /// that say the same with dates alone.
  fileprivate func comparingDays(in fields: FilterFields) -> FilterExpression? {
    func isDay(_ part: FilterExpression) -> Bool { part.day != nil }
    func day(_ part: FilterExpression) -> FilterExpression {
      if let day = part.day { return .literal(.date(day)) }
      return .call("CAST", [part, .literal(.text(CastType.date.description))])
    }
    switch self {
    case .comparison(let comparison, let first, let second):
      // From the start of a day on, and before it.
      let isBound = comparison == (isDay(second) ? .greaterOrEqual : .lessOrEqual)
      let isLimit = comparison == (isDay(second) ? .less : .greater)
      guard isDay(first) != isDay(second), !isBound, !isLimit else { return nil }
      return .comparison(comparison, day(first), day(second))
    case .between(let operand, let lower, let upper, let bounds):
      guard isDay(lower), isDay(upper), !isDay(operand) else { return nil }
      return .between(day(operand), lower: day(lower), upper: day(upper), bounds)
    case .isIn(let operand, let elements):
      guard elements.allSatisfy(isDay), !isDay(operand) else { return nil }
      return .isIn(day(operand), elements.map(day))
    default: return nil
    }
  }

  /// The day that a text literal is; nil for other parts.
  private var day: CalendarDate? {
    guard case .literal(.text(let text)) = self, case .date(let day)? = CalendarLiteral(text) else {
      return nil
    }
    return day
  }

  /// Advice for a text that is compared for equality with numbers which doubles round; nil for others, and if a cast to
  /// whole numbers is exact.
  fileprivate var digitsAdvice: String? {
    func isLong(_ part: FilterExpression) -> Bool {
      if case .literal(.real(let number)) = part { abs(number) >= 0x1p53 } else { false }
    }
    let hasLong =
      switch self {
      case .comparison(.equal, let first, let second), .comparison(.notEqual, let first, let second):
        isLong(first) || isLong(second)
      case .isIn(_, let elements):
        elements.contains { isLong($0) || $0.isLongInteger } && !elements.allSatisfy(\.isLongInteger)
      default: false
      }
    return hasLong ? "write the digits in quotes, as the texts have them" : nil
  }

  /// The condition with the common names of the types of numbers, instead of those that ArcGIS services have.
  fileprivate var readable: FilterExpression {
    let names = ["FLOAT": "DOUBLE", "INT": "BIGINT"]
    func renamed(_ part: FilterExpression) -> FilterExpression {
      guard case .call("CAST", let arguments) = part, case .literal(.text(let type))? = arguments.last,
        let name = names[type]
      else { return part }
      return .call("CAST", [arguments[0], .literal(.text(name))])
    }
    return switch self {
    case .comparison(let comparison, let first, let second):
      .comparison(comparison, renamed(first), renamed(second))
    case .between(let operand, let lower, let upper, let bounds):
      .between(renamed(operand), lower: lower, upper: upper, bounds)
    case .isIn(let operand, let elements): .isIn(renamed(operand), elements)
    default: self
    }
  }
}

extension FilterExpression {
  /// Returns the condition with casts where a text field is compared with numbers or times.
  ///
  /// Databases such as Oracle and SQL Server convert the text in such a comparison. Here, a text that is no number or
  /// time is null after the cast, so that the comparison is not true.
  func castingTexts(in fields: FilterFields) -> FilterExpression {
    casting(in: fields) { if case .property = $0 { true } else { false } }
  }

  /// Returns the condition with casts where texts are compared with numbers or times.
  ///
  /// - Parameter mayCast: whether a part may be cast if it is a text.
  func casting(
    in fields: FilterFields, where mayCast: (FilterExpression) -> Bool
  ) -> FilterExpression {
    func cast(
      _ text: FilterExpression, like others: [FilterExpression], isEqual: Bool = false
    ) -> FilterExpression {
      // Doubles are not exact from 2^53 on. A cast to whole numbers rounds, so it decides no order.
      let isExact = isEqual && others.allSatisfy(\.isLongInteger)
      let types = Set(others.map { isExact ? .integer : $0.castType(in: fields) })
      guard types.count == 1, let first = types.first, let type = first, mayCast(text),
        (try? text.type(in: fields)) == .text
      else { return text }
      return .call("CAST", [text, .literal(.text(type.description))])
    }
    func casting(_ term: FilterExpression) -> FilterExpression {
      term.casting(in: fields, where: mayCast)
    }
    return switch self {
    case .and(let terms): .and(terms.map(casting))
    case .or(let terms): .or(terms.map(casting))
    case .not(let term): .not(casting(term))
    case .comparison(let comparison, let first, let second):
      .comparison(
        comparison, cast(first, like: [second], isEqual: comparison.isEquality),
        cast(second, like: [first], isEqual: comparison.isEquality))
    case .between(let operand, let lower, let upper, let bounds):
      .between(cast(operand, like: [lower, upper]), lower: lower, upper: upper, bounds)
    case .isIn(let operand, let elements):
      .isIn(cast(operand, like: elements, isEqual: true), elements)
    default: self
    }
  }

  /// Whether the expression is a whole number that doubles may round.
  fileprivate var isLongInteger: Bool {
    if case .literal(.integer(let number)) = self { number.magnitude >= 1 << 53 } else { false }
  }

  /// The type to which a text is cast before it is compared with this value; nil for texts and other values.
  ///
  /// A date is compared with timestamps, because a text may be one.
  func castType(in fields: FilterFields) -> CastType? {
    let type: AttributeType? =
      if case .literal(let value) = self { value.type } else { try? type(in: fields) }
    return switch type?.family {
    case .number: .real
    case .moment: .instant
    default: nil
    }
  }
}

extension FilterExpression {
  /// The casts of fields in the expression, and the fields that temporal predicates read as timestamps; each once.
  package var textCasts: [TextCast] {
    var casts: [TextCast] = []
    var open = [self]
    while let part = open.popLast() {
      switch part {
      case .call("CAST", let arguments):
        if case .property(let field)? = arguments.first, case .literal(.text(let name))? = arguments.last,
          let type = CastType(name)
        {
          casts.append(TextCast(field: field, type: type))
        }
      case .temporal(_, let first, let second):
        for case .property(let field) in [first, second] {
          casts.append(TextCast(field: field, type: .instant))
        }
      default: break
      }
      open += part.children.reversed()
    }
    var known: Set<TextCast> = []
    return casts.filter { known.insert($0).inserted }
  }
}

extension ComparisonOperator {
  fileprivate var isEquality: Bool { self == .equal || self == .notEqual }
}
