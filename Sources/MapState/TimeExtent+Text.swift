public import MapFeatures
import MapFilter

extension TimeExtent {
  /// A span written `START/END`: each a date, an RFC 3339 moment, or `..` for an open end; or one of them alone.
  ///
  /// A date begins with its first moment and ends with its last.
  ///
  /// - Source: RFC 3339; OGC API Features, parameter `datetime`; ours: a date's last moment, to the microsecond.
  public init?(text: String) {
    let ends = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard ends.count <= 2, let first = ends.first, let last = ends.last else { return nil }
    guard let start = End(first, isLast: false), let end = End(last, isLast: true) else { return nil }
    // ".." alone names no time at all.
    guard ends.count == 2 || start.moment != nil else { return nil }
    self.init(start: start.moment, end: end.moment)
  }

  /// One end of a span; its moment is nil when it is open.
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
