import MapJSON

/// The links of a document of an OGC API.
struct OGCLinks: Sendable {
  private struct Link: Sendable {
    let href: String
    let relation: String
    let type: String?

    var isJSON: Bool {
      guard let type else { return false }
      return type.hasPrefix("application/json") || type.contains("+json") && !type.contains("ld+json")
    }
  }

  private let links: [Link]
  /// The answer that they stand in, without its content.
  let response: HTTPResponse

  /// The member `links` of a document; what is no link is passed over.
  init(_ links: JSONValue?, in response: HTTPResponse) {
    // Where it is and whence it came is all that is needed: not its content, for links are kept.
    self.response = response.withoutBody
    self.links = (links?.array ?? []).compactMap { link in
      guard let href = link["href"]?.string, let relation = link["rel"]?.string,
        // A pattern is no address.
        link["templated"]?.boolean != true
      else { return nil }
      return Link(href: href, relation: relation, type: link["type"]?.string?.lowercased())
    }
  }

  /// The question that the first link of a relation leads to which is to data, not to a page for people; nil without one.
  ///
  /// A relation counts by its last word, since services write OGC's by address or by word. Of several links one to
  /// GeoJSON goes first, then any JSON, then one of no type, then any that is not for people.
  /// - Throws: ``ServiceError`` for an address that may not be gone to, and for a next page that is a web page alone:
  ///   what is there would be a part.
  func request(to relation: String) throws(ServiceError) -> HTTPRequest? {
    let candidates = links.filter { link in
      (link.relation.split { "/:[]".contains($0) }.last).map(String.init) == relation
    }
    let link =
      candidates.first { $0.type?.contains("geo+json") == true }
      ?? candidates.first { $0.isJSON } ?? candidates.first { $0.type == nil }
      ?? candidates.first { $0.type?.contains("html") != true }
    guard let link else {
      guard relation != "next" || candidates.isEmpty else {
        throw ServiceError("its next page is a web page, not data", at: response.url)
      }
      return nil
    }
    let request = try response.request(following: link.href)
    let (here, there) = (try WebAddress(response.url), try WebAddress(request.url))
    guard there.origin == here.origin || there.scheme == "https" else {
      throw ServiceError(
        "its link \"\(relation)\" leads to \(there.origin), and to other hosts links are followed by https alone",
        at: response.url, kind: .refused)
    }
    return request
  }

  /// The same, and without such a link the standard's path: a step below an address.
  func request(
    to relation: String, else base: HTTPRequest, _ step: String
  ) throws(ServiceError) -> HTTPRequest {
    if let linked = try request(to: relation) { return linked }
    return try base.appending(step: step)
  }
}

extension HTTPResponse {
  fileprivate var withoutBody: HTTPResponse {
    var response = HTTPResponse(status: status, header: [:], body: [], url: url)
    response.reach = reach
    return response
  }
}

extension HTTPRequest {
  /// The same question with parameters added to those that it has, and what is taken for an answer.
  func asking(
    _ parameters: [(name: String, value: String)] = [], for types: String = OGCDocument.types
  ) -> HTTPRequest {
    var request = HTTPRequest(get: url, parameters)
    (request.reach, request.header["Accept"]) = (reach, types)
    return request
  }

  /// The question at the address that has a step more, before its query; a slash at the end counts as none.
  func appending(step: String) throws(ServiceError) -> HTTPRequest {
    let address = try WebAddress(url)
    var path = address.path[...]
    while path.hasSuffix("/") { path.removeLast() }
    var request = HTTPRequest(get: "\(address.with(path: "\(path)/\(PercentEncoding.encode(step))"))")
    request.reach = reach
    return request
  }
}

extension WebAddress {
  /// The same address with another path, which is written as it is.
  func with(path: String) -> String { origin + path + (query.map { "?" + $0 } ?? "") }
}
