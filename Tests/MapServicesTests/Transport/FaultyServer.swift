import Foundation
import MapServices
import MapTestSupport

/// The faulty server, shared by all suites, and ways to use it.
enum FaultyServer {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Servers")
  private static let server = Result { try another() }

  /// A server that no other test uses.
  static func another() throws -> TestServer {
    try TestServer(folder.appendingPathComponent("faulty_server.py"))
  }

  static func address() throws -> String { try server.get().address }

  /// The full client stack with small limits.
  static func network(
    seconds: Double = 0.5, bytes: Int = 1_000_000, tries: Int = 2,
    credentials: ServiceCredentials = ServiceCredentials(), environment: [String: String] = [:]
  ) -> ServiceClient {
    var limits = ServiceLimits()
    (limits.request, limits.responseBytes) = (.seconds(seconds), bytes)
    let exchange = CurlTransport(limits: limits, environment: environment)
    let redirecting = RedirectingTransport(
      over: CredentialedTransport(over: exchange, credentials: credentials))
    var policy = RetryPolicy()
    (policy.tries, policy.firstDelay) = (tries, .milliseconds(10))
    return ServiceClient(
      transport: RetryingTransport(over: redirecting, policy: policy, now: { 0 }), limits: limits)
  }

  /// The text of a successful answer.
  static func text(_ path: String, _ client: ServiceClient = network(seconds: 600)) async throws -> String {
    String(decoding: try await client.response(to: HTTPRequest(get: address() + path)).body, as: UTF8.self)
  }
}
