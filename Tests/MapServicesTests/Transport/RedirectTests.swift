import MapServices
import MapTestSupport
import Testing

/// Redirects between fictional hosts, and addresses that may not be contacted.
@Suite struct RedirectTests {
  /// In-memory hosts: some addresses redirect, and others echo their requests.
  private static func hosts(
    _ redirects: [String: (status: Int, to: String)], reach: NetworkReach = .world
  ) -> (transport: any HTTPTransport, stub: StubTransport) {
    let stub = StubTransport { (request) throws(ServiceError) in
      let redirect = redirects[request.url]
      var response = HTTPResponse(
        status: redirect?.status ?? 200, header: redirect.map { ["location": $0.to] } ?? [:],
        body: Array("\(request.method.rawValue) \(request.url) \(request.body.count)".utf8), url: request.url)
      response.reach = reach
      return response
    }
    return (RedirectingTransport(over: stub), stub)
  }

  private static var later: ContinuousClock.Instant { .now + .seconds(600) }

  @Test(
    "A redirected form is sent again as its status code requires",
    arguments: [
      (301, "POST https://a.example/new 3"), (302, "POST https://a.example/new 3"),
      (303, "GET https://a.example/new 0"), (307, "POST https://a.example/new 3"),
      (308, "POST https://a.example/new 3"),
    ])
  func formsAreAskedAgain(status: Int, asked: String) async throws {
    let (transport, _) = Self.hosts(["https://a.example/old": (status, "new")])
    let response = try await transport.response(
      to: HTTPRequest(post: "https://a.example/old", [("a", "b")]), before: Self.later)
    #expect(String(decoding: response.body, as: UTF8.self) == asked)
    #expect(response.url == "https://a.example/new")
  }

  @Test(
    "A redirect to plain HTTP, FTP or an address with credentials is refused",
    arguments: [
      ("https://a.example/x", "http://a.example/x", false),
      ("http://a.example/x", "https://a.example/x", true),
      ("http://a.example/x", "https://b.example/x", false),
      ("https://a.example/x", "https://b.example/x", true),
      ("https://a.example/x", "ftp://a.example/x", false), ("https://a.example/x", "//b.example/y", true),
      ("https://a.example/x", "https://me:secret@b.example/", false),
    ])
  func schemes(from: String, to: String, follows: Bool) async throws {
    let (transport, stub) = Self.hosts([from: (302, to)])
    let result = await Task {
      try await transport.response(to: HTTPRequest(get: from), before: Self.later)
    }.result
    let isAnswered = if case .success = result { true } else { false }
    #expect(isAnswered == follows)
    #expect(stub.requests.count == (follows ? 2 : 1))
    if case .failure(let error) = result { #expect(!"\(error)".contains("secret")) }
  }

  /// A following request reaches no further inwards than the one before it.
  @Test(
    "A redirected request keeps the reach of the address that led to it",
    arguments: [NetworkReach.loopback, .privateNetwork, .world])
  func reachIsHandedOn(reach: NetworkReach) async throws {
    let (transport, stub) = Self.hosts(["https://a.example/x": (302, "https://b.example/y")], reach: reach)
    let response = try await transport.response(
      to: HTTPRequest(get: "https://a.example/x"), before: Self.later)
    #expect(stub.requests.map(\.reach) == [.loopback, reach])
    #expect(try response.request(following: "?page=2").reach == reach)
    #expect(try response.request(following: "?page=2").url == "https://b.example/y?page=2")
  }

  @Test("A public address may not lead to a private one")
  func aFarAddressLeadsNowhereNear() async throws {
    let exchange = CurlTransport(allowsPlainHTTP: true, environment: [:])
    let here = try FaultyServer.address() + "/plain"
    for (reach, url) in [
      (NetworkReach.world, here), (.privateNetwork, here), (.linkLocal, here), (.world, "https://10.0.0.1/"),
      (.world, "http://169.254.169.254/latest/meta-data"), (.privateNetwork, "http://[fe80::1]/"),
      (.world, "https://[::ffff:127.0.0.1]/"), (.world, "http://localhost/"),
    ] {
      var request = HTTPRequest(get: url)
      request.reach = reach
      let error = await #expect(throws: ServiceError.self) {
        try await exchange.response(to: request, before: .now + .seconds(600))
      }
      #expect(error?.kind == .refused, "\(url): \(error?.reason ?? "")")
      #expect(error?.reason.contains("may not lead") == true, "\(url): \(error?.reason ?? "")")
    }
    #expect(
      try await exchange.response(to: HTTPRequest(get: here), before: .now + .seconds(600)).reach == .loopback
    )
  }

  /// The name is resolved first; here, other notations of 127.0.0.1.
  @Test(
    "A host name that resolves to this machine is refused before anything is sent",
    arguments: ["2130706433", "127.1", "0x7f000001"])
  func aNameThatLeadsToThisMachineIsNotAsked(host: String) async throws {
    let own = try FaultyServer.another()
    let url = own.address.replacing("127.0.0.1", with: host)
    let error = await #expect(throws: ServiceError.self) {
      try await CurlTransport(allowsPlainHTTP: true, environment: [:]).response(
        to: HTTPRequest(get: url + "/flaky/name/0/200"), before: .now + .seconds(600))
    }
    #expect(
      error?.reason
        == "refused: its host resolves to 127.0.0.1, a loopback address, which is only allowed if the address itself is given"
    )
    let times = try await FaultyServer.network(seconds: 600).response(
      to: HTTPRequest(get: own.address + "/times/name"))
    #expect(times.body == [UInt8(ascii: "0")])
  }

  @Test("Plain HTTP to another host needs --allow-http")
  func plainHTTPIsForThisMachine() async throws {
    let error = await #expect(throws: ServiceError.self) {
      try await CurlTransport(environment: [:]).response(
        to: HTTPRequest(get: "http://gis.example/"), before: .now + .seconds(600))
    }
    #expect(error?.reason.contains("--allow-http") == true)
  }
}
