public import MapFeatures
import MapFilter

extension TimeExtent {
  /// Creates a time span from `START/END` or from one timestamp; nil for malformed text.
  ///
  /// Each end is a date, an RFC 3339 timestamp, or `..` for an open end. A date covers its whole day, from the
  /// first to the last instant.
  ///
  /// - Source: RFC 3339; OGC API Features, parameter `datetime`; design decision: the last instant of a day is
  ///   exact to the microsecond.
  public init?(text: String) {
    let ends = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard ends.count <= 2, let first = ends.first, let last = ends.last else { return nil }
    guard let start = End(first, isLast: false), let end = End(last, isLast: true) else { return nil }
    // ".." alone is not a time.
    guard ends.count == 2 || start.moment != nil else { return nil }
    self.init(start: start.moment, end: end.moment)
  }

  /// Whether the start is after the end, so that the span matches nothing.
  package var isReversed: Bool {
    guard let start, let end else { return false }
    return start > end
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
