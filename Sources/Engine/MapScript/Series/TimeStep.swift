import MapFeatures
package import MapFilter
public import MapState

/// The length of the steps of a series by time, such as a month or six hours, in UTC.
public struct TimeStep: Hashable, Sendable {
  /// A unit of time.
  package enum Unit: String, CaseIterable, Sendable {
    case hour, day, week, month, year
  }

  /// The number of units, from 1.
  package let count: Int
  package let unit: Unit

  /// Creates a step from text, such as `month` or `6hours`.
  ///
  /// - Throws: `MapStateError`.
  public init(text: String) throws(MapStateError) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    var name = text.dropFirst(digits.count).lowercased()
    if name.last == "s" { name.removeLast() }
    let count = digits.isEmpty ? 1 : Int(digits) ?? 0
    guard let unit = Unit(rawValue: name), (1...10_000).contains(count) else {
      let names = Unit.allCases.map(\.rawValue)
      throw MapStateError(
        .usage,
        "\"\(text)\" is no step of time; expected \(names.joined(separator: ", ")), or a number of these such as 6hours",
        suggestion: NearestName.of(name, among: names))
    }
    (self.count, self.unit) = (count, unit)
  }

  /// Returns the start of the hour, day, week, month or year with an instant; weeks start on Monday.
  package func start(of instant: Instant) -> Instant {
    let (date, days) = (instant.date, Int(instant.date.days))
    switch unit {
    case .hour:
      let hour = instant.microsecondOfDay / Self.hour
      return Instant(microseconds: date.start.microseconds + hour * Self.hour)
    case .day: return date.start
    // 1970-01-05 was a Monday.
    case .week: return Self.midnight(days - ((days - 4) % 7 + 7) % 7)
    case .month: return Self.first(date.components.year, date.components.month) ?? date.start
    case .year: return Self.first(date.components.year, 1) ?? date.start
    }
  }

  /// Returns the start of the next step; nil beyond the year 9999.
  package func next(after start: Instant) -> Instant? {
    let next: Instant?
    switch unit {
    case .hour: next = Instant(microseconds: start.microseconds + Int64(count) * Self.hour)
    case .day: next = Self.midnight(Int(start.date.days) + count)
    case .week: next = Self.midnight(Int(start.date.days) + 7 * count)
    case .month, .year:
      let (year, month, _) = start.date.components
      let months = year * 12 + month - 1 + count * (unit == .year ? 12 : 1)
      next = Self.first(months / 12, months % 12 + 1)
    }
    return next.flatMap { $0 > start && $0.date.components.year <= 9999 ? $0 : nil }
  }

  /// Returns the name of the unit with an instant, such as `2012-01` for a month.
  package func name(of instant: Instant) -> String {
    let (year, month, day) = instant.date.components
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let years = String(repeating: "0", count: max(0, 4 - "\(year)".count)) + "\(year)"
    switch unit {
    case .year: return years
    case .month: return "\(years)-\(two(month))"
    case .day, .week: return "\(years)-\(two(month))-\(two(day))"
    case .hour:
      return "\(years)-\(two(month))-\(two(day))T\(two(Int(instant.microsecondOfDay / Self.hour)))"
    }
  }

  private static let hour: Int64 = 3_600_000_000
  private static func midnight(_ days: Int) -> Instant { CalendarDate(days: Int32(clamping: days)).start }
  private static func first(_ year: Int, _ month: Int) -> Instant? {
    CalendarDate(year: year, month: month, day: 1)?.start
  }
}

extension TimeStep: RequestText {}
