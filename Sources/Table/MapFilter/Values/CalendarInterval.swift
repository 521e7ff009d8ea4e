/// A length of time in calendar terms: whole months, which have no fixed length, and microseconds.
///
/// A day is 24 hours, since all instants are in UTC.
public struct CalendarInterval: Hashable, Sendable {
  /// The number of months; a year has twelve.
  public let months: Int32
  /// The number of microseconds, including days.
  public let microseconds: Int64

  /// Creates an interval.
  public init(months: Int32 = 0, microseconds: Int64 = 0) {
    (self.months, self.microseconds) = (months, microseconds)
  }

  /// The interval with the opposite sign; nil when it is out of range.
  public var negated: CalendarInterval? {
    guard months != .min, microseconds != .min else { return nil }
    return CalendarInterval(months: -months, microseconds: -microseconds)
  }

  /// Returns the sum of two intervals; nil when it is out of range.
  func adding(_ other: CalendarInterval) -> CalendarInterval? {
    let (months, monthsOverflow) = months.addingReportingOverflow(other.months)
    let (microseconds, overflow) = microseconds.addingReportingOverflow(other.microseconds)
    guard !monthsOverflow, !overflow else { return nil }
    return CalendarInterval(months: months, microseconds: microseconds)
  }

  /// Returns the order relative to another interval; nil when only one has months, whose length depends on the year.
  func ordering(to other: CalendarInterval) -> ValueOrdering? {
    if months == 0, other.months == 0 { return ValueOrdering(microseconds, other.microseconds) }
    if microseconds == 0, other.microseconds == 0 { return ValueOrdering(months, other.months) }
    return self == other ? .equal : nil
  }
}

extension Instant {
  /// Returns the instant moved forward by an interval; nil outside the years 0001 to 9999.
  ///
  /// Months are added first and keep the day of the month. A month without that day gives its last day: 31 January plus
  /// a month is 28 or 29 February.
  ///
  /// - Source: SQL-92, 6.14, leaves a missing day to the server; PostgreSQL takes the last day.
  public func adding(_ interval: CalendarInterval) -> Instant? {
    guard let stepped = addingMonths(Int(interval.months)) else { return nil }
    let (sum, overflow) = stepped.microseconds.addingReportingOverflow(interval.microseconds)
    guard !overflow, Self.calendarRange.contains(sum) else { return nil }
    return Instant(microseconds: sum)
  }

  private func addingMonths(_ months: Int) -> Instant? {
    guard months != 0 else { return self }
    let (year, month, day) = date.components
    let total = year * 12 + month - 1 + months
    let (newYear, newMonth) = (total >= 0 ? total / 12 : -1, total % 12 + 1)
    // Every month has at least 28 days, so one of these four days exists.
    for lastDay in [day, 30, 29, 28] where lastDay <= day {
      guard let date = CalendarDate(year: newYear, month: newMonth, day: lastDay) else { continue }
      return Instant(microseconds: date.start.microseconds + microsecondOfDay)
    }
    return nil
  }

  /// Returns the time from another instant to this one; nil when it is out of range.
  func since(_ other: Instant) -> CalendarInterval? {
    let (difference, overflow) = microseconds.subtractingReportingOverflow(other.microseconds)
    return overflow ? nil : CalendarInterval(microseconds: difference)
  }
}

/// A part of a date or of an interval, in the order of SQL; the raw value is its SQL keyword.
public enum CalendarUnit: String, CaseIterable, Hashable, Sendable {
  /// A year, twelve months.
  case year = "YEAR"
  /// A month.
  case month = "MONTH"
  /// A day of 24 hours.
  case day = "DAY"
  /// An hour.
  case hour = "HOUR"
  /// A minute.
  case minute = "MINUTE"
  /// A second.
  case second = "SECOND"

  /// The length in microseconds; nil for units without a fixed length.
  fileprivate var microseconds: Int64? {
    switch self {
    case .year, .month: nil
    case .day: Instant.microsecondsPerDay
    case .hour: 3_600_000_000
    case .minute: 60_000_000
    case .second: 1_000_000
    }
  }

  /// The greatest value that the unit may have after a greater unit.
  fileprivate var limit: Int64 {
    switch self {
    case .year, .day: .max
    case .month: 11
    case .hour: 23
    case .minute, .second: 59
    }
  }
}

extension CalendarInterval {
  /// Returns the units from a first to a last one; nil when SQL has no such interval.
  static func units(_ first: CalendarUnit, to last: CalendarUnit) -> [CalendarUnit]? {
    let all = CalendarUnit.allCases
    guard let start = all.firstIndex(of: first), let end = all.firstIndex(of: last), start <= end,
      (first.microseconds == nil) == (last.microseconds == nil)
    else { return nil }
    return Array(all[start...end])
  }

  /// Reads the text of an interval literal, such as `1 12:30:00` for days to seconds; nil for other text.
  ///
  /// The text may begin with a sign. `-` separates years and months, a blank follows days, and `:` separates the other
  /// units. Seconds may have a fraction.
  ///
  /// - Source: SQL-92, 5.3, interval string.
  init?(_ text: String, units: [CalendarUnit]) {
    var bytes = Array(text.utf8)[...]
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
    var (months, microseconds): (Int64, Int64) = (0, 0)
    for (place, unit) in units.enumerated() {
      if place > 0 {
        let mark = unit == .month ? UInt8(ascii: "-") : UInt8(ascii: unit == .hour ? " " : ":")
        guard bytes.popFirst() == mark else { return nil }
      }
      let digits = bytes.prefix { (0x30...0x39).contains($0) }
      guard (1...(place == 0 ? 9 : 2)).contains(digits.count) else { return nil }
      bytes = bytes.dropFirst(digits.count)
      let value = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
      guard place == 0 || value <= unit.limit else { return nil }
      if let length = unit.microseconds {
        let (product, overflow) = value.multipliedReportingOverflow(by: length)
        // The units after the first add up to less than a day.
        guard !overflow, product < .max - Instant.microsecondsPerDay else { return nil }
        microseconds += product
      } else {
        months += value * (unit == .year ? 12 : 1)
      }
    }
    if units.last == .second, bytes.first == UInt8(ascii: ".") {
      let fraction = bytes.dropFirst()
      guard (1...6).contains(fraction.count), fraction.allSatisfy({ (0x30...0x39).contains($0) }) else {
        return nil
      }
      var scale: Int64 = 1_000_000
      for digit in fraction {
        scale /= 10
        microseconds += Int64(digit - 0x30) * scale
      }
      bytes = []
    }
    guard bytes.isEmpty, let wholeMonths = Int32(exactly: months) else { return nil }
    self.init(
      months: isNegative ? -wholeMonths : wholeMonths,
      microseconds: isNegative ? -microseconds : microseconds)
  }

  /// The interval as in a where clause; a sum of two literals when it has both months and microseconds.
  public var sqlLiteral: String {
    var parts: [String] = []
    if months != 0 {
      let size = months.magnitude
      parts.append("INTERVAL '\(months < 0 ? "-" : "")\(size / 12)-\(size % 12)' YEAR TO MONTH")
    }
    if microseconds != 0 || months == 0 {
      let size = microseconds.magnitude
      let (day, rest) = size.quotientAndRemainder(dividingBy: UInt64(Instant.microsecondsPerDay))
      let clock = Instant(microseconds: Int64(rest)).sqlTimestamp.dropFirst("1970-01-01 ".utf8.count)
      parts.append("INTERVAL '\(microseconds < 0 ? "-" : "")\(day) \(clock)' DAY TO SECOND")
    }
    return parts.joined(separator: " + ")
  }
}

extension CalendarInterval {
  /// Returns an example of the literal with some units, for messages.
  static func form(_ units: [CalendarUnit]) -> String {
    guard let first = units.first, let last = units.last else { return "INTERVAL '1' DAY" }
    var text = ""
    for (place, unit) in units.enumerated() {
      if place > 0 { text += unit == .month ? "-" : unit == .hour ? " " : ":" }
      text += place == 0 || unit == .month ? "1" : unit == .hour ? "12" : "30"
    }
    return "INTERVAL '\(text)' \(first.rawValue)" + (first == last ? "" : " TO \(last.rawValue)")
  }
}
