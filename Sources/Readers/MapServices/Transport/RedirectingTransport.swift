/// Follows redirects: at most ten, never from https to http, never farther in than their origin.
///
/// Every step goes through the transport below, so that a secret is sent only to its own host.
public struct RedirectingTransport: HTTPTransport {
  /// The maximum number of redirects.
  ///
  /// - Source: design decision; browsers follow 20, curl 50.
  static let most = 10

  private let base: any HTTPTransport

  /// Follows redirects over a transport that follows none.
  public init(over base: any HTTPTransport) { self.base = base }

  /// Returns the answer of the last step, with its address.
  ///
  /// - Throws: ``ServiceError``.
  public func response(
    to request: HTTPRequest, before deadline: ContinuousClock.Instant
  ) async throws(ServiceError) -> HTTPResponse {
    var request = request
    for _ in 0...Self.most {
      let response = try await base.response(to: request, before: deadline)
      guard [301, 302, 303, 307, 308].contains(response.status), let link = response.header["location"] else {
        return response
      }
      request = try next(link, after: response, to: request)
    }
    throw ServiceError("redirects more than \(Self.most) times", at: request.url)
  }

  private func next(
    _ link: String, after response: HTTPResponse, to request: HTTPRequest
  ) throws(ServiceError) -> HTTPRequest {
    let old = try WebAddress(request.url)
    let new: WebAddress
    do { new = try old.resolving(link) } catch {
      throw ServiceError("redirects to an address that \(error.reason)", at: request.url, kind: .refused)
    }
    let isUpgrade = old.scheme == "http" && new.scheme == "https" && old.host == new.host
    guard old.scheme == new.scheme || isUpgrade else {
      throw ServiceError(
        "redirects to another scheme, \(new.origin), which is not followed", at: request.url, kind: .refused)
    }
    // Only 303 means that the answer is elsewhere. All other redirects keep the form: our forms only query, and without
    // their fields they would be another query (RFC 9110, 15.4).
    return request.moved(
      to: new.description, method: response.status == 303 ? .get : request.method,
      reach: max(request.reach, response.reach))
  }
}
