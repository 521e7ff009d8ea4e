/// What layers of services ask through: a transport and the limits that every question keeps.
public struct ServiceClient: Sendable {
  private let transport: any HTTPTransport
  /// What a question may take.
  public let limits: ServiceLimits
  /// When the operation that was begun must have ended; nil outside of one.
  private var deadline: ContinuousClock.Instant?

  /// A client over a transport.
  public init(transport: any HTTPTransport, limits: ServiceLimits = ServiceLimits()) {
    (self.transport, self.limits) = (transport, limits)
  }

  /// The same client for the requests of one operation, such as the pages of a layer: they share a deadline.
  public func begun() -> ServiceClient {
    var client = self
    client.deadline = ContinuousClock.now + limits.operation
    return client
  }

  /// The answer to a question, of any status.
  ///
  /// - Throws: ``ServiceError``.
  public func response(to request: HTTPRequest) async throws(ServiceError) -> HTTPResponse {
    let last = ContinuousClock.now + limits.request
    return try await transport.response(to: request, before: min(deadline ?? last, last))
  }
}

/// What a question to a service may take.
public struct ServiceLimits: Hashable, Sendable {
  /// How long one request may take, its retries included.
  public var request: Duration = .seconds(60)
  /// How long all requests of one operation may take, such as the pages of a layer.
  public var operation: Duration = .seconds(600)
  /// How many bytes one answer may have, unpacked.
  public var responseBytes = 256 << 20
  /// How many features of a layer are fetched at most.
  public var features = 20_000_000

  /// The usual limits.
  public init() {}
}
