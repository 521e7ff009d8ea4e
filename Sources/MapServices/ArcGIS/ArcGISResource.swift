import MapJSON

/// An address of an ArcGIS service that answers questions.
struct ArcGISResource: Sendable {
  /// Names and values of a question, in the order in which they are sent.
  typealias Parameters = [(name: String, value: String)]

  /// The address, without a query.
  let url: String
  let client: ServiceClient

  /// Longer addresses are sent as a form.
  ///
  /// - Source: ArcGIS REST API, which asks for POST above about 2,000 characters.
  private static let addressLimit = 2000

  /// The resource below this one.
  func appending(_ path: String) -> ArcGISResource {
    ArcGISResource(url: url + "/" + path, client: client)
  }

  /// The same resource for the requests of one operation, which share a deadline.
  func begun() -> ArcGISResource { ArcGISResource(url: url, client: client.begun()) }

  /// The answer in the form that the parameters ask for.
  func response(_ parameters: Parameters) async throws(ServiceError) -> ArcGISAnswer {
    var request = HTTPRequest(get: url, parameters)
    if request.url.utf8.count > Self.addressLimit { request = HTTPRequest(post: url, parameters) }
    return ArcGISAnswer(response: try await client.response(to: request), url: url)
  }
}
