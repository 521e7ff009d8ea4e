import CGeospatial
import Glibc

/// The checks of a GeoPackage before GDAL opens it, since GDAL runs any SQL in the file's schema.
///
/// Virtual tables, and views that `gpkg_contents` does not list, are never run. Listed views, and tables with generated
/// columns, are run here first, within ``SQLiteLimits``, and their rows are counted.
struct GeoPackageGuard {
  private let path: String
  private let isImmutable: Bool
  private let file: SQLiteFile
  /// The names of the views, in lower case.
  private var views: Set<String> = []
  private var virtualTables: Set<String> = []
  /// The warnings about changes that were not read.
  private(set) var warnings: [String] = []

  /// Checks a file; nil when it is not a SQLite file.
  ///
  /// - Throws: ``LibraryError`` for changes in a `-wal` or `-journal` file that cannot be read. It is also thrown for a
  ///   view instead of a table of the format.
  init?(_ path: String) throws(LibraryError) {
    guard SQLitePages.isSQLite(path) else { return nil }
    _ = try SQLiteLibrary.shared.get()
    self.path = path
    let log = try WriteAheadLog(path)
    if let warning = log?.warning { warnings.append(warning) }
    // SQLite retries without end when it may not repair the index of such a log.
    if let log, log.isEmpty, access(path + "-shm", F_OK) == 0, access(path + "-shm", W_OK) != 0 {
      throw LibraryError(
        "its -wal file contains no changes, but the -shm file beside it cannot be written; make it writable, or remove "
          + "both while no program uses the file")
    }
    let schema = "SELECT name, type = 'view', upper(ltrim(sql)) LIKE 'CREATE VIRTUAL%' FROM sqlite_master"
    var found: [(name: String, isView: Bool, isVirtual: Bool)] = []
    func read(_ file: SQLiteFile) -> Bool {
      found = []
      return file.query(schema) { row in
        if let name = row.string(0) { found.append((name, row.integer(1) == 1, row.integer(2) == 1)) }
        return true
      }
    }
    if let file = SQLiteFile(path), read(file) {
      (self.file, isImmutable) = (file, false)
    } else {
      let hasJournal = DataFile.isNotEmpty(path + "-journal")
      guard log == nil, !hasJournal else {
        let reason =
          SQLiteFile(path).map {
            _ = read($0); return $0.failure
          } ?? "it cannot be opened"
        throw LibraryError(
          "its changes in \(DataFile.name(path))\(log == nil ? "-journal" : "-wal") cannot be read (\(reason)); "
            + "make its folder writable, or close the file in the program that writes it")
      }
      // This is a file in write-ahead mode, in a read-only folder, whose data are all in the file itself.
      guard let file = SQLiteFile(path, isImmutable: true), read(file) else { return nil }
      (self.file, isImmutable) = (file, true)
    }
    for (name, isView, isVirtual) in found {
      if isView { views.insert(name.lowercased()) }
      if isVirtual { virtualTables.insert(name.lowercased()) }
      guard name.lowercased().hasPrefix("gpkg") else { continue }
      guard !isView, !isVirtual else {
        throw LibraryError(
          "\(name): is a \(isView ? "view" : "virtual table"); GeoPackage requires a table")
      }
      guard !hasGeneratedColumns(name) else {
        throw LibraryError("\(name): has generated columns; GeoPackage does not allow them there")
      }
    }
  }

  /// Returns the number of rows of a layer; nil when SQLite cannot count them.
  ///
  /// - Throws: ``LibraryError`` for a view or virtual table that is not run, or that reaches a limit.
  func rowCount(ofLayer name: String) throws(LibraryError) -> Int? {
    guard !virtualTables.contains(name.lowercased()) else {
      throw LibraryError("\"\(name)\": is a virtual table, which is not read; copy its rows to a table")
    }
    let isView = views.contains(name.lowercased())
    if isView {
      var isListed = false
      _ = file.query("SELECT 1 FROM gpkg_contents WHERE lower(table_name) = lower(?)", text: name) { _ in
        isListed = true
        return false
      }
      guard isListed else {
        throw LibraryError("\"\(name)\": is a view that gpkg_contents does not list, and is not run")
      }
    }
    guard isView || hasGeneratedColumns(name) else {
      var count: Int?
      _ = file.query("SELECT count(*) FROM \(SQLiteFile.quoted(name))") { row in
        count = row.integer(0).map { Int($0) }
        return true
      }
      return count
    }
    return try rowCount(running: name, isView: isView)
  }

  /// Runs a view, or reads a table with generated columns, within the limits, and returns the number of rows.
  private func rowCount(running name: String, isView: Bool) throws(LibraryError) -> Int {
    let limits = SQLiteLimits(refusing: virtualTables)
    guard let file = SQLiteFile(path, isImmutable: isImmutable, limits: limits) else {
      throw LibraryError("\"\(name)\": the file cannot be opened a second time")
    }
    var count = 0
    let isRead = withExtendedLifetime(limits) {
      file.query("SELECT * FROM \(SQLiteFile.quoted(name))") { _ in
        count += 1
        return true
      }
    }
    guard isRead else {
      let kind = isView ? "view" : "table"
      if let reached = limits.reached {
        throw LibraryError("\(kind) \"\(name)\": stopped at \(reached); copy its rows to a plain table")
      }
      throw LibraryError("\(kind) \"\(name)\": \(file.failure)")
    }
    return count
  }

  /// Returns the values of a layer that are not stored as their fields declare, which GDAL converts without a word: a text
  /// in a field of whole numbers is 0 to it.
  ///
  /// - Parameters:
  ///   - id: the column of the feature ids.
  ///   - columns: the fields of numbers, with the range of their whole numbers; nil for decimals.
  /// - Returns: for each field, the ids of these rows; nil when SQLite cannot tell them.
  func misfits(
    ofLayer name: String, id: String, columns: [(name: String, range: ClosedRange<Int64>?)]
  ) -> [[Int64]]? {
    guard !columns.isEmpty else { return [] }
    let tests = columns.map { column in
      let value = SQLiteFile.quoted(column.name)
      guard let range = column.range else { return "typeof(\(value)) IN ('text', 'blob')" }
      let isOfType = "typeof(\(value)) IN ('text', 'blob', 'real')"
      let isInRange = "\(value) BETWEEN \(range.lowerBound) AND \(range.upperBound)"
      return range == Int64.min...Int64.max ? isOfType : "(\(isOfType) OR NOT \(isInRange))"
    }
    // Without the rows whose tests are all false or null.
    let sql =
      "SELECT \(SQLiteFile.quoted(id)), \(tests.joined(separator: ", ")) FROM \(SQLiteFile.quoted(name)) "
      + "WHERE \(tests.joined(separator: " OR "))"
    let isView = views.contains(name.lowercased())
    let limits = isView || hasGeneratedColumns(name) ? SQLiteLimits(refusing: virtualTables) : nil
    guard let file = limits == nil ? file : SQLiteFile(path, isImmutable: isImmutable, limits: limits) else {
      return nil
    }
    var found = columns.map { _ in [Int64]() }
    let isRead = withExtendedLifetime(limits) {
      file.query(sql) { row in
        guard let id = row.integer(0) else { return false }
        for index in columns.indices where row.integer(Int32(index + 1)) == 1 { found[index].append(id) }
        return true
      }
    }
    return isRead ? found : nil
  }

  private func hasGeneratedColumns(_ table: String) -> Bool {
    // `hidden` is 2 or 3 for generated columns, and 1 for a hidden column of a virtual table.
    !file.query("SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden > 1", text: table) { _ in false }
  }
}
