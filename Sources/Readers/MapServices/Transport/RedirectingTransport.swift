import Synchronization

/// Follows redirects: at most ten, never from https to http, never farther in than their origin.
///
/// Every step goes through the transport below, so that a secret is sent only to its own host. Requests for further parts
/// of a file begin at the address that gave the first, as long as it gives parts.
public struct RedirectingTransport: HTTPTransport {
  /// The maximum number of redirects.
  ///
  /// - Source: design decision; browsers follow 20, curl 50.
  static let most = 10

  private let base: any HTTPTransport
  private let places = FilePlaces()

  /// Follows redirects over a transport that follows none.
  public init(over base: any HTTPTransport) { self.base = base }

  /// Returns the answer of the last step, with its address.
  ///
  /// - Throws: ``ServiceError``.
  public func response(
    to request: HTTPRequest, before deadline: ContinuousClock.Instant
  ) async throws(ServiceError) -> HTTPResponse {
    let first = request.range == nil ? nil : request.url
    if let first, let place = places[first] {
      let response = try await base.response(
        to: request.moved(to: place.url, method: .get, reach: max(request.reach, place.reach)),
        before: deadline)
      if Self.isOfFile(response) { return response }
      // An address with a signature has expired.
      places[first] = nil
    }
    var request = request
    for step in 0...Self.most {
      let response = try await base.response(to: request, before: deadline)
      if let first, step > 0, Self.isOfFile(response) {
        places[first] = FilePlaces.Place(url: request.url, reach: request.reach)
      }
      guard [301, 302, 303, 307, 308].contains(response.status), let link = response.header["location"] else {
        return response
      }
      request = try next(link, after: response, to: request)
    }
    throw ServiceError("redirects more than \(Self.most) times", at: request.url)
  }

  /// Whether an answer is a part of a file, or states that it has not changed.
  private static func isOfFile(_ response: HTTPResponse) -> Bool { [206, 304].contains(response.status) }

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

/// The addresses to which those of files redirect.
private final class FilePlaces: Sendable {
  struct Place {
    let url: String
    let reach: NetworkReach
  }

  private let known = Mutex<[String: Place]>([:])

  subscript(url: String) -> Place? {
    get { known.withLock { $0[url] } }
    set { known.withLock { $0[url] = newValue } }
  }
}
