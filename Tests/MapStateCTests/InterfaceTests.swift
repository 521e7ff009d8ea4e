import CMapState
import Foundation
import MapImages
import MapJSON
import MapStateC
import Testing

@Suite("C interface")
struct InterfaceTests {
  private static let document = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Styles/world-cities.json").path

  private struct Called: Sendable {
    let result: mapstate_result
    let session: mapstate_session
    let json: JSONValue
    let data: [UInt8]?
  }

  /// Calls a function of the interface on a thread of its own: it blocks, which threads of tasks must not.
  private func called(
    _ body:
      @escaping @Sendable (UnsafeMutablePointer<mapstate_answer>, inout mapstate_session) -> mapstate_result
  ) async throws -> Called {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            var answer = unsafe mapstate_answer()
            var session = mapstate_session.max
            let result = unsafe body(&answer, &session)
            defer { unsafe freeAnswer(&answer) }
            let text = unsafe Array(UnsafeRawBufferPointer(start: answer.json, count: answer.json_length))
            let data = unsafe answer.data.map {
              unsafe Array(UnsafeBufferPointer(start: $0, count: answer.data_length))
            }
            return Called(
              result: result, session: session, json: try JSONValue(parsing: text), data: data)
          })
      }
    }
  }

  private func session(_ options: String = "{}") async throws -> mapstate_session {
    let made = try await unsafe called { unsafe create(options, options.utf8.count, &$1, $0) }
    try #require(made.result == MAPSTATE_DONE, "\(made.json.text())")
    return made.session
  }

  private func ask(_ session: mapstate_session, _ step: String) async throws -> Called {
    try await unsafe called { answer, _ in unsafe request(session, step, step.utf8.count, answer) }
  }

  @Test("A session counts and draws as the tool does")
  func countsAndDraws() async throws {
    let map = try await session()
    defer { destroy(map) }
    let opened = try await ask(map, #"{"step": "open", "source": "\#(Self.document)", "size": [200, 100]}"#)
    #expect(opened.result == MAPSTATE_DONE)
    let count = try await ask(map, #"{"step": "count", "bounds": [5, 45, 15, 55]}"#)
    #expect(count.json["layers"]?.array?.first?["count"] == 144)
    let drawn = try await ask(map, #"{"step": "render"}"#)
    let bitmap = try Bitmap(pngData: #require(drawn.data))
    #expect(bitmap.width == 200 && bitmap.height == 100)
    #expect(drawn.json["report"]?["layers"]?.array?.isEmpty == false)
    let table = try await ask(map, #"{"step": "query", "format": "arrow", "bounds": [5, 45, 15, 55]}"#)
    #expect(table.json["count"] == 144)
    #expect(table.data?.starts(with: [255, 255, 255, 255]) == true)
    let ids = try await ask(map, #"{"step": "query", "format": "arrow", "idsOnly": true}"#)
    #expect(ids.result == MAPSTATE_USAGE && ids.data == nil)
  }

  @Test("A view is recorded, compared, and a change is named")
  func snapshots() async throws {
    let map = try await session()
    defer { destroy(map) }
    let folder = FileManager.default.temporaryDirectory.appending(path: "mapstate-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(try await ask(map, #"{"step": "snapshot", "folder": "x"}"#).result == MAPSTATE_INPUT)
    _ = try await ask(map, #"{"step": "open", "source": "\#(Self.document)", "size": [200, 100]}"#)
    let step = #"{"step": "snapshot", "folder": "\#(folder)/cities", "artifacts": "\#(folder)/failed""#
    #expect(try await ask(map, step + "}").result == MAPSTATE_EXPECTATION)
    #expect(try await ask(map, step + #", "record": true}"#).result == MAPSTATE_DONE)
    #expect(try await ask(map, step + "}").result == MAPSTATE_DONE)
    #expect(try await ask(map, step + #", "recrod": true}"#).json["suggestion"] == "record")
    _ = try await ask(map, #"{"step": "filter", "definition": "POP_RANK = 1"}"#)
    let changed = try await ask(map, step + "}")
    #expect(changed.result == MAPSTATE_EXPECTATION)
    #expect("\(changed.json["error"] ?? .null)".contains("definition expression"))
    for name in ["expected", "actual", "difference"] {
      #expect(FileManager.default.fileExists(atPath: "\(folder)/failed/\(name).png"))
    }
  }

  @Test("Wrong requests are errors with a kind and a suggestion")
  func wrongRequests() async throws {
    let map = try await session()
    defer { destroy(map) }
    let cases: [(String, mapstate_result)] = [
      ("", MAPSTATE_INPUT), ("{", MAPSTATE_INPUT), ("null", MAPSTATE_INPUT), ("[]", MAPSTATE_INPUT),
      (#"{"step": "count"}"#, MAPSTATE_INPUT), (#"{"step": "fly"}"#, MAPSTATE_INPUT),
      (#"{"step": "open", "source": "none.json"}"#, MAPSTATE_INPUT),
      (#"{"step": "open", "source": "\#(Self.document)", "size": [1e9, 1e9]}"#, MAPSTATE_USAGE),
      (#"{"step": "open", "source": "\#(Self.document)", "pixelRatio": -1}"#, MAPSTATE_USAGE),
    ]
    for (step, result) in cases {
      let answer = try await ask(map, step)
      #expect(answer.result == result, "\(step): \(answer.json.text())")
      #expect(answer.json["ok"] == false && answer.json["error"]?.string?.isEmpty == false)
    }
    let misspelt = try await ask(map, #"{"step": "open", "sorce": "a"}"#)
    #expect(misspelt.json["suggestion"] == "source")
  }

  @Test("Null pointers, texts that are not UTF-8 and destroyed sessions are errors")
  func wrongCalls() async throws {
    let map = try await session()
    let null = try await unsafe called { answer, _ in unsafe request(map, nil, 0, answer) }
    #expect(null.result == MAPSTATE_USAGE)
    let bytes: [CChar] = [0x22, -1, -2, 0x22]
    let wrong = try await unsafe called { answer, _ in unsafe request(map, bytes, bytes.count, answer) }
    #expect(wrong.result == MAPSTATE_INPUT)
    #expect(request(map, nil, 0, nil) == MAPSTATE_USAGE)
    destroy(map)
    destroy(map)
    #expect(try await ask(map, #"{"step": "close"}"#).result == MAPSTATE_USAGE)
    #expect(try await ask(.max, #"{"step": "close"}"#).result == MAPSTATE_USAGE)
    freeAnswer(nil)
  }

  @Test(
    "Wrong options are errors, and no session is created",
    arguments: [#"{"folders": "a"}"#, "[]", "x", #"{"threads": 0}"#, #"{"services": "none.json"}"#])
  func wrongOptions(_ options: String) async throws {
    let answer = try await unsafe called { unsafe create(options, options.utf8.count, &$1, $0) }
    #expect(answer.result != MAPSTATE_DONE && answer.session == 0)
    #expect(answer.json["ok"] == false)
  }

  @Test("Eight threads ask one session and their own sessions, and get the same answers")
  func threads() async throws {
    let shared = try await session()
    defer { destroy(shared) }
    let open = #"{"step": "open", "source": "\#(Self.document)", "size": [120, 80]}"#
    _ = try await ask(shared, open)
    let drawn = try await ask(shared, #"{"step": "render"}"#)
    let expected = try #require(drawn.data)
    let images = try await withThrowingTaskGroup(of: [[UInt8]?].self) { group in
      for _ in 0..<8 {
        group.addTask {
          let own = try await self.session(#"{"threads": 1}"#)
          defer { destroy(own) }
          _ = try await self.ask(own, open)
          return [
            try await self.ask(own, #"{"step": "render"}"#).data,
            try await self.ask(shared, #"{"step": "render"}"#).data,
          ]
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(images.count == 16)
    #expect(images.allSatisfy { $0 == expected })
  }

  @Test("A request in progress counts its tiles and can be cancelled; the session then answers again")
  func cancels() async throws {
    let map = try await session()
    defer { destroy(map) }
    cancel(map)
    cancel(.max)
    _ = try await ask(map, #"{"step": "open", "source": "\#(Self.document)", "size": [120, 80]}"#)
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let step =
      #"{"step": "tiles", "output": "\#(folder.path)", "zoom": "0-9", "bounds": [-180, -60, 180, 60]}"#
    async let answer = ask(map, step)
    var (done, count): (UInt64, UInt64) = (0, 0)
    while done == 0 {
      try await Task.sleep(for: .milliseconds(5))
      unsafe progress(map, &done, &count)
    }
    cancel(map)
    let cancelled = try await answer
    #expect(cancelled.json["error"]?.string?.contains("cancelled") == true)
    #expect(done < count && count > 100_000)
    #expect(try await ask(map, #"{"step": "count"}"#).result == MAPSTATE_DONE)
    unsafe progress(.max, &done, nil)
    #expect(done == 0)
  }

  @Test("The versions of the header and the library are equal")
  func versions() {
    #expect(interfaceVersion() == MAPSTATE_INTERFACE_VERSION)
    #expect(unsafe String(cString: release()).split(separator: ".").count == 3)
  }
}
