extension FilterLanguage {
  /// Returns a literal as advice writes it in this language, shortened when it is long.
  func written(_ value: AttributeValue) -> String {
    switch (self, value) {
    case (.cql2Text, .date(let date)): "DATE('\(date)')"
    case (.cql2Text, .instant(let instant)): "TIMESTAMP('\(instant)')"
    case (.cql2JSON, .date(let date)): "{\"date\": \"\(date)\"}"
    case (.cql2JSON, .instant(let instant)): "{\"timestamp\": \"\(instant)\"}"
    case (.cql2JSON, .boolean(let flag)): flag ? "true" : "false"
    default: value.nameInMessages
    }
  }

  /// Returns text between the quotes of this language.
  func quoted(_ text: String) -> String { self == .cql2JSON ? "\"\(text)\"" : "'\(text)'" }

  /// The forms of literals of dates and timestamps.
  var momentForms: String {
    switch self {
    case .sqlWhere: "DATE 'yyyy-mm-dd' or TIMESTAMP 'yyyy-mm-dd hh:mm:ss'"
    case .cql2Text: "DATE('yyyy-mm-dd') or TIMESTAMP('yyyy-mm-ddThh:mm:ssZ')"
    case .cql2JSON: "{\"date\": \"yyyy-mm-dd\"} or {\"timestamp\": \"yyyy-mm-ddThh:mm:ssZ\"}"
    }
  }

  /// The literals of booleans.
  var booleanForms: String {
    switch self {
    case .sqlWhere: "1 for true and 0 for false"
    case .cql2Text: "TRUE or FALSE"
    case .cql2JSON: "true or false"
    }
  }

  /// A literal of a length of time; nil for CQL2, which has none.
  var durationForm: String? { self == .sqlWhere ? "INTERVAL '1' DAY" : nil }

  /// The name of a part in messages, with literals as in this language.
  func name(of part: FilterExpression) -> String {
    if case .literal(let value) = part { written(value) } else { part.nameInMessages }
  }
}
