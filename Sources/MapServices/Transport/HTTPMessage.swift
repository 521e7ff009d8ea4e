/// A question to a service, without secrets: those are added on the last step of its way.
public struct HTTPRequest: Hashable, Sendable {
  /// How it is asked.
  public enum Method: String, Hashable, Sendable {
    case get = "GET"
    case post = "POST"
  }

  /// How it is asked.
  public let method: Method
  /// The address, percent-encoded, with its query.
  public let url: String
  /// Fields of the header, beside those that every request has.
  public var header: [String: String] = [:]
  /// What is sent; empty for `GET`.
  public let body: [UInt8]
  /// The innermost that its host may lie: that of the answer that named it, loopback for what a person named.
  public var reach = NetworkReach.loopback
  /// True where a person named the host: then a name of it may lead to any address.
  var isNamedByPerson = false

  /// Asks for an address, with parameters added to those that it has.
  public init(get url: String, _ parameters: [(name: String, value: String)] = []) {
    let separator = url.contains("?") ? "&" : "?"
    self.url = parameters.isEmpty ? url : url + separator + Self.form(parameters)
    (method, body) = (.get, [])
  }

  /// Sends parameters as a form, for questions that are too long for an address.
  public init(post url: String, _ parameters: [(name: String, value: String)]) {
    (self.url, method, body) = (url, .post, Array(Self.form(parameters).utf8))
    header = ["Content-Type": "application/x-www-form-urlencoded"]
  }

  /// The same question at another address, as a redirect asks it.
  func moved(to url: String, method: Method, reach: NetworkReach) -> HTTPRequest {
    HTTPRequest(
      method: method, url: url,
      header: header.filter { method == .post || $0.key.lowercased() != "content-type" },
      body: method == .post ? body : [], reach: reach)
  }

  init(
    method: Method, url: String, header: [String: String], body: [UInt8],
    reach: NetworkReach = .loopback
  ) {
    (self.method, self.url, self.header, self.body, self.reach) = (method, url, header, body, reach)
  }

  /// Names and values as a form has them.
  ///
  /// - Source: RFC 3986, 2.3, what is unreserved; a blank is `%20`, which forms and addresses both read.
  private static func form(_ parameters: [(name: String, value: String)]) -> String {
    parameters.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }.joined(
      separator: "&")
  }
}

/// A service's answer, whatever its status.
public struct HTTPResponse: Hashable, Sendable {
  /// The status, 200 for a good answer.
  public let status: Int
  /// The fields of the header by name in lower case; of several the last.
  public let header: [String: String]
  /// The content, unpacked.
  public let body: [UInt8]
  /// Where it came from after redirects, against which links are resolved.
  public let url: String
  /// Where that lies.
  public var reach = NetworkReach.loopback
  /// The room that the content takes of the memory that answers share.
  var claim: ResponseMemory.Claim?

  /// An answer.
  public init(status: Int, header: [String: String], body: [UInt8], url: String) {
    (self.status, self.header, self.body, self.url) = (status, header, body, url)
  }

  /// The question that a link in this answer leads to: its address made whole, and never further in than this answer's.
  ///
  /// - Throws: ``ServiceError`` for a link that is no address of the web.
  public func request(following link: String) throws(ServiceError) -> HTTPRequest {
    var request = HTTPRequest(get: try WebAddress(url).resolving(link).description)
    request.reach = reach
    return request
  }
}
