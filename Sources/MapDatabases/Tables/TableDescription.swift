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
  }

  /// The name in double quotes, with its schema.
  let name: String
  /// The columns with values, in the order of the table, the key among them.
  var columns: [Column]
  /// The name of the key.
  let key: String
  /// The geometry; nil for a table without one.
  let geometry: GeometryColumn?
  /// The warnings about columns that are not read.
  var warnings: [String]
}

/// A column of geometries as the catalog declares it.
struct GeometryColumn {
  let name: String
  /// The identifier of the spatial reference in PostGIS; nil if the column does not declare it.
  let referenceID: Int?
  /// The kind of geometry; nil if the column does not declare it.
  let kind: GeometryKind?
  /// The schema with the functions and tables of PostGIS.
  let schema: String

  /// Creates a column from the modifier of its type.
  ///
  /// - Source: `TYPMOD_GET_SRID` and `TYPMOD_GET_TYPE` in PostGIS 3.3's liblwgeom.h.
  init(name: String, modifier: Int, isGeography: Bool, schema: String) {
    (self.name, self.schema) = (name, schema)
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
    let found = try await connection.rows(Self.columnQuery, [relation])
    let shown = TableName.written(names.schema) + "." + TableName.written(names.table)
    var (columns, warnings): ([Column], [String]) = ([], [])
    var geometries: [GeometryColumn] = []
    for row in found {
      guard row.count == 7, let name = row[0], let written = row[1], let modifier = Int(row[2] ?? ""),
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
      columns.append(
        Column(
          copied: CopyColumn(field, form),
          expression: TableName.quoted(name) + (type == "bpchar" ? "::pg_catalog.text" : "")))
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

  /// The name, written type, modifier, base type, null constraint and kind of type of each column; of a column of PostGIS
  /// also the schema of PostGIS.
  private static let columnQuery = """
    SELECT a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), \
    CASE WHEN w.typtype = 'd' THEN w.typtypmod ELSE a.atttypmod END, \
    CASE WHEN t.typnamespace = 'pg_catalog'::pg_catalog.regnamespace OR t.typname IN ('geometry', 'geography') \
    OR t.typtype = 'e' THEN t.typname ELSE '' END, a.attnotnull, t.typtype, \
    CASE WHEN t.typname IN ('geometry', 'geography') THEN (SELECT n.nspname FROM pg_catalog.pg_extension e \
    JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace \
    WHERE e.extname = 'postgis' AND e.extnamespace = t.typnamespace) END \
    FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type w ON w.oid = a.atttypid \
    JOIN pg_catalog.pg_type t ON t.oid = CASE WHEN w.typtype = 'd' THEN w.typbasetype ELSE w.oid END \
    WHERE a.attrelid = $1::pg_catalog.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
    """

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
