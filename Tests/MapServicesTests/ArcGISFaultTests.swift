import Foundation
import MapFeatures
import MapServices
import MapTestSupport
import Testing

/// Errors that users see for each fault of the test server, one line each.
@Suite struct ArcGISFaultTests {
  /// The fault of the server, and the error that users see.
  static let faults = Result { try read() }

  private static func read() throws -> [(variant: String, line: String)] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
      path: "Servers/arcgis-faults.md")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { row in
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3, cells[0].hasPrefix("`") else { return nil }
      return (cells[0].trimmingCharacters(in: ["`"]), cells[2])
    }
  }

  @Test("The fault table has 45 rows")
  func noRowIsPassedOver() throws { #expect(try Self.faults.get().count == 45) }

  @Test("Each fault of a server is a one-line error as documented", arguments: (try? faults.get()) ?? [])
  func aFaultIsOneLine(variant: String, line: String) async throws {
    let address = try ArcGISServer.address("Places/FeatureServer/3", variant)
    let error = await #expect(throws: ServiceError.self) {
      try await ArcGISServer.layer(ArcGISServer.rivers, variant).everything()
    }
    let shown = "\(try #require(error))".replacing(address, with: "…")
    #expect(shown == line)
    #expect(shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
  }

  @Test("Cancelling a request ends it with a cancellation error")
  func cancellingEndsAtOnce() async throws {
    let layer = try await ArcGISServer.layer(ArcGISServer.rivers, "fault/slow")
    let task = Task { try await layer.everything() }
    try await Task.sleep(for: .milliseconds(100))
    task.cancel()
    let error = await #expect(throws: ServiceError.self) { try await task.value }
    #expect(error?.kind == .cancelled)
  }

  @Test("Fetching more features than the limit is refused")
  func moreThanTheLimitIsNotFetched() async throws {
    var limits = ServiceLimits()
    limits.features = 100
    let client = ServiceClient(transport: CurlTransport(environment: [:]), limits: limits)
    let layer = try await ArcGISLayer.open(ArcGISServer.address("Places/FeatureServer/3"), client: client)
    await #expect(throws: ServiceError.self) { try await layer.everything() }
    #expect(try await layer.features(FeatureQuery(where: "RANK < 2")).rowCount < 100)
  }

  @Test("A server that stops during paging gives a connection error")
  func aServerThatEndsHalfWayIsAnError() async throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let server = try TestServer(
      folder.appending(path: "Servers/arcgis_server.py"), [folder.appending(path: "../../Styles/data").path])
    let layer = try await ArcGISLayer.open(
      server.address + "/page/20/fault/ends/arcgis/rest/services/Places/FeatureServer/0",
      client: ArcGISServer.client)
    let error = await #expect(throws: ServiceError.self) { try await layer.everything() }
    #expect(error?.kind == .connection)
  }
}
