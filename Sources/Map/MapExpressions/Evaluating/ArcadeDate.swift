internal import Glibc
internal import MapFilter
internal import MapSystem

/// A date as its parts in UTC.
///
/// - Source: Esri Arcade, function reference, date functions. Design decision: the zone is always UTC, so that results
///   are the same everywhere.
struct ArcadeDate {
  var (year, month, day) = (1970, 1, 1)
  var (hour, minute, second, millisecond) = (0, 0, 0, 0)

  private static let millisecondsPerDay = 86_400_000.0

  /// Splits milliseconds since 1970; nil for NaN and outside the years 1 to 9999.
  init?(_ milliseconds: Double) {
    guard milliseconds >= -62_135_596_800_000, milliseconds < 253_402_300_800_000 else { return nil }
    let days = (milliseconds / Self.millisecondsPerDay).rounded(.down)
    let rest = Int(clamping: milliseconds - days * Self.millisecondsPerDay)
    (year, month, day) = CalendarDate(days: Int32(clamping: Int(clamping: days))).components
    (hour, minute) = (rest / 3_600_000, rest / 60_000 % 60)
    (second, millisecond) = (rest / 1000 % 60, rest % 1000)
  }

  /// Returns the milliseconds of parts that may exceed their ranges, as month 13; nil outside the years 1 to 9999.
  static func milliseconds(
    year: Double, month: Double, day: Double, hour: Double = 0, minute: Double = 0, second: Double = 0,
    millisecond: Double = 0
  ) -> Double? {
    let parts = [year, month, day, hour, minute, second, millisecond]
    guard !parts.contains(where: { !$0.isFinite || abs($0) > 1e15 }) else { return nil }
    let months = year * 12 + month.rounded(.towardZero) - 1
    let wholeYear = (months / 12).rounded(.down)
    guard
      let first = CalendarDate(
        year: Int(clamping: wholeYear), month: Int(clamping: months - wholeYear * 12) + 1, day: 1)
    else { return nil }
    let days = Double(first.days) + day.rounded(.towardZero) - 1
    let clock = hour * 3_600_000 + minute * 60_000 + second * 1000 + millisecond
    let result = (days * millisecondsPerDay + clock).rounded(.down)
    return ArcadeDate(result) == nil ? nil : result
  }

  /// The milliseconds since 1970.
  var milliseconds: Double {
    Self.milliseconds(
      year: Double(year), month: Double(month), day: Double(day), hour: Double(hour),
      minute: Double(minute), second: Double(second), millisecond: Double(millisecond)) ?? .nan
  }

  /// The days since 1970-01-01.
  var days: Int { Int(CalendarDate(year: year, month: month, day: day)?.days ?? 0) }

  /// The day of the week, 0 for Sunday.
  var weekday: Int { ((days + 4) % 7 + 7) % 7 }

  /// The day of the year, from 1.
  var dayOfYear: Int { days - Int(CalendarDate(year: year, month: 1, day: 1)?.days ?? 0) + 1 }

  /// The week of the year from 0, with weeks that start on a day of the week.
  func week(startingOn start: Int) -> Int {
    let first = ((days - dayOfYear + 1 + 4) % 7 + 7) % 7
    return (dayOfYear - 1 + ((first - start) % 7 + 7) % 7) / 7
  }

  /// The week and its year.
  ///
  /// - Source: ISO 8601-1: weeks start on Monday, and the first contains the year's first Thursday.
  var isoWeek: (year: Int, week: Int) {
    let thursday = days + 3 - (weekday + 6) % 7
    guard let date = ArcadeDate(Double(thursday) * Self.millisecondsPerDay) else { return (year, 1) }
    return (date.year, (date.dayOfYear - 1) / 7 + 1)
  }

  /// The instant in ISO 8601; without a clock at midnight.
  var isoText: String {
    let clock = "\(Self.padded(hour, 2)):\(Self.padded(minute, 2)):\(Self.padded(second, 2))"
    let fraction = millisecond == 0 ? "" : "." + Self.padded(millisecond, 3)
    return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))T\(clock)\(fraction)Z"
  }

  static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  // MARK: Formats

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]
  private static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  /// Writes the date by a format such as `MMM D, YYYY`; text in brackets is literal.
  ///
  /// - Source: Esri Arcade, function reference, `Text`.
  func text(format: String) -> String {
    var result = ""
    var rest = Array(format)[...]
    while let first = rest.first {
      if first == "[", let end = rest.firstIndex(of: "]") {
        result += String(rest[rest.index(after: rest.startIndex)..<end])
        rest = rest[rest.index(after: end)...]
        continue
      }
      let run = rest.prefix { $0 == first }.count
      let (text, length) = token(first, run)
      result += text ?? String(first)
      rest = rest.dropFirst(text == nil ? 1 : length)
    }
    return result
  }

  /// Returns the text of a token and its length; nil for a literal character.
  private func token(_ letter: Character, _ run: Int) -> (text: String?, length: Int) {
    func number(_ value: Int, _ length: Int) -> (String?, Int) {
      (length > 1 ? Self.padded(value, length) : "\(value)", length)
    }
    switch letter {
    case "Y", "y":
      if run >= 4 { return (Self.padded(year, 4), 4) }
      return run >= 2 ? (Self.padded(year % 100, 2), 2) : ("\(year)", 1)
    case "M":
      if run >= 4 { return (Self.months[month - 1], 4) }
      return run == 3 ? (String(Self.months[month - 1].prefix(3)), 3) : number(month, run)
    case "D":
      if run >= 4 { return (Self.padded(dayOfYear, 3), 4) }
      return run == 3 ? ("\(dayOfYear)", 3) : number(day, run)
    case "d":
      if run >= 4 { return (Self.weekdays[weekday], 4) }
      return run >= 3 ? (String(Self.weekdays[weekday].prefix(3)), 3) : ("\(weekday)", 1)
    case "E": return ("\((weekday + 6) % 7 + 1)", 1)
    case "W": return number(isoWeek.week, min(run, 2))
    case "w": return number(week(startingOn: 0) + 1, min(run, 2))
    case "Q": return ("\((month + 2) / 3)", 1)
    case "H": return number(hour, min(run, 2))
    case "h": return number(hour % 12 == 0 ? 12 : hour % 12, min(run, 2))
    case "m": return number(minute, min(run, 2))
    case "s": return number(second, min(run, 2))
    case "S": return (String(Self.padded(millisecond, 3).prefix(run)), min(run, 3))
    case "A": return (hour < 12 ? "AM" : "PM", 1)
    case "a": return (hour < 12 ? "am" : "pm", 1)
    case "Z": return run >= 2 ? ("+0000", 2) : ("+00:00", 1)
    case "X": return ("\(Int(clamping: (milliseconds / 1000).rounded(.down)))", 1)
    case "x": return ("\(Int(clamping: milliseconds))", 1)
    default: return (nil, 1)
    }
  }

  /// Reads ISO 8601: a day, or a day and a time with or without seconds, fraction and zone; nil for other text.
  static func milliseconds(iso text: String) -> Double? {
    let trimmed = String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    if let day = CalendarDate(iso8601: trimmed) { return Double(day.days) * millisecondsPerDay }
    return Instant(loose: trimmed.utf8.span).map {
      (Double($0.microseconds) / 1000).rounded(.down)
    }
  }
}
