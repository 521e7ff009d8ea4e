package import MapFeatures
package import MapGeometry
import MapJSON
package import MapReaders
package import MapServices
import MapSystem

/// Reads a table or view of PostgreSQL, with or without a geometry of PostGIS, into a table in memory.
///
/// All rows come from one transaction, in the order of the key, so that they are those of one instant.
package enum DatabaseTable {
  /// The rows of a table, and its name.
  package struct Contents: Sendable {
    /// The rows, with the geometries of all kinds that they have.
    package let columns: FeatureColumns
    /// The name of the table, without its schema.
    package let name: String
    /// The kind of geometry that the address requests; nil for the only one.
    package let kind: GeometryKind?
  }

  /// A table as a caller uses it.
  package enum Opened: Sendable {
    /// All rows.
    case whole(Contents)
    /// The table without its rows: the database answers questions.
    case asked(DatabaseLayer)
  }

  /// Opens the table at an address: with all its rows, or without them if there are many.
  ///
  /// - Cost: of a large table, the database reads all rows once, to count them.
  /// - Throws: ``ServiceError``.
  package static func open(
    _ address: DatabaseAddress, _ access: DatabaseAccess, fields: FieldSelection = .all,
    options: ReadingOptions = ReadingOptions(), operations: SpatialOperations
  ) async throws(ServiceError) -> Opened {
    let (connection, found) = try await described(address, access, fields)
    var table = found.table
    if canBeAsked(table, options) {
      let summary = try await TableSummary(of: table, checksKey: address.key != nil, access, connection)
      var reference: SpatialReference?
      if let geometry = table.geometry {
        table.geometry?.kind = summary.kind
        reference = try await self.reference(geometry.referenceID ?? 0, of: geometry, options, connection)
      }
      if summary.kind != nil || table.geometry == nil, found.kind == nil || found.kind == summary.kind,
        summary.rowCount > access.wholeRows, summary.isUnicode, summary.isFinite, summary.hasKeys,
        isInOneWorld(summary.extent.with(spatialReference: reference), operations)
      {
        // The rows of a view and of a partitioned table are in other tables, whose changes only locks prevent.
        let isPlain = found.relation.kind == "r"
        let version = isPlain ? try await TableVersion(of: found.relation.id, table, connection) : nil
        var snapshot = try await DatabaseSnapshot.kept(by: connection)
        if isPlain { snapshot = try await snapshot.withoutLocks(address, access) }
        return .asked(
          DatabaseLayer(
            table, summary, name: found.relation.table, reference: reference, address, access, snapshot,
            version,
            operations)
        )
      }
    }
    return .whole(try await contents(found, options, access, connection))
  }

  /// Opens a part of a table, whose questions the database answers however few rows it has.
  ///
  /// - Throws: ``ServiceError``, also for a table that can only be read whole.
  package static func openPart(
    _ address: DatabaseAddress, _ access: DatabaseAccess, fields: FieldSelection = .all,
    options: ReadingOptions = ReadingOptions(), operations: SpatialOperations
  ) async throws(ServiceError) -> DatabaseLayer {
    var access = access
    access.wholeRows = -1
    let table = try await open(address, access, fields: fields, options: options, operations: operations)
    guard case .asked(let layer) = table else {
      throw ServiceError(
        "cannot be a part of a table: each row must have a key of its own; the database must store texts in UTF-8, declare "
          + "the spatial reference of the geometries, which must be of one kind, and have none beyond 180 degrees; options that "
          + "change the reading are not supported",
        at: address.shown, kind: .refused)
    }
    return layer
  }

  /// Reads the rows of the table at an address, with some fields.
  ///
  /// - Cost: all rows are sent and stored.
  /// - Throws: ``ServiceError``.
  package static func read(
    _ address: DatabaseAddress, _ access: DatabaseAccess, fields: FieldSelection = .all,
    options: ReadingOptions = ReadingOptions()
  ) async throws(ServiceError) -> Contents {
    let (connection, found) = try await described(address, access, fields)
    return try await contents(found, options, access, connection)
  }

  /// A table in the catalog with its columns, and the kind of geometry that the address requests.
  private struct Found {
    let relation: Relation
    let table: TableDescription
    let kind: GeometryKind?
  }

  /// Connects to a database, begins a transaction and reads the description of a table.
  private static func described(
    _ address: DatabaseAddress, _ access: DatabaseAccess, _ fields: FieldSelection
  ) async throws(ServiceError) -> sending (DatabaseConnection, Found) {
    let connection = try await DatabaseConnection.open(address, access)
    guard let fragment = address.fragment, let wanted = TableName(fragment) else {
      let list = try await names(connection).prefix(20).joined(separator: ", ")
      let fault =
        address.fragment.map { "\"\(MessageText.name($0))\" is no name of a table" }
        ?? "names no table; add one after the address, as in #public.roads"
      throw connection.fault("\(fault); available: \(list.isEmpty ? "none" : list)")
    }
    let relation = try await found(wanted, connection)
    try await connection.begin()
    // Before the first query, so that the catalog that this transaction sees cannot be older than the columns it reads.
    // Only tables and views can be locked.
    if ["r", "p", "v"].contains(relation.kind) {
      try await connection.run(
        "LOCK TABLE \(TableName.quoted(relation.schema)).\(TableName.quoted(relation.table)) IN ACCESS SHARE MODE"
      )
    }
    var table = try await TableDescription(
      of: relation.id, (relation.schema, relation.table), address, connection)
    table.keep(fields)
    return (connection, Found(relation: relation, table: table, kind: wanted.kind))
  }

  private static func contents(
    _ found: Found, _ options: ReadingOptions, _ access: DatabaseAccess, _ connection: DatabaseConnection
  ) async throws(ServiceError) -> Contents {
    let table = found.table
    let statement = table.copy(" ORDER BY \(TableName.quoted(table.key))")
    let rows = try await rows(of: table, statement, options, access, connection)
    let columns = try await joined(table, rows, options, connection)
    try await connection.run("COMMIT")
    return Contents(columns: columns, name: found.relation.table, kind: found.kind)
  }

  /// Whether the catalog states the spatial reference of geometries in a plane, and every row counts.
  private static func canBeAsked(_ table: TableDescription, _ options: ReadingOptions) -> Bool {
    guard options.sourceReference == nil, options.xField == nil, !options.skipsBadRows else { return false }
    return table.geometry.map { $0.referenceID ?? 0 != 0 && !$0.isGeography } ?? true
  }

  /// Whether no geometry reaches beyond the antimeridian, where a part of the rows may count otherwise than all.
  private static func isInOneWorld(_ extent: Envelope, _ operations: SpatialOperations) -> Bool {
    guard !extent.isEmpty, let reference = extent.spatialReference else { return true }
    let shown = reference.isBuiltIn ? extent : try? operations.box(around: extent, in: .webMercator)
    return shown?.worldsReached == 0...0
  }

  // MARK: Names

  /// A table in the catalog.
  private struct Relation {
    let id: String
    let schema: String
    let table: String
    /// The kind of relation in one letter, such as `r` for a table and `v` for a view.
    let kind: String
  }

  /// Tables, partitioned tables, views, materialised views and foreign tables.
  private static let kinds = "('r', 'p', 'v', 'm', 'f')"

  private static func found(
    _ name: TableName, _ connection: DatabaseConnection
  ) async throws(ServiceError) -> Relation {
    let rows = try await connection.rows(
      """
      SELECT c.oid, n.nspname, c.relname, c.relkind FROM pg_catalog.pg_class c \
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN \(kinds) AND c.relname = $1 \
      AND CASE WHEN $2 = '' THEN pg_catalog.pg_table_is_visible(c.oid) ELSE n.nspname = $2 END
      """, [name.table, name.schema ?? ""])
    if let row = rows.first, row.count == 4, let id = row[0], let schema = row[1], let table = row[2],
      let kind = row[3]
    {
      return Relation(id: id, schema: schema, table: table, kind: kind)
    }
    let names = try await names(connection)
    let wanted = (name.schema.map { TableName.written($0) + "." } ?? "") + TableName.written(name.table)
    // A name without schema is compared with the names alone.
    let candidates =
      name.schema == nil ? names.map { $0.split(separator: ".").last.map { String($0) } ?? $0 } : names
    let advice: String
    if let nearest = NearestName.of(wanted, among: candidates) {
      advice = "did you mean \"\(nearest)\"?"
    } else {
      advice = "available: \(names.isEmpty ? "none" : names.prefix(20).joined(separator: ", "))"
    }
    throw connection.fault("no table or view named \"\(MessageText.name(wanted))\"; \(advice)")
  }

  /// Returns the tables and views that can be read, with their schemas, without those of PostgreSQL and PostGIS itself.
  private static func names(_ connection: DatabaseConnection) async throws(ServiceError) -> [String] {
    try await connection.rows(
      """
      SELECT n.nspname, c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
      WHERE c.relkind IN \(kinds) AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast') \
      AND pg_catalog.has_table_privilege(c.oid, 'SELECT') AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d \
      WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid AND d.deptype = 'e') \
      ORDER BY 1, 2 LIMIT 1000
      """
    ).map { row in row.compactMap { $0.map(TableName.written) }.joined(separator: ".") }
  }

  // MARK: Rows

  /// Reads the rows that a statement copies.
  static func rows(
    of table: TableDescription, _ statement: String, _ options: ReadingOptions, _ access: DatabaseAccess,
    _ connection: DatabaseConnection
  ) async throws(ServiceError) -> CopyRows {
    let copied = table.copied
    guard let key = copied.firstIndex(where: { $0.field.name == table.key }) else {
      throw connection.fault("the key \(MessageText.name(table.key)) is not among the columns")
    }
    var rows = CopyRows(
      columns: copied, key: key, skipsBadRows: options.skipsBadRows, mostRows: access.limits.features)
    access.report?(statement)
    try await connection.copy(statement, into: &rows)
    return rows
  }

  private static func joined(
    _ table: TableDescription, _ rows: CopyRows, _ options: ReadingOptions, _ connection: DatabaseConnection
  ) async throws(ServiceError) -> FeatureColumns {
    var (reference, warnings): (SpatialReference?, [String]) = (nil, [])
    if let geometry = table.geometry, geometry.kind != nil || !rows.geometries.isEmpty {
      let id = geometry.referenceID ?? rows.spatialReferenceID ?? 0
      let stated = try await self.reference(id, of: geometry, options, connection)
      (reference, warnings) = options.reference(stated: stated)
      if reference == nil {
        let guess = ReferenceGuess(geometries(of: table, rows).map { EnvelopeColumns(of: $0) })
        (reference, warnings) = (guess.reference, warnings + [guess.warning])
      }
    }
    return joined(table, rows, reference, warnings: table.warnings, warnings)
  }

  /// Returns the rows as a table in memory.
  static func joined(
    _ table: TableDescription, _ rows: CopyRows, _ reference: SpatialReference?, warnings: [String] = [],
    _ guesses: [String] = []
  ) -> FeatureColumns {
    let (columns, losses) = rows.finished()
    let buffers = geometries(of: table, rows)
    return FeatureColumns(
      schema: FeatureSchema(
        fields: table.fields, geometryKind: buffers.first?.kind, spatialReference: reference,
        geometryName: table.geometry?.name ?? FeatureSchema.defaultGeometryName),
      columns: columns, geometry: buffers.first, otherGeometries: Array(buffers.dropFirst()),
      rowCount: rows.count, warnings: warnings + losses + guesses)
  }

  private static func geometries(of table: TableDescription, _ rows: CopyRows) -> [CoordinateBuffer] {
    let buffers = rows.geometries
    guard buffers.isEmpty, let kind = table.geometry?.kind else { return buffers }
    return [CoordinateBuffer(kind: kind, emptyRows: rows.count)]
  }

  /// Returns the spatial reference of an identifier of PostGIS; nil for 0, which is none.
  private static func reference(
    _ id: Int, of geometry: GeometryColumn, _ options: ReadingOptions, _ connection: DatabaseConnection
  ) async throws(ServiceError) -> SpatialReference? {
    guard id != 0 else { return nil }
    let row = try await connection.rows(
      "SELECT auth_name, auth_srid FROM \(TableName.quoted(geometry.schema)).spatial_ref_sys WHERE srid = $1::int4",
      ["\(id)"]
    ).first
    if let authority = row?.first, let authority, let code = Int(row?.last.flatMap { $0 } ?? ""), code > 0,
      ["EPSG", "ESRI"].contains(authority.uppercased())
    {
      // 4979 is WGS 84 with Z values.
      return SpatialReference(wkid: code == 4979 ? 4326 : code)
    }
    guard options.sourceReference == nil else { return nil }
    throw connection.fault(
      "the spatial reference \(id) of \(MessageText.name(geometry.name)) has no code of EPSG or Esri in spatial_ref_sys; "
        + "name the spatial reference with --source-reference")
  }
}
