/// A carrier of requests and answers, and the only access to the network.
///
/// Recording, replaying, retrying and adding secrets are transports over a transport.
public protocol HTTPTransport: Sendable {
  /// Sends a request and returns the answer, of any status.
  ///
  /// Cancelling the task ends the exchange at once.
  ///
  /// - Throws: ``ServiceError`` if there is no complete answer before the deadline.
  func response(
    to request: HTTPRequest, before deadline: ContinuousClock.Instant
  ) async throws(ServiceError) -> HTTPResponse
}
