import Foundation
import MapJSON
import MapTestSupport
import Testing

/// Warnings about a service stand at the question that they are about.
@Suite("Reports: services")
struct ServiceReportTests {
  @Test("Only a filter with a function is warned of, at its own step and command")
  func functions() async throws {
    let server = try TestServer(
      OptionReportTests.cases.appendingPathComponent("17-strict-with-service/srv.py"))
    defer { server.stop() }
    let layer = server.address + "/rest/services/S/FeatureServer/0"
    let access = ["--allow-http", "--allow-private"]
    let plain = try await Tool.run(["count", layer, "--everywhere", "--strict"] + access)
    #expect(plain.code == 0, "\(plain)")
    #expect(plain.out == "250\n", "\(plain)")
    #expect(!plain.err.contains("functions"), "\(plain)")
    let filtered = try await Tool.run(
      ["count", layer, "--everywhere", "--where", "UPPER(NAME) = 'S1'", "--strict"] + access)
    let run = try await Tool.run(
      ["run", "-"] + access,
      input: """
        {"step": "open", "source": "\(layer)"}
        {"step": "count", "where": "UPPER(NAME) = 'S1'", "everywhere": true}
        {"step": "count", "everywhere": true}
        """)
    let warnings = try run.out.split(separator: "\n").map { line in
      try JSONValue(parsing: String(line))["warnings"]?.array?.compactMap(\.string) ?? []
    }
    try #require(warnings.count == 3, "\(run)")
    #expect(filtered.code == 1, "\(filtered)")
    #expect(filtered.out == "36\n", "\(filtered)")
    #expect(!warnings[0].contains { $0.contains("functions") }, "\(run)")
    #expect(warnings[1].contains { $0.contains("functions") }, "\(run)")
    #expect(warnings[2] == [], "\(run)")
  }
}
