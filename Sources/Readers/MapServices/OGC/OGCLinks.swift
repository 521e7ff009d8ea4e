import MapJSON
import MapSystem

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
  /// The response that contains the links, without its content.
  let response: HTTPResponse

  /// Reads the member `links` of a document; ignores elements that are not links.
  init(_ links: JSONValue?, in response: HTTPResponse) {
    // Only the address and reach are kept: links live long, and the content would take memory.
    self.response = response.withoutBody
    self.links = (links?.array ?? []).compactMap { link in
      guard let href = link["href"]?.string, let relation = link["rel"]?.string,
        // A URI template is not an address.
        link["templated"]?.boolean != true
      else { return nil }
      return Link(href: href, relation: relation, type: link["type"]?.string?.lowercased())
    }
  }

  /// Returns a request for the first link of a relation that leads to data, not to a web page; nil without one.
  ///
  /// The last word of a relation is compared, because services write OGC's relations as addresses or as words. The
  /// order of preference is GeoJSON, other JSON, no stated type, any type except HTML.
  ///
  /// - Throws: ``ServiceError`` for a forbidden address, and if the next page exists only as a web page: the data would
  ///   be incomplete.
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
        "its link \"\(relation)\" leads to \(there.origin): links to other hosts are only followed over https",
        at: response.url, kind: .refused)
    }
    return request
  }

  /// Returns a request for a relation's link; without one, a request for `step` below `base`, the standard's path.
  ///
  /// - Throws: ``ServiceError``.
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
  /// Returns the request with added parameters and with the accepted media types.
  func asking(
    _ parameters: [(name: String, value: String)] = [], for types: String = OGCDocument.types
  ) -> HTTPRequest {
    var request = HTTPRequest(get: url, parameters)
    (request.reach, request.header["Accept"]) = (reach, types)
    return request
  }

  /// Returns a request with one more path step before the query; a trailing slash is ignored.
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
  /// Returns the address with another path, which must be percent-encoded.
  func with(path: String) -> String { origin + path + (query.map { "?" + $0 } ?? "") }
}
