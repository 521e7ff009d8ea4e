/// The types that filters know.
public enum AttributeType: String, Hashable, Sendable {
  /// Whole numbers of 64 bits.
  case integer
  /// Doubles.
  case real
  /// Text.
  case text
  /// True and false.
  case boolean
  /// A day without a zone.
  case date
  /// A moment in UTC.
  case instant
}

/// One value of a row or of a filter.
public enum AttributeValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case boolean(Bool)
  case date(CalendarDate)
  case instant(Instant)
}
