import Foundation
import MapServices
import MapTestSupport
import Testing

@Suite struct CurlTransportTests {
  @Test("Compressed answers are decompressed")
  func packedAnswersAreUnpacked() async throws {
    let bytes = try await FaultyServer.network(seconds: 600).response(
      to: HTTPRequest(get: FaultyServer.address() + "/gzip")
    ).body
    #expect(bytes == (0..<100).flatMap { _ in (0...255).map { UInt8($0) } })
    #expect(try await FaultyServer.text("/gzip-two") == "one two")
  }

  @Test("An answer compressed more than 1000:1 is refused") func compression() async throws {
    let error = await #expect(throws: ServiceError.self) {
      try await FaultyServer.network(seconds: 600, bytes: 64 << 20).response(
        to: HTTPRequest(get: FaultyServer.address() + "/gzip-zeros"))
    }
    #expect(error?.reason == "its answer is compressed more than 1000:1, the limit")
  }

  @Test("Form bodies and header fields are sent unchanged")
  func formsAndFieldsArriveAsTheyAre() async throws {
    var request = HTTPRequest(post: try FaultyServer.address() + "/echo?a=1", [("where", "NAME = 'Ä'")])
    request.header["X-Own"] = "own"
    let text = String(
      decoding: try await FaultyServer.network(seconds: 600).response(to: request).body, as: UTF8.self)
    for part in [
      #""method": "POST""#, #""target": "/echo?a=1""#, #""body": "where=NAME%20%3D%20%27%C3%84%27""#,
      #""x-own": "own""#, #""accept-encoding": "gzip""#, #""user-agent": "MapState""#,
      #""content-type": "application/x-www-form-urlencoded""#,
    ] { #expect(text.contains(part), "\(part) in \(text)") }
    #expect(!text.contains("expect"))
  }

  @Test("A header value with a line end is refused")
  func aLineEndCannotBeginAnotherField() async throws {
    var request = HTTPRequest(get: try FaultyServer.address() + "/echo")
    request.header["X-Own"] = "a\r\nX-Other: b"
    await #expect(throws: ServiceError.self) {
      try await FaultyServer.network().response(to: request)
    }
  }

  @Test("Two hundred concurrent requests use at most six connections")
  func twoHundredAtOnceUseSixConnections() async throws {
    let client = FaultyServer.network(seconds: 600)
    let url = try FaultyServer.address() + "/size/20000"
    let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<200 { group.addTask { try await client.response(to: HTTPRequest(get: url)).body.count } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(sizes == [Int](repeating: 20_000, count: 200))
    // A separate server, since other suites use theirs at the same time.
    let own = try FaultyServer.another()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<24 {
        group.addTask { _ = try await client.response(to: HTTPRequest(get: own.address + "/wait/20")) }
      }
      try await group.waitForAll()
    }
    let most = try await client.response(to: HTTPRequest(get: own.address + "/most")).body
    #expect(String(decoding: most, as: UTF8.self) == "6")
  }

  /// Covers running transfers and waits for a connection.
  @Test(
    "Cancelling ends running and waiting requests at once",
    arguments: ["/silent", "/drip"])
  func cancellationIsAtOnce(path: String) async throws {
    let own = try FaultyServer.another()
    let client = FaultyServer.network(seconds: 600, bytes: 1 << 30)
    let tasks = (0..<10).map { _ in
      Task { try await client.response(to: HTTPRequest(get: own.address + path)) }
    }
    try await Task.sleep(for: .milliseconds(100))
    for task in tasks { task.cancel() }
    for task in tasks {
      let result = await task.result
      let error = #expect(throws: ServiceError.self) { try result.get() }
      // Without cancellation, the 600 s would run out, which is another kind of error.
      #expect(error?.kind == .cancelled)
    }
  }

  @Test("A request cancelled before it starts is not sent")
  func cancelledBeforeItBeginsItIsNotAsked() async throws {
    let url = try FaultyServer.address() + "/flaky/cancelled/0/200"
    let task = Task {
      // The sleep ends when the task is cancelled.
      try? await Task.sleep(for: .seconds(60))
      return try await FaultyServer.network(seconds: 600).response(to: HTTPRequest(get: url))
    }
    task.cancel()
    let result = await task.result
    let error = #expect(throws: ServiceError.self) { try result.get() }
    #expect(error?.kind == .cancelled)
    #expect(error?.reason == "was cancelled")
    #expect(try await FaultyServer.text("/times/cancelled") == "0")
  }

  @Test("The requests of one operation share its time limit")
  func requestsOfAnOperationShareItsTime() async throws {
    var limits = ServiceLimits()
    limits.operation = .milliseconds(1500)
    let client = ServiceClient(transport: CurlTransport(environment: [:]), limits: limits).begun()
    let url = try FaultyServer.address() + "/wait/400"
    let error = await #expect(throws: ServiceError.self) {
      for _ in 0..<6 { _ = try await client.response(to: HTTPRequest(get: url)) }
    }
    #expect(error?.kind == .deadline)
  }

  /// Five hundred loads and as many cancellations; more with `MAPSTATE_FULL_TESTS`.
  @Test("Many requests and cancellations leave no memory behind")
  func memoryStaysFlat() async throws {
    let client = FaultyServer.network(seconds: 600)
    let url = try FaultyServer.address()
    let isFull = ProcessInfo.processInfo.environment["MAPSTATE_FULL_TESTS"] == "1"
    func load(_ count: Int) async throws {
      for number in 0..<count {
        _ = try await client.response(to: HTTPRequest(get: url + "/size/200000"))
        if number % 5 == 0 {
          let task = Task { try await client.response(to: HTTPRequest(get: url + "/gzip-cut")) }
          if number % 10 == 0 { task.cancel() }
          _ = await task.result
        }
      }
    }
    try await load(100)
    #expect(Self.residentKilobytes() > 0)
    // If each of these bodies were kept, they would take 100 MB in each round. Other tests of the process take memory, too.
    var least = Int.max
    for _ in 0..<5 where least >= 30_000 {
      let before = Self.residentKilobytes()
      try await load(isFull ? 5000 : 500)
      least = min(least, Self.residentKilobytes() - before)
    }
    #expect(least < 30_000)
  }

  private static func residentKilobytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") } ?? ""
    return line.split(separator: " ").lazy.compactMap { Int($0) }.first ?? 0
  }
}
