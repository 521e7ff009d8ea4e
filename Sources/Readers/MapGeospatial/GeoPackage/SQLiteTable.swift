import CGeospatial
import Glibc

/// The functions of SQLite, loaded once, when a GeoPackage first needs them.
struct SQLiteLibrary {
  let calls: cgeospatial_sqlite

  private init() throws(LibraryError) {
    // The loader fills the table; it has no empty state that Swift could create.
    let table = UnsafeMutablePointer<cgeospatial_sqlite>.allocate(capacity: 1)
    defer { table.deallocate() }
    var error = [CChar](repeating: 0, count: Int(CGEOSPATIAL_ERROR_SIZE))
    guard cgeospatial_load_sqlite(table, &error) != 0 else { throw LibraryError(missing: error) }
    calls = table.pointee
  }

  /// The library, or the error when it is not installed.
  static let shared: Result<SQLiteLibrary, LibraryError> = {
    do throws(LibraryError) { return .success(try SQLiteLibrary()) } catch { return .failure(error) }
  }()
}

/// A read-only SQLite file, closed when the object is released.
///
/// No view, trigger or statement of the file's schema runs. Views are refused unless requested, and then run within
/// ``SQLiteLimits``.
///
/// It is used by one thread at a time. The class is not `Sendable`, so the compiler enforces that.
final class SQLiteFile {
  let calls: cgeospatial_sqlite
  private let handle: OpaquePointer
  /// The limits of a connection that may run views; nil when views are refused.
  private let limits: SQLiteLimits?

  /// Opens a file by its path, which is not a URI; nil when it is not a SQLite file or the library is not installed.
  ///
  /// - Parameters:
  ///   - isImmutable: true reads the file alone, without locks and without the contents of a `-wal` file.
  ///   - limits: allow the connection to run views.
  init?(_ path: String, isImmutable: Bool = false, limits: SQLiteLimits? = nil) {
    guard let library = try? SQLiteLibrary.shared.get() else { return nil }
    (calls, self.limits) = (library.calls, limits)
    var handle: OpaquePointer?
    let name = isImmutable ? "file:\(Self.escaped(path))?immutable=1" : path
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | (isImmutable ? SQLITE_OPEN_URI : 0)
    let code = calls.sqlite3_open_v2(name, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      // SQLite returns a handle even on failure, and it must be closed.
      _ = calls.sqlite3_close_v2(handle)
      return nil
    }
    self.handle = handle
    for (option, isOn) in [
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
      (SQLITE_DBCONFIG_ENABLE_VIEW, limits == nil ? 0 : 1),
      // Closing must not remove a `-wal` file, not even one without usable content.
      (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1),
    ] as [(Int32, Int32)] {
      // An older SQLite does not have every option and returns an error for it.
      _ = cgeospatial_sqlite_set(handle, option, isOn)
    }
    limits?.apply(to: handle, calls)
  }

  /// Returns a path escaped for a URI.
  private static func escaped(_ path: String) -> String {
    let digits = Array("0123456789ABCDEF")
    return path.utf8.reduce(into: "") { text, byte in
      let scalar = Unicode.Scalar(byte)
      if scalar.isASCII, scalar.properties.isAlphabetic || (0x2D...0x39).contains(byte) || byte == 0x5F {
        text.unicodeScalars.append(scalar)
      } else {
        text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
  }

  /// The last failure, in SQLite's words.
  var failure: String { calls.sqlite3_errmsg(handle).map { String(cString: $0) } ?? "unknown error" }

  deinit { _ = calls.sqlite3_close_v2(handle) }

  /// Returns a name quoted for SQL.
  static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  /// Calls `row` for each row of a statement's result; returns false when `row` or SQLite stops early.
  func query(_ sql: String, text: String? = nil, row: (SQLiteRow) -> Bool) -> Bool {
    var statement: OpaquePointer?
    guard calls.sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
      return false
    }
    defer { _ = calls.sqlite3_finalize(statement) }
    // The text outlives the statement, so SQLite needs no copy.
    let bound = text.map { strdup($0) }
    defer { free(bound ?? nil) }
    if let bound, calls.sqlite3_bind_text(statement, 1, bound, -1, nil) != SQLITE_OK { return false }
    while true {
      switch calls.sqlite3_step(statement) {
      case SQLITE_ROW: guard row(SQLiteRow(calls: calls, statement: statement)) else { return false }
      case SQLITE_DONE: return true
      default: return false
      }
    }
  }
}

extension SQLiteFile {
  /// Returns whether a statement returns a row.
  func isFound(_ sql: String) -> Bool {
    var isFound = false
    _ = query(sql) { _ in
      isFound = true
      return false
    }
    return isFound
  }
}

/// The current row of a running statement, with its values as stored, without conversion.
struct SQLiteRow {
  fileprivate let calls: cgeospatial_sqlite
  fileprivate let statement: OpaquePointer

  /// Returns an integer; nil for other values.
  func integer(_ column: Int32) -> Int64? {
    guard calls.sqlite3_column_type(statement, column) == SQLITE_INTEGER else { return nil }
    return calls.sqlite3_column_int64(statement, column)
  }

  /// Returns a text; nil for other values.
  func string(_ column: Int32) -> String? {
    guard calls.sqlite3_column_type(statement, column) == SQLITE_TEXT,
      let text = calls.sqlite3_column_text(statement, column)
    else { return nil }
    let count = Int(calls.sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }
}
