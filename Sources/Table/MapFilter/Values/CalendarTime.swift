/// A day of the proleptic Gregorian calendar, without a time zone.
public struct CalendarDate: Hashable, Sendable {
  /// The number of days since 1970-01-01.
  public let days: Int32

  /// Creates the day that is a number of days after 1970-01-01.
  public init(days: Int32) { self.days = days }

  /// Creates a day from a year of 1 to 9999, a month and a day of the month; nil when the day does not exist.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.dayCount(ofMonth: month, year: year)
    else { return nil }
    days = Int32(Self.dayNumber(year: year, month: month, day: day))
  }

  /// The year, the month from 1, and the day from 1; the year before 0001 is 0, then -1.
  public var components: (year: Int, month: Int, day: Int) {
    // Days are counted from 0000-03-01, so that the leap day comes last in its year.
    let shifted = Int(days) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  /// Midnight UTC at the start of the day; beyond year ±290,000 the first or last representable instant.
  public var start: Instant {
    let (product, overflow) = Int64(days).multipliedReportingOverflow(by: Instant.microsecondsPerDay)
    return Instant(microseconds: overflow ? (days < 0 ? .min : .max) : product)
  }

  /// Returns the number of days from 1970-01-01 to an existing day.
  ///
  /// - Source: Howard Hinnant, "chrono-compatible low-level date algorithms", `days_from_civil`; `components` is its
  ///   `civil_from_days`.
  @inline(__always)
  private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func dayCount(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// An instant in UTC.
///
/// Microseconds, as in PostgreSQL, represent every year from -290,000 to 290,000 exactly. Leap seconds are not counted.
public struct Instant: Hashable, Sendable {
  /// The number of microseconds since 1970-01-01T00:00:00Z.
  public let microseconds: Int64

  /// Creates the instant that is a number of microseconds after 1970-01-01T00:00:00Z.
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// Creates an instant from milliseconds since 1970-01-01T00:00:00Z, as services send it; nil outside the years 0001
  /// to 9999.
  public init?(epochMilliseconds: Int64) {
    let (microseconds, overflow) = epochMilliseconds.multipliedReportingOverflow(by: 1000)
    guard !overflow, Self.calendarRange.contains(microseconds) else { return nil }
    self.init(microseconds: microseconds)
  }

  /// The day in UTC.
  public var date: CalendarDate { CalendarDate(days: Int32(clamping: dayAndRest.day)) }

  /// The number of microseconds since midnight UTC.
  public var microsecondOfDay: Int64 { dayAndRest.rest }

  private var dayAndRest: (day: Int64, rest: Int64) {
    let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: Self.microsecondsPerDay)
    return remainder < 0 ? (quotient - 1, remainder + Self.microsecondsPerDay) : (quotient, remainder)
  }

  static let microsecondsPerDay: Int64 = 86_400_000_000

  /// 0001-01-01T00:00:00 to 9999-12-31T23:59:59.999999, the years with four digits.
  static var calendarRange: ClosedRange<Int64> {
    (-719_162 * microsecondsPerDay)...(2_932_897 * microsecondsPerDay - 1)
  }
}

extension CalendarDate: Comparable {
  /// Returns whether the first day comes before the second.
  public static func < (first: CalendarDate, second: CalendarDate) -> Bool { first.days < second.days }
}

extension Instant: Comparable {
  /// Returns whether the first instant comes before the second.
  public static func < (first: Instant, second: Instant) -> Bool {
    first.microseconds < second.microseconds
  }
}
