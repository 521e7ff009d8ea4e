package import MapState

/// The address under which clients reach this server: the start of the links in answers.
package struct PublicAddress: Hashable, Sendable {
  /// The scheme, the host and, unless it is the usual one, the port; in lower case.
  let origin: String
  /// The path before the paths of this server, without a slash at its end; usually empty.
  let path: String

  /// The address without a slash at its end.
  var root: String { origin + path }
  /// The host without its port.
  var hostName: String {
    HostName(origin.drop { $0 != "/" }.dropFirst(2))?.name ?? ""
  }

  /// Creates the address of a scheme and a host; nil for what is neither.
  init?(scheme: String, host: some StringProtocol, path: String = "") {
    guard let origin = AllowedOrigins.origin("\(scheme)://\(host)"), let path = Self.path(path) else {
      return nil
    }
    (self.origin, self.path) = (origin, path)
  }

  /// The address of a request that came directly.
  init(host: String) {
    self = PublicAddress(scheme: "http", host: host) ?? .loopback
  }

  private static let loopback = PublicAddress(origin: "http://localhost", path: "")

  private init(origin: String, path: String) { (self.origin, self.path) = (origin, path) }

  /// Reads the value of `--public-url`.
  ///
  /// - Throws: `MapStateError` of kind usage.
  package init(text: String) throws(MapStateError) {
    let parts = text.firstRange(of: "://").map { scheme in
      (text[..<scheme.lowerBound].lowercased(), text[scheme.upperBound...])
    }
    if let (scheme, rest) = parts {
      let host = rest.prefix { $0 != "/" }
      if let address = PublicAddress(scheme: scheme, host: host, path: String(rest.dropFirst(host.count))) {
        self = address
        return
      }
    }
    throw MapStateError(
      .usage,
      "--public-url \(text): expected http or https, a host, and maybe a port and a path, such as "
        + "https://maps.example.org or https://example.org/maps-server")
  }

  /// Returns a path without a slash at its end; nil for one that is not plain.
  ///
  /// Only unreserved characters and encoded ones, so that a path cannot end an attribute, a header or a script.
  private static func path(_ text: String) -> String? {
    var text = text[...]
    if text.last == "/" { text.removeLast() }
    guard !text.isEmpty else { return "" }
    guard text.first == "/", text.utf8.count <= 1000 else { return nil }
    for segment in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard !["", ".", ".."].contains(segment), segment.utf8.allSatisfy(isPlain) else { return nil }
    }
    return String(text)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-._~%@+".utf8.contains(byte)
    }
  }
}

/// The headers by which a proxy names the address that its client used.
///
/// If several proxies have added to a header, the last entry is that of the nearest one, which alone is trusted.
/// - Source: RFC 7239 for `Forwarded`; for `X-Forwarded-Proto`, `-Host`, `-Port` and `-Prefix`, the documentation of nginx,
///   Apache and Traefik.
struct ForwardedAddress {
  private(set) var scheme: String?
  private(set) var host: String?
  private(set) var path = ""

  /// Reads the headers of a request from a trusted proxy.
  ///
  /// - Throws: ``HTTPFault`` with 400 for a malformed value, and for headers that contradict each other: a client may
  ///   have sent the one that the proxy does not set.
  init(_ headers: [String: String]) throws(HTTPFault) {
    let own = try Self.pairs(headers["forwarded"] ?? "")
    var others: [String: String] = [:]
    for (name, header) in [("proto", "x-forwarded-proto"), ("host", "x-forwarded-host")] {
      others[name] = headers[header].map(Self.last)
    }
    if let port = headers["x-forwarded-port"].map(Self.last), let host = others["host"],
      HostName(host)?.name == host.lowercased()
    {
      others["host"] = host + ":" + port
    }
    for (name, value) in others where headers["forwarded"] != nil {
      guard own[name]?.lowercased() == value.lowercased() else {
        throw HTTPFault(
          400,
          "Forwarded and X-Forwarded-\(name == "proto" ? "Proto" : "Host") differ; the proxy must remove the "
            + "header that it does not set")
      }
    }
    let found = own.merging(others) { first, _ in first }
    scheme = found["proto"]?.lowercased()
    guard [nil, "http", "https"].contains(scheme) else {
      throw HTTPFault(400, "the proxy names a protocol that is neither http nor https")
    }
    if let host = found["host"] {
      guard HostName(host) != nil else { throw HTTPFault(400, "the proxy names a malformed host") }
      self.host = host.lowercased()
    }
    if let prefix = headers["x-forwarded-prefix"].map(Self.last) {
      guard let address = PublicAddress(scheme: "http", host: "localhost", path: prefix) else {
        throw HTTPFault(400, "the header X-Forwarded-Prefix is no path")
      }
      path = address.path
    }
  }

  private static func last(_ list: String) -> String {
    String(list.split(separator: ",", omittingEmptySubsequences: false).last ?? "").filter { $0 != " " }
  }

  /// Returns the pairs of the last element of `Forwarded`, with names in lower case.
  private static func pairs(_ text: String) throws(HTTPFault) -> [String: String] {
    var (pairs, part, isQuoted): ([String: String], String, Bool) = ([:], "", false)
    func add() throws(HTTPFault) {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        $0.filter { $0 != " " && $0 != "\t" }
      }
      part = ""
      guard sides != [""], !sides.isEmpty else { return }
      guard sides.count == 2, pairs.updateValue(sides[1], forKey: sides[0].lowercased()) == nil else {
        throw HTTPFault(400, "the header Forwarded is malformed")
      }
    }
    for character in text {
      switch character {
      case "\"": isQuoted.toggle()
      case "\\": throw HTTPFault(400, "the header Forwarded is malformed")
      case ";" where !isQuoted: try add()
      case "," where !isQuoted:
        (pairs, part) = ([:], "")
      default: part.append(character)
      }
    }
    guard !isQuoted else { throw HTTPFault(400, "the header Forwarded is malformed") }
    try add()
    return pairs
  }
}
