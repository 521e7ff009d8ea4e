import MapGeometry
import MapServices

/// The number of rows of a table, and their extent.
struct TableSummary {
  let rowCount: Int
  /// The extent in the table's spatial reference, without its name; empty without geometries.
  let extent: Envelope
  /// The kind of all geometries; nil without geometries and for several kinds.
  let kind: GeometryKind?
  /// The least and the greatest key; nil without rows.
  let keys: ClosedRange<Int64>?
  /// Whether every row has a key of its own.
  let hasKeys: Bool
  /// Whether the database stores texts in UTF-8, so that it compares them as MapState does.
  let isUnicode: Bool
  /// Whether all coordinates are numbers of a size that boxes of single precision can hold.
  let isFinite: Bool

  /// Asks the database for the summary.
  ///
  /// - Parameter checksKey: whether the key may have nulls and repeated values.
  /// - Cost: the database reads all rows, and sorts the keys to check them.
  /// - Throws: ``ServiceError``.
  init(
    of table: TableDescription, checksKey: Bool, _ access: DatabaseAccess, _ connection: DatabaseConnection
  ) async throws(ServiceError) {
    let key = TableName.quoted(table.key)
    var values = ["count(*)", "pg_catalog.current_setting('server_encoding')", "min(\(key))", "max(\(key))"]
    values.append(checksKey ? "count(DISTINCT \(key)) = count(*)" : "true")
    if let geometry = table.geometry {
      let (column, schema) = (TableName.quoted(geometry.name), TableName.quoted(geometry.schema))
      // The boxes that PostGIS stores have single precision, so that the vertices are read instead.
      let sides =
        geometry.kind == .point
        ? [
          "min(\(schema).ST_X(\(column)))", "min(\(schema).ST_Y(\(column)))",
          "max(\(schema).ST_X(\(column)))",
          "max(\(schema).ST_Y(\(column)))",
        ]
        : ["min", "max"].flatMap { bound in
          ["X", "Y"].map { "\(bound)(\(schema).ST_\($0)M\(bound.dropFirst())(\(column)::\(schema).box3d))" }
        }
      values += sides
    }
    let isDeclared = table.geometry?.kind != nil
    if let geometry = table.geometry, !isDeclared {
      let (column, schema) = (TableName.quoted(geometry.name), TableName.quoted(geometry.schema))
      values.append("string_agg(DISTINCT \(schema).GeometryType(\(column)), ' ')")
    }
    let statement = "SELECT \(values.joined(separator: ", ")) FROM \(table.name)"
    access.report?(statement)
    let row = try await connection.rows(statement).first ?? []
    guard row.count == values.count, let count = Int(row[0] ?? "") else {
      throw connection.fault("gave no number of rows")
    }
    if let least = Int64(row[2] ?? ""), let greatest = Int64(row[3] ?? ""), least <= greatest {
      keys = least...greatest
    } else {
      keys = nil
    }
    if table.geometry != nil, !isDeclared {
      let types = Set((row.last.flatMap { $0 } ?? "").split(separator: " "))
      kind = Self.kinds.first { !types.isEmpty && types.isSubset(of: $0.types) }?.kind
    } else {
      kind = table.geometry?.kind
    }
    let sides = row.dropFirst(5).prefix(4).compactMap { $0.flatMap { Double($0) } }
    (rowCount, isUnicode, hasKeys) = (count, row[1] == "UTF8", row[4] == "t")
    isFinite = sides.allSatisfy { $0.magnitude < 1e30 }
    extent =
      sides.count == 4
      ? Envelope(xMin: sides[0], yMin: sides[1], xMax: sides[2], yMax: sides[3]) : .empty
  }

  /// The names of the types of each kind of geometry; types with M values have an M at the end.
  private static let kinds: [(kind: GeometryKind, types: Set<Substring>)] = [
    (.point, ["POINT", "POINTM"]), (.multipoint, ["MULTIPOINT", "MULTIPOINTM"]),
    (.polyline, ["LINESTRING", "MULTILINESTRING", "LINESTRINGM", "MULTILINESTRINGM"]),
    (.polygon, ["POLYGON", "MULTIPOLYGON", "POLYGONM", "MULTIPOLYGONM"]),
  ]
}
