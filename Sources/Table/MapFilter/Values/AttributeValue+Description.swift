import MapJSON

extension AttributeValue: CustomStringConvertible {
  /// The value as people read it: text without quotation marks, dates as ISO 8601, `null` for none.
  public var description: String {
    switch self {
    case .null: "null"
    case .integer(let value): String(value)
    case .real(let value): JSONWriter.text(of: value)
    case .text(let text): text
    case .boolean(let value): value ? "true" : "false"
    case .date(let date): date.description
    case .instant(let instant): instant.description
    case .duration(let duration): duration.sqlLiteral
    }
  }
}

extension CalendarInterval: CustomStringConvertible {
  /// The interval as SQL writes it.
  public var description: String { sqlLiteral }
}

extension SQLParameter: CustomStringConvertible {
  /// The value as people read it.
  public var description: String {
    switch self {
    case .integer(let value): String(value)
    case .real(let number): JSONWriter.text(of: number)
    case .text(let text): text
    case .boolean(let value): value ? "true" : "false"
    }
  }
}
