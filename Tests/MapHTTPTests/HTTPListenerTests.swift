import Foundation
import MapHTTP
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite(.serialized) struct HTTPListenerTests {
  /// A server on a free port of the loopback interface.
  private final class Server: Sendable {
    let listener: HTTPListener

    init(
      _ limits: ServerLimits = ServerLimits(), log: @escaping @Sendable (ServedRequest) -> Void = { _ in },
      handler: @escaping HTTPListener.Handler
    ) throws {
      let listener = try HTTPListener(
        address: "127.0.0.1", port: 0, limits: limits, log: log, handler: handler)
      self.listener = listener
      Thread.detachNewThread { listener.run() }
    }

    deinit { listener.stop(waiting: 0) }

    /// Connects and sends a text.
    func connect(_ text: String) throws -> Int32 {
      let (socket, result) = attempt()
      try #require(result == 0)
      Self.send(text, to: socket)
      return socket
    }

    /// Whether the system refuses a connection.
    var refuses: Bool {
      let (socket, result) = attempt()
      defer { close(socket) }
      return result != 0 && errno == ECONNREFUSED
    }

    private func attempt() -> (socket: Int32, result: Int32) {
      let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_port = UInt16(listener.port).bigEndian
      unsafe inet_pton(AF_INET, "127.0.0.1", &name.sin_addr)
      let result = unsafe withUnsafePointer(to: &name) {
        unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      return (socket, result)
    }

    static func send(_ text: String, to socket: Int32) {
      let bytes = Array(text.utf8)
      _ = unsafe Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Reads until the server closes the connection, on a thread of its own: tasks need theirs to answer.
    static func readAll(_ socket: Int32) async -> String {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: readNow(socket)) }
      }
    }

    private static func readNow(_ socket: Int32) -> String {
      var all: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = unsafe recv(socket, &buffer, 4096, 0)
        guard count > 0 else { break }
        all += buffer[..<count]
      }
      close(socket)
      return String(decoding: all, as: UTF8.self)
    }
  }

  private static let hello: HTTPListener.Handler = { request in
    .ready(HTTPResponse(Array("hello \(request.path.joined(separator: "/"))".utf8), type: "text/plain"))
  }

  @Test("Requests over one connection are answered in order, also if they come at once or in parts")
  func keepsAlive() async throws {
    var limits = ServerLimits()
    // Other tests may keep this one from sending the rest of the request for a minute.
    limits.idleSeconds = 600
    let server = try Server(limits, handler: Self.hello)
    defer { withExtendedLifetime(server) {} }
    let socket = try server.connect(
      "GET /a HTTP/1.1\r\nHost: a\r\n\r\nHEAD /b HTTP/1.1\r\nHost: a\r\n\r\nGET /c HT")
    try await Task.sleep(for: .milliseconds(20))
    Server.send("TP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", to: socket)
    let answer = await Server.readAll(socket)
    #expect(answer.matches(of: #/HTTP/1.1 200 OK\r\n/#).count == 3)
    #expect(answer.contains("hello a") && !answer.contains("hello b") && answer.hasSuffix("hello c"))
    #expect(answer.matches(of: #/Content-Length: 7\r\n/#).count == 3)
  }

  @Test("Malformed and long requests get an error and no more")
  func malformed() async throws {
    let server = try Server(handler: Self.hello)
    defer { withExtendedLifetime(server) {} }
    for (text, status) in [
      ("nonsense\r\n\r\n", 400), ("GET / HTTP/3\r\n\r\n", 505),
      ("GET /" + String(repeating: "a", count: 17_000), 431),
      ("GET /" + String(repeating: "a", count: 17_000) + " HTTP/1.1\r\n\r\n", 431),
      ("GET /" + String(repeating: "a", count: 500_000), 431),
      ("GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\nGET /x HTTP/1.1\r\n\r\n", 400),
    ] {
      let answer = await Server.readAll(try server.connect(text))
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(text.prefix(30)): \(answer)")
      #expect(answer.matches(of: #/HTTP/1.1 \d{3}/#).count == 1)
    }
  }

  @Test("A slow request gets 408, and a silent connection is closed")
  func slow() async throws {
    var limits = ServerLimits()
    limits.idleSeconds = 1
    let server = try Server(limits, handler: Self.hello)
    defer { withExtendedLifetime(server) {} }
    #expect(await Server.readAll(try server.connect("GET / HT")).hasPrefix("HTTP/1.1 408 "))
    #expect(await Server.readAll(try server.connect("")).isEmpty)
  }

  @Test("A connection over the limit gets 503 at once")
  func connections() async throws {
    var limits = ServerLimits()
    limits.connections = 2
    limits.patience = 600
    let server = try Server(limits, handler: Self.hello)
    defer { withExtendedLifetime(server) {} }
    let held = [try server.connect(""), try server.connect("")]
    try await Task.sleep(for: .milliseconds(50))
    #expect(await Server.readAll(try server.connect("GET / HTTP/1.1\r\n\r\n")).hasPrefix("HTTP/1.1 503 "))
    for socket in held { close(socket) }
    try await Self.wait {
      let answer = await Server.readAll(try server.connect("GET / HTTP/1.1\r\nConnection: close\r\n\r\n"))
      return answer.hasPrefix("HTTP/1.1 200 ")
    }
  }

  @Test("Connections that only wait make room for others, those that have waited longest first")
  func makesRoom() async throws {
    var limits = ServerLimits()
    (limits.connections, limits.patience, limits.idleSeconds) = (3, 1, 600)
    let server = try Server(limits, handler: Self.hello)
    defer { withExtendedLifetime(server) {} }
    var held: [Int32] = []
    for text in ["", "GET / HT", ""] {
      held.append(try server.connect(text))
      // The threads of the connections begin to wait in any order.
      try await Task.sleep(for: .milliseconds(300))
    }
    try await Task.sleep(for: .milliseconds(1200))
    for _ in 0..<2 {
      let answer = await Server.readAll(try server.connect("GET /a HTTP/1.1\r\nConnection: close\r\n\r\n"))
      #expect(answer.hasPrefix("HTTP/1.1 200 "))
    }
    // The first two were closed without an answer, or the first alone if the place of the first request was free again.
    #expect(await Server.readAll(held[0]).isEmpty)
    Server.send("GET /b HTTP/1.1\r\nConnection: close\r\n\r\n", to: held[2])
    #expect(await Server.readAll(held[2]).hasSuffix("hello b"))
    close(held[1])
  }

  /// The response is larger than the buffers of the sockets.
  @Test("Connections whose clients do not take their responses make room for others")
  func makesRoomForReaders() async throws {
    var limits = ServerLimits()
    (limits.connections, limits.patience, limits.idleSeconds) = (2, 1, 600)
    let server = try Server(limits) { request in
      .ready(
        HTTPResponse(
          [UInt8](repeating: 65, count: request.path == ["large"] ? 64 << 20 : 5), type: "text/plain"))
    }
    defer { withExtendedLifetime(server) {} }
    let held = [
      try server.connect("GET /large HTTP/1.1\r\n\r\n"), try server.connect("GET /large HTTP/1.1\r\n\r\n"),
    ]
    try await Self.wait {
      let answer = await Server.readAll(try server.connect("GET /a HTTP/1.1\r\nConnection: close\r\n\r\n"))
      return answer.hasSuffix("AAAAA")
    }
    for socket in held { close(socket) }
  }

  /// The events of a handler that waits until it is cancelled.
  private actor Events {
    private(set) var names: [String] = []
    func add(_ name: String) { names.append(name) }
  }

  /// Expects that a condition holds within 15 seconds; other tests share the processors.
  private static func wait(for condition: () async throws -> Bool) async throws {
    for _ in 0..<300 {
      if try await condition() { return }
      try await Task.sleep(for: .milliseconds(50))
    }
    Issue.record("the condition did not hold within 15 seconds")
  }

  private static func waiting(_ events: Events) -> HTTPListener.Handler {
    { _ in
      .work {
        await events.add("start")
        do { try await Task.sleep(for: .seconds(20)) } catch { await events.add("cancelled") }
        return HTTPResponse([], type: "text/plain")
      }
    }
  }

  @Test("A request over the time limit gets 503, and its work is cancelled")
  func timeLimit() async throws {
    var limits = ServerLimits()
    limits.seconds = 1
    let events = Events()
    let server = try Server(limits, handler: Self.waiting(events))
    defer { withExtendedLifetime(server) {} }
    let answer = await Server.readAll(try server.connect("GET / HTTP/1.1\r\nConnection: close\r\n\r\n"))
    #expect(answer.hasPrefix("HTTP/1.1 503 "))
    try await Self.wait { await events.names == ["start", "cancelled"] }
  }

  @Test("The work of a client that goes away is cancelled")
  func clientGone() async throws {
    let events = Events()
    let server = try Server(handler: Self.waiting(events))
    defer { withExtendedLifetime(server) {} }
    let socket = try server.connect("GET / HTTP/1.1\r\n\r\n")
    try await Self.wait { await events.names == ["start"] }
    close(socket)
    try await Self.wait { await events.names == ["start", "cancelled"] }
  }

  @Test("A stopped server refuses connections while it finishes the last request")
  func refusesConnections() async throws {
    let events = Events()
    let server = try Server { _ in
      .work {
        await events.add("start")
        while await events.names.last != "go on" { try? await Task.sleep(for: .milliseconds(50)) }
        await events.add("end")
        return HTTPResponse(Array("late".utf8), type: "text/plain")
      }
    }
    let socket = try server.connect("GET / HTTP/1.1\r\n\r\n")
    try await Self.wait { await events.names == ["start"] }
    let listener = server.listener
    Thread.detachNewThread { listener.stop(waiting: 600) }
    try await Self.wait { server.refuses }
    #expect(await events.names == ["start"])
    await events.add("go on")
    #expect(await Server.readAll(socket).hasSuffix("late"))
  }

  @Test("A stopped server finishes the request and accepts no other")
  func stops() async throws {
    let events = Events()
    let server = try Server { _ in
      .work {
        await events.add("start")
        try? await Task.sleep(for: .milliseconds(300))
        return HTTPResponse(Array("late".utf8), type: "text/plain")
      }
    }
    let socket = try server.connect("GET / HTTP/1.1\r\n\r\n")
    try await Self.wait { await events.names == ["start"] }
    let listener = server.listener
    Thread.detachNewThread { listener.stop(waiting: 600) }
    #expect(await Server.readAll(socket).hasSuffix("late"))
  }

  @Test("Requests beyond the queue get 503 while all others work, and the server recovers")
  func overload() async throws {
    var limits = ServerLimits()
    (limits.concurrency, limits.queue) = (1, 2)
    let service = try Served.service(limits: limits)
    let target = "/maps/us-counties/image?size=1200x800"
    var begun = try (0..<12).map { _ in service.begin(try HTTPRequest(target)) }
    let refused = begun.filter { if case .ready(let response) = $0 { response.status == 503 } else { false } }
    #expect(refused.count == 9)
    #expect(try await service.get("/health").status == 200)
    var statuses: [Int] = []
    for answer in begun { statuses.append(await answer.response.status) }
    #expect(statuses.count { $0 == 200 } == 3 && statuses.count { $0 == 503 } == 9)
    begun = []
    #expect(try await service.get(target).status == 200)
  }

  @Test("A place is free again when its work is done or dropped")
  func places() async throws {
    var limits = ServerLimits()
    (limits.concurrency, limits.queue) = (1, 0)
    let service = try Served.service(limits: limits)
    for _ in 0..<3 {
      let dropped = service.begin(try HTTPRequest("/maps/world-cities/count"))
      if case .ready = dropped { Issue.record("refused") }
    }
    for _ in 0..<3 { #expect(try await service.get("/maps/world-cities/count").status == 200) }
  }
}
