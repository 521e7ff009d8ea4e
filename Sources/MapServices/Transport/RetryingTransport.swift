/// When a question is asked again.
///
/// Without chance in its delays, so that two runs do the same; the limit of connections to a host keeps many that fail
/// together from coming back together.
public struct RetryPolicy: Hashable, Sendable {
  /// How often a question is asked in all.
  public var tries = 4
  /// How long to wait before the second time; twice as long before each further one.
  public var firstDelay = Duration.milliseconds(500)
  /// The longest of these delays.
  public var longestDelay = Duration.seconds(8)

  /// The usual policy.
  public init() {}

  /// How long to wait after a number of tries.
  func delay(after tries: Int) -> Duration {
    var delay = firstDelay
    for _ in 1..<max(tries, 1) where delay < longestDelay { delay *= 2 }
    return min(delay, longestDelay)
  }
}

/// Asks again where another try may do better: after 429, 500, 502, 503 and 504, and when a connection breaks or fails.
///
/// Forms are asked again as well, since all that they do here is ask. `Retry-After` is kept, in seconds or as a date, where
/// the deadline leaves that time.
public struct RetryingTransport: HTTPTransport {
  private let base: any HTTPTransport
  private let policy: RetryPolicy
  private let sleep: @Sendable (Duration) async throws -> Void
  private let now: @Sendable () -> Int

  /// Retries over a transport.
  ///
  /// - Parameters:
  ///   - base: The transport that tries once.
  ///   - policy: When to try again.
  ///   - sleep: Waits; it throws when the task is cancelled.
  ///   - now: Seconds since 1970, which `Retry-After` is held against where it is a date.
  public init(
    over base: any HTTPTransport, policy: RetryPolicy = RetryPolicy(),
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    now: @escaping @Sendable () -> Int
  ) {
    (self.base, self.policy, self.sleep, self.now) = (base, policy, sleep, now)
  }

  /// The first answer that is not one to ask again for.
  public func response(
    to request: HTTPRequest, before deadline: ContinuousClock.Instant
  ) async throws(ServiceError) -> HTTPResponse {
    var tries = 1
    while true {
      let (fault, wanted) = try await fault(request, deadline, tries)
      switch fault {
      case .success(let response): return response
      case .failure(let error):
        let delay = max(policy.delay(after: tries), wanted ?? .zero)
        guard tries < policy.tries else { throw error.adding("tried \(tries) times") }
        guard ContinuousClock.now + delay < deadline else {
          let asks = wanted.map { "; it asks to wait \($0.components.seconds) s, longer than the time left" }
          throw error.adding((tries == 1 ? "tried once" : "tried \(tries) times") + (asks ?? ""))
        }
        do { try await sleep(delay) } catch {
          throw ServiceError("was cancelled", at: request.url, kind: .cancelled)
        }
        tries += 1
      }
    }
  }

  /// One try: what came, and how long the service asks to be left alone.
  private func fault(
    _ request: HTTPRequest, _ deadline: ContinuousClock.Instant, _ tries: Int
  ) async throws(ServiceError) -> (Result<HTTPResponse, ServiceError>, wanted: Duration?) {
    do {
      let response = try await base.response(to: request, before: deadline)
      guard let name = Self.passing[response.status] else { return (.success(response), nil) }
      let said = response.explanation.map { ": \($0)" } ?? ""
      let error = ServiceError("answered \(response.status) \(name)\(said)", at: response.url)
      return (.failure(error), HTTPDate.delay(response.header["retry-after"], now: now()))
    } catch {
      guard error.kind == .connection else { throw tries == 1 ? error : error.adding("tried \(tries) times") }
      return (.failure(error), nil)
    }
  }

  /// Faults that may pass.
  ///
  /// - Source: RFC 9110, 15.6, and RFC 6585, 4.
  private static let passing = [
    429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable",
    504: "Gateway Timeout",
  ]
}

extension ServiceError {
  fileprivate func adding(_ text: String) -> ServiceError {
    kind == .cancelled ? self : ServiceError("\(reason); \(text)", at: url, kind: kind)
  }
}
