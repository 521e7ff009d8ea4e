// Functions of dates and instants, all in UTC.

extension FilterFunction {
  static let timeFunctions: [FilterFunction] = [
    FilterFunction(
      "EXTRACT", "EXTRACT(YEAR | MONTH | DAY | HOUR | MINUTE | SECOND FROM date)",
      "A part of a date or timestamp in UTC; seconds have a fraction; hour, minute and second of a date are 0.",
      example: "EXTRACT(YEAR FROM DATE '2020-02-29') = 2020",
      takes: [.word(CalendarUnit.allCases.map(\.rawValue)), .moment], gives: .unit, syntax: .extract,
      otherNames: ["DATEPART", "DATE_PART", "YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"],
      .worded(place: 0) { word in
        guard let unit = CalendarUnit(rawValue: word) else { return nil }
        return { arguments in arguments[1].moment?.part(unit) ?? .null }
      }),
    FilterFunction(
      "CURRENT_DATE", "CURRENT_DATE", "The date of the query in UTC.",
      example: "CURRENT_DATE > DATE '2020-01-01'", takes: [], gives: .always(.date), syntax: .word,
      otherNames: ["TODAY", "CURDATE"], .currentTime { .date($0.date) }),
    FilterFunction(
      "CURRENT_TIMESTAMP", "CURRENT_TIMESTAMP",
      "The time of the query, the same for all its rows.",
      example: "CURRENT_TIMESTAMP - INTERVAL '7' DAY < CURRENT_TIMESTAMP", takes: [],
      gives: .always(.instant), syntax: .word,
      otherNames: ["NOW", "GETDATE", "SYSDATE", "LOCALTIMESTAMP", "GETUTCDATE"], .currentTime { .instant($0) }
    ),
    // Time-only fields are text here, so the current time is text too.
    FilterFunction(
      "CURRENT_TIME", "CURRENT_TIME", "The time of day in UTC, as text of the form hh:mm:ss.",
      example: "CURRENT_TIME >= '00:00:00'", takes: [], gives: .always(.text), syntax: .word,
      otherNames: ["CURTIME", "LOCALTIME"],
      .currentTime {
        .text(String($0.sqlTimestamp.dropFirst("yyyy-mm-dd ".utf8.count).prefix("hh:mm:ss".utf8.count)))
      }),
  ]
}

extension FilterFunction {
  /// Returns a function that reads text as an instant where CQL2 needs one; a day gives its first or last microsecond.
  package static func moment(ofTextAt side: IntervalSide) -> FilterFunction {
    FilterFunction(
      "TIMESTAMP", "", "", example: "", takes: [.text], gives: .always(.instant),
      .values { arguments in
        guard let text = arguments[0].text else { return .null }
        if side == .end, let date = CalendarDate(iso8601: text) { return .instant(date.last) }
        return CastType.instant.value(of: arguments[0])
      })
  }
}

/// An end of a time interval.
package enum IntervalSide: Hashable, Sendable { case start, end }

extension CalendarDate {
  /// The last microsecond of the day.
  package var last: Instant {
    let (last, overflow) = start.microseconds.addingReportingOverflow(Instant.microsecondsPerDay - 1)
    return Instant(microseconds: overflow ? .max : last)
  }
}

extension Instant {
  /// Returns a part of the instant in UTC; a real for seconds, else an integer.
  fileprivate func part(_ unit: CalendarUnit) -> AttributeValue {
    let microsecond = microsecondOfDay
    return switch unit {
    case .year: .integer(Int64(date.components.year))
    case .month: .integer(Int64(date.components.month))
    case .day: .integer(Int64(date.components.day))
    case .hour: .integer(microsecond / 3_600_000_000)
    case .minute: .integer(microsecond / 60_000_000 % 60)
    case .second: .real(Double(microsecond % 60_000_000) / 1_000_000)
    }
  }
}
