internal import Glibc
internal import MapSystem

/// Date functions, all in UTC.
///
/// - Source: https://developers.arcgis.com/arcade/function-reference/date_functions/
extension ArcadeFunction {
  static let dates: [ArcadeFunction] = [
    part("Year") { Double($0.year) }, part("Month") { Double($0.month - 1) }, part("Day") { Double($0.day) },
    part("Hour") { Double($0.hour) }, part("Minute") { Double($0.minute) },
    part("Second") { Double($0.second) }, part("Millisecond") { Double($0.millisecond) },
    part("Weekday") { Double($0.weekday) },
    part("ISOMonth") { Double($0.month) }, part("ISOWeekday") { Double(($0.weekday + 6) % 7 + 1) },
    part("ISOWeek") { Double($0.isoWeek.week) }, part("ISOYear") { Double($0.isoWeek.year) },
    ArcadeFunction("Week", 1...2) { _, values throws(ArcadeError) in
      let start = values.number(1, 0)
      guard (0...6).contains(start) else { throw ArcadeError("a week starts on day 0 to 6", at: 0) }
      return date(values[0]).map { .number(Double($0.week(startingOn: Int(clamping: start)))) }
        ?? .number(.nan)
    },
    ArcadeFunction("Now", 0...0) { machine, _ in .date(machine.inputs.now) },
    ArcadeFunction("Timestamp", 0...0) { machine, _ in .date(machine.inputs.now) },
    ArcadeFunction("Today", 0...0) { machine, _ in
      .date((machine.inputs.now / 86_400_000).rounded(.down) * 86_400_000)
    },
    ArcadeFunction("ToLocal", 1...1) { _, values in values[0] },
    ArcadeFunction("ToUTC", 1...1) { _, values in values[0] },
    ArcadeFunction("Date", 0...8) { machine, values throws(ArcadeError) in
      guard let first = values.first else { return .date(machine.inputs.now) }
      let isText = if case .text = first { true } else { false }
      guard values.count == 1 || isText else {
        // The month counts from 0.
        return ArcadeDate.milliseconds(
          year: values.number(0), month: values.number(1) + 1, day: values.number(2, 1),
          hour: values.number(3, 0), minute: values.number(4, 0), second: values.number(5, 0),
          millisecond: values.number(6, 0)
        ).map { .date($0) } ?? .null
      }
      switch first {
      case .date: return first
      case .number(let number): return ArcadeDate(number) == nil ? .null : .date(number.rounded(.down))
      case .text(let text): return ArcadeDate.milliseconds(iso: text).map { .date($0) } ?? .null
      default: return .null
      }
    },
    ArcadeFunction("DateAdd", 2...3) { machine, values throws(ArcadeError) in
      guard let start = milliseconds(values[0]), let parts = ArcadeDate(start) else { return .null }
      let amount = values.number(1)
      let unit = values.count > 2 ? try text(values[2], machine) : "milliseconds"
      guard amount.isFinite else { return .null }
      if let length = lengths[plural(unit)] {
        let result = start + (amount * length).rounded(.towardZero)
        return ArcadeDate(result) == nil ? .null : .date(result)
      }
      let months: Double
      switch plural(unit) {
      case "months": months = amount.rounded(.towardZero)
      case "quarters": months = amount.rounded(.towardZero) * 3
      case "years": months = amount.rounded(.towardZero) * 12
      default: throw ArcadeError("unknown unit \(unit)", at: 0)
      }
      // A day that the month lacks becomes the month's last day.
      let first = ArcadeDate.milliseconds(
        year: Double(parts.year), month: Double(parts.month) + months, day: 1)
      let next = ArcadeDate.milliseconds(
        year: Double(parts.year), month: Double(parts.month) + months + 1, day: 1)
      guard let first, let next else { return .null }
      let dayStart = (start / 86_400_000).rounded(.down) * 86_400_000
      let day = min(Double(parts.day), (next - first) / 86_400_000)
      return .date(first + (day - 1) * 86_400_000 + (start - dayStart))
    },
    ArcadeFunction("DateDiff", 2...4) { machine, values throws(ArcadeError) in
      guard let first = milliseconds(values[0]), let second = milliseconds(values[1]) else {
        return .number(.nan)
      }
      let unit = values.count > 2 ? try text(values[2], machine) : "milliseconds"
      if let length = lengths[plural(unit)] { return .number((first - second) / length) }
      switch plural(unit) {
      case "months": return .number(months(from: second, to: first))
      case "quarters": return .number(months(from: second, to: first) / 3)
      case "years": return .number(months(from: second, to: first) / 12)
      default: throw ArcadeError("unknown unit \(unit)", at: 0)
      }
    },
  ]

  /// The lengths of units in milliseconds.
  private static let lengths = [
    "milliseconds": 1.0, "seconds": 1000, "minutes": 60_000, "hours": 3_600_000, "days": 86_400_000,
    "weeks": 604_800_000,
  ]

  /// Returns the name of a unit of time in lower case, in the plural.
  private static func plural(_ unit: String) -> String {
    let word = unit.lowercased()
    let short = [
      "s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks", "y": "years",
      "ms": "milliseconds",
    ]
    return short[word] ?? (word.hasSuffix("s") ? word : word + "s")
  }

  /// Returns the months between two dates, with the fraction of the month at the end.
  private static func months(from start: Double, to end: Double) -> Double {
    guard let a = ArcadeDate(start), let b = ArcadeDate(end) else { return .nan }
    if end < start { return -months(from: end, to: start) }
    func place(_ date: ArcadeDate) -> Double {
      Double(date.day - 1) * 86_400_000
        + Double(date.hour * 3_600_000 + date.minute * 60_000 + date.second * 1000 + date.millisecond)
    }
    let length = 86_400_000 * 30.436875
    return Double((b.year - a.year) * 12 + b.month - a.month) + (place(b) - place(a)) / length
  }

  private static func part(
    _ name: String, _ value: @escaping @Sendable (ArcadeDate) -> Double
  ) -> ArcadeFunction {
    ArcadeFunction(name, 1...1) { _, values in .number(date(values[0]).map(value) ?? .nan) }
  }

  private static func date(_ value: ArcadeValue) -> ArcadeDate? {
    milliseconds(value).flatMap { ArcadeDate($0) }
  }

  /// Returns the milliseconds of a date, a number or an ISO text; nil for other values.
  private static func milliseconds(_ value: ArcadeValue) -> Double? {
    switch value {
    case .date(let date): date
    case .number(let number): ArcadeDate(number) == nil ? nil : number.rounded(.down)
    case .text(let text): ArcadeDate.milliseconds(iso: text)
    default: nil
    }
  }
}
