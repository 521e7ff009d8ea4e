import CGeospatial
import MapFeatures
import MapGeometry
import MapReaders
import MapSystem

/// The description of a layer of points, lines or areas as GDAL would report it, from the tables of the GeoPackage
/// alone.
///
/// It is nil in all other cases, where GDAL describes the layer. Those are: alias names, domains and extensions;
/// unusual types and spatial references; further tables when the layer must be the only one.
///
/// - Source: OGC 12-128r18, 1.1.3 and 2.1; the types of fields are those of GDAL's driver.
struct GeoPackageSchema {
  let layout: GeoPackageLayout
  /// The declared kind of the geometries, for tables whose rows show none; nil for any kind.
  let kind: GeometryKind?
  private let reference: SpatialReference
  private(set) var warnings: [String] = []

  /// Reads the layer of a name, or the only layer, with the wanted fields.
  init?(_ file: SQLiteFile, layer name: String?, wanted: FieldSelection) {
    guard Self.isPlain(file), let name = name ?? Self.onlyLayer(file) else { return nil }
    var described: [(column: String, type: String, code: Int64)] = []
    let geometry =
      """
      SELECT g.column_name, upper(g.geometry_type_name), s.organization_coordsys_id
      FROM gpkg_geometry_columns g LEFT JOIN gpkg_spatial_ref_sys s ON s.srs_id = g.srs_id
        AND upper(s.organization) = 'EPSG' AND s.organization_coordsys_id = s.srs_id
      WHERE g.table_name = ?1
        AND EXISTS (SELECT 1 FROM gpkg_contents WHERE table_name = ?1 AND data_type = 'features')
      """
    let isRead = file.query(geometry, text: name) { row in
      guard let column = row.string(0), let type = row.string(1), let code = row.integer(2) else {
        return false
      }
      described.append((column, type, code))
      return true
    }
    // Every version of the EPSG registry defines these two in the same way.
    guard isRead, described.count == 1, [4326, 3857].contains(described[0].code) else { return nil }
    kind = Self.kinds[described[0].type]
    guard kind != nil || described[0].type == "GEOMETRY" else { return nil }
    reference = SpatialReference(wkid: Int(described[0].code))

    var (id, hasGeometry): (String?, Bool) = (nil, false)
    var columns: [DeclaredColumn] = []
    var warnings: [String] = []
    let fields = "SELECT name, upper(type), pk, \"notnull\" FROM pragma_table_xinfo(?) ORDER BY cid"
    let isListed = file.query(fields, text: name) { row in
      guard let field = row.string(0), let type = row.string(1), let key = row.integer(2) else {
        return false
      }
      if key != 0 {
        guard id == nil, type == "INTEGER" else { return false }
        id = field
      } else if field == described[0].column {
        // GDAL warns about a geometry column of another type.
        guard type == described[0].type else { return false }
        hasGeometry = true
      } else if type == "BLOB" {
        warnings.append("field \(field): values of type Binary are not read")
      } else if let length = Self.textLength(type) {
        let field = Field(name: field, type: .text, length: length, isNullable: row.integer(3) == 0)
        columns.append(DeclaredColumn(field, .text))
      } else if let (type, kind) = Self.types[type] {
        columns.append(DeclaredColumn(Field(name: field, type: type, isNullable: row.integer(3) == 0), kind))
      } else {
        return false
      }
      return true
    }
    guard isListed, let id, hasGeometry else { return nil }
    let selection = wanted.among(
      columns.map(\.field.name) + [id], geometryName: kind == nil ? nil : described[0].column)
    layout = GeoPackageLayout(
      table: name, idColumn: id, geometryColumn: described[0].column,
      columns: columns.filter { selection.contains($0.field.name) })
    self.warnings = warnings
  }

  private static let kinds: [String: GeometryKind] = [
    "POINT": .point, "LINESTRING": .polyline, "POLYGON": .polygon,
    "MULTIPOINT": .multipoint, "MULTILINESTRING": .polyline, "MULTIPOLYGON": .polygon,
  ]

  private static let types: [String: (FieldType, DeclaredColumn.Kind)] = [
    // The map SDK has no boolean field; its tables store booleans as short integers.
    "BOOLEAN": (.int16, .boolean), "TINYINT": (.int32, .integer), "SMALLINT": (.int16, .integer),
    "MEDIUMINT": (.int32, .integer), "INT": (.int64, .integer), "INTEGER": (.int64, .integer),
    "FLOAT": (.float32, .real), "DOUBLE": (.float64, .real), "REAL": (.float64, .real),
    "DATE": (.dateOnly, .date), "DATETIME": (.date, .instant),
  ]

  /// Returns the length of a text type, 30 for `TEXT(30)` and 0 for any length; nil for other types.
  private static func textLength(_ type: String) -> Int? {
    if type == "TEXT" { return 0 }
    guard type.hasPrefix("TEXT("), type.hasSuffix(")"), let length = Int(type.dropFirst(5).dropLast()),
      length > 0, length <= Int32.max
    else { return nil }
    return length
  }

  /// Returns whether the file has a known version and no extensions that affect fields or rows.
  private static func isPlain(_ file: SQLiteFile) -> Bool {
    let version = "SELECT 1 FROM pragma_application_id, pragma_user_version WHERE application_id = 0x47504B47"
    let versions = " AND user_version IN (10200, 10201, 10300, 10301, 10400)"
    guard file.isFound(version + versions),
      !file.isFound("SELECT 1 FROM sqlite_master WHERE lower(name) = 'gpkg_data_columns'")
    else { return false }
    guard file.isFound("SELECT 1 FROM sqlite_master WHERE lower(name) = 'gpkg_extensions'") else {
      return true
    }
    let known = "('gpkg_rtree_index', 'gpkg_crs_wkt', 'gpkg_metadata')"
    let unknown =
      "SELECT 1 FROM gpkg_extensions WHERE extension_name IS NULL OR extension_name NOT IN \(known)"
    return file.query(unknown, row: { _ in false })
  }

  /// Returns the only table of the file; nil when there are several.
  private static func onlyLayer(_ file: SQLiteFile) -> String? {
    var names: [String] = []
    let isRead = file.query("SELECT table_name FROM gpkg_contents") { row in
      guard names.isEmpty, let name = row.string(0) else { return false }
      names.append(name)
      return true
    }
    guard isRead, let name = names.first else { return nil }
    // GDAL treats all other tables as layers, except those of the format, of SQLite and of the spatial index.
    let others =
      """
      SELECT 1 FROM sqlite_master m, gpkg_geometry_columns g
      WHERE m.type IN ('table', 'view') AND m.name <> ?1 AND g.table_name = ?1
        AND m.name NOT GLOB 'gpkg_*' AND m.name NOT GLOB 'sqlite_*'
        AND substr(m.name, 1, length(?1) + length(g.column_name) + 7) <> 'rtree_' || ?1 || '_' || g.column_name
      """
    return file.query(others, text: name, row: { _ in false }) ? name : nil
  }

  // MARK: Result

  /// Returns the schema of a table with geometries of a kind; nil for none.
  func schema(_ kind: GeometryKind?) -> FeatureSchema {
    FeatureSchema(
      fields: [Field(name: layout.idColumn, type: .oid)] + layout.columns.map(\.field),
      geometryKind: kind, spatialReference: kind == nil ? nil : reference,
      geometryName: layout.geometryColumn ?? "geometry")
  }

  /// Returns the table that the rows form.
  func table(_ rows: GeoPackageRows) -> FeatureColumns {
    let finished = concurrentMap(
      rows.columns.count, usesAllCores: { rows.columns[$0].holdsManyTexts }
    ) { rows.columns[$0].finished() }
    let buffer = rows.geometry.result ?? kind.map { CoordinateBuffer(kind: $0, emptyRows: rows.ids.count) }
    return FeatureColumns(
      schema: schema(buffer?.kind), columns: [Column(.integers(rows.ids))] + finished.map(\.column),
      geometry: buffer,
      rowCount: rows.ids.count,
      warnings: warnings + finished.flatMap(\.warnings)
        + rows.losses.warnings(of: rows.geometry))
  }
}
