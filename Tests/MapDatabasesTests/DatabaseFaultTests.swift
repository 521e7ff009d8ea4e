import Foundation
import MapFeatures
import MapServices
import MapState
import MapSystem
import MapTestSupport
import Testing

import MapDatabases

/// Faults of a real server: each is one error, in which nothing is read and no password is shown.
// One after the other, because two of them look whether anything reads the same table.
@Suite(
  .serialized, .enabled(if: Database.environment != nil, "Scripts/checks/servers/database starts the server")
)
struct DatabaseFaultTests {
  let database: Database

  init() throws { database = try #require(Database.environment) }

  private func fault(
    _ text: String, environment: [String: String] = [:], _ change: (inout DatabaseAccess) -> Void = { _ in }
  ) async -> ServiceError? {
    var access = DatabaseAccess(environment: environment)
    change(&access)
    do {
      _ = try await DatabaseTable.read(DatabaseAddress(text), access)
      return nil
    } catch {
      return error
    }
  }

  private func loopback(_ login: String, _ table: String = "points", query: String = "") -> String {
    "postgresql://\(login)@127.0.0.1:\(database.port)/maps\(query)#\(table)"
  }

  @Test("A password is accepted from the address and from the credentials")
  func passwords() async throws {
    let encoded = database.password.replacing(" ", with: "%20")
    #expect(await fault(loopback("\(database.user):\(encoded)")) == nil)
    let credentials = try ServiceCredentials(
      .object([
        "postgresql://127.0.0.1:\(database.port)": [
          "user": .string(database.user), "password": .string(database.password),
        ]
      ]), environment: [:])
    #expect(
      await fault("postgresql://127.0.0.1:\(database.port)/maps#points") { $0.credentials = credentials }
        == nil)
  }

  @Test("A wrong or missing password is an error that does not show it")
  func wrongPassword() async throws {
    let wrong = try #require(await fault(loopback("\(database.user):wrong-sesame")))
    #expect(wrong.kind == .connection)
    #expect(
      wrong.reason.hasSuffix("FATAL:  password authentication failed for user \"mapstate\""), "\(wrong)")
    #expect(!wrong.description.contains("sesame"))
    let missing = try #require(await fault(loopback(database.user)))
    #expect(missing.reason.contains("no password supplied"), "\(missing)")
  }

  @Test("Encryption that the server does not offer is an error")
  func encryption() async throws {
    let encoded = database.password.replacing(" ", with: "%20")
    let error = try #require(await fault(loopback("mapstate:\(encoded)", query: "?sslmode=require")))
    #expect(error.reason.contains("server does not support SSL, but SSL was required"), "\(error)")
    #expect(error.reason.hasSuffix("; allow a connection without encryption with --allow-http"), "\(error)")
  }

  @Test("A port without a server, a missing database and a missing permission are errors")
  func connections() async throws {
    let refused = try #require(await fault("postgresql://127.0.0.1:1/maps#points"))
    #expect(refused.kind == .connection && refused.reason.contains("Connection refused"), "\(refused)")
    let missing = await database.reason("points", database: "nowhere")
    #expect(missing.hasSuffix("FATAL:  database \"nowhere\" does not exist"), "\(missing)")
    let forbidden = try #require(await fault(loopback("reader:reading%20only%2077", "lines")))
    #expect(
      forbidden.kind == .refused && forbidden.reason.hasPrefix("the database answered: permission denied"))
    #expect(await fault(loopback("reader:reading%20only%2077")) == nil)
  }

  @Test("A server that ends the connection or fails while it sends rows is an error")
  func brokenAnswers() async {
    let stopped = await database.reason("stopping", "&key=id")
    #expect(
      stopped == "the database answered: FATAL:  terminating connection due to administrator command",
      "\(stopped)")
    let failed = await database.reason("failing", "&key=id")
    #expect(failed == "the database answered: division by zero", "\(failed)")
  }

  @Test("A table that takes too long is an error, and the server stops its work")
  func timeout() async throws {
    var limits = ServiceLimits()
    limits.operation = .milliseconds(700)
    let start = ContinuousClock.now
    #expect(
      await database.reason("slow", "&key=id", limits: limits) == "gave no complete answer within 0.7 s")
    #expect(ContinuousClock.now - start < .seconds(30))
    try await expectIdleServer()
  }

  @Test("An answer about the catalog without end is an error", arguments: ["rows", "row", "columns"])
  func endlessAnswers(_ kind: String) async throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let server = try TestServer(folder.appending(path: "Cases/endless_server.py"), [kind])
    let place = server.address.replacing("http://", with: "")
    let error = try #require(await fault("postgresql://anna@\(place)/maps#points"))
    #expect(error.reason == "its answer about the table is too large", "\(error)")
  }

  @Test("A cancelled task ends at once, and so does the server's work")
  func cancellation() async throws {
    let database = database
    let task = Task { await database.reason("slow", "&key=id") }
    for _ in 0..<500 where try database.rows(Self.running) == [["0"]] {
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(try database.rows(Self.running) != [["0"]])
    task.cancel()
    #expect(await task.value == "was cancelled")
    try await expectIdleServer()
  }

  private static let running =
    "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'mapstate' AND query LIKE '%\"slow\"%'"

  /// Waits until no connection reads the slow table; the server looks after its connections every second.
  private func expectIdleServer() async throws {
    for _ in 0..<200 {
      if try database.rows(Self.running) == [["0"]] { return }
      try await Task.sleep(for: .milliseconds(100))
    }
    Issue.record("the server still reads the table")
  }

  @Test("More rows than the limit are an error")
  func rowLimit() async {
    var limits = ServiceLimits()
    limits.features = 4999
    #expect(await database.reason("points", limits: limits) == "has more than 4999 rows")
    limits.features = 5000
    #expect(await database.reason("points", limits: limits) == "none")
  }

  @Test("A database without PostGIS has tables without geometry")
  func withoutPostGIS() async throws {
    let table = try await database.read("notes", database: "plain")
    #expect(table.schema.geometryKind == nil && table.schema.fields.map(\.name) == ["id", "note"])
    #expect(
      await database.reason("points", database: "plain")
        == "no table or view named \"points\"; available: public.notes")
  }

  @Test("A changed table is read as it is at each opening, and the rows of an open map stay")
  func changes() async throws {
    try database.rows(
      "CREATE TABLE changing (id int4 PRIMARY KEY, a int4); INSERT INTO changing VALUES (1, 10), (2, 20)")
    let address = database.address("changing")
    let document = try await MapDocument.open(address)
    #expect(document.layers[0].layer.source.rowCount == 2)
    try database.rows(
      "ALTER TABLE changing DROP COLUMN a, ADD COLUMN b text DEFAULT 'x'; DELETE FROM changing WHERE id = 1")
    #expect(document.layers[0].layer.source.schema.fields.map(\.name) == ["id", "a"])
    let again = try await database.read("changing")
    #expect(again.schema.fields.map(\.name) == ["id", "b"] && again.rowCount == 1)
    try database.rows("DROP TABLE changing")
    #expect(await database.reason("changing").hasPrefix("no table or view named \"changing\""))
  }

  @Test("A document reads a table only where it is allowed to, and never shows the password")
  func documents() async throws {
    let encoded = database.password.replacing(" ", with: "%20")
    let url = loopback("\(database.user):\(encoded)", "public.counties")
    let json = #"{"operationalLayers": [{"id": "c", "title": "Counties", "url": "\#(url)"}]}"#
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "mapstate-database-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "map.json").path
    try Data(json.utf8).write(to: URL(fileURLWithPath: path))
    do {
      _ = try await MapDocument.open(path)
      Issue.record("a document reads a table of this machine")
    } catch {
      #expect(error.kind == .service && "\(error)".contains("a document may not lead there"), "\(error)")
      #expect(!"\(error)".contains("sesame"))
    }
    var access = ServiceAccess()
    access.allowsPrivateAddresses = true
    let document = try await MapDocument.open(path, catalog: SourceCatalog(services: access))
    #expect(document.layers[0].layer.source.rowCount > 3000)
    var replaying = access
    replaying.replay(from: folder.path)
    await #expect(throws: MapStateError.self) {
      try await MapDocument.open(path, catalog: SourceCatalog(services: replaying))
    }
  }

  @Test("A table of several kinds of geometry is opened by kind")
  func kinds() async throws {
    do {
      _ = try await MapDocument.open(database.address("mixed_kinds"))
      Issue.record("several kinds are one layer")
    } catch {
      #expect(
        error.description.hasSuffix(
          "/maps#mixed_kinds: has geometries of several kinds (polygon, polyline, point); a layer shows one: name it "
            + "after the table, as in #mixed_kinds/polygon"), "\(error)")
    }
    let lines = try await MapDocument.open(database.address("mixed_kinds/polyline"))
    #expect(lines.layers[0].layer.source.rowCount == 2 && lines.layers[0].layer.name == "mixed_kinds")
  }
}
