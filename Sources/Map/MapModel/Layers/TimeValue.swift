import MapFeatures
import MapFilter

/// A duration in calendar units.
///
/// Months and longer units are counted as whole months and keep the day if the target month has it.
public struct TimeValue: Hashable, Sendable {
  /// The units.
  public enum Unit: String, Hashable, CaseIterable, Sendable {
    /// A calendar unit.
    case milliseconds, seconds, minutes, hours, days, weeks, months, years, decades, centuries
  }

  /// The number of units; negative values go back in time.
  public let duration: Double
  /// The unit.
  public let unit: Unit

  /// Creates a duration.
  public init(duration: Double, unit: Unit) { (self.duration, self.unit) = (duration, unit) }

  /// The duration as a calendar interval; nil when it is out of range.
  var interval: CalendarInterval? {
    switch unit {
    case .months, .years, .decades, .centuries:
      let months: Double = [.months: 1, .years: 12, .decades: 120, .centuries: 1200][unit, default: 1]
      return Int32(exactly: (duration * months).rounded()).map { CalendarInterval(months: $0) }
    case .milliseconds, .seconds, .minutes, .hours, .days, .weeks:
      let seconds: Double =
        [.milliseconds: 0.001, .seconds: 1, .minutes: 60, .hours: 3600, .days: 86_400, .weeks: 604_800][
          unit, default: 1]
      return Int64(exactly: (duration * seconds * 1e6).rounded()).map { CalendarInterval(microseconds: $0) }
    }
  }
}

extension TimeExtent {
  /// Returns the time span shifted back by a duration.
  ///
  /// The span, or an end of it, stays unchanged when the calendar cannot represent the result.
  func earlier(by value: TimeValue) -> TimeExtent {
    guard let back = value.interval?.negated else { return self }
    return TimeExtent(
      start: start.map { $0.adding(back) ?? $0 }, end: end.map { $0.adding(back) ?? $0 })
  }
}
