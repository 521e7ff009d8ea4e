public import MapFilter

/// A time span, both ends included; a missing end is open.
///
/// - Source: both ends included as in the ArcGIS Maps SDK. Design decision: a start after the end matches nothing.
public struct TimeExtent: Hashable, Sendable {
  /// The first instant; nil for an open start.
  public let start: Instant?
  /// The last instant; nil for an open end.
  public let end: Instant?

  /// Creates a time span.
  public init(start: Instant?, end: Instant?) { (self.start, self.end) = (start, end) }
}

/// The fields of a table that hold the time of its features.
public struct TimeInfo: Hashable, Sendable {
  /// The field of the timestamp, or of the start if there is an end field.
  public let startField: String
  /// The field of the end; nil for timestamps.
  public let endField: String?

  /// Creates time fields: one for timestamps, two for time spans.
  public init(startField: String, endField: String? = nil) {
    (self.startField, self.endField) = (startField, endField)
  }

  /// Returns the condition that a feature lies in a time span.
  ///
  /// A timestamp t matches if start ≤ t ≤ end. A span [s, e] matches if s ≤ end and e ≥ start, where a null s or e is
  /// open. A feature without any time does not match.
  ///
  /// - Source: ArcGIS Maps SDK, time extents. Design decision: the meaning of nulls.
  package func filter(within extent: TimeExtent) -> FilterExpression {
    // Otherwise a long span would match both ends of a reversed extent.
    if let first = extent.start, let last = extent.end, first > last { return .literal(.boolean(false)) }
    let start = FilterExpression.property(startField)
    guard let endField else {
      return .and(
        [.not(.isNull(start))]
          + [extent.start.map { .comparison(.greaterOrEqual, start, .literal(.instant($0))) }].compactMap {
            $0
          }
          + [extent.end.map { .comparison(.lessOrEqual, start, .literal(.instant($0))) }].compactMap { $0 })
    }
    let end = FilterExpression.property(endField)
    var parts: [FilterExpression] = [.not(.and([.isNull(start), .isNull(end)]))]
    if let last = extent.end {
      parts.append(.or([.isNull(start), .comparison(.lessOrEqual, start, .literal(.instant(last)))]))
    }
    if let first = extent.start {
      parts.append(.or([.isNull(end), .comparison(.greaterOrEqual, end, .literal(.instant(first)))]))
    }
    return parts.count == 1 ? parts[0] : .and(parts)
  }
}
