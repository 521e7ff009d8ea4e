public import MapFeatures
package import MapFilter
public import MapState

extension TimeExtent {
  /// Creates a time span from `START/END` or from one timestamp.
  ///
  /// Each end is a date or a timestamp in the forms of filters, a month `yyyy-mm`, a year `yyyy`, or `..` for an open end.
  /// Dates, months and years cover the whole time that they name, from the first to the last instant.
  ///
  /// - Throws: `MapStateError` for malformed text, and for a start after the end.
  /// - Source: RFC 3339; OGC API Features, parameter `datetime`; ISO 8601 for months and years; design decision: the
  ///   last instant of a day is exact to the microsecond.
  public init(text: String) throws(MapStateError) {
    let ends = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    // ".." alone is not a time.
    guard ends.count <= 2, let first = ends.first, let last = ends.last, text != "..",
      let start = End(first, isLast: false), let end = End(last, isLast: true)
    else {
      throw MapStateError(
        .input,
        "expected START/END, each a date, a timestamp, a month, a year or .., for example "
          + "2012-01-01/2012-12-31, 2012-01 or 2012-01-01T12:00")
    }
    if let start = start.moment, let end = end.moment, start > end {
      throw MapStateError(.input, "the start is after the end")
    }
    self.init(start: start.moment, end: end.moment)
  }

  /// One end of a span; its instant is nil if the end is open.
  private struct End {
    let moment: Instant?

    init?(_ text: String, isLast: Bool) {
      if text == ".." {
        moment = nil
      } else if let date = Self.day(text, isLast: isLast) {
        moment = isLast ? Instant(microseconds: date.start.microseconds + 86_399_999_999) : date.start
      } else {
        switch CalendarLiteral(text) {
        case .date(let date): moment = isLast ? date.last : date.start
        case .instant(let instant): moment = instant
        case nil: return nil
        }
      }
    }

    /// Returns the first or the last day of a date, a month or a year.
    private static func day(_ text: String, isLast: Bool) -> CalendarDate? {
      switch text.utf8.count {
      case 4: return CalendarDate(iso8601: text + (isLast ? "-12-31" : "-01-01"))
      case 7:
        let days = isLast ? ["-31", "-30", "-29", "-28"] : ["-01"]
        return days.lazy.compactMap { CalendarDate(iso8601: text + $0) }.first
      default: return CalendarDate(iso8601: text)
      }
    }
  }
}

extension TimeExtent: RequestText {}

extension Instant: RequestText {
  /// Reads a date, whose first instant it is, or a timestamp, in the forms of filters.
  package init(text: String) throws(MapStateError) {
    guard let instant = CalendarLiteral(text)?.start else {
      throw MapStateError(
        .input,
        "expected a date or a timestamp, for example 2024-04-01 or 2024-04-01T12:00:00Z")
    }
    self = instant
  }
}
