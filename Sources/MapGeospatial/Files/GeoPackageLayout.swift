import CGeospatial
import MapFeatures

/// What a table of a GeoPackage is, and how its rows are stored.
struct GeoPackageLayout: Sendable {
  let table: String
  let idColumn: String
  let geometryColumn: String?
  /// The fields by their columns' names, without rows.
  let columns: [DeclaredColumn]

  /// A column of the table as it is stored.
  struct StoredColumn {
    enum Target {
      case id, geometry
      case field(Int)
      case nothing
    }

    let target: Target
    /// True when rows that lack the column, since they were written before it came, have a value nonetheless.
    let hasDefault: Bool
  }

  /// The page where the table's tree starts; nil for views and virtual tables, which have none.
  func rootPage(_ file: SQLiteFile) -> Int? {
    var page: Int64?
    let sql = "SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name = ?"
    let isRead = file.query(sql, text: table) {
      page = $0.integer(0)
      return true
    }
    return isRead ? page.flatMap { $0 > 0 ? Int($0) : nil } : nil
  }

  /// The columns in the table's order; nil where the ids are not the numbers of the rows.
  func storedColumns(_ file: SQLiteFile) -> [StoredColumn]? {
    var targets = [idColumn: StoredColumn.Target.id]
    if let geometryColumn { targets[geometryColumn] = .geometry }
    for (index, column) in columns.enumerated() { targets[column.field.name] = .field(index) }
    guard targets.count == columns.count + (geometryColumn == nil ? 1 : 2) else { return nil }
    // Columns that are generated stand nowhere, or not where their turn is.
    let generated = "SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden"
    // A key with an index of its own is no other name of the number.
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
