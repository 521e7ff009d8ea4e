extension FilterTypeCheck {
  /// Refuses two operands whose types do not compare.
  func compare(_ first: Operand, _ second: Operand) throws(FilterError) {
    guard let firstType = first.type, let secondType = second.type,
      AttributeType.common(firstType, first.expression, secondType, second.expression) == nil
    else { return }
    let firstAdvice = advice(first.expression, for: secondType)
    let secondAdvice = advice(second.expression, for: firstType)
    // The caret is placed under the literal to change, else under the first operand.
    throw error(
      .incomparable(
        language.name(of: first.expression), firstType, language.name(of: second.expression), secondType,
        advice: secondAdvice ?? firstAdvice), at: secondAdvice != nil ? second : first)
  }

  /// Returns advice for rewriting a literal in the filter's language, so that it compares with a type.
  private func advice(_ operand: FilterExpression, for type: AttributeType) -> String? {
    guard case .literal(let value) = operand, type.isScalar else { return nil }
    switch (type, value) {
    case (.integer, .text(let text)), (.real, .text(let text)):
      return Double(text).map { $0.isFinite ? "write \(text) without quotes" : nil }
        ?? "write a number without quotes"
    case (.text, .integer(let number)): return "write \(language.quoted("\(number)")) in quotes"
    case (.text, .real(let number)): return "write \(language.quoted("\(number)")) in quotes"
    case (.text, .date(let date)):
      return "write \(language.quoted("\(date)")) without \(language == .cql2JSON ? "\"date\"" : "DATE")"
    case (.text, .instant(let instant)):
      let text = language == .sqlWhere ? instant.sqlTimestamp : "\(instant)"
      return
        "write \(language.quoted(text)) without \(language == .cql2JSON ? "\"timestamp\"" : "TIMESTAMP")"
    case (.boolean, _): return "write \(language.booleanForms)"
    case (.date, .text(let text)), (.instant, .text(let text)):
      if let date = CalendarDate(iso8601: text) { return "write \(language.written(.date(date)))" }
      if let instant = Instant(rfc3339: text) { return "write \(language.written(.instant(instant)))" }
      return "write \(language.momentForms)"
    case (.date, _), (.instant, _): return "write \(language.momentForms)"
    case (.duration, _): return language.durationForm.map { "write \($0)" }
    default: return nil
    }
  }
}
