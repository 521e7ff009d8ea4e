package import MapFilter

extension AttributeValue {
  /// Returns the value as the text of a class of a unique value renderer.
  ///
  /// - Source: the ArcGIS JavaScript SDK joins values as text and writes whole numbers without a decimal part. Design
  ///   decision: dates are milliseconds, as in JSON.
  package func rendererText(null: String) -> String {
    switch self {
    case .null: null
    case .integer(let value): "\(value)"
    case .real(let value): Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    case .text(let value): value
    case .boolean(let value): value ? "1" : "0"
    case .date(let value): "\(Int64(value.days) * 86_400_000)"
    case .instant(let value): "\(value.wholeMilliseconds)"
    // No column contains durations.
    case .duration(let value): value.sqlLiteral
    }
  }
}

extension Instant {
  /// The milliseconds since 1970 that have passed.
  package var wholeMilliseconds: Int64 {
    let (quotient, rest) = microseconds.quotientAndRemainder(dividingBy: 1000)
    return rest < 0 ? quotient - 1 : quotient
  }
}
