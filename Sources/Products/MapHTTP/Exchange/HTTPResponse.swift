import MapImages
package import MapJSON
import MapReaders
import MapState
import MapSystem

/// A refused or failed request: a status and a line of text.
package struct HTTPFault: Error, Hashable, Sendable {
  /// The status, 400 to 599.
  package let status: Int
  /// The reason, in lower case and without a full stop.
  package let message: String
  /// The valid name nearest to a wrong one; nil for none.
  package let suggestion: String?
  /// The methods that a path allows, for status 405.
  private let allow: String

  /// Creates a fault.
  package init(_ status: Int, _ message: String, suggestion: String? = nil, allow: String = "GET, HEAD") {
    (self.status, self.message, self.suggestion) = (status, MessageText.line(message), suggestion)
    self.allow = allow
  }

  /// Creates a fault from an error of an answer.
  ///
  /// Wrong requests are 400, failed services 502, and cancelled work 503.
  package init(_ error: any Error) {
    if let fault = error as? HTTPFault {
      self = fault
      return
    }
    let error = MapStateError(error)
    let status =
      switch error.kind {
      case _ where error.cause is CancellationError: 503
      case .service: 502
      case .input, .usage, .expectation: 400
      }
    self.init(status, ParameterSpelling.text(error.description), suggestion: error.suggestion)
  }

  /// The response that reports the fault.
  package var response: HTTPResponse {
    var error: JSONObject = ["code": .number(status), "message": .string(message)]
    error["suggestion"] = suggestion.map { .string($0) }
    var response = HTTPResponse(json: ["error": .object(error)], status: status)
    response.headers.append(("Cache-Control", "no-store"))
    if status == 503 || status == 429 { response.headers.append(("Retry-After", "1")) }
    if status == 401 { response.headers.append(("WWW-Authenticate", "Bearer")) }
    if status == 405 { response.headers.append(("Allow", allow)) }
    return response
  }
}

/// The answer to a request: at once, or by work.
package enum HTTPAnswer: Sendable {
  /// A response that needs no work.
  case ready(HTTPResponse)
  /// The work that gives the response.
  case work(@Sendable () async -> HTTPResponse)

  /// The response, after its work.
  package var response: HTTPResponse {
    get async {
      switch self {
      case .ready(let response): response
      case .work(let work): await work()
      }
    }
  }
}

/// A response with its whole body.
package struct HTTPResponse: Sendable {
  /// The status.
  package var status: Int
  /// The headers besides those of every response.
  package var headers: [(name: String, value: String)]
  /// The body.
  package var body: [UInt8]

  /// Creates a response.
  package init(_ body: [UInt8], type: String, status: Int = 200) {
    (self.status, self.body, headers) = (status, body, [("Content-Type", type)])
  }

  /// Creates a response with a JSON text and a line end.
  package init(json: JSONValue, type: String = "application/json", status: Int = 200) {
    self.init(Array((json.text() + "\n").utf8), type: type, status: status)
  }

  /// The value of a header; nil without it.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// Compresses the body if the request accepts gzip and the content is text.
  ///
  /// Status 304 has the header `Vary` of the texts that clients keep (RFC 9110, 15.4.5), also for images.
  mutating func compress(for request: HTTPRequest) {
    if status == 304 { return headers.append(("Vary", "Accept-Encoding")) }
    let type = header("Content-Type") ?? ""
    guard ["json", "text/", "xml"].contains(where: { type.contains($0) }) else { return }
    headers.append(("Vary", "Accept-Encoding"))
    guard body.count >= 1024, Self.acceptsGzip(request.headers["accept-encoding"] ?? "") else { return }
    body = Self.gzip(body)
    headers.append(("Content-Encoding", "gzip"))
  }

  /// Whether a list of codings has gzip with a weight above 0.
  private static func acceptsGzip(_ list: String) -> Bool {
    list.lowercased().split(separator: ",").contains { item in
      let parts = item.split(separator: ";").map { $0.filter { $0 != " " } }
      guard parts.first == "gzip" || parts.first == "*" else { return false }
      return !parts.dropFirst().contains { $0.hasPrefix("q=0") && Double($0.dropFirst(2)) == 0 }
    }
  }

  /// Returns the bytes of a gzip file (RFC 1952) without a name or a time.
  package static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var sum = CRC32()
    sum.add(bytes[...])
    func little(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + Deflate.stream(bytes) + little(sum.value)
      + little(UInt32(truncatingIfNeeded: bytes.count))
  }

  /// Returns the bytes that are sent; a response to `HEAD` has no body.
  ///
  /// - Parameters:
  ///   - date: the time in the form of RFC 9110, 5.6.7.
  ///   - keepsAlive: whether the connection stays open.
  func bytes(date: String, isHead: Bool, keepsAlive: Bool) -> [UInt8] {
    var head = "HTTP/1.1 \(status) \(Self.reasons[status] ?? "Unknown")\r\n"
    let hasBody = status != 304 && status != 204
    let fixed = [
      ("Date", date), ("X-Content-Type-Options", "nosniff"),
      ("Connection", keepsAlive ? "keep-alive" : "close"),
    ]
    for (name, value) in fixed + headers where hasBody || name != "Content-Type" {
      head += "\(name): \(value)\r\n"
    }
    if hasBody { head += "Content-Length: \(body.count)\r\n" }
    return Array((head + "\r\n").utf8) + (isHead || !hasBody ? [] : body)
  }

  private static let reasons = [
    200: "OK", 204: "No Content", 304: "Not Modified", 400: "Bad Request", 401: "Unauthorized",
    403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 413: "Content Too Large",
    421: "Misdirected Request", 431: "Request Header Fields Too Large", 500: "Internal Server Error",
    502: "Bad Gateway", 503: "Service Unavailable", 505: "HTTP Version Not Supported",
  ]
}
