/// The check of the address, the page and the token of a request.
package struct OriginCheck: Sendable {
  private let hosts: [String]
  private let token: AccessToken?
  private let readingToken: AccessToken?
  private let publicAddress: PublicAddress?
  private let proxies: [NetworkRange]
  /// The origins whose pages may read.
  package let origins: AllowedOrigins

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - hosts: the names that requests may use for this server, besides those of the loopback interface.
  ///   - token: the text that requests for writing must have; nil if the server writes nothing.
  ///   - readingToken: the token that all requests but `/health` must have; nil for none.
  ///   - origins: the origins whose pages may read.
  ///   - publicAddress: the address for links in answers; nil for that of each request.
  ///   - proxies: the addresses of the proxies that may name the address of a request.
  package init(
    hosts: [String] = [], token: String? = nil, readingToken: AccessToken? = nil,
    origins: AllowedOrigins = .none, publicAddress: PublicAddress? = nil, proxies: [NetworkRange] = []
  ) {
    let names = hosts.map { $0.lowercased() } + [publicAddress?.hostName].compactMap { $0 }
    self.hosts = ["localhost", "127.0.0.1", "[::1]"] + names
    (self.token, self.readingToken) = (token.map { AccessToken($0) }, readingToken)
    (self.origins, self.publicAddress, self.proxies) = (origins, publicAddress, proxies)
  }

  /// Whether answers are for clients with a token, and not for caches that clients share.
  var isPrivate: Bool { readingToken != nil }

  /// Refuses requests that another page makes a browser send: of a foreign origin, or for a foreign name that leads to
  /// this machine; and requests without the token.
  ///
  /// - Returns: the request with its public address, and without its token.
  func admit(_ request: HTTPRequest) throws(HTTPFault) -> HTTPRequest {
    var request = request
    // A load balancer asks by the address of the machine, and has no token.
    let isHealth = request.path == ["health"]
    request.address = try address(of: request, checksHost: !isHealth)
    try checkOrigin(of: request)
    if !isHealth, !isPreflight(request) { try takeToken(of: &request) }
    return request
  }

  /// Whether a browser asks whether a page of another origin may send a request.
  func isPreflight(_ request: HTTPRequest) -> Bool {
    origins != .none && request.method == "OPTIONS" && request.headers["origin"] != nil
      && request.headers["access-control-request-method"] != nil
  }

  /// Returns the public address of a request.
  private func address(of request: HTTPRequest, checksHost: Bool) throws(HTTPFault) -> PublicAddress {
    let host = request.headers["host"]?.lowercased()
    if checksHost {
      guard let host else { throw HTTPFault(400, "the header Host is missing") }
      try check(host)
    }
    if let publicAddress { return publicAddress }
    let direct = PublicAddress(host: host ?? "localhost")
    guard let peer = request.peer, proxies.contains(where: { $0.contains(peer) }) else { return direct }
    let forwarded = try ForwardedAddress(request.headers)
    // A proxy may pass on what a client has written.
    if checksHost, let host = forwarded.host { try check(host) }
    return PublicAddress(
      scheme: forwarded.scheme ?? "http", host: forwarded.host ?? host ?? "localhost", path: forwarded.path)
      ?? direct
  }

  private func check(_ host: String) throws(HTTPFault) {
    guard let name = HostName(host)?.name, hosts.contains(name) else {
      throw HTTPFault(421, "this server is not \(host); allow the name with --host")
    }
  }

  private func checkOrigin(of request: HTTPRequest) throws(HTTPFault) {
    if let origin = request.headers["origin"]?.lowercased() {
      let isOwn =
        origin == request.address.origin || origin == "http://\(request.headers["host"]?.lowercased() ?? "")"
      guard !isOwn, !origins.contains(origin) else { return }
      guard AllowedOrigins.origin(origin) != nil else {
        throw HTTPFault(
          403,
          "requests from a page without an origin, such as a file, are not allowed; serve the page by HTTP, or "
            + "start the server with --allow-origin '*'")
      }
      throw HTTPFault(
        403, "requests from \(origin) are not allowed; start the server with --allow-origin \(origin)")
    }
    guard ["cross-site", "same-site"].contains(request.headers["sec-fetch-site"]),
      request.headers["sec-fetch-mode"] != "navigate", !origins.containsReferrer(of: request)
    else { return }
    throw HTTPFault(
      403,
      "requests from other sites are not allowed; start the server with --allow-origin and the origin of the page"
    )
  }

  /// Refuses a request without the token, and removes the token from the query, which messages and links repeat.
  private func takeToken(of request: inout HTTPRequest) throws(HTTPFault) {
    guard let readingToken else { return }
    let given = request.takeParameters("token")
    guard given.count < 2 else { throw HTTPFault(400, "token: is given twice") }
    if let given = given.first, readingToken.matches(given) {
      request.linkToken = readingToken.text
      return
    }
    let words = request.headers["authorization"]?.split(separator: " ") ?? []
    guard words.count == 2, words[0].lowercased() == "bearer", readingToken.matches(String(words[1])) else {
      throw HTTPFault(
        401,
        "the token is missing or wrong; send the header Authorization: Bearer TOKEN or the parameter token")
    }
  }

  /// Refuses requests for writing that do not come from a page of this server that has the token.
  ///
  /// A header of its own keeps forms of other pages out, too, because they cannot send it.
  func checkWriting(_ request: HTTPRequest) throws(HTTPFault) {
    guard let token else { throw HTTPFault(405, "this server writes nothing") }
    guard request.method == "POST" else {
      throw HTTPFault(405, "\(request.method): only POST is allowed", allow: "POST")
    }
    guard request.headers["origin"] != nil else {
      throw HTTPFault(403, "the header Origin is missing; write from a page of this server")
    }
    if let site = request.headers["sec-fetch-site"], site != "same-origin" {
      throw HTTPFault(403, "requests from other sites are not allowed")
    }
    guard let given = request.headers["x-mapstate-token"], token.matches(given) else {
      throw HTTPFault(403, "the token is missing or wrong; open the address that the server printed")
    }
  }
}
