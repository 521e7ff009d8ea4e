import MapFeatures
import MapFilter
import MapGeometry
import MapReaders
import MapServices
import MapSystem

/// The columns of a table as the catalog of the database describes them.
struct TableDescription {
  /// A column that can be read.
  struct Column {
    let copied: CopyColumn
    /// The expression in the list of a SELECT.
    let expression: String
    /// The expression of the values that MapState reads, in conditions; nil if no condition can use them.
    let condition: String?
  }

  /// The name in double quotes, with its schema.
  let name: String
  /// The columns with values, in the order of the table, the key among them.
  var columns: [Column]
  /// The name of the key.
  let key: String
  /// The geometry; nil for a table without one.
  var geometry: GeometryColumn?
  /// The warnings about columns that are not read.
  var warnings: [String]
}

/// A column of geometries as the catalog declares it.
struct GeometryColumn {
  let name: String
  /// The identifier of the spatial reference in PostGIS; nil if the column does not declare it.
  let referenceID: Int?
  /// The kind of geometry; nil if the column does not declare it.
  var kind: GeometryKind?
  /// Whether the coordinates lie on the globe and not in a plane.
  let isGeography: Bool
  /// The schema with the functions and tables of PostGIS.
  let schema: String

  /// Creates a column from the modifier of its type.
  ///
  /// - Source: `TYPMOD_GET_SRID` and `TYPMOD_GET_TYPE` in PostGIS 3.3's liblwgeom.h.
  init(name: String, modifier: Int, isGeography: Bool, schema: String) {
    (self.name, self.schema, self.isGeography) = (name, schema, isGeography)
    let id = modifier < 0 ? 0 : ((modifier & 0x0FFF_FF00) - (modifier & 0x1000_0000)) >> 8
    // A geography without a declared spatial reference has WGS 84.
    referenceID = id != 0 ? id : isGeography ? 4326 : nil
    kind =
      switch modifier < 0 ? 0 : (modifier & 0xFC) >> 2 {
      case 1: .point
      case 4: .multipoint
      case 2, 5: .polyline
      case 3, 6: .polygon
      default: nil
      }
  }
}

extension TableDescription {
  /// Reads the description of a table from the catalog.
  ///
  /// - Parameters:
  ///   - relation: The identifier of the table in the catalog.
  ///   - names: The names of the schema and the table.
  /// - Throws: ``ServiceError``.
  init(
    of relation: String, _ names: (schema: String, table: String), _ address: DatabaseAddress,
    _ connection: DatabaseConnection
  ) async throws(ServiceError) {
    let found = try await connection.rows(
      Self.columnQuery(comparesCollations: connection.serverVersion >= Self.collatingVersion), [relation])
    let shown = TableName.written(names.schema) + "." + TableName.written(names.table)
    var (columns, warnings): ([Column], [String]) = ([], [])
    var geometries: [GeometryColumn] = []
    for row in found {
      guard row.count == 8, let name = row[0], let written = row[1], let modifier = Int(row[2] ?? ""),
        let type = row[3]
      else { throw connection.fault("the catalog describes the columns of \(shown) otherwise than expected") }
      if let schema = row[6] {
        geometries.append(
          GeometryColumn(name: name, modifier: modifier, isGeography: type == "geography", schema: schema))
        continue
      }
      let isEnumeration = row[5] == "e"
      guard let form = isEnumeration ? .text : Self.forms[type] else {
        warnings.append(
          "field \(MessageText.name(name)): is not read, because values of type \(MessageText.name(written)) are not "
            + "supported; a view can convert them")
        continue
      }
      let field = Field(
        name: name, type: form.fieldType,
        length: type == "varchar" || type == "bpchar" ? max(0, modifier - 4) : 0, isNullable: row[4] != "t")
      // The blanks that pad a value of type character are not part of it.
      let expression = TableName.quoted(name) + (type == "bpchar" ? "::pg_catalog.text" : "")
      columns.append(
        Column(
          copied: CopyColumn(field, form), expression: expression,
          condition: Self.condition(
            expression, form, needsCast: isEnumeration || type == "name", hasOtherRules: row[7] == "f",
            modifier: modifier)))
    }
    guard columns.count <= FeatureSchema.fieldLimit else {
      throw connection.fault("\(shown) has more than \(FeatureSchema.fieldLimit) fields")
    }
    key = try await Self.key(of: relation, shown, columns, address, connection)
    geometry = try Self.geometry(among: geometries, shown, address, connection)
    if geometries.count > 1, address.geometry == nil, let geometry {
      warnings.append(
        "geometry: only \(MessageText.name(geometry.name)) of \(geometries.count) columns was read; name another with "
          + "geometry=COLUMN in the address")
    }
    name = TableName.quoted(names.schema) + "." + TableName.quoted(names.table)
    (self.columns, self.warnings) = (columns, warnings)
  }

  private static func geometry(
    among geometries: [GeometryColumn], _ shown: String, _ address: DatabaseAddress,
    _ connection: DatabaseConnection
  ) throws(ServiceError) -> GeometryColumn? {
    guard let wanted = address.geometry else { return geometries.first }
    guard let found = geometries.first(where: { $0.name == wanted }) else {
      let list = geometries.map { "\"\($0.name)\"" }.joined(separator: ", ")
      throw connection.fault(
        "\(shown) has no geometry named \"\(MessageText.name(wanted))\"; available: \(list.isEmpty ? "none" : list)"
      )
    }
    return found
  }

  /// Returns the name of the key: the one in the address, or the table's own.
  private static func key(
    of relation: String, _ shown: String, _ columns: [Column], _ address: DatabaseAddress,
    _ connection: DatabaseConnection
  ) async throws(ServiceError) -> String {
    let numbers = columns.filter { [.int16, .int32, .int64].contains($0.copied.form) }
      .map(\.copied.field.name)
    guard let wanted = address.key else {
      if let own = try await connection.rows(keyQuery, [relation]).first?.first, let own { return own }
      let list = numbers.isEmpty ? "none" : numbers.map { "\"\($0)\"" }.joined(separator: ", ")
      throw connection.fault(
        "\(shown) has no key of whole numbers; name a column with unique values in the address, as in ?key=id#\(shown); "
          + "columns of whole numbers: \(list)")
    }
    guard numbers.contains(wanted) else {
      let list = numbers.isEmpty ? "none" : numbers.map { "\"\($0)\"" }.joined(separator: ", ")
      throw connection.fault(
        "\(shown) has no column of whole numbers named \"\(MessageText.name(wanted))\"; available: \(list)")
    }
    return wanted
  }

  /// Returns the expression of the values that MapState reads: what it reads as null is null there too.
  ///
  /// - Parameter hasOtherRules: Whether the collation makes texts of different characters equal.
  private static func condition(
    _ column: String, _ form: CopyColumn.Form, needsCast: Bool, hasOtherRules: Bool, modifier: Int
  ) -> String? {
    let range = "CASE WHEN \(column) >= '0001-01-01' AND \(column) <"
    switch form {
    case .int16, .int32, .int64, .boolean: return column
    case .text:
      let text = needsCast ? "\(column)::pg_catalog.text" : column
      return hasOtherRules ? "(\(text) COLLATE \"C\")" : needsCast ? "(\(text))" : text
    case .uuid: return "(\(column)::pg_catalog.text)"
    case .real32, .real64:
      return
        "(CASE WHEN \(column) > '-Infinity' AND \(column) < 'Infinity' THEN \(column)::double precision END)"
    case .numeric:
      // Without a declared precision, a decimal may be beyond the range of doubles, which is an error in PostgreSQL.
      guard modifier >= 4, (modifier - 4) >> 16 <= 300 else { return nil }
      return "(CASE WHEN \(column) <> 'NaN' THEN \(column)::double precision END)"
    case .date: return "(\(range)= '9999-12-31' THEN \(column) END)"
    case .timestamp(let hasZone):
      let zone = hasZone ? "" : " AT TIME ZONE 'UTC'"
      return hasZone
        ? "(CASE WHEN \(column) >= '0001-01-01 00:00:00+00' AND \(column) < '10000-01-01 00:00:00+00' "
          + "THEN \(column) END)"
        : "(\(range) '10000-01-01' THEN \(column)\(zone) END)"
    case .geometry: return nil
    }
  }

  /// The first version with collations that make texts of different characters equal.
  private static let collatingVersion = 120_000

  /// Returns the query for the name, written type, modifier, base type, null constraint and kind of type of each column;
  /// of a column of PostGIS also the schema of PostGIS; and whether only equal characters are equal.
  private static func columnQuery(comparesCollations: Bool) -> String {
    """
    SELECT a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), \
    CASE WHEN w.typtype = 'd' THEN w.typtypmod ELSE a.atttypmod END, \
    CASE WHEN t.typnamespace = 'pg_catalog'::pg_catalog.regnamespace OR t.typname IN ('geometry', 'geography') \
    OR t.typtype = 'e' THEN t.typname ELSE '' END, a.attnotnull, t.typtype, \
    CASE WHEN t.typname IN ('geometry', 'geography') THEN (SELECT n.nspname FROM pg_catalog.pg_extension e \
    JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace \
    WHERE e.extname = 'postgis' AND e.extnamespace = t.typnamespace) END, \
    \(comparesCollations ? "(SELECT c.collisdeterministic FROM pg_catalog.pg_collation c WHERE c.oid = a.attcollation)" : "true") \
    FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type w ON w.oid = a.atttypid \
    JOIN pg_catalog.pg_type t ON t.oid = CASE WHEN w.typtype = 'd' THEN w.typbasetype ELSE w.oid END \
    WHERE a.attrelid = $1::pg_catalog.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
    """
  }

  /// The columns of whole numbers that are a key on their own; the primary key first.
  private static let keyQuery = """
    SELECT a.attname FROM pg_catalog.pg_index i \
    JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0] \
    WHERE i.indrelid = $1::pg_catalog.oid AND i.indisunique AND i.indisvalid AND i.indpred IS NULL \
    AND i.indexprs IS NULL AND i.indnkeyatts = 1 AND (a.attnotnull OR i.indisprimary) \
    AND a.atttypid IN (20, 21, 23) ORDER BY i.indisprimary DESC, a.attnum
    """

  /// The forms of types, by their names in `pg_type`.
  private static let forms: [String: CopyColumn.Form] = [
    "int2": .int16, "int4": .int32, "int8": .int64, "float4": .real32, "float8": .real64, "numeric": .numeric,
    "text": .text, "varchar": .text, "bpchar": .text, "name": .text, "bool": .boolean, "date": .date,
    "timestamp": .timestamp(hasZone: false), "timestamptz": .timestamp(hasZone: true), "uuid": .uuid,
  ]
}

// MARK: - Copying

extension TableDescription {
  /// The fields of the table in memory; the key is the object id.
  var fields: [Field] {
    columns.map { column in
      let field = column.copied.field
      return field.name == key ? Field(name: field.name, type: .oid) : field
    }
  }

  /// Leaves out the fields that are not requested; the key stays.
  mutating func keep(_ fields: FieldSelection) {
    let selection = fields.among(columns.map(\.copied.field.name), geometryName: geometry?.name)
    columns.removeAll { !selection.contains($0.copied.field.name) && $0.copied.field.name != key }
  }

  /// Returns a statement that copies the columns, and at the end the geometry.
  ///
  /// - Parameter selection: The conditions and the order of the rows, after the name of the table.
  func copy(_ selection: String) -> String {
    // The geometry's own binary form is well-known binary with the spatial reference of each row.
    let expressions =
      columns.map(\.expression) + [geometry.map { TableName.quoted($0.name) }].compactMap { $0 }
    return
      "COPY (SELECT \(expressions.joined(separator: ", ")) FROM \(name)\(selection)) TO STDOUT (FORMAT binary)"
  }

  /// The columns in the order of ``copy(_:)``.
  var copied: [CopyColumn] {
    columns.map(\.copied)
      + [geometry.map { CopyColumn(Field(name: $0.name, type: .geometry), .geometry) }].compactMap { $0 }
  }
}

extension CopyColumn.Form {
  /// The type of a field with such values.
  fileprivate var fieldType: FieldType {
    switch self {
    case .int16, .boolean: .int16
    case .int32: .int32
    case .int64: .int64
    case .real32: .float32
    case .real64, .numeric: .float64
    case .text: .text
    case .date: .dateOnly
    case .timestamp: .date
    case .uuid: .guid
    case .geometry: .geometry
    }
  }
}
