public import MapFeatures
import MapFilter
public import MapState

extension TimeExtent {
  /// Creates a time span from `START/END` or from one timestamp.
  ///
  /// Each end is a date, an RFC 3339 timestamp, or `..` for an open end. A date covers its whole day, from the
  /// first to the last instant.
  ///
  /// - Throws: `MapStateError` for malformed text, and for a start after the end.
  /// - Source: RFC 3339; OGC API Features, parameter `datetime`; design decision: the last instant of a day is
  ///   exact to the microsecond.
  public init(text: String) throws(MapStateError) {
    let ends = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    // ".." alone is not a time.
    guard ends.count <= 2, let first = ends.first, let last = ends.last, text != "..",
      let start = End(first, isLast: false), let end = End(last, isLast: true)
    else {
      throw MapStateError(
        .input,
        "expected START/END, each a date, an RFC 3339 timestamp or .., for example 2012-01-01/2012-12-31")
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
      } else if let date = CalendarDate(iso8601: text) {
        moment = isLast ? Instant(microseconds: date.start.microseconds + 86_399_999_999) : date.start
      } else if let instant = Instant(rfc3339: text) {
        moment = instant
      } else {
        return nil
      }
    }
  }
}

extension TimeExtent: RequestText {}
