/// Keeps what no person named within the public network.
///
/// A person who names a service may name any address. What else is asked for its sake - a redirect, a link in an answer - and
/// all that a document names may only lead to public addresses, unless the person allows more. What decides is the address that
/// is connected to, see ``CurlTransport``; so every step of a question's way passes through here.
public struct BoundedTransport: HTTPTransport {
  private let base: any HTTPTransport
  private let named: WebAddress?
  private let allowsPrivate: Bool

  /// Limits over a transport that asks one address.
  ///
  /// - Parameters:
  ///   - base: The transport.
  ///   - named: The address that a person named; nil where a document named it. Its host and port may lie anywhere.
  ///   - allowsPrivate: True lets every address lie anywhere.
  public init(over base: any HTTPTransport, named: WebAddress?, allowsPrivate: Bool) {
    (self.base, self.named, self.allowsPrivate) = (base, named, allowsPrivate)
  }

  /// The answer, if the request may be made.
  public func response(
    to request: HTTPRequest, before deadline: ContinuousClock.Instant
  ) async throws(ServiceError) -> HTTPResponse {
    var request = request
    let address = try WebAddress(request.url)
    request.isNamedByPerson = allowsPrivate || isNamed(address)
    if !request.isNamedByPerson { request.reach = .world }
    return try await base.response(to: request, before: deadline)
  }

  /// True for the service that was named; of this machine's names each means the same.
  private func isNamed(_ address: WebAddress) -> Bool {
    guard let named, named.port == address.port else { return false }
    let areLoopback = [named, address].allSatisfy { NetworkReach(host: $0.host) == .loopback }
    return named.host == address.host || areLoopback
  }
}
