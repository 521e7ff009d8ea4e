import CPostgreSQL

/// The functions of libpq, loaded once, when a database is first needed.
struct PostgreSQLLibrary {
  /// A missing library or function, as the loader reports it.
  struct Missing: Error {
    let reason: String
  }

  let calls: cpostgresql_functions

  private init() throws(Missing) {
    // The loader fills the table; it has no empty state that Swift could create.
    let table = UnsafeMutablePointer<cpostgresql_functions>.allocate(capacity: 1)
    defer { table.deallocate() }
    var error = [CChar](repeating: 0, count: Int(CPOSTGRESQL_ERROR_SIZE))
    guard cpostgresql_load(table, &error) != 0 else {
      throw Missing(
        reason: String(decoding: error.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    calls = table.pointee
  }

  /// The library, or the error when it is not installed.
  static let shared: Result<PostgreSQLLibrary, Missing> = {
    do throws(Missing) { return .success(try PostgreSQLLibrary()) } catch { return .failure(error) }
  }()
}
