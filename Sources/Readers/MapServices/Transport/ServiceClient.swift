package import MapReaders

/// A client for services: a transport with limits that apply to every request.
public struct ServiceClient: Sendable {
  private let transport: any HTTPTransport
  /// The limits of a request.
  public let limits: ServiceLimits
  /// The deadline of the current operation; nil outside of one.
  private var deadline: ContinuousClock.Instant?
  /// The parameters that are added to requests, and the origin of those.
  private var added: (origin: String, parameters: [ServiceParameter])?

  /// Creates a client over a transport.
  public init(transport: any HTTPTransport, limits: ServiceLimits = ServiceLimits()) {
    (self.transport, self.limits) = (transport, limits)
  }

  /// Returns a client for the requests of one operation, such as the pages of a layer, which share a deadline.
  public func begun() -> ServiceClient {
    var client = self
    client.deadline = ContinuousClock.now + limits.operation
    return client
  }

  /// Returns a client that adds parameters to the requests to one origin, unless a request has one of the name.
  package func adding(_ parameters: [ServiceParameter], to origin: String) -> ServiceClient {
    var client = self
    client.added = parameters.isEmpty ? nil : (origin, parameters)
    return client
  }

  /// Sends a request and returns the answer, of any status.
  ///
  /// - Throws: ``ServiceError``.
  public func response(to request: HTTPRequest) async throws(ServiceError) -> HTTPResponse {
    try await response(to: request, within: limits.request)
  }

  /// Sends a request with a time limit of its own.
  package func response(
    to request: HTTPRequest, within time: Duration
  ) async throws(ServiceError) -> HTTPResponse {
    let last = ContinuousClock.now + time
    var sent = request
    if let added, try WebAddress(request.url).origin == added.origin {
      sent = request.adding(added.parameters)
    }
    return try await transport.response(to: sent, before: min(deadline ?? last, last))
  }
}

/// The limits on requests to a service.
public struct ServiceLimits: Hashable, Sendable {
  /// The time limit of one request, including retries; 60 s by default.
  public var request: Duration = .seconds(60)
  /// The time limit of all requests of one operation, such as the pages of a layer; 600 s by default.
  public var operation: Duration = .seconds(600)
  /// The maximum size of one answer in bytes, decompressed; 256 MiB by default.
  public var responseBytes = 256 << 20
  /// The maximum number of features fetched from a layer; 20 million by default.
  public var features = 20_000_000

  /// Creates the default limits.
  public init() {}
}
