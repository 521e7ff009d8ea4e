import MapFeatures
import MapFilter
import MapJSON

/// A length of time in units of the calendar.
///
/// Months and longer units go by whole months and keep the day, where the month has it.
public struct TimeValue: Hashable, Sendable {
  /// The units.
  public enum Unit: String, Hashable, CaseIterable, Sendable {
    case milliseconds, seconds, minutes, hours, days, weeks, months, years, decades, centuries
  }

  /// How many units; below 0 is backwards.
  public let duration: Double
  /// The unit.
  public let unit: Unit

  /// A length of time.
  public init(duration: Double, unit: Unit) { (self.duration, self.unit) = (duration, unit) }

  /// The length as calendars count it; nil for one that no calendar holds.
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
  /// The span so much earlier; itself for a length, and an end at a moment, that no calendar holds.
  func earlier(by value: TimeValue) -> TimeExtent {
    guard let back = value.interval?.negated else { return self }
    return TimeExtent(
      start: start.map { $0.adding(back) ?? $0 }, end: end.map { $0.adding(back) ?? $0 })
  }
}

extension TimeValue {
  /// The offset that a layer's `timeInfo.exportOptions` say; nil for none, and with a note for one without a unit.
  init?(exportOptions node: JSONNode, _ report: inout DocumentReport) throws(JSONDecodingError) {
    guard let duration = try node.double("timeOffset"), duration != 0 else { return nil }
    let unit = try node.string("timeOffsetUnits") ?? ""
    guard unit.hasPrefix(Self.unitPrefix),
      let known = Unit(rawValue: unit.dropFirst(Self.unitPrefix.count).lowercased())
    else {
      report.note(node.path["timeOffset"], "not applied: timeOffsetUnits does not give its unit")
      return nil
    }
    self.init(duration: duration, unit: known)
  }

  /// The offset as members of `exportOptions`.
  var exportOptions: [(String, JSONValue)] {
    let name = unit.rawValue
    return [
      ("timeOffset", .number(duration)),
      ("timeOffsetUnits", .string(Self.unitPrefix + name.prefix(1).uppercased() + name.dropFirst())),
    ]
  }

  private static let unitPrefix = "esriTimeUnits"
}
