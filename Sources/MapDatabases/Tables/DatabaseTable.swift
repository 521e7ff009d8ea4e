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

  /// Reads the rows of the table at an address, with some fields.
  ///
  /// - Cost: all rows are sent and stored.
  /// - Throws: ``ServiceError``.
  package static func read(
    _ address: DatabaseAddress, _ access: DatabaseAccess, fields: FieldSelection = .all,
    options: ReadingOptions = ReadingOptions()
  ) async throws(ServiceError) -> Contents {
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
    let rows = try await self.rows(of: table, options, access, connection)
    let columns = try await joined(table, rows, options, connection)
    try await connection.run("COMMIT")
    return Contents(columns: columns, name: relation.table, kind: wanted.kind)
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

  private static func rows(
    of table: TableDescription, _ options: ReadingOptions, _ access: DatabaseAccess,
    _ connection: DatabaseConnection
  ) async throws(ServiceError) -> CopyRows {
    var (copied, expressions) = (table.columns.map(\.copied), table.columns.map(\.expression))
    if let geometry = table.geometry {
      copied.append(CopyColumn(Field(name: geometry.name, type: .geometry), .geometry))
      // The type's own binary form is well-known binary with the spatial reference of each row.
      expressions.append(TableName.quoted(geometry.name))
    }
    guard let key = copied.firstIndex(where: { $0.field.name == table.key }) else {
      throw connection.fault("the key \(MessageText.name(table.key)) is not among the columns")
    }
    var rows = CopyRows(
      columns: copied, key: key, skipsBadRows: options.skipsBadRows, mostRows: access.limits.features)
    try await connection.copy(
      "COPY (SELECT \(expressions.joined(separator: ", ")) FROM \(table.name) ORDER BY \(key + 1)) TO STDOUT "
        + "(FORMAT binary)", into: &rows)
    return rows
  }

  private static func joined(
    _ table: TableDescription, _ rows: CopyRows, _ options: ReadingOptions, _ connection: DatabaseConnection
  ) async throws(ServiceError) -> FeatureColumns {
    let (columns, losses) = rows.finished()
    var (buffers, warnings) = (rows.geometries, table.warnings + losses)
    if buffers.isEmpty, let kind = table.geometry?.kind {
      buffers = [CoordinateBuffer(kind: kind, emptyRows: rows.count)]
    }
    var reference: SpatialReference?
    if let geometry = table.geometry, !buffers.isEmpty {
      let id = geometry.referenceID ?? rows.spatialReferenceID ?? 0
      let stated = try await self.reference(id, of: geometry, options, connection)
      let (read, contradictions) = options.reference(stated: stated)
      reference = read
      warnings += contradictions
      if reference == nil {
        let guess = ReferenceGuess(buffers.map { EnvelopeColumns(of: $0) })
        reference = guess.reference
        warnings.append(guess.warning)
      }
    }
    return FeatureColumns(
      schema: FeatureSchema(
        fields: table.fields, geometryKind: buffers.first?.kind, spatialReference: reference,
        geometryName: table.geometry?.name ?? FeatureSchema.defaultGeometryName),
      columns: columns, geometry: buffers.first, otherGeometries: Array(buffers.dropFirst()),
      rowCount: rows.count, warnings: warnings)
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

extension TableDescription {
  /// The fields of the table in memory; the key is the object id.
  fileprivate var fields: [Field] {
    columns.map { column in
      let field = column.copied.field
      return field.name == key ? Field(name: field.name, type: .oid) : field
    }
  }

  /// Leaves out the fields that are not requested; the key stays.
  fileprivate mutating func keep(_ fields: FieldSelection) {
    let selection = fields.among(columns.map(\.copied.field.name), geometryName: geometry?.name)
    columns.removeAll { !selection.contains($0.copied.field.name) && $0.copied.field.name != key }
  }
}
