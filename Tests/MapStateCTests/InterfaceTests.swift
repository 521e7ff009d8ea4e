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

  /// Calls a function of the interface, and returns its result, its JSON and its image.
  private func called(
    _ body: (UnsafeMutablePointer<mapstate_answer>) -> mapstate_result
  ) throws -> (result: mapstate_result, json: JSONValue, image: [UInt8]?) {
    var answer = unsafe mapstate_answer()
    let result = unsafe body(&answer)
    defer { unsafe freeAnswer(&answer) }
    let text = unsafe UnsafeRawBufferPointer(start: answer.json, count: answer.json_length)
    let json = try JSONValue(parsing: unsafe Array(text))
    let image = unsafe answer.image.map {
      unsafe Array(UnsafeBufferPointer(start: $0, count: answer.image_length))
    }
    return (result, json, image)
  }

  private func session(_ options: String? = nil) throws -> mapstate_session {
    var number: mapstate_session = 0
    let (result, json, _) = try unsafe called { answer in
      if let options {
        unsafe create(options, options.utf8.count, &number, answer)
      } else {
        unsafe create(nil, 0, &number, answer)
      }
    }
    try #require(result == MAPSTATE_DONE, "\(json.text())")
    return number
  }

  private func ask(
    _ session: mapstate_session, _ step: String
  ) throws -> (result: mapstate_result, json: JSONValue, image: [UInt8]?) {
    try unsafe called { unsafe request(session, step, step.utf8.count, $0) }
  }

  @Test("A session counts and draws as the tool does")
  func countsAndDraws() throws {
    let map = try session()
    defer { destroy(map) }
    let opened = try ask(map, #"{"step": "open", "source": "\#(Self.document)", "size": [200, 100]}"#)
    #expect(opened.result == MAPSTATE_DONE)
    let count = try ask(map, #"{"step": "count", "bounds": [5, 45, 15, 55]}"#)
    #expect(count.json["layers"]?.array?.first?["count"] == 144)
    let drawn = try ask(map, #"{"step": "render"}"#)
    let bitmap = try Bitmap(pngData: #require(drawn.image))
    #expect(bitmap.width == 200 && bitmap.height == 100)
    #expect(drawn.json["report"]?["layers"]?.array?.isEmpty == false)
  }

  @Test("Wrong requests are errors with a kind and a suggestion")
  func wrongRequests() throws {
    let map = try session()
    defer { destroy(map) }
    let cases: [(String, mapstate_result)] = [
      ("", MAPSTATE_INPUT), ("{", MAPSTATE_INPUT), ("null", MAPSTATE_INPUT), ("[]", MAPSTATE_INPUT),
      (#"{"step": "count"}"#, MAPSTATE_INPUT), (#"{"step": "fly"}"#, MAPSTATE_INPUT),
      (#"{"step": "open", "source": "none.json"}"#, MAPSTATE_INPUT),
      (#"{"step": "open", "source": "\#(Self.document)", "size": [1e9, 1e9]}"#, MAPSTATE_USAGE),
      (#"{"step": "open", "source": "\#(Self.document)", "pixelRatio": -1}"#, MAPSTATE_USAGE),
    ]
    for (step, result) in cases {
      let answer = try ask(map, step)
      #expect(answer.result == result, "\(step): \(answer.json.text())")
      #expect(answer.json["ok"] == false && answer.json["error"]?.string?.isEmpty == false)
    }
    let misspelt = try ask(map, #"{"step": "open", "sorce": "a"}"#)
    #expect(misspelt.json["suggestion"] == "source")
  }

  @Test("Null pointers, texts that are not UTF-8 and destroyed sessions are errors")
  func wrongCalls() throws {
    let map = try session()
    let null = try unsafe called { unsafe request(map, nil, 0, $0) }
    #expect(null.result == MAPSTATE_USAGE)
    let bytes: [CChar] = [0x22, -1, -2, 0x22]
    let wrong = try unsafe called { unsafe request(map, bytes, bytes.count, $0) }
    #expect(wrong.result == MAPSTATE_INPUT)
    #expect(request(map, nil, 0, nil) == MAPSTATE_USAGE)
    destroy(map)
    destroy(map)
    #expect(try ask(map, #"{"step": "close"}"#).result == MAPSTATE_USAGE)
    #expect(try ask(.max, #"{"step": "close"}"#).result == MAPSTATE_USAGE)
    freeAnswer(nil)
  }

  @Test(
    "Wrong options are errors, and no session is created",
    arguments: [#"{"folders": "a"}"#, "[]", "x", #"{"threads": 0}"#, #"{"services": "none.json"}"#])
  func wrongOptions(_ options: String) throws {
    var number: mapstate_session = 1
    let answer = try unsafe called { unsafe create(options, options.utf8.count, &number, $0) }
    #expect(answer.result != MAPSTATE_DONE && number == 0)
    #expect(answer.json["ok"] == false)
  }

  @Test("Eight threads ask one session and their own sessions, and get the same answers")
  func threads() async throws {
    let shared = try session()
    defer { destroy(shared) }
    let open = #"{"step": "open", "source": "\#(Self.document)", "size": [120, 80]}"#
    _ = try ask(shared, open)
    let expected = try #require(try ask(shared, #"{"step": "render"}"#).image)
    let images = try await withThrowingTaskGroup(of: [[UInt8]?].self) { group in
      for _ in 0..<8 {
        group.addTask {
          let own = try self.session(#"{"threads": 1}"#)
          defer { destroy(own) }
          _ = try self.ask(own, open)
          return [
            try self.ask(own, #"{"step": "render"}"#).image,
            try self.ask(shared, #"{"step": "render"}"#).image,
          ]
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(images.count == 16)
    #expect(images.allSatisfy { $0 == expected })
  }

  @Test("The versions of the header and the library are equal")
  func versions() {
    #expect(interfaceVersion() == MAPSTATE_INTERFACE_VERSION)
    #expect(unsafe String(cString: release()).split(separator: ".").count == 3)
  }
}
