import MapJSON

/// The address of an ArcGIS resource that answers queries.
struct ArcGISResource: Sendable {
  /// Names and values of a query's parameters, in the order in which they are sent.
  typealias Parameters = [(name: String, value: String)]

  /// The address without its query.
  let url: String
  let client: ServiceClient

  /// The length in bytes above which an address is sent as a form with POST.
  ///
  /// - Source: ArcGIS REST API, which asks for POST above about 2,000 characters.
  private static let addressLimit = 2000

  /// Returns the resource below this one.
  func appending(_ path: String) -> ArcGISResource {
    ArcGISResource(url: url + "/" + path, client: client)
  }

  /// Returns the same resource for the requests of one operation, which share a deadline.
  func begun() -> ArcGISResource { ArcGISResource(url: url, client: client.begun()) }

  /// Sends a query and returns the answer, in the format that the parameters ask for.
  func response(_ parameters: Parameters) async throws(ServiceError) -> ArcGISAnswer {
    var request = HTTPRequest(get: url, parameters)
    if request.url.utf8.count > Self.addressLimit { request = HTTPRequest(post: url, parameters) }
    return ArcGISAnswer(response: try await client.response(to: request), url: url)
  }
}
