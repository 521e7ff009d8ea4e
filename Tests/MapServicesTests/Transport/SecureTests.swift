import Foundation
import MapServices
import MapTestSupport
import Testing

/// Hosts that must prove who they are, by a server with a certificate made for the test.
@Suite struct SecureTests {
  /// A key and certificate for a host, in one file, made by `openssl`.
  private static func certificate(for host: String) throws -> URL {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "mapstate-\(UUID().uuidString).pem")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
        "2",
      ]
      + [
        "-subj", "/CN=test", "-addext", "subjectAltName=\(host)", "-keyout", file.path, "-out",
        file.path + ".cert",
      ]
    process.standardError = FileHandle.nullDevice
    try process.start()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    let certificate = try Data(contentsOf: URL(fileURLWithPath: file.path + ".cert"))
    try (Data(contentsOf: file) + certificate).write(to: file)
    return file
  }

  private static func ask(_ server: TestServer, trusting file: URL?) async throws -> HTTPResponse {
    let url = server.address.replacing("http://", with: "https://") + "/plain"
    return try await CurlTransport(environment: file.map { ["SSL_CERT_FILE": $0.path + ".cert"] } ?? [:])
      .response(to: HTTPRequest(get: url), before: .now + .seconds(600))
  }

  @Test(arguments: [
    ("IP:127.0.0.1", true, true), ("IP:127.0.0.1", false, false), ("DNS:gis.example", true, false),
  ])
  func onlyWhoProvesItselfIsAsked(host: String, isTrusted: Bool, isAsked: Bool) async throws {
    let file = try Self.certificate(for: host)
    let server = try TestServer(FaultyServer.folder.appendingPathComponent("faulty_server.py"), [file.path])
    let result = await Task { try await Self.ask(server, trusting: isTrusted ? file : nil) }.result
    switch result {
    case .success(let response): #expect(isAsked && response.status == 200)
    case .failure(let error):
      let text = "\(error)"
      #expect(!isAsked && text.contains("could not prove who it is"), "\(text)")
    }
    for name in [file.path, file.path + ".cert"] { try FileManager.default.removeItem(atPath: name) }
  }
}
