import Foundation
import MapTestSupport
import Testing

/// Documents, links and redirects may only lead to public addresses; refused addresses are never connected
/// to.
@Suite("Private addresses")
struct PrivateAddressTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A server on the loopback address and the number of connections that it received.
  private func server(
    _ name: String = "count", to location: String? = nil
  ) throws -> (server: TestServer, port: String, connections: () -> Int) {
    let file = folder.path(name)
    let program = Tool.project.appendingPathComponent("Tests/CommandLineTests/counting_server.py")
    let server = try TestServer(program, [file] + [location].compactMap { $0 })
    let port = String(server.address.split(separator: ":").last ?? "")
    return (server, port, { (try? Data(contentsOf: URL(fileURLWithPath: file)).count) ?? 0 })
  }

  private func document(_ url: String) throws -> String {
    try folder.write(
      #"{"operationalLayers":[{"id":"a","url":"\#(url)"}],"version":"2.31"}"#, to: "map.json")
  }

  private static let path = "/arcgis/rest/services/x/FeatureServer/0"

  @Test(
    "A document cannot reach this machine, in any notation of the address",
    arguments: [
      "http://127.0.0.1:P", "http://localhost:P", "http://a.localhost:P", "http://127.1:P", "http://0:P",
      "http://2130706433:P", "http://0x7f.1:P", "http://0177.0.0.1:P", "http://[::ffff:127.0.0.1]:P",
      "http://0.0.0.0:P", "http://[::1]:P", "https://127.0.0.1:P", "https://2130706433:P",
    ])
  func loopback(address: String) async throws {
    let (server, port, connections) = try server()
    defer { server.stop() }
    let map = try document(address.replacing("P", with: port) + Self.path)
    for command in [["count", map], ["inspect", map], ["render", map, "-o", folder.path("x.png")]] {
      let run = try await Tool.run(command + ["--allow-http"])
      #expect(run.code == 3, "\(run)")
      #expect(run.errors.count == 1, "\(run)")
      #expect(run.err.contains("--allow-private"), "\(run)")
    }
    #expect(connections() == 0)
    guard !address.contains("https"), !address.contains("::1]") else { return }
    let allowed = try await Tool.run("count", map, "--allow-http", "--allow-private")
    #expect(allowed.code == 3, "\(allowed)")
    #expect(!allowed.err.contains("--allow-private"), "\(allowed)")
    #expect(connections() > 0)
  }

  @Test(
    "A document cannot reach private or link-local addresses",
    arguments: [
      "https://10.0.0.1", "https://169.254.169.254", "https://192.168.0.1", "https://[fd00::1]",
      "https://[fe80::1]",
      "https://[64:ff9b::a00:1]", "https://[2002:a00:1::]", "https://100.64.0.1", "https://167772161",
      "https://[::ffff:10.0.0.1]", "https://224.0.0.1",
    ])
  func privateNetworks(address: String) async throws {
    let run = try await Tool.run("count", document(address + Self.path))
    #expect(run.code == 3, "\(run)")
    #expect(run.err.contains("--allow-private"), "\(run)")
  }

  @Test("A source named on the command line may be private but may not redirect to a private address")
  func namedSource() async throws {
    let (second, secondPort, secondConnections) = try server("second")
    defer { second.stop() }
    let (first, port, connections) = try server("first", to: second.address + "/x")
    defer { first.stop() }
    for host in ["127.0.0.1", "2130706433"] {
      let before = connections()
      let url = "http://\(host):\(port)\(Self.path)"
      let refused = try await Tool.run("count", url, "--allow-http")
      #expect(refused.code == 3, "\(refused)")
      #expect(refused.err.contains("--allow-private"), "\(refused)")
      #expect(refused.err.contains(":\(secondPort)"), "\(refused)")
      #expect(connections() > before)
      #expect(secondConnections() == 0)
    }
    let allowed = try await Tool.run("count", first.address + Self.path, "--allow-private")
    #expect(allowed.code == 3, "\(allowed)")
    #expect(secondConnections() > 0, "\(allowed)")
  }

  @Test("A proxy may be private, but a private target written in a document is refused")
  func proxy() async throws {
    let (proxy, _, connections) = try server()
    defer { proxy.stop() }
    let environment = ["http_proxy": proxy.address, "no_proxy": ""]
    for host in [
      "10.0.0.1", "167772161", "0xa.1", "[fd00::1]", "intranet", "gis.local", "metadata.google.internal",
    ] {
      let run = try await Tool.run(
        ["count", document("http://\(host)\(Self.path)"), "--allow-http"], environment: environment)
      #expect(run.code == 3, "\(run)")
      #expect(run.err.contains("--allow-private"), "\(run)")
    }
    #expect(connections() == 0)
    let run = try await Tool.run(
      ["count", document("http://gis.example\(Self.path)"), "--allow-http"], environment: environment)
    #expect(run.code == 3, "\(run)")
    #expect(connections() > 0, "\(run)")
  }

  @Test(
    "A host that the rules of the caller refuse is not asked, whoever names it",
    arguments: [
      (["--deny-host", "127.0.0.1"], "refused: --deny-host names 127.0.0.1"),
      (
        ["--allow-host", "example.org", "--allow-host", "*.example.com"],
        "is not among the hosts of --allow-host"
      ),
      (["--deny-host", "a/b"], "expected a host"),
    ])
  func hostRules(options: [String], message: String) async throws {
    for url in ["http://127.0.0.1:9/arcgis/rest/services/A/FeatureServer/0", "postgresql://127.0.0.1:9/d#t"] {
      let run = try await Tool.run(["count", url] + options)
      #expect([3, 64].contains(run.code) && run.err.contains(message), "\(run)")
    }
  }
}
