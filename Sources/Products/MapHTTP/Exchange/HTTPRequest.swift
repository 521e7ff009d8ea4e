import MapSystem

/// A request of HTTP/1.1 without a body.
///
/// - Source: RFC 9112 and RFC 9110; RFC 3986 for the target. Design decision: the parser is stricter than the standard
///   where the standard allows it, because a proxy might otherwise
///   understand a request differently.
package struct HTTPRequest: Sendable {
  /// A name and a value of the query.
  package struct Parameter: Hashable, Sendable {
    package let name: String
    package let value: String
  }

  /// The method, such as `GET`.
  package let method: String
  /// The decoded segments of the path; none of them is empty, `.` or `..`, or has a slash.
  package let path: [String]
  /// The decoded parameters of the query, in order.
  package private(set) var query: [Parameter]
  /// The headers by their names in lower case; repeated headers are joined with commas.
  package let headers: [String: String]
  /// Whether the client sends another request over the connection.
  package let keepsAlive: Bool
  /// The address of the client or of its proxy; nil without a connection.
  package var peer: NetworkAddress?
  /// The address under which the client reaches this server.
  var address: PublicAddress
  /// The token for links in the answer; nil unless the query had it.
  var linkToken: String?

  /// The greatest number of bytes before the empty line.
  package static let largestHead = 16_384
  /// The greatest number of parameters.
  static let mostParameters = 100

  /// Reads the bytes before the empty line that ends the headers.
  ///
  /// - Throws: ``HTTPFault``.
  package init(head: [UInt8]) throws(HTTPFault) {
    guard head.allSatisfy({ (0x20...0x7E).contains($0) || [0x09, 0x0D, 0x0A].contains($0) }) else {
      throw HTTPFault(400, "the request has characters other than printable ASCII")
    }
    var lines: [Substring.UTF8View] = []
    let text = String(decoding: head, as: UTF8.self)
    var rest = text.utf8[...]
    while let end = rest.firstIndex(where: { $0 == 0x0D || $0 == 0x0A }) {
      let next = rest.index(after: end)
      guard rest[end] == 0x0D, next < rest.endIndex, rest[next] == 0x0A else {
        throw HTTPFault(400, "a line of the request does not end with CR LF")
      }
      lines.append(rest[..<end])
      rest = rest[rest.index(after: next)...]
    }
    lines.append(rest)
    let words = lines[0].split(separator: 0x20, omittingEmptySubsequences: false).map {
      String(Substring($0))
    }
    guard words.count == 3, Self.isToken(words[0]) else {
      throw HTTPFault(400, "the first line is not METHOD TARGET HTTP/1.1")
    }
    guard ["HTTP/1.1", "HTTP/1.0"].contains(words[2]) else {
      throw HTTPFault(505, "only HTTP/1.1 is supported")
    }
    method = words[0]
    let (named, target) = Self.absoluteForm(words[1])
    headers = try Self.headers(lines.dropFirst()).merging(named.map { ["host": $0] } ?? [:]) { $1 }
    guard headers["transfer-encoding"] == nil, ["0", nil].contains(headers["content-length"]) else {
      guard ["GET", "HEAD", "POST", "OPTIONS"].contains(method) else {
        throw HTTPFault(405, "\(method): only GET and HEAD are allowed")
      }
      throw HTTPFault(400, "a request must not have a body")
    }
    let connection = headers["connection"]?.lowercased() ?? ""
    keepsAlive = words[2] == "HTTP/1.1" ? !connection.contains("close") : connection.contains("keep-alive")
    address = PublicAddress(host: headers["host"] ?? "localhost")
    (path, query) = try Self.target(target)
  }

  /// Creates a request, for tests and for the page.
  package init(
    _ target: String, method: String = "GET", headers: [String: String] = ["host": "localhost"]
  ) throws(HTTPFault) {
    (self.method, self.headers, keepsAlive) = (method, headers, true)
    address = PublicAddress(host: headers["host"] ?? "localhost")
    (path, query) = try Self.target(target)
  }

  /// Removes the parameters with a name, and returns their values.
  mutating func takeParameters(_ name: String) -> [String] {
    let values = query.filter { $0.name == name }.map(\.value)
    query.removeAll { $0.name == name }
    return values
  }

  /// Returns the address of a path of this server for the client, with its token if this request has it in the query.
  func link(_ path: String, _ query: [Parameter] = []) -> String {
    let token = linkToken.map { [Parameter(name: "token", value: $0)] } ?? []
    let parts = (query + token).map {
      FilePath.percentEncoded($0.name) + "=" + FilePath.percentEncoded($0.value)
    }
    return address.root + path + (parts.isEmpty ? "" : "?" + parts.joined(separator: "&"))
  }

  private static func headers(_ lines: ArraySlice<Substring.UTF8View>) throws(HTTPFault) -> [String: String] {
    var headers: [String: String] = [:]
    for line in lines {
      let text = Substring(line)
      guard let colon = text.firstIndex(of: ":"), isToken(text[..<colon]) else {
        throw HTTPFault(400, "a header is not NAME: VALUE")
      }
      let name = text[..<colon].lowercased()
      let value = String(text[text.index(after: colon)...].trimming { $0 == " " || $0 == "\t" })
      guard let before = headers[name] else {
        headers[name] = value
        continue
      }
      guard !["host", "content-length", "origin", "x-mapstate-token", "authorization"].contains(name) else {
        throw HTTPFault(400, "the header \(name) is repeated")
      }
      headers[name] = before + ", " + value
    }
    return headers
  }

  private static func isToken(_ text: some StringProtocol) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// Returns the host and the path of a target with both, as requests to proxies have it; other targets as they are.
  ///
  /// - Source: RFC 9112, 3.2.2: servers must accept this form, and its host replaces that of the header.
  private static func absoluteForm(_ target: String) -> (host: String?, target: String) {
    let start = "http://"
    guard target.prefix(start.count).lowercased() == start else { return (nil, target) }
    let rest = target.dropFirst(start.count)
    let host = rest.prefix { $0 != "/" && $0 != "?" }
    let path = rest.dropFirst(host.count)
    guard !host.isEmpty else { return (nil, target) }
    return (String(host), path.hasPrefix("/") ? String(path) : "/" + path)
  }

  private static func target(_ text: String) throws(HTTPFault) -> (path: [String], query: [Parameter]) {
    guard text.hasPrefix("/"), !text.contains("#"), !text.contains("\\") else {
      throw HTTPFault(400, "the target is not a path")
    }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var path: [String] = []
    for part in parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      let segment = try decoded(part, plusIsSpace: false)
      guard !["", ".", ".."].contains(segment), !segment.contains("/"), !segment.contains("\\") else {
        guard segment.isEmpty, path.isEmpty, parts[0] == "/" else {
          throw HTTPFault(400, "the path has an empty segment, or one that is no name")
        }
        continue
      }
      path.append(segment)
    }
    guard parts.count == 2, !parts[1].isEmpty else { return (path, []) }
    var query: [Parameter] = []
    for part in parts[1].split(separator: "&") {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      query.append(
        Parameter(
          name: try decoded(sides[0], plusIsSpace: true),
          value: sides.count == 2 ? try decoded(sides[1], plusIsSpace: true) : ""))
    }
    guard query.count <= mostParameters else {
      throw HTTPFault(400, "the query has more than \(mostParameters) parameters")
    }
    return (path, query)
  }

  /// Decodes percent signs; refuses control characters and bytes that are not UTF-8.
  private static func decoded(_ text: Substring, plusIsSpace: Bool) throws(HTTPFault) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(0x20)
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
          throw HTTPFault(400, "a percent sign is not followed by two hexadecimal digits")
        }
        bytes.append(high << 4 | low)
      default: bytes.append(byte)
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self),
      text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F || $0 == "\n" || $0 == "\t" })
    else { throw HTTPFault(400, "the target has control characters, or bytes that are not UTF-8") }
    return text
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}

extension Substring {
  /// Returns the text without some characters at both ends.
  fileprivate func trimming(_ isTrimmed: (Character) -> Bool) -> Substring {
    var text = self.drop(while: isTrimmed)
    while let last = text.last, isTrimmed(last) { text.removeLast() }
    return text
  }
}
