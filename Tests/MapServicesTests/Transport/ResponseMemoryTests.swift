import MapFeatures
import MapServices
import MapTestSupport
import Synchronization
import Testing

/// Concurrent answers share one memory limit.
@Suite("Memory of answers") struct ResponseMemoryTests {
  private static func ask(_ path: String, _ memory: ResponseMemory) async throws -> HTTPResponse {
    try await CurlTransport(memory: memory, environment: [:]).response(
      to: HTTPRequest(get: FaultyServer.address() + path), before: .now + .seconds(600))
  }

  @Test(
    "An endless answer is a memory error and releases its memory",
    arguments: ["/endless", "/bomb"])
  func endless(path: String) async throws {
    let memory = ResponseMemory(limit: 1 << 20)
    let kinds = await withTaskGroup(of: ServiceError.Kind?.self) { group in
      for _ in 0..<4 {
        group.addTask {
          do { _ = try await Self.ask(path, memory) } catch { return (error as? ServiceError)?.kind }
          return nil
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(kinds == [.memory, .memory, .memory, .memory])
    #expect(memory.taken.most <= 1 << 20)
    #expect(memory.taken.now == 0)
  }

  @Test("An answer occupies its memory until it is read")
  func isKept() async throws {
    let memory = ResponseMemory(limit: 300_000)
    var first: HTTPResponse? = try await Self.ask("/size/200000", memory)
    #expect(memory.taken.now == 200_000)
    let error = await #expect(throws: ServiceError.self) { try await Self.ask("/size/200000", memory) }
    #expect(error?.kind == .memory)
    #expect(error?.reason.contains("300000 bytes") == true)
    #expect(first?.body.count == 200_000)
    first = nil
    #expect(memory.taken.now == 0)
    #expect(
      try await Self.ask("/size/200000", memory).body == [UInt8](repeating: UInt8(ascii: "x"), count: 200_000)
    )
  }

  @Test("A large body is delivered completely")
  func large() async throws {
    let memory = ResponseMemory(limit: 32 << 20)
    let body = try await Self.ask("/size/20000001", memory).body
    #expect(body.count == 20_000_001)
    #expect(body.allSatisfy { $0 == UInt8(ascii: "x") })
  }

  /// The memory has room for one page of the service at a time.
  @Test("Pages that do not fit in memory together are requested one at a time")
  func pagesAlone()
    async throws
  {
    let base = CurlTransport(environment: [:])
    let underWay = Mutex((now: 0, refused: 0, pages: 0))
    let stub = StubTransport { (request) throws(ServiceError) in
      guard request.url.contains("resultOffset") || request.parameters["resultOffset"] != nil else {
        return try await base.response(to: request, before: .now + .seconds(600))
      }
      let others = underWay.withLock { state in
        state.now += 1
        return state.now - 1
      }
      defer { underWay.withLock { $0.now -= 1 } }
      guard others == 0 else {
        underWay.withLock { $0.refused += 1 }
        throw ServiceError("too much", at: request.url, kind: .memory)
      }
      underWay.withLock { $0.pages += 1 }
      try? await Task.sleep(for: .milliseconds(20))
      return try await base.response(to: request, before: .now + .seconds(600))
    }
    let layer = try await ArcGISLayer.open(
      ArcGISServer.address("Places/FeatureServer/\(ArcGISServer.cities)", "page/1000/json"),
      client: ServiceClient(transport: stub))
    let table = try await layer.everything()
    #expect(table.rowCount == 10_020)
    let counts = underWay.withLock { $0 }
    #expect(counts.refused > 0, "\(counts)")
    #expect(counts.pages >= 11, "\(counts)")
  }
}
