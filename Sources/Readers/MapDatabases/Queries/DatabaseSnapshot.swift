import MapServices
import Synchronization

/// A snapshot of a database: the rows of one instant, which other transactions can see too.
///
/// It lasts as long as the transaction that keeps it, which ends when the object is released.
final class DatabaseSnapshot: Sendable {
  /// The identifier that the server gave.
  let id: String
  /// Whether the server watches its connections.
  let isWatchful: Bool
  private let keeper: Mutex<DatabaseConnection>

  private init(_ id: String, _ connection: sending DatabaseConnection) {
    (self.id, isWatchful) = (id, connection.isWatchful)
    keeper = Mutex(connection)
  }

  /// Returns the snapshot of a connection's transaction.
  ///
  /// - Throws: ``ServiceError``.
  static func kept(by connection: sending DatabaseConnection) async throws(ServiceError) -> DatabaseSnapshot {
    let id = try await connection.rows("SELECT pg_catalog.pg_export_snapshot()").first?.first.flatMap { $0 }
    guard let id,
      id.utf8.allSatisfy({
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "A")...UInt8(ascii: "F") ~= $0
          || $0 == UInt8(ascii: "-")
      })
    else {
      throw connection.fault("gave no snapshot of its rows")
    }
    return DatabaseSnapshot(id, connection)
  }

  /// Returns the same snapshot, kept by a transaction of its own that reads no table and so locks none.
  ///
  /// - Throws: ``ServiceError``.
  func withoutLocks(_ address: DatabaseAddress, _ access: DatabaseAccess) async throws(ServiceError)
    -> DatabaseSnapshot
  {
    let connection = try await DatabaseConnection.open(address, access)
    try await connection.begin(in: self)
    return try await Self.kept(by: connection)
  }
}
