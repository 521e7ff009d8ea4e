package import MapState

/// The origins whose pages may read answers, and the headers that tell browsers so.
///
/// - Source: Fetch Standard, 3.2 (CORS protocol) and 3.7 (`Cross-Origin-Resource-Policy`).
package struct AllowedOrigins: Hashable, Sendable {
  /// Whether every page may read.
  let areAll: Bool
  /// The origins in the form that browsers send; empty if every page or no other page may read.
  let names: [String]

  /// No page of another origin.
  package static let none = AllowedOrigins(areAll: false, names: [])

  private init(areAll: Bool, names: [String]) { (self.areAll, self.names) = (areAll, names) }

  /// Reads the values of `--allow-origin`.
  ///
  /// - Throws: `MapStateError` of kind usage for a value that is neither an origin nor `*`.
  package init(_ values: [String]) throws(MapStateError) {
    guard !values.contains("*") else {
      guard values == ["*"] else {
        throw MapStateError(.usage, "--allow-origin * contradicts other origins; give one of them")
      }
      self = AllowedOrigins(areAll: true, names: [])
      return
    }
    var names: [String] = []
    for value in values {
      guard let name = Self.origin(value), !value.hasSuffix("/") else {
        throw MapStateError(
          .usage,
          "--allow-origin \(value): is no origin; give a scheme, a host and maybe a port, such as "
            + "https://example.org or http://localhost:3000, or * for all")
      }
      names.append(name)
    }
    self = AllowedOrigins(areAll: false, names: names)
  }

  /// Returns the origin of an address in the form that browsers send: in lower case and without the usual port.
  ///
  /// Nil for other texts. A path is not allowed, but for one slash.
  static func origin(_ address: String) -> String? {
    let text = address.lowercased()
    for (scheme, port) in [("http://", ":80"), ("https://", ":443")] where text.hasPrefix(scheme) {
      var name = text.dropFirst(scheme.count)
      if name.last == "/" { name.removeLast() }
      guard HostName(name) != nil else { return nil }
      return scheme + (name.hasSuffix(port) ? name.dropLast(port.count) : name)
    }
    return nil
  }

  /// Whether pages of an origin may read.
  func contains(_ origin: String) -> Bool { areAll || names.contains(origin.lowercased()) }

  /// Whether the page that a request names in its header `Referer` may read.
  ///
  /// Images without the attribute `crossorigin` have no header `Origin`.
  func containsReferrer(of request: HTTPRequest) -> Bool {
    guard !areAll else { return true }
    guard let referrer = request.headers["referer"], let scheme = referrer.firstRange(of: "://") else {
      return false
    }
    let host = referrer[scheme.upperBound...].prefix { $0 != "/" }
    return Self.origin(String(referrer[..<scheme.upperBound] + host)).map(contains) ?? false
  }

  /// The headers of each answer.
  ///
  /// - Parameter head: the bytes of the request before the empty line, also of one that is refused; nil without one.
  func headers(for head: [UInt8]?) -> [(name: String, value: String)] {
    guard self != .none else { return [("Cross-Origin-Resource-Policy", "same-origin")] }
    var headers = [("Cross-Origin-Resource-Policy", "cross-origin")]
    if areAll {
      headers.append(("Access-Control-Allow-Origin", "*"))
    } else {
      // The answer differs by origin, so a cache must not give one page the answer to another.
      headers.append(("Vary", "Origin"))
      guard let origin = head.flatMap(Self.origin(in:)), names.contains(origin) else { return headers }
      headers.append(("Access-Control-Allow-Origin", origin))
    }
    headers.append(("Access-Control-Expose-Headers", Self.exposed))
    return headers
  }

  /// Returns the header `Origin` of a head, which may be malformed elsewhere.
  private static func origin(in head: [UInt8]) -> String? {
    let lines = String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline)
    let line = lines.first { $0.lowercased().hasPrefix("origin:") }
    return line.map { $0.dropFirst("origin:".count).filter { $0 != " " && $0 != "\t" }.lowercased() }
  }

  /// The headers of answers that pages may read besides those that they may always read.
  private static let exposed = [
    "ETag", "Retry-After", "X-Map-Extent", "X-Map-Reference", "X-Map-Scale", "X-Map-Warnings",
    "X-Features-Matched", "X-Features-Returned", "Content-Crs", "Content-Bbox",
  ].joined(separator: ", ")

  /// The answer to a preflight request, by which a browser asks before a page may send a header of its own.
  ///
  /// It needs no token: browsers send none. It allows reading only.
  static var preflight: HTTPResponse {
    var response = HTTPResponse([], type: "text/plain", status: 204)
    response.headers = [
      ("Access-Control-Allow-Methods", "GET, HEAD"),
      // Those that map libraries send. X-MapState-Token is for writing, and is not allowed.
      (
        "Access-Control-Allow-Headers", "Accept, Authorization, Content-Type, If-None-Match, X-Requested-With"
      ),
      // Chromium keeps the answer for at most two hours.
      ("Access-Control-Max-Age", "7200"), ("Cache-Control", "no-store"),
    ]
    return response
  }
}

/// A host with an optional port, as in the header `Host`.
struct HostName: Hashable {
  /// The name in lower case, or an address; an IPv6 address is in brackets.
  let name: String

  /// Reads a host; nil for another text.
  ///
  /// - Source: RFC 9110, 7.2, for names of letters, digits, hyphens and dots.
  init?(_ text: some StringProtocol) {
    guard text.utf8.count <= 260 else { return nil }
    // The port follows the last colon.
    let colon = text.hasSuffix("]") ? nil : text.lastIndex(of: ":")
    let (name, port) = (text[..<(colon ?? text.endIndex)], text[(colon ?? text.endIndex)...].dropFirst())
    guard !name.isEmpty, port.utf8.count <= 5, port.utf8.allSatisfy(Self.isDigit)
    else { return nil }
    let isAddress = name.hasPrefix("[") && name.hasSuffix("]") && name.utf8.count > 2
    let characters = isAddress ? name.dropFirst().dropLast() : name[...]
    let isRight = characters.utf8.allSatisfy { byte in
      Self.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (isAddress ? ":." : "-._").utf8.contains(byte)
    }
    guard isRight else { return nil }
    self.name = name.lowercased()
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
