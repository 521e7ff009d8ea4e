import Foundation
import MapFeatures
import MapReaders
import MapServices
import MapTestSupport
import Testing

import MapDatabases

/// The server that `Scripts/checks/servers/database` starts.
struct Database: Sendable, Decodable {
  /// The folder of the server's socket.
  let folder: String
  let port: Int
  let user: String
  let password: String
  /// The path of PostgreSQL's own client.
  let psql: String

  /// The server; nil without one.
  static let environment: Database? = ProcessInfo.processInfo.environment["MAPSTATE_DATABASE"].flatMap {
    try? JSONDecoder().decode(Database.self, from: Data($0.utf8))
  }

  /// Returns the address of a table, by the socket.
  func address(_ fragment: String, _ query: String = "", database: String = "maps") -> String {
    "postgresql://\(user)@/\(database)?host=\(folder)&port=\(port)\(query)#\(fragment)"
  }

  /// Reads a table by the socket.
  func read(
    _ fragment: String, _ query: String = "", fields: FieldSelection = .all,
    options: ReadingOptions = ReadingOptions(), limits: ServiceLimits = ServiceLimits(),
    database: String = "maps"
  ) async throws -> FeatureColumns {
    var access = DatabaseAccess(environment: [:])
    access.limits = limits
    let address = try DatabaseAddress(address(fragment, query, database: database))
    return try await DatabaseTable.read(address, access, fields: fields, options: options).columns
  }

  /// Returns the reason of the error for a table.
  func reason(
    _ fragment: String, _ query: String = "", limits: ServiceLimits = ServiceLimits(),
    database: String = "maps"
  ) async -> String {
    do {
      _ = try await read(fragment, query, limits: limits, database: database)
      return "none"
    } catch {
      return (error as? ServiceError)?.reason ?? "\(error)"
    }
  }

  /// Runs statements in PostgreSQL's own client, and returns the rows of the last; values are divided by `|` and null
  /// is `∅`.
  @discardableResult
  func rows(_ statements: String) throws -> [[String]] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: psql)
    process.arguments = [
      "-q", "-A", "-t", "-F", "\u{1F}", "-R", "\u{1E}", "-P", "null=∅", "-v", "ON_ERROR_STOP=1", "-h", folder,
      "-p",
      "\(port)", "-U", user, "-d", "maps", "-c", statements,
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.start()
    var text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(statements)")
    if text.hasSuffix("\n") { text.removeLast() }
    guard !text.isEmpty else { return [] }
    return text.split(separator: "\u{1E}", omittingEmptySubsequences: false).map { row in
      row.split(separator: "\u{1F}", omittingEmptySubsequences: false).map { String($0) }
    }
  }
}
