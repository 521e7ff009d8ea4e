package import MapFilter
import MapGeometry
import MapSystem

extension AttributeValue {
  /// The value as labels and popups show it.
  ///
  /// Null is empty. Numbers have the fewest digits that read back the same. Dates are written as `2026-11-21`,
  /// timestamps as `2026-11-21 14:30:00` in UTC.
  ///
  /// - Source: design decision. Formats in documents are not read yet.
  package var labelText: String {
    switch self {
    case .null: ""
    case .integer(let value): "\(value)"
    case .real(let value):
      value == value.rounded() && abs(value) < 1e15 ? "\(Int64(clamping: value))" : "\(value)"
    case .text(let value): value
    case .boolean(let value): value ? "true" : "false"
    case .date(let date): date.labelText
    case .instant(let instant): "\(instant.date.labelText) \(Self.time(instant.microsecondOfDay))"
    // No column contains durations.
    case .duration(let duration): duration.sqlLiteral
    }
  }

  private static func time(_ microseconds: Int64) -> String {
    let seconds = microseconds / 1_000_000
    let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0.padded(to: 2) }
    let rest = microseconds % 1_000_000
    guard rest > 0 else { return clock.joined(separator: ":") }
    var digits = rest.padded(to: 6)
    while digits.last == "0" { digits.removeLast() }
    return clock.joined(separator: ":") + "." + digits
  }
}

extension CalendarDate {
  fileprivate var labelText: String {
    let (year, month, day) = components
    return "\(Int64(year).padded(to: 4))-\(Int64(month).padded(to: 2))-\(Int64(day).padded(to: 2))"
  }
}

extension Int64 {
  /// Returns the decimal digits with leading zeros, after the minus sign if there is one.
  fileprivate func padded(to count: Int) -> String {
    let digits = "\(magnitude)"
    return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(count - digits.count, 0)) + digits
  }
}
