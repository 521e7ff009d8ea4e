// Conversion of dates and instants from and to text: ISO 8601 dates, RFC 3339 date-times, and timestamps of where
// clauses.

import MapJSON

extension CalendarDate: CustomStringConvertible {
  /// Reads a day written as `yyyy-mm-dd`; nil for other text and for days that do not exist.
  ///
  /// - Source: ISO 8601-1 calendar date, extended format, years 0001 to 9999.
  public init?(iso8601 text: String) { self.init(iso8601: text.utf8.span) }

  /// Reads a day from the UTF-8 bytes of `yyyy-mm-dd`; nil for other bytes and for days that do not exist.
  public init?(iso8601 bytes: Span<UInt8>) {
    var scanner = CalendarScanner()
    guard let date = scanner.date(bytes), scanner.offset == bytes.count else { return nil }
    self = date
  }

  /// The day as `yyyy-mm-dd`.
  public var description: String {
    let (year, month, day) = components
    return "\(year < 0 ? "-" : "")\(padded(abs(year), 4))-\(padded(month, 2))-\(padded(day, 2))"
  }
}

extension Instant: CustomStringConvertible {
  /// Reads a date-time of a data file; nil for other text, times that do not exist, and years past 9999.
  ///
  /// The form is `yyyy-mm-dd`, then `T` or a blank, then `hh:mm:ss`, then optionally a fraction of any length, then
  /// optionally `Z` or `±hh:mm`. Without a zone the time is in UTC. `T` and `Z` may be lower case. Second 60 and hour
  /// 24 are refused.
  ///
  /// - Source: RFC 3339, 5.6, and its note on a blank for `T`; allowing a missing zone is a design decision.
  /// - Error: cut to the microsecond.
  public init?(rfc3339 text: String) { self.init(rfc3339: text.utf8.span) }

  /// Reads a date-time of a data file from its UTF-8 bytes; nil as for the text.
  public init?(rfc3339 bytes: Span<UInt8>) {
    var scanner = CalendarScanner()
    guard let date = scanner.date(bytes) else { return nil }
    guard scanner.take(bytes, "T") || scanner.take(bytes, "t") || scanner.take(bytes, " ") else { return nil }
    guard let time = scanner.time(bytes), let zone = scanner.zone(bytes), scanner.offset == bytes.count
    else { return nil }
    self.init(date: date, time: time - zone)
  }

  /// Reads a date-time as programs and colleagues write it in files; nil for other text.
  ///
  /// The forms are those of ``init(rfc3339:)``, also without seconds, and with the zones `±hhmm` and `±hh`.
  ///
  /// - Source: ISO 8601-1, 5.3.1.3 (reduced precision) and 5.3.4.1 (time shift); `±hhmm` beside the extended form is
  ///   what `date +%z` and Python's `strftime` write.
  /// - Error: cut to the microsecond.
  package init?(loose bytes: Span<UInt8>) {
    if let instant = Instant(rfc3339: bytes) {
      self = instant
      return
    }
    var scanner = CalendarScanner()
    guard let date = scanner.date(bytes),
      scanner.take(bytes, "T") || scanner.take(bytes, "t") || scanner.take(bytes, " "),
      let time = scanner.time(bytes) ?? scanner.minutes(bytes), let zone = scanner.zone(bytes, isLoose: true),
      scanner.offset == bytes.count
    else { return nil }
    self.init(date: date, time: time - zone)
  }

  /// Reads a timestamp of a where clause in UTC, `yyyy-mm-dd hh:mm:ss[.fraction]`; nil for other text.
  ///
  /// The form has exactly one blank, no `T` and no zone.
  ///
  /// - Source: SQL-92, 5.3, timestamp string.
  /// - Error: cut to the microsecond.
  public init?(sqlTimestamp text: String) {
    let bytes = text.utf8.span
    var scanner = CalendarScanner()
    guard let date = scanner.date(bytes), scanner.take(bytes, " "), let time = scanner.time(bytes),
      scanner.offset == bytes.count
    else { return nil }
    self.init(date: date, time: time)
  }

  fileprivate init?(date: CalendarDate, time: Int64) {
    let microseconds = date.start.microseconds + time
    guard Self.calendarRange.contains(microseconds) else { return nil }
    self.init(microseconds: microseconds)
  }

  /// The instant in RFC 3339, `yyyy-mm-ddThh:mm:ss[.fraction]Z`, with as many decimals as it needs.
  public var description: String { "\(date)T\(timeOfDay)Z" }

  /// The instant as in a where clause, `yyyy-mm-dd hh:mm:ss[.fraction]`.
  public var sqlTimestamp: String { "\(date) \(timeOfDay)" }

  private var timeOfDay: String {
    let microsecond = Int(microsecondOfDay)
    let second = microsecond / 1_000_000
    let clock = "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    guard microsecond % 1_000_000 != 0 else { return clock }
    var fraction = padded(microsecond % 1_000_000, 6)
    while fraction.last == "0" { fraction.removeLast() }
    return "\(clock).\(fraction)"
  }
}

/// A date or a timestamp in one of the forms that Esri's products write and read.
///
/// A date is `yyyy-mm-dd`; months and days may have one digit. A timestamp has `T` or blanks after the date, then
/// `hh:mm`, `hh:mm:ss` or `hh:mm:ss.fraction`, then optionally a blank, and `Z`, `±hh:mm`, `±hhmm` or `±hh`. Without a
/// zone, it is in UTC.
///
/// - Source: Esri, "SQL reference for query expressions used in ArcGIS" (date-time); ISO 8601 for zones. One-digit months
///   and days, and times without seconds, as databases behind services accept them.
/// - Error: cut to the microsecond.
package enum CalendarLiteral: Hashable, Sendable {
  /// A date without a time.
  case date(CalendarDate)
  /// A timestamp.
  case instant(Instant)

  /// Reads a literal; nil for other text, and for days and times that do not exist.
  package init?(_ text: String) {
    let bytes = text.utf8.span
    var scanner = CalendarScanner()
    guard let date = scanner.looseDate(bytes) else { return nil }
    if scanner.offset == bytes.count {
      self = .date(date)
      return
    }
    guard scanner.separator(bytes), let time = scanner.looseTime(bytes) else { return nil }
    _ = scanner.take(bytes, " ")
    guard let zone = scanner.zone(bytes, isLoose: true), scanner.offset == bytes.count,
      let instant = Instant(date: date, time: time - zone)
    else { return nil }
    self = .instant(instant)
  }

  /// Returns the form that replaces a text that is no literal, with a time and a zone if the text has them.
  ///
  /// - Parameter hasTime: whether the form has a time in any case.
  package static func form(of text: String, hasTime: Bool) -> String {
    let time = text.drop { !" T:".contains($0) }
    guard hasTime || !time.isEmpty else { return "yyyy-mm-dd" }
    return "yyyy-mm-dd hh:mm:ss" + (time.contains { "+-".contains($0) } ? "±hh:mm" : "")
  }

  /// The timestamp, or the start of the date.
  package var start: Instant {
    switch self {
    case .date(let date): date.start
    case .instant(let instant): instant
    }
  }

  /// The value in filters.
  package var value: AttributeValue {
    switch self {
    case .date(let date): .date(date)
    case .instant(let instant): .instant(instant)
    }
  }
}

/// Returns a number with leading zeros.
private func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

/// Reads the parts of dates and times from bytes; each part has a fixed number of digits.
private struct CalendarScanner {
  private(set) var offset = 0

  mutating func take(_ bytes: Span<UInt8>, _ byte: Unicode.Scalar) -> Bool {
    guard offset < bytes.count, UInt32(bytes[offset]) == byte.value else { return false }
    offset += 1
    return true
  }

  private mutating func digit(_ bytes: Span<UInt8>) -> Int? {
    guard offset < bytes.count, (0x30...0x39).contains(bytes[offset]) else { return nil }
    offset += 1
    return Int(bytes[offset - 1]) - 0x30
  }

  /// Inlining unrolls the loops and cuts the time to read a table's instants to two thirds (Swift 6.3.1).
  @inline(__always)
  private mutating func number(_ bytes: Span<UInt8>, digits: Int, limit: Int) -> Int? {
    guard digits <= bytes.count - offset else { return nil }
    var value = 0
    for place in offset..<offset + digits {
      let digit = bytes[place] &- 0x30
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    offset += digits
    return value <= limit ? value : nil
  }

  /// Reads `yyyy-mm-dd`.
  @inline(__always)
  mutating func date(_ bytes: Span<UInt8>) -> CalendarDate? {
    guard offset <= bytes.count - 10, let (year, month) = ByteWord(bytes, at: offset).yearAndMonth
    else { return nil }
    offset += ByteWord.size
    guard let day = number(bytes, digits: 2, limit: 31) else { return nil }
    return CalendarDate(year: year, month: month, day: day)
  }

  /// Reads a number of one or two digits.
  private mutating func oneOrTwo(_ bytes: Span<UInt8>, limit: Int) -> Int? {
    guard let first = digit(bytes) else { return nil }
    let value = digit(bytes).map { first * 10 + $0 } ?? first
    return value <= limit ? value : nil
  }

  /// Reads `yyyy-mm-dd`, with months and days of one or two digits.
  mutating func looseDate(_ bytes: Span<UInt8>) -> CalendarDate? {
    guard let year = number(bytes, digits: 4, limit: 9999), year > 0, take(bytes, "-"),
      let month = oneOrTwo(bytes, limit: 12), take(bytes, "-"), let day = oneOrTwo(bytes, limit: 31)
    else { return nil }
    return CalendarDate(year: year, month: month, day: day)
  }

  /// Reads `T`, or blanks.
  mutating func separator(_ bytes: Span<UInt8>) -> Bool {
    if take(bytes, "T") || take(bytes, "t") { return true }
    guard take(bytes, " ") else { return false }
    while take(bytes, " ") {}
    return true
  }

  /// Reads `hh:mm`, `hh:mm:ss` or `hh:mm:ss.fraction`, with hours of one or two digits, in microseconds.
  mutating func looseTime(_ bytes: Span<UInt8>) -> Int64? {
    guard let hour = oneOrTwo(bytes, limit: 23), take(bytes, ":"),
      let minute = number(bytes, digits: 2, limit: 59)
    else { return nil }
    var seconds = Int64(hour * 3600 + minute * 60)
    guard take(bytes, ":") else { return seconds * 1_000_000 }
    guard let second = number(bytes, digits: 2, limit: 59) else { return nil }
    seconds += Int64(second)
    guard take(bytes, ".") else { return seconds * 1_000_000 }
    return fraction(bytes).map { seconds * 1_000_000 + $0 }
  }

  /// Reads `hh:mm:ss[.fraction]` in microseconds.
  @inline(__always)
  mutating func time(_ bytes: Span<UInt8>) -> Int64? {
    guard offset <= bytes.count - ByteWord.size,
      let (hour, minute, second) = ByteWord(bytes, at: offset).clock, hour < 24, minute < 60, second < 60
    else { return nil }
    offset += ByteWord.size
    let whole = Int64(hour * 3600 + minute * 60 + second) * 1_000_000
    guard take(bytes, ".") else { return whole }
    return fraction(bytes).map { whole + $0 }
  }

  /// Reads `hh:mm` in microseconds.
  mutating func minutes(_ bytes: Span<UInt8>) -> Int64? {
    guard let hour = number(bytes, digits: 2, limit: 23), take(bytes, ":"),
      let minute = number(bytes, digits: 2, limit: 59)
    else { return nil }
    return Int64(hour * 3600 + minute * 60) * 1_000_000
  }

  /// Reads the decimals of a second, cut to microseconds.
  @inline(__always)
  private mutating func fraction(_ bytes: Span<UInt8>) -> Int64? {
    guard var value = digit(bytes) else { return nil }
    var count = 1
    while let digit = digit(bytes) {
      guard count < 6 else { continue }
      value = value * 10 + digit
      count += 1
    }
    while count < 6 {
      value *= 10
      count += 1
    }
    return Int64(value)
  }

  /// Reads `Z`, `±hh:mm` or no zone, in microseconds ahead of UTC; with `isLoose` also `±hhmm` and `±hh`.
  mutating func zone(_ bytes: Span<UInt8>, isLoose: Bool = false) -> Int64? {
    if offset == bytes.count || take(bytes, "Z") || take(bytes, "z") { return 0 }
    let ahead = take(bytes, "+")
    guard ahead || take(bytes, "-"), let hour = number(bytes, digits: 2, limit: 23) else { return nil }
    let isHour = isLoose && offset == bytes.count
    guard isHour || take(bytes, ":") || isLoose, let minute = isHour ? 0 : number(bytes, digits: 2, limit: 59)
    else { return nil }
    return Int64(hour * 3600 + minute * 60) * (ahead ? 1_000_000 : -1_000_000)
  }
}
