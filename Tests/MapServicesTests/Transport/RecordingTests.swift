import Foundation
import MapServices
import MapState
import Testing

/// Recording and replaying through ``ServiceAccess``, as the tool does.
@Suite struct RecordingTests {
  private static let secret = "planted-secret-4711"

  /// A temporary folder for a test.
  private static func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "mapstate-\(UUID().uuidString)"
    ).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
  }

  private static func ask(_ access: ServiceAccess, _ url: String, _ path: String = "") async throws -> String
  {
    let (client, address) = try access.client(for: url)
    return String(
      decoding: try await client.response(to: HTTPRequest(get: path.isEmpty ? address : address + path)).body,
      as: UTF8.self)
  }

  private static func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test("A replay gives the recorded answers byte by byte")
  func replayIsTheRecordingByteForByte() async throws {
    let address = try FaultyServer.address()
    try await Self.withFolder { folder in
      var recorded = ServiceAccess()
      recorded.record(into: folder)
      let (client, _) = try recorded.client(for: address)
      let requests = [
        HTTPRequest(get: address + "/gzip"), HTTPRequest(get: address + "/echo?where=NAME%20%3D%20%27x%27"),
        HTTPRequest(post: address + "/echo", [("where", "1=1")]), HTTPRequest(get: address + "/status/404"),
        HTTPRequest(get: address + "/to/302?place=/size/10"),
      ]
      var answers: [HTTPResponse] = []
      for request in requests { answers.append(try await client.response(to: request)) }
      #expect(try Self.names(folder).count == 10)
      var replayed = ServiceAccess()
      replayed.replay(from: folder)
      let (again, _) = try replayed.client(for: address)
      for (request, answer) in zip(requests, answers) {
        let response = try await again.response(to: request)
        #expect(response.body == answer.body)
        #expect(response.status == answer.status)
        #expect(response.url == answer.url)
        #expect(response.header["content-type"] == answer.header["content-type"])
      }
      #expect(answers.map(\.body.count).min() == 10)
    }
  }

  @Test("Repeated requests get their recorded answers in order")
  func theSameQuestionGetsItsAnswersInTurn() async throws {
    let address = try FaultyServer.address()
    try await Self.withFolder { folder in
      var recorded = ServiceAccess()
      recorded.record(into: folder)
      var answers: [String] = []
      for _ in 1...3 { answers.append(try await Self.ask(recorded, address, "number/turns")) }
      var replayed = ServiceAccess()
      replayed.replay(from: folder)
      for _ in 1...5 { answers.append(try await Self.ask(replayed, address, "number/turns")) }
      #expect(answers == ["1", "2", "3", "1", "2", "3", "3", "3"])
    }
  }

  @Test("A request that was not recorded is an error that describes it")
  func whatWasNotAskedIsNamed() async throws {
    let stub = StubTransport { (request) throws(ServiceError) in HTTPResponse(json: "{}") }
    try await Self.withFolder { folder in
      var recorded = ServiceAccess(transport: stub)
      recorded.record(into: folder)
      _ = try await Self.ask(recorded, "https://gis.example/x?f=json")
      var replayed = ServiceAccess()
      replayed.replay(from: folder)
      // No network is used, since this host does not exist.
      #expect(try await Self.ask(replayed, "https://gis.example/x?f=json&token=\(Self.secret)") == "{}")
      let error = await #expect(throws: ServiceError.self) {
        try await Self.ask(replayed, "https://gis.example/x?f=pbf&token=\(Self.secret)")
      }
      #expect(
        error?.description
          == "https://gis.example/x: \(folder): has no answer to GET f=pbf; recorded answers: 1")
      let missing = await #expect(throws: ServiceError.self) {
        var nothing = ServiceAccess()
        nothing.replay(from: folder + "-not-there")
        _ = try await Self.ask(nothing, "https://gis.example/x")
      }
      #expect(missing?.reason.contains("not a readable folder") == true)
    }
  }

  /// The server echoes the token in its body, header and link.
  @Test("A recording contains no secret in names or contents")
  func nothingRecordedHasTheSecret() async throws {
    let address = try FaultyServer.address()
    try await Self.withFolder { folder in
      var recorded = ServiceAccess()
      recorded.record(into: folder)
      let (client, url) = try recorded.client(for: address + "/echo?f=json&token=\(Self.secret)")
      #expect(!url.contains(Self.secret))
      var texts = [url]
      texts.append("\(try await client.response(to: HTTPRequest(get: url)))")
      // A session token made by the service, in a link that it returned.
      let session = try await client.response(to: HTTPRequest(get: url + "&access_token=\(Self.secret)"))
      #expect(session.status == 200)
      let form = try await client.response(to: HTTPRequest(post: url, [("password", Self.secret)]))
      #expect(form.status == 200)
      let names = try Self.names(folder)
      #expect(names.count == 6)
      for name in names {
        texts.append(name)
        texts.append(
          String(decoding: try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")), as: UTF8.self))
      }
      for text in texts {
        #expect(!text.contains("4711"), "\(text)")
        #expect(!text.contains("planted"), "\(text)")
      }
    }
  }

  @Test("A folder that contains a recording is not overwritten")
  func aRecordingIsNotMixedWithAnother() async throws {
    let stub = StubTransport { (request) throws(ServiceError) in HTTPResponse(json: "{}") }
    try await Self.withFolder { folder in
      for run in 1...2 {
        var recorded = ServiceAccess(transport: stub)
        recorded.record(into: folder)
        let result = await Task { [recorded] in try await Self.ask(recorded, "https://gis.example/x") }.result
        let isAnswered = if case .success = result { true } else { false }
        #expect(isAnswered == (run == 1))
        guard case .failure(let error) = result else { continue }
        let text = "\(error)"
        #expect(text.contains("holds a recording already"))
      }
      let count = try Self.names(folder).count
      #expect(count == 2)
    }
  }

  @Test("A recording folder that cannot be written is an error")
  func aFolderThatCannotBeWrittenIsAnError() async throws {
    let stub = StubTransport { (request) throws(ServiceError) in HTTPResponse(json: "{}") }
    var recorded = ServiceAccess(transport: stub)
    recorded.record(into: "/proc/recording")
    let error = await #expect(throws: ServiceError.self) {
      try await Self.ask(recorded, "https://gis.example/x")
    }
    #expect(error?.reason.contains("cannot be recorded") == true)
  }

  @Test(
    "An invalid recording is an error",
    arguments: [
      #"{"method": "GET"}"#, "[1]", "{",
      #"{"method":"GET","url":"u","turn":1,"status":200,"body":"../../etc/passwd"}"#,
      #"{"method":"GET","url":"u","turn":1,"status":99999999999999999999,"body":"b"}"#,
    ])
  func brokenRecordingsAreErrors(json: String) async throws {
    try await Self.withFolder { folder in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(json.utf8).write(to: URL(fileURLWithPath: "\(folder)/a.exchange.json"))
      var replayed = ServiceAccess()
      replayed.replay(from: folder)
      await #expect(throws: ServiceError.self) { try await Self.ask(replayed, "https://gis.example/x") }
    }
  }
}
