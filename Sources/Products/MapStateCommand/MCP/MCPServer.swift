import Dispatch
import MapScript
import MapState
import MapSystem
import Synchronization

/// A server of the Model Context Protocol: JSON-RPC messages on standard input and output, one per line.
///
/// - Source: modelcontextprotocol.io, the revisions in ``revisions``; JSON-RPC 2.0.
actor MCPServer {
  /// The revisions of the protocol, the newest first.
  static let revisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
  /// The number of messages that wait; a client that sends more must wait, too.
  private static let waiting = 16

  private let tools: [MCPTool]
  private let folders: MCPFolders
  private var session: MapSession
  private let calls = MCPCalls()
  private let output = Mutex(())

  init(tools: [MCPTool], folders: MCPFolders, session: MapSession) {
    (self.tools, self.folders, self.session) = (tools, folders, session)
  }

  /// Answers all messages of standard input, one after the other.
  ///
  /// - Throws: `MapStateError` if an answer cannot be written.
  func serve() async throws(MapStateError) {
    let (messages, continuation) = AsyncStream.makeStream(of: JSONValue?.self)
    let places = DispatchSemaphore(value: Self.waiting)
    // A thread reads, so that a cancellation and a ping are seen while a tool works.
    DispatchQueue(label: "mapstate.mcp").async {
      var input = MCPInput()
      while let line = input.next() {
        var message: JSONValue?
        if case .bytes(let bytes) = line {
          guard bytes.contains(where: { $0 > 0x20 }) else { continue }
          message = try? JSONValue(parsing: bytes)
        }
        if let message, self.isAnsweredAtOnce(message) { continue }
        places.wait()
        continuation.yield(message)
      }
      continuation.finish()
    }
    for await message in messages {
      let answer: JSONValue?
      if let parts = message?.array, !parts.isEmpty {
        // A batch, which revision 2025-03-26 has.
        var answers: [JSONValue] = []
        for part in parts { if let answer = await self.answer(part) { answers.append(answer) } }
        answer = answers.isEmpty ? nil : .array(answers)
      } else if let message {
        answer = await self.answer(message)
      } else {
        answer = Self.failure(-32700, "no JSON of at most \(MCPInput.limit >> 20) MiB", id: .null)
      }
      if let answer { try write(answer) }
      places.signal()
    }
  }

  private nonisolated func write(_ message: JSONValue) throws(MapStateError) {
    try output.withLock { _ throws(MapStateError) in try StandardOutput.write(message.text() + "\n") }
  }

  /// Notes requests and cancellations, and answers a ping; other messages wait for their turn.
  private nonisolated func isAnsweredAtOnce(_ message: JSONValue) -> Bool {
    for part in message.array ?? [message] {
      if part["method"]?.string == "notifications/cancelled" {
        if let id = part["params"]?["requestId"] { calls.cancel(id) }
      } else if let id = part["id"] {
        calls.add(id)
      }
    }
    guard message["method"]?.string == "ping", let id = message["id"] else { return false }
    _ = calls.end(id)
    // A client that no longer reads gets no answer to its calls either, which ends the server.
    try? write(Self.success([:], id: id))
    return true
  }

  /// Returns the answer to a message; nil for one that has none, and for a cancelled request.
  private func answer(_ message: JSONValue) async -> JSONValue? {
    let answer = await respond(to: message)
    if let id = message["id"], calls.end(id) { return nil }
    return answer
  }

  private func respond(to message: JSONValue) async -> JSONValue? {
    guard message["jsonrpc"]?.string == "2.0", let method = message["method"]?.string else {
      // An answer of the client has no answer, although the server asks nothing.
      let isAnswer = message["result"] != nil || message["error"] != nil
      return isAnswer ? nil : Self.failure(-32600, "no request of JSON-RPC 2.0", id: .null)
    }
    guard let id = message["id"] else { return nil }
    guard id.string != nil || id.double != nil else {
      return Self.failure(-32600, "the id is neither a text nor a number", id: .null)
    }
    return await respond(to: method, message["params"] ?? [:], id: id)
  }

  private func respond(to method: String, _ parameters: JSONValue, id: JSONValue) async -> JSONValue {
    switch method {
    case "initialize":
      let asked = parameters["protocolVersion"]?.string ?? ""
      return Self.success(
        [
          "protocolVersion": .string(Self.revisions.contains(asked) ? asked : Self.revisions[0]),
          "capabilities": ["tools": [:]],
          "serverInfo": ["name": "mapstate", "version": .string("\(Release.version)")],
          "instructions":
            "Open a map first, then ask about it. Counts and images use one selection of features.",
        ], id: id)
    case "ping": return Self.success([:], id: id)
    case "tools/list":
      let files = folders.list
      return Self.success(["tools": .array(tools.map { $0.json(files: files) })], id: id)
    case "tools/call":
      let name = parameters["name"]?.string ?? ""
      guard let tool = tools.first(where: { $0.name == name }) else {
        let known = tools.map(\.name).joined(separator: ", ")
        return Self.failure(
          -32602, "no tool named \"\(MessageText.name(name))\"; available: \(known)", id: id)
      }
      let (content, isError) = await call(tool, parameters["arguments"] ?? [:], id: id)
      return Self.success(["content": .array(content), "isError": .boolean(isError)], id: id)
    default: return Self.failure(-32601, "no method \"\(MessageText.name(method))\"", id: id)
    }
  }

  /// Performs the step of a tool, which a cancellation stops.
  private func call(
    _ tool: MCPTool, _ arguments: JSONValue, id: JSONValue
  ) async -> (content: [JSONValue], isError: Bool) {
    let request: JSONValue
    do throws(MapStateError) {
      guard let object = arguments.object else {
        throw MapStateError(.usage, "\"arguments\" is \(arguments.kind.phrase), and not an object")
      }
      request = try tool.request(object, in: folders)
    } catch {
      return (MCPTool.text(error.description), true)
    }
    let work = Task { [session] in
      var session = session
      let answer = await session.answer(to: request)
      return (session, answer)
    }
    calls.start(id) { work.cancel() }
    let (after, answer) = await work.value
    session = after
    return tool.content(answer)
  }

  private static func success(_ result: JSONValue, id: JSONValue) -> JSONValue {
    ["jsonrpc": "2.0", "id": id, "result": result]
  }

  private static func failure(_ code: Int, _ message: String, id: JSONValue) -> JSONValue {
    ["jsonrpc": "2.0", "id": id, "error": ["code": .number(code), "message": .string(message)]]
  }
}

/// The requests that wait or run, so that a client can cancel them.
private final class MCPCalls: Sendable {
  private struct State {
    /// Whether each is cancelled.
    var isCancelled: [JSONValue: Bool] = [:]
    var running: (id: JSONValue, stop: @Sendable () -> Void)?
  }

  private let state = Mutex(State())

  func add(_ id: JSONValue) { state.withLock { $0.isCancelled[id] = false } }

  /// Cancels a request; does nothing for others.
  func cancel(_ id: JSONValue) {
    state.withLock { state in
      guard state.isCancelled[id] != nil else { return }
      state.isCancelled[id] = true
      if let running = state.running, running.id == id { running.stop() }
    }
  }

  /// Notes that a request runs, and stops it if it was cancelled before.
  func start(_ id: JSONValue, stop: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      state.running = (id, stop)
      return state.isCancelled[id] ?? false
    }
    if isCancelled { stop() }
  }

  /// Removes a request, and returns whether it was cancelled.
  func end(_ id: JSONValue) -> Bool {
    state.withLock { state in
      if let running = state.running, running.id == id { state.running = nil }
      return state.isCancelled.removeValue(forKey: id) ?? false
    }
  }
}
