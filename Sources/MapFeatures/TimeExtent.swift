public import MapFilter

/// A span of time, both ends included; a missing end is open.
///
/// - Source: both ends included as in the ArcGIS Maps SDK; ours: a start after the end leaves nothing.
public struct TimeExtent: Hashable, Sendable {
  /// The first moment; nil from the beginning.
  public let start: Instant?
  /// The last moment; nil for ever.
  public let end: Instant?

  /// A span.
  public init(start: Instant?, end: Instant?) { (self.start, self.end) = (start, end) }
}

/// Which fields of a table say when a feature is.
public struct TimeInfo: Hashable, Sendable {
  /// The field of the moment, or of the beginning when there is an end field.
  public let startField: String
  /// The field of the end; nil for moments.
  public let endField: String?

  /// One field for moments, two for spans.
  public init(startField: String, endField: String? = nil) {
    (self.startField, self.endField) = (startField, endField)
  }

  /// The condition that a feature is in a span of time.
  ///
  /// A moment t: start ≤ t ≤ end. A span [s, e]: s ≤ end and e ≥ start, a null end of it open. A feature with no time
  /// at all is out.
  ///
  /// - Source: ArcGIS Maps SDK, time extents; ours: what nulls mean.
  public func filter(within extent: TimeExtent) -> Expression {
    // A long span would meet both ends of a reversed extent.
    if let first = extent.start, let last = extent.end, first > last { return .literal(.boolean(false)) }
    let start = Expression.property(startField)
    guard let endField else {
      return .and(
        [.not(.isNull(start))]
          + [extent.start.map { .comparison(.greaterOrEqual, start, .literal(.instant($0))) }].compactMap {
            $0
          }
          + [extent.end.map { .comparison(.lessOrEqual, start, .literal(.instant($0))) }].compactMap { $0 })
    }
    let end = Expression.property(endField)
    var parts: [Expression] = [.not(.and([.isNull(start), .isNull(end)]))]
    if let last = extent.end {
      parts.append(.or([.isNull(start), .comparison(.lessOrEqual, start, .literal(.instant(last)))]))
    }
    if let first = extent.start {
      parts.append(.or([.isNull(end), .comparison(.greaterOrEqual, end, .literal(.instant(first)))]))
    }
    return parts.count == 1 ? parts[0] : .and(parts)
  }
}
