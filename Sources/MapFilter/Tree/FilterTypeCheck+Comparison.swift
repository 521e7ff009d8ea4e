extension FilterTypeCheck {
  /// Refuses two operands whose types do not compare.
  func compare(_ first: Operand, _ second: Operand) throws(FilterError) {
    guard let firstType = first.type, let secondType = second.type,
      AttributeType.common(firstType, first.expression, secondType, second.expression) == nil
    else { return }
    let firstAdvice = Self.advice(first.expression, for: secondType)
    let secondAdvice = Self.advice(second.expression, for: firstType)
    // The caret is placed under the literal to change, else under the first operand.
    throw error(
      .incomparable(
        first.expression.nameInMessages, firstType, second.expression.nameInMessages, secondType,
        advice: secondAdvice ?? firstAdvice), at: secondAdvice != nil ? second : first)
  }

  /// Returns advice for rewriting a literal so that it compares with a type.
  private static func advice(_ operand: FilterExpression, for type: AttributeType) -> String? {
    guard case .literal(let value) = operand, type.isScalar else { return nil }
    switch (type, value) {
    case (.integer, .text(let text)), (.real, .text(let text)):
      return Double(text).map { $0.isFinite ? "write \(text) without quotes" : nil }
        ?? "write a number without quotes"
    case (.text, .integer(let number)): return "write '\(number)' in quotes"
    case (.text, .real(let number)): return "write '\(number)' in quotes"
    case (.text, .date(let date)): return "write '\(date)' without DATE"
    case (.text, .instant(let instant)): return "write '\(instant.sqlTimestamp)' without TIMESTAMP"
    case (.boolean, _): return "write 1 for true and 0 for false"
    case (.date, .text(let text)), (.instant, .text(let text)):
      if let date = CalendarDate(iso8601: text) { return "write DATE '\(date)'" }
      if let instant = Instant(rfc3339: text) { return "write TIMESTAMP '\(instant.sqlTimestamp)'" }
      return "write DATE 'yyyy-mm-dd' or TIMESTAMP 'yyyy-mm-dd hh:mm:ss'"
    case (.date, _), (.instant, _): return "write DATE 'yyyy-mm-dd' or TIMESTAMP 'yyyy-mm-dd hh:mm:ss'"
    case (.duration, _): return "write INTERVAL '1' DAY"
    default: return nil
    }
  }
}
