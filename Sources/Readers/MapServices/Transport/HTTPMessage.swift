import MapReaders
import MapSystem

/// A request to a service, without secrets: those are added just before it is sent.
public struct HTTPRequest: Hashable, Sendable {
  /// The HTTP method of a request.
  public enum Method: String, Hashable, Sendable {
    /// A request with its parameters in the address.
    case get = "GET"
    /// A request with a body.
    case post = "POST"
  }

  /// The HTTP method.
  public let method: Method
  /// The address, percent-encoded, with its query.
  public let url: String
  /// The header fields, beyond those that every request has.
  public var header: [String: String] = [:]
  /// The body; empty for `GET`.
  public let body: [UInt8]
  /// The innermost reach that the host may have.
  ///
  /// It is the reach of the answer that named the host; loopback if a person named it.
  public var reach = NetworkReach.loopback
  /// Whether a person named the host; its name may then resolve to any address.
  var isNamedByPerson = false
  /// The bytes of the content that are asked for; nil for all of it.
  package var range: ByteRange?
  /// The greatest size of the answer in bytes, decompressed; nil for the limit of the transport.
  package var largestBody: Int?
  /// Whether the server is asked even if its answer is kept in a cache.
  package var refreshes = false
  /// The tag or date of the current version of the file, whose kept parts need no request; nil if it is not known.
  package var version: String?

  /// Creates a `GET` request, with parameters added to those in the address.
  public init(get url: String, _ parameters: [(name: String, value: String)] = []) {
    let separator = url.contains("?") ? "&" : "?"
    self.url = parameters.isEmpty ? url : url + separator + Self.form(parameters)
    (method, body) = (.get, [])
  }

  /// Creates a `POST` request with parameters as a form, for queries that are too long for an address.
  public init(post url: String, _ parameters: [(name: String, value: String)]) {
    (self.url, method, body) = (url, .post, Array(Self.form(parameters).utf8))
    header = ["Content-Type": "application/x-www-form-urlencoded"]
  }

  /// Returns the request for another address, as a redirect requires.
  func moved(to url: String, method: Method, reach: NetworkReach) -> HTTPRequest {
    var request = HTTPRequest(
      method: method, url: url,
      header: header.filter { method == .post || $0.key.lowercased() != "content-type" },
      body: method == .post ? body : [], reach: reach)
    request.takeLimits(of: self)
    return request
  }

  /// Takes the part of the content and the greatest size of the answer from a request.
  mutating func takeLimits(of other: HTTPRequest) {
    (range, largestBody, refreshes, version) = (
      other.range, other.largestBody, other.refreshes, other.version
    )
  }

  /// Returns the request with parameters of whose names it has none, in capital or small letters.
  func adding(_ parameters: [ServiceParameter]) -> HTTPRequest {
    let form = String(decoding: body, as: UTF8.self)
    let missing = parameters.missing(in: [form[...], url.drop { $0 != "?" }.dropFirst()])
    guard !missing.isEmpty else { return self }
    let isPost = method == .post
    var request = HTTPRequest(
      method: method, url: isPost ? url : missing.added(to: url), header: header,
      body: isPost ? Array([form, missing.query].filter { !$0.isEmpty }.joined(separator: "&").utf8) : [],
      reach: reach)
    request.takeLimits(of: self)
    return request
  }

  /// The field `Range`; nil for all of the content.
  var rangeField: String? { range.map { "bytes=\($0)" } }

  init(
    method: Method, url: String, header: [String: String], body: [UInt8],
    reach: NetworkReach = .loopback
  ) {
    (self.method, self.url, self.header, self.body, self.reach) = (method, url, header, body, reach)
  }

  /// Returns names and values in form encoding.
  ///
  /// - Source: RFC 3986, 2.3, for unreserved characters. A space is `%20`, which is valid in forms and addresses.
  private static func form(_ parameters: [(name: String, value: String)]) -> String {
    parameters.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }.joined(
      separator: "&")
  }
}

/// A service's answer, of any status.
public struct HTTPResponse: Hashable, Sendable {
  /// The HTTP status; 200 means success.
  public let status: Int
  /// The header fields by lower-case name; of repeated fields the last.
  public let header: [String: String]
  /// The content, decompressed.
  public let body: [UInt8]
  /// The address after redirects, against which links are resolved.
  public let url: String
  /// The reach of the address that answered.
  public var reach = NetworkReach.loopback
  /// The reservation of the content's bytes in the shared memory.
  var claim: ResponseMemory.Claim?

  /// Creates an answer.
  public init(status: Int, header: [String: String], body: [UInt8], url: String) {
    (self.status, self.header, self.body, self.url) = (status, header, body, url)
  }

  /// Returns the request for a link in this answer: its address resolved, and its reach no further in than this
  /// answer's.
  ///
  /// - Throws: ``ServiceError`` for a link that is not a web address.
  public func request(following link: String) throws(ServiceError) -> HTTPRequest {
    var request = HTTPRequest(get: try WebAddress(url).resolving(link).description)
    request.reach = reach
    return request
  }
}
