/// The rules for repeating a request.
///
/// Delays contain no randomness, so that two runs behave the same. The limit of connections per host keeps requests
/// that failed together from returning all at once.
public struct RetryPolicy: Hashable, Sendable {
  /// The maximum number of attempts in all.
  public var tries = 4
  /// The delay before the second attempt; it doubles for each further one.
  public var firstDelay = Duration.milliseconds(500)
  /// The maximum delay between attempts.
  public var longestDelay = Duration.seconds(8)

  /// Creates the default policy.
  public init() {}

  /// Returns the delay after a number of attempts.
  func delay(after tries: Int) -> Duration {
    var delay = firstDelay
    for _ in 1..<max(tries, 1) where delay < longestDelay { delay *= 2 }
    return min(delay, longestDelay)
  }
}

/// Repeats requests that may succeed later: after 429, 500, 502, 503 and 504, and if a connection breaks or fails.
///
/// Forms are repeated too, because they only query. `Retry-After` is respected, in seconds or as a date, if the
/// deadline permits.
public struct RetryingTransport: HTTPTransport {
  private let base: any HTTPTransport
  private let policy: RetryPolicy
  private let sleep: @Sendable (Duration) async throws -> Void
  private let now: @Sendable () -> Int

  /// Adds retries over a transport.
  ///
  /// - Parameters:
  ///   - base: The transport that makes one attempt.
  ///   - policy: The rules for repeating a request.
  ///   - sleep: Waits; throws if the task is cancelled.
  ///   - now: Returns the seconds since 1970, for a date in `Retry-After`.
  public init(
    over base: any HTTPTransport, policy: RetryPolicy = RetryPolicy(),
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    now: @escaping @Sendable () -> Int
  ) {
    (self.base, self.policy, self.sleep, self.now) = (base, policy, sleep, now)
  }

  /// Returns the first answer that needs no further attempt.
  ///
  /// - Throws: ``ServiceError`` after the last attempt.
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

  /// Makes one attempt; returns its result and the delay that the service asks for.
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

  /// The statuses of temporary errors.
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
