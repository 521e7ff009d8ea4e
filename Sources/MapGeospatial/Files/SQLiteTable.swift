import CGeospatial
import Glibc

/// SQLite's functions, loaded once, when a GeoPackage first asks for them.
struct SQLiteLibrary {
  let calls: cgeospatial_sqlite

  private init?() {
    // Filled by the loader; the table has no empty state that Swift could write.
    let table = UnsafeMutablePointer<cgeospatial_sqlite>.allocate(capacity: 1)
    defer { table.deallocate() }
    var error = [CChar](repeating: 0, count: Int(CGEOSPATIAL_ERROR_SIZE))
    guard cgeospatial_load_sqlite(table, &error) != 0 else { return nil }
    calls = table.pointee
  }

  /// The library; nil when it is not installed.
  static let shared = SQLiteLibrary()
}

/// A SQLite file that is only read, closed when it goes.
///
/// Used by one thread at a time; not `Sendable`, so the compiler holds that line.
final class SQLiteFile {
  let calls: cgeospatial_sqlite
  private let handle: OpaquePointer

  /// Opens a file by its path, which is no address; nil when it is not SQLite's or the library is not installed.
  init?(_ path: String) {
    guard let library = SQLiteLibrary.shared else { return nil }
    calls = library.calls
    var handle: OpaquePointer?
    let code = calls.sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let handle else {
      // A handle is made for a failure too.
      _ = calls.sqlite3_close_v2(handle)
      return nil
    }
    self.handle = handle
  }

  deinit { _ = calls.sqlite3_close_v2(handle) }

  /// A name as SQL takes it.
  static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  /// Calls `row` for each row that a statement gives; false when it or SQLite does not come to the end.
  func query(_ sql: String, _ values: [Int64] = [], text: String? = nil, row: (SQLiteRow) -> Bool) -> Bool {
    var statement: OpaquePointer?
    guard calls.sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
      return false
    }
    defer { _ = calls.sqlite3_finalize(statement) }
    for (index, value) in values.enumerated() {
      guard calls.sqlite3_bind_int64(statement, Int32(index) + 1, value) == SQLITE_OK else { return false }
    }
    // The text outlives the statement, so that SQLite needs no copy.
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

/// A row of a statement under way, and the values that it has as they are stored, without conversion.
struct SQLiteRow {
  fileprivate let calls: cgeospatial_sqlite
  fileprivate let statement: OpaquePointer

  func isNull(_ column: Int32) -> Bool { calls.sqlite3_column_type(statement, column) == SQLITE_NULL }

  /// A whole number; nil for all else.
  func integer(_ column: Int32) -> Int64? {
    guard calls.sqlite3_column_type(statement, column) == SQLITE_INTEGER else { return nil }
    return calls.sqlite3_column_int64(statement, column)
  }

  /// A number; nil for all else.
  func real(_ column: Int32) -> Double? {
    let type = calls.sqlite3_column_type(statement, column)
    guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { return nil }
    return calls.sqlite3_column_double(statement, column)
  }

  /// The bytes of a text, valid until the next row; nil for all else.
  func text(_ column: Int32) -> UnsafeBufferPointer<UInt8>? {
    guard calls.sqlite3_column_type(statement, column) == SQLITE_TEXT,
      let text = calls.sqlite3_column_text(statement, column)
    else { return nil }
    return UnsafeBufferPointer(start: text, count: Int(calls.sqlite3_column_bytes(statement, column)))
  }

  /// The bytes of a blob, valid until the next row; nil for all else.
  func blob(_ column: Int32) -> UnsafeBufferPointer<UInt8>? {
    guard calls.sqlite3_column_type(statement, column) == SQLITE_BLOB,
      let blob = calls.sqlite3_column_blob(statement, column)
    else { return nil }
    return UnsafeBufferPointer(
      start: blob.assumingMemoryBound(to: UInt8.self),
      count: Int(calls.sqlite3_column_bytes(statement, column)))
  }
}
