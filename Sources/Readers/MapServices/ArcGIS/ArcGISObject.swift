package import MapJSON

extension ServiceClient {
  /// Returns the JSON object at the address of an item of a portal or of a service; one without members for no content.
  ///
  /// - Throws: ``ServiceError`` also for an answer that reports an error.
  package func arcGISObject(
    at url: String, _ parameters: [(name: String, value: String)] = []
  ) async throws(ServiceError) -> JSONValue {
    let response = try await begun().response(to: HTTPRequest(get: url, parameters + [("f", "json")]))
    // The data of an item may be empty.
    if response.status == 200, !response.body.contains(where: { $0 > 0x20 }) { return .object([:]) }
    return try ArcGISAnswer(response: response, url: url).json().value
  }
}
