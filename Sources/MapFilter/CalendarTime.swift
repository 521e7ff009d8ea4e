/// A day of the proleptic Gregorian calendar, without a zone.
public struct CalendarDate: Hashable, Sendable {
  /// Days since 1970-01-01.
  public let days: Int32

  /// The day so many days after 1970-01-01.
  public init(days: Int32) { self.days = days }
}

/// A moment in UTC.
///
/// Microseconds, as PostgreSQL keeps them: they hold every year from -290,000 to 290,000 exactly.
public struct Instant: Hashable, Sendable {
  /// Microseconds since 1970-01-01T00:00:00Z.
  public let microseconds: Int64

  /// The moment so many microseconds after 1970 began.
  public init(microseconds: Int64) { self.microseconds = microseconds }
}
