import MapServices
import MapTestSupport
import Testing

/// The networks that each kind of address may reach.
@Suite("Bounds of addresses") struct BoundedTransportTests {
  private static var later: ContinuousClock.Instant { .now + .seconds(600) }

  /// The kinds of networks that each step of a request may reach, as passed to the underlying transport.
  private static func reaches(
    _ url: String, named: String?, allowsPrivate: Bool = false, redirects: [String: String] = [:]
  ) async throws -> [NetworkReach] {
    let stub = StubTransport { (request) throws(ServiceError) in
      let place = redirects[request.url]
      var response = HTTPResponse(
        status: place == nil ? 200 : 302, header: place.map { ["location": $0] } ?? [:], body: [],
        url: request.url)
      response.reach = .loopback
      return response
    }
    let bounded = BoundedTransport(
      over: stub, named: try named.map { try WebAddress($0) }, allowsPrivate: allowsPrivate)
    _ = try await RedirectingTransport(over: bounded).response(to: HTTPRequest(get: url), before: Self.later)
    return stub.requests.map(\.reach)
  }

  @Test("A document may reach public addresses only, unless private ones are allowed")
  func documentsReachTheWorld() async throws {
    #expect(try await Self.reaches("http://127.0.0.1:1/x", named: nil) == [.world])
    #expect(try await Self.reaches("http://127.0.0.1:1/x", named: nil, allowsPrivate: true) == [.loopback])
  }

  @Test(
    "Only the named service may be private, and redirects elsewhere must be public",
    arguments: [
      ("http://127.0.0.1:1/y", NetworkReach.loopback), ("http://localhost:1/y", .loopback),
      ("http://127.0.0.1:2/y", .world), ("http://10.0.0.1:1/y", .world), ("http://127.0.0.1/y", .world),
      ("http://gis.example/y", .world),
    ])
  func onlyTheNamedServiceIsFree(place: String, reach: NetworkReach) async throws {
    let start = "http://127.0.0.1:1/x"
    #expect(try await Self.reaches(start, named: start, redirects: [start: place]) == [.loopback, reach])
    #expect(
      try await Self.reaches(start, named: start, allowsPrivate: true, redirects: [start: place])
        == [.loopback, .loopback])
  }

  /// A document's address is refused without a connection.
  @Test(
    "A named service may use any notation of a loopback address, and a document may not",
    arguments: ["2130706433", "127.1", "0x7f000001"])
  func formsOfThisMachine(host: String) async throws {
    let own = try FaultyServer.another()
    let url = own.address.replacing("127.0.0.1", with: host) + "/plain"
    let network = CurlTransport(allowsPlainHTTP: true, environment: [:])
    for named in [nil, url] {
      let bounded = BoundedTransport(
        over: network, named: try named.map { try WebAddress($0) }, allowsPrivate: false)
      let result = await Task { try await bounded.response(to: HTTPRequest(get: url), before: Self.later) }
        .result
      switch result {
      case .success(let response):
        #expect(named != nil)
        #expect(response.status == 200)
      case .failure(let error):
        #expect(named == nil)
        #expect("\(error)".contains("resolves to 127.0.0.1"), "\(error)")
      }
    }
    // An open connection is not used for a document either.
    let document = BoundedTransport(over: network, named: nil, allowsPrivate: false)
    await #expect(throws: ServiceError.self) {
      try await document.response(to: HTTPRequest(get: url), before: Self.later)
    }
  }

  /// - Source: RFC 4380 (Teredo), 5214 (ISATAP), 8215, 2765, 6666; the addresses of cloud metadata services.
  @Test(
    "Addresses that embed private IPv4 addresses are classified by them",
    arguments: [
      ("2001:0:1:2:3:4:80ff:fffe", NetworkReach.loopback), ("2001:db8::5efe:a00:1", .privateNetwork),
      ("::ffff:0:7f00:1", .loopback), ("64:ff9b:1::1", .privateNetwork), ("100::1", .privateNetwork),
      ("168.63.129.16", .linkLocal), ("fd00:ec2::254", .privateNetwork), ("100.100.100.200", .privateNetwork),
      ("255.255.255.255", .privateNetwork), ("198.18.0.1", .privateNetwork), ("0.1.2.3", .loopback),
      ("2001:0:1:2:3:4:f7f7:f7f7", .world), ("64:ff9b::808:808", .world), ("2001:4860:4860::8888", .world),
    ])
  func addresses(address: String, reach: NetworkReach) { #expect(NetworkReach(address: address) == reach) }
}
