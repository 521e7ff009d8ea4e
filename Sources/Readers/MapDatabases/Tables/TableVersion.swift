import MapServices

/// The file and the columns of a table, to recognise that it was rewritten or its columns changed.
///
/// A transaction sees the rows of its snapshot, but not in a table that was rewritten or emptied after it: such rows are
/// gone for all.
///
/// - Source: PostgreSQL 15, "Caveats" of concurrency control; `pg_relation_filenode` and `pg_identify_object` read the
///   current catalog, whatever the snapshot.
struct TableVersion {
  private let id: String
  private let name: String
  private let text: String

  /// Reads the version of a table that the connection's transaction has locked.
  ///
  /// - Parameter id: The identifier of the table in the catalog.
  /// - Throws: ``ServiceError``.
  init(
    of id: String, _ table: TableDescription, _ connection: DatabaseConnection
  ) async throws(ServiceError) {
    (self.id, name) = (id, table.name)
    text = try await Self.text(id, connection)
  }

  /// Locks the table against changes until the end of the connection's transaction, and compares it.
  ///
  /// - Throws: ``ServiceError`` for a changed table.
  func check(_ connection: DatabaseConnection) async throws(ServiceError) {
    try await connection.run("LOCK TABLE \(name) IN ACCESS SHARE MODE")
    guard try await Self.text(id, connection) == text else {
      throw connection.fault("the table has been changed since this map was opened; open the map again")
    }
  }

  private static func text(
    _ id: String, _ connection: DatabaseConnection
  ) async throws(ServiceError) -> String {
    let row = try await connection.rows(
      """
      SELECT pg_catalog.pg_relation_filenode($1::pg_catalog.oid), (SELECT string_agg((pg_catalog.pg_identify_object(\
      'pg_catalog.pg_class'::pg_catalog.regclass, a.attrelid, a.attnum)).identity, ' ' ORDER BY a.attnum) \
      FROM pg_catalog.pg_attribute a WHERE a.attrelid = $1::pg_catalog.oid AND a.attnum > 0 AND NOT a.attisdropped)
      """, [id]
    ).first
    guard let row, row.count == 2, let file = row[0], let columns = row[1] else {
      throw connection.fault("the table has been removed since this map was opened; open the map again")
    }
    return file + " " + columns
  }
}
