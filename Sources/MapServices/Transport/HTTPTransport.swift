/// What carries questions to services and answers back: the one door to a network.
///
/// Recording, replaying, retrying and adding secrets are transports over a transport.
public protocol HTTPTransport: Sendable {
  /// The answer to a question, of any status.
  ///
  /// Cancelling the task ends the exchange at once.
  /// - Throws: ``ServiceError`` when there is no whole answer before the deadline.
  func response(
    to request: HTTPRequest, before deadline: ContinuousClock.Instant
  ) async throws(ServiceError) -> HTTPResponse
}
