import MapJSON

/// A document of an OGC API: its JSON and its links.
struct OGCDocument: Sendable {
  /// The address after redirects.
  let url: String
  /// The content.
  let content: JSONValue
  /// The links in it.
  let links: OGCLinks

  /// The media types requested for documents.
  static let types = "application/json, application/schema+json;q=0.9, */*;q=0.1"

  /// Requests a document.
  ///
  /// - Throws: ``ServiceError`` for any answer but JSON.
  static func at(_ request: HTTPRequest, _ client: ServiceClient) async throws(ServiceError) -> OGCDocument {
    try OGCDocument(try await client.response(to: request.asking()))
  }

  /// Requests a document; returns nil if the service has no such resource.
  ///
  /// - Throws: ``ServiceError`` for any other answer but JSON.
  static func ifAny(
    at request: HTTPRequest, _ client: ServiceClient
  ) async throws(ServiceError) -> OGCDocument? {
    let response = try await client.response(to: request.asking())
    return [404, 405, 406, 501].contains(response.status) ? nil : try OGCDocument(response)
  }

  private init(_ response: HTTPResponse) throws(ServiceError) {
    try response.checkForJSON()
    self.init(try response.json(), in: response)
  }

  private init(_ content: JSONValue, in response: HTTPResponse) {
    (url, self.content) = (response.url, content)
    links = OGCLinks(content["links"], in: response)
  }

  /// Returns a part of the document, with that part's own links.
  func part(_ content: JSONValue) -> OGCDocument { OGCDocument(content, in: links.response) }
}

extension HTTPResponse {
  /// Checks that the answer has status 200 and content that may be JSON.
  ///
  /// - Throws: ``ServiceError`` with the status and the service's explanation.
  func checkForJSON() throws(ServiceError) {
    guard status == 200 else {
      let reason = faultOfService.map { ": \($0)" } ?? ""
      throw ServiceError("answered \(status)\(reason)", at: url)
    }
    guard let first = body.first(where: { $0 > 0x20 }) else {
      throw ServiceError("answered without content", at: url)
    }
    if first == UInt8(ascii: "<") || header["content-type"]?.lowercased().contains("html") == true {
      throw ServiceError("answered with a web page, but JSON was requested", at: url)
    }
  }

  /// Parses the content as JSON.
  ///
  /// - Throws: ``ServiceError`` with the position at which parsing stopped.
  func json() throws(ServiceError) -> JSONValue {
    do { return try parsed() } catch {
      throw ServiceError("answered with invalid JSON: \(error)", at: url)
    }
  }

  /// The service's explanation of an error, in one short line; nil without one.
  private var faultOfService: String? {
    guard body.count < 1 << 20, let content = try? JSONValue(parsing: body) else { return nil }
    return OGCFault.text(of: content)
  }
}

/// The error text of an OGC API.
///
/// - Source: RFC 9457 (`title`, `detail`); OGC 17-069r4, 7.5 (`code`, `description`). FastAPI, on which some servers
///   are built, writes only `detail`, as text or as a list.
enum OGCFault {
  /// Returns the text in one short line; nil if the content describes no error.
  static func text(of content: JSONValue) -> String? {
    let parts = ["title", "code", "detail", "description", "message"].compactMap {
      content[$0].flatMap(words)
    }
    var known: Set<String> = []
    let text = parts.filter { known.insert($0).inserted }.joined(separator: ": ")
    return text.isEmpty ? nil : oneLine(text)
  }

  private static func words(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text.isEmpty ? nil : text
    case .number(let number): number.text
    case .array, .object: value.text()
    case .null, .boolean: nil
    }
  }

  private static func oneLine(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.count > 300 ? line.prefix(300) + "…" : line
  }
}
