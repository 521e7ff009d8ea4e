package import MapFeatures

/// A column of a table as the server sends it.
package struct CopyColumn: Sendable {
  /// The form of the values in the binary format of PostgreSQL.
  package enum Form: Hashable, Sendable {
    /// Whole numbers of 16, 32 or 64 bits.
    case int16, int32, int64
    /// Numbers of single or double precision.
    case real32, real64
    /// Decimals of any precision, which become doubles.
    case numeric
    /// Text in UTF-8.
    case text
    /// Truth values.
    case boolean
    /// Days since 2000-01-01.
    case date
    /// Microseconds since 2000-01-01, with or without a time zone.
    case timestamp(hasZone: Bool)
    /// Identifiers of 16 bytes.
    case uuid
    /// Geometries in extended well-known binary.
    case geometry
  }

  /// The field; of a geometry only its name counts.
  package let field: Field
  /// The form of the values.
  package let form: Form

  /// Creates a column.
  package init(_ field: Field, _ form: Form) { (self.field, self.form) = (field, form) }
}

/// The error for bytes of a server that are not rows of the requested columns.
package struct CopyFault: Error, Hashable {
  /// The reason, in lower case, without a full stop.
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}
