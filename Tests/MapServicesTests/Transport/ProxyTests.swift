import MapServices
import MapTestSupport
import Testing

/// Proxies from the environment: a proxy gets the full address, and this one reports its requests.
@Suite struct ProxyTests {
  private static func ask(_ url: String, _ environment: [String: String]) async throws -> HTTPResponse {
    try await CurlTransport(allowsPlainHTTP: true, environment: environment)
      .response(to: HTTPRequest(get: url), before: .now + .seconds(600))
  }

  @Test("A proxy from the environment is used", arguments: ["http_proxy", "all_proxy", "ALL_PROXY"])
  func proxyIsAsked(variable: String) async throws {
    let response = try await Self.ask("http://gis.invalid/number/x", [variable: FaultyServer.address()])
    #expect(response.status == 200)
    #expect(response.reach == .world)
  }

  @Test(
    "A proxy is not used when the environment excludes it",
    arguments: [
      ["HTTP_PROXY": "P"], ["http_proxy": "P", "no_proxy": "gis.invalid"],
      ["http_proxy": "P", "no_proxy": "*"],
      ["http_proxy": "P", "NO_PROXY": "other, .invalid"], ["http_proxy": "P", "no_proxy": "invalid:80"], [:],
      ["https_proxy": "P"],
    ])
  func proxyIsNotAsked(environment: [String: String]) async throws {
    let address = try FaultyServer.address()
    let error = await #expect(throws: ServiceError.self) {
      try await Self.ask("http://gis.invalid/plain", environment.mapValues { $0 == "P" ? address : $0 })
    }
    #expect(error?.reason.hasPrefix("its host has no address") == true)
  }

  @Test("A loopback address is reached without the proxy")
  func thisMachineIsAskedStraight() async throws {
    let response = try await Self.ask(FaultyServer.address() + "/plain", ["http_proxy": "http://127.0.0.1:1"])
    #expect(response.status == 200)
    #expect(response.reach == .loopback)
  }
}
