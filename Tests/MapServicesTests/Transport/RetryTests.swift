import MapServices
import Synchronization
import Testing

/// Retries over prepared answers, with a clock that only records its sleeps.
@Suite struct RetryTests {
  enum Try: Sendable {
    case status(Int, after: String?)
    case fault(ServiceError.Kind)
  }

  private static func run(
    _ tries: [Try], seconds: Double = 3600, now: Int = 784_111_777
  ) async -> (result: Result<HTTPResponse, any Error>, slept: [Duration], asked: Int) {
    let slept = Mutex<[Duration]>([])
    let left = Mutex(tries)
    let stub = StubTransport { (request) throws(ServiceError) in
      let next = left.withLock { $0.isEmpty ? Try.status(200, after: nil) : $0.removeFirst() }
      switch next {
      case .status(let status, let after):
        return HTTPResponse(
          status: status, header: after.map { ["retry-after": $0] } ?? [:],
          body: Array(#"{"error":{"message":"busy"}}"#.utf8), url: request.url)
      case .fault(let kind): throw ServiceError("fell over", at: request.url, kind: kind)
      }
    }
    let transport = RetryingTransport(
      over: stub, sleep: { time in slept.withLock { $0.append(time) } }, now: { now })
    let result = await Task {
      try await transport.response(
        to: HTTPRequest(post: "https://a.example/query?token=secret", [("a", "b")]),
        before: .now + .seconds(seconds))
    }.result
    return (result, slept.withLock { $0 }, stub.requests.count)
  }

  private static func reason(_ result: Result<HTTPResponse, any Error>) -> String? {
    if case .failure(let error) = result { "\(error)" } else { nil }
  }

  @Test("Temporary status codes are retried with increasing waits", arguments: [429, 500, 502, 503, 504])
  func faultsThatMayPass(status: Int) async throws {
    let run = await Self.run([.status(status, after: nil), .status(status, after: nil)])
    #expect(try run.result.get().status == 200)
    #expect(run.slept == [.milliseconds(500), .seconds(1)])
    #expect(run.asked == 3)
  }

  @Test(
    "Other status codes are not retried",
    arguments: [200, 204, 301, 400, 401, 403, 404, 408, 498, 499, 501, 505])
  func answersThatStand(status: Int) async throws {
    let run = await Self.run([.status(status, after: nil)])
    #expect(try run.result.get().status == status)
    #expect(run.slept == [])
    #expect(run.asked == 1)
  }

  @Test("A broken connection is tried four times")
  func brokenConnectionsAreTriedFourTimes() async {
    let run = await Self.run([Try](repeating: .fault(.connection), count: 9))
    #expect(Self.reason(run.result) == "https://a.example/query: fell over; tried 4 times")
    #expect(run.slept == [.milliseconds(500), .seconds(1), .seconds(2)])
    #expect(run.asked == 4)
  }

  @Test(
    "Other faults are not retried", arguments: [ServiceError.Kind.answer, .deadline, .cancelled, .refused])
  func otherFaultsAreNot(kind: ServiceError.Kind) async {
    let run = await Self.run([.fault(kind)])
    #expect(Self.reason(run.result) == "https://a.example/query: fell over")
    #expect(run.asked == 1)
  }

  @Test("The final error contains the service's own message and the number of tries")
  func whatTheServiceSaysIsTold() async {
    let run = await Self.run([Try](repeating: .status(503, after: nil), count: 9))
    #expect(
      Self.reason(run.result)
        == "https://a.example/query: answered 503 Service Unavailable: busy; tried 4 times")
  }

  /// - Source: RFC 9110, 5.6.7: its example timestamp is 784,111,777 seconds after 1970.
  @Test(
    "A Retry-After header sets the wait",
    arguments: [
      ("7", Duration.seconds(7)), ("0", .milliseconds(500)),
      ("Sun, 06 Nov 1994 08:49:37 GMT", .milliseconds(500)),
      ("Sun, 06 Nov 1994 08:50:37 GMT", .seconds(60)), ("Sun, 06 Nov 1994 08:00:00 GMT", .milliseconds(500)),
      ("Mon, 07 Nov 1994 00:00:00 GMT", .seconds(54_623)), ("soon", .milliseconds(500)),
      ("-5", .milliseconds(500)),
      ("Sun, 99 Foo 1994 08:49:37 GMT", .milliseconds(500)), ("99999999999999999999", .seconds(86_400)),
    ])
  func retryAfter(field: String, delay: Duration) async throws {
    let run = await Self.run([.status(429, after: field)], seconds: 100_000)
    #expect(try run.result.get().status == 200)
    #expect(run.slept == [delay])
  }

  /// 29 February and both sides of a new year, in seconds from `date -u +%s`.
  @Test(
    "A Retry-After date is converted to a wait",
    arguments: [
      ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000), ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
      ("Sun, 31 Dec 2023 23:59:59 GMT", 1_704_067_199), ("Mon, 01 Jan 2024 00:00:00 GMT", 1_704_067_200),
    ])
  func dates(text: String, seconds: Int) async {
    let run = await Self.run([.status(503, after: text)], now: seconds - 42)
    #expect(run.slept == [.seconds(42)])
  }

  @Test("A wait longer than the time left is not started")
  func aWaitBeyondTheDeadlineIsNotBegun() async {
    let run = await Self.run([.status(429, after: "120")], seconds: 60)
    #expect(
      Self.reason(run.result)
        == "https://a.example/query: answered 429 Too Many Requests: busy; tried once; it asks to wait 120 s, longer than the time left"
    )
    #expect(run.slept == [])
    #expect(run.asked == 1)
  }

  @Test("Cancelling ends a wait between retries")
  func cancellationEndsTheWait() async throws {
    let stub = StubTransport { (request) throws(ServiceError) in
      HTTPResponse(status: 503, header: ["retry-after": "50"], body: [], url: request.url)
    }
    let transport = RetryingTransport(over: stub, now: { 0 })
    let task = Task {
      try await transport.response(to: HTTPRequest(get: "https://a.example/"), before: .now + .seconds(60))
    }
    while stub.requests.isEmpty { await Task.yield() }
    task.cancel()
    let result = await task.result
    let error = #expect(throws: ServiceError.self) { try result.get() }
    #expect(error?.kind == .cancelled)
  }

  /// Uses a server that fails twice and then answers.
  @Test("A server that fails twice answers on the third try")
  func overTheNetwork() async throws {
    let client = FaultyServer.network(seconds: 300, tries: 3)
    #expect(try await FaultyServer.text("/flaky/c/2/503", client) == #"{"ok":true}"#)
    #expect(try await FaultyServer.text("/times/c") == "3")
    #expect(try await FaultyServer.text("/flaky/d/2/close", client) == #"{"ok":true}"#)
    #expect(try await FaultyServer.text("/flaky/e/1/429?after=1", client) == #"{"ok":true}"#)
  }
}
