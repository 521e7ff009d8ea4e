/// The check of the page that a request comes from, and of its right to write files.
package struct OriginCheck: Sendable {
  private let hosts: [String]
  private let token: String?

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - hosts: the names that requests may use for this server, besides those of the loopback interface.
  ///   - token: the text that requests for writing must have; nil if the server writes nothing.
  package init(hosts: [String] = [], token: String? = nil) {
    self.hosts = ["localhost", "127.0.0.1", "[::1]"] + hosts.map { $0.lowercased() }
    self.token = token
  }

  /// Returns a random text of 128 bits, which nobody can guess.
  package static func newToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Refuses requests that another page makes a browser send: of a foreign origin, or for a foreign name that leads to
  /// this machine.
  func check(_ request: HTTPRequest) throws(HTTPFault) {
    guard let host = request.headers["host"]?.lowercased() else {
      throw HTTPFault(400, "the header Host is missing")
    }
    // The port follows the last colon; an IPv6 address is in brackets.
    let colon = host.hasSuffix("]") ? nil : host.lastIndex(of: ":")
    let (name, port) = (
      String(host[..<(colon ?? host.endIndex)]), host[(colon ?? host.endIndex)...].dropFirst()
    )
    guard hosts.contains(name), port.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw HTTPFault(421, "this server is not \(name); allow the name with --host")
    }
    if let origin = request.headers["origin"]?.lowercased(), origin != "http://\(host)" {
      throw HTTPFault(403, "requests from \(origin) are not allowed")
    }
    if request.headers["sec-fetch-site"] == "cross-site", request.headers["sec-fetch-mode"] != "navigate" {
      throw HTTPFault(403, "requests from other sites are not allowed")
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
    guard let given = request.headers["x-mapstate-token"], Self.areEqual(given, token) else {
      throw HTTPFault(403, "the token is missing or wrong; open the address that the server printed")
    }
  }

  /// Compares all bytes, so that the time of a refusal does not show how many are right.
  private static func areEqual(_ given: String, _ token: String) -> Bool {
    guard given.utf8.count == token.utf8.count else { return false }
    return zip(given.utf8, token.utf8).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
