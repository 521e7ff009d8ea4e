import CGeospatial
import MapFeatures
import MapReaders

/// The columns of a GeoPackage table and the way its rows are stored.
struct GeoPackageLayout: Sendable {
  let table: String
  let idColumn: String
  let geometryColumn: String?
  /// The fields by their column names, without rows.
  let columns: [DeclaredColumn]

  /// A column of the table as stored.
  struct StoredColumn: Sendable {
    enum Target: Sendable {
      case id, geometry
      case field(Int)
      case nothing
    }

    let target: Target
    /// Whether the column has a value in rows that were written before the column was added.
    let hasDefault: Bool
  }

  /// The layout without the fields.
  var withoutFields: GeoPackageLayout {
    GeoPackageLayout(table: table, idColumn: idColumn, geometryColumn: geometryColumn, columns: [])
  }

  /// Returns the root page of the table's tree; nil for views and virtual tables, which have none.
  func rootPage(_ file: SQLiteFile) -> Int? { file.rootPage(of: table) }

  /// Returns the columns in table order; nil when the ids are not the row numbers.
  func storedColumns(_ file: SQLiteFile) -> [StoredColumn]? {
    var targets = [idColumn: StoredColumn.Target.id]
    if let geometryColumn { targets[geometryColumn] = .geometry }
    for (index, column) in columns.enumerated() { targets[column.field.name] = .field(index) }
    guard targets.count == columns.count + (geometryColumn == nil ? 1 : 2) else { return nil }
    // Generated columns are not stored, or not stored in order.
    let generated = "SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden"
    // A primary key with its own index is not an alias of the row number.
    let index = "SELECT 1 FROM pragma_index_list(?) WHERE origin = 'pk'"
    for sql in [generated, index] where !file.query(sql, text: table, row: { _ in false }) { return nil }
    var stored: [StoredColumn] = []
    var (found, keys) = (0, 0)
    let list =
      "SELECT name, pk, upper(type) = 'INTEGER', dflt_value IS NOT NULL FROM pragma_table_xinfo(?) ORDER BY cid"
    let isRead = file.query(list, text: table) { row in
      guard let name = row.string(0), let key = row.integer(1) else { return false }
      if targets[name] != nil { found += 1 }
      if key != 0 { keys += 1 }
      let target = targets[name] ?? .nothing
      if case .id = target, key != 1 || row.integer(2) != 1 { return false }
      stored.append(StoredColumn(target: target, hasDefault: row.integer(3) != 0))
      return true
    }
    return isRead && found == targets.count && keys == 1 ? stored : nil
  }
}

extension SQLiteFile {
  /// Returns the root page of a table; nil for views and virtual tables, which have none.
  func rootPage(of table: String) -> Int? {
    var page: Int64?
    let sql = "SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name = ?"
    let isRead = query(sql, text: table) {
      page = $0.integer(0)
      return true
    }
    return isRead ? page.flatMap { $0 > 0 ? Int($0) : nil } : nil
  }
}
