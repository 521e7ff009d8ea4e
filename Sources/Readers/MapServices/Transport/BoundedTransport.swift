/// Limits requests to public addresses unless a person named the host.
///
/// A person may name a service at any address. Every other request may only reach public addresses: redirects, links in
/// answers and all addresses in documents. The person can allow more. The address of the actual connection decides, see
/// ``CurlTransport``; therefore every step of a request passes through this transport.
public struct BoundedTransport: HTTPTransport {
  private let base: any HTTPTransport
  private let named: WebAddress?
  private let allowsPrivate: Bool
  private let refusal: @Sendable (_ host: String) -> String?

  /// Creates the limits over a transport that contacts one address.
  ///
  /// - Parameters:
  ///   - base: The transport.
  ///   - named: The address that a person named, whose host and port may have any reach; nil if a document named it.
  ///   - allowsPrivate: Whether every address may have any reach.
  ///   - refusal: Returns the reason why a host may not be reached; nil if it may.
  public init(
    over base: any HTTPTransport, named: WebAddress?, allowsPrivate: Bool,
    refusal: @escaping @Sendable (_ host: String) -> String? = { _ in nil }
  ) {
    (self.base, self.named, self.allowsPrivate, self.refusal) = (base, named, allowsPrivate, refusal)
  }

  /// Returns the answer, if the request is permitted.
  ///
  /// - Throws: ``ServiceError``.
  public func response(
    to request: HTTPRequest, before deadline: ContinuousClock.Instant
  ) async throws(ServiceError) -> HTTPResponse {
    var request = request
    let address = try WebAddress(request.url)
    if let reason = refusal(address.host) { throw ServiceError(reason, at: request.url, kind: .refused) }
    request.isNamedByPerson = allowsPrivate || isNamed(address)
    if !request.isNamedByPerson { request.reach = .world }
    return try await base.response(to: request, before: deadline)
  }

  /// Whether the address has the named host and port; all names of this machine are equal.
  private func isNamed(_ address: WebAddress) -> Bool {
    guard let named, named.port == address.port else { return false }
    let areLoopback = [named, address].allSatisfy { NetworkReach(host: $0.host) == .loopback }
    return named.host == address.host || areLoopback
  }
}
