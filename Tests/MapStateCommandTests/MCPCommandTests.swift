import Foundation
import MapScript
import MapState
import MapStateCommand
import MapTestSupport
import Testing

/// Answers of `mapstate mcp` to lines of the Model Context Protocol, without a client.
@Suite("mcp")
struct MCPCommandTests {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    _ = try SmallMap.write(to: folder)
  }

  private static func call(_ id: Int, _ tool: String, _ arguments: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
  }

  /// Returns the lines of standard output as JSON; nothing else may be there.
  private func answers(_ lines: [String], _ words: [String] = ["."]) async throws -> [JSONValue] {
    let run = try await Tool.run(["mcp"] + words, input: lines.joined(separator: "\n"), folder: folder.root)
    #expect(run.code == 0 && run.err == "", "\(run)")
    return try run.out.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
  }

  /// Returns the text of the answer of a tool, and whether it is an error.
  private static func text(_ answer: JSONValue?) -> (text: String, isError: Bool?) {
    let result = answer?["result"]
    return (result?["content"]?.array?.last?["text"]?.string ?? "", result?["isError"]?.boolean)
  }

  @Test("The server agrees on a revision, and lists read-only tools with schemas of their arguments")
  func handshake() async throws {
    func start(_ id: Int, _ version: String) -> String {
      #"{"jsonrpc":"2.0","id":\#(id),"method":"initialize","params":{"protocolVersion":"\#(version)"}}"#
    }
    let found = try await answers([
      start(1, "2025-03-26"), #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
      #"{"jsonrpc":"2.0","id":"a","method":"tools/list"}"#, start(2, "1999-01-01"),
    ])
    #expect(found.count == 3, "\(found)")
    #expect(found[0]["result"]?["protocolVersion"] == "2025-03-26")
    #expect(found[0]["result"]?["serverInfo"]?["name"] == "mapstate")
    #expect(found[2]["result"]?["protocolVersion"] == "2025-11-25")
    #expect(found[1]["id"] == "a")
    let tools = try #require(found[1]["result"]?["tools"]?.array)
    #expect(
      tools.compactMap { $0["name"]?.string } == [
        "open", "describe", "count", "statistics", "query", "render", "explain",
      ])
    for tool in tools {
      #expect(tool["annotations"]?["readOnlyHint"] == true)
      for member in tool["inputSchema"]?["properties"]?.object?.members ?? [] {
        #expect(member.value["description"]?.string?.isEmpty == false, "\(member.name)")
        #expect(member.value["type"]?.string != nil, "\(member.name)")
      }
    }
    let open = try #require(tools.first?["inputSchema"])
    #expect(open["properties"]?["source"]?["description"]?.string?.contains("map.json") == true)
    #expect(open["properties"]?["graticule"]?["type"] == "boolean")
    #expect(open["properties"]?["hide"]?["type"] == "array")
    #expect(open["required"] == ["source"])
  }

  @Test("Each argument of a tool is a field of its step, and none names a file")
  func arguments() throws {
    var count = 0
    for tool in try MCPTool.all() {
      for argument in tool.arguments {
        count += 1
        #expect(tool.step.fields.contains(argument), "\(tool.name) \(argument)")
      }
      let files = ["data", "join", "tiles", "font", "symbol", "output", "worldFile", "saveDocument", "image"]
      #expect(Set(tool.arguments).isDisjoint(with: files), "\(tool.name)")
    }
    #expect(count > 80, "\(count)")
  }

  @Test("The tools answer as the steps do, and an image is image content")
  func tools() async throws {
    let found = try await answers([
      Self.call(1, "count"), Self.call(2, "open", #"{"source":"map.json","size":"400x300"}"#),
      Self.call(3, "count", #"{"layer":"Places","funnel":true}"#), Self.call(4, "describe"),
      Self.call(5, "statistics", #"{"layer":"Places","statistic":["max:n"],"everywhere":true}"#),
      Self.call(6, "query", #"{"layer":"Places","everywhere":true,"maxFeatures":1,"noGeometry":true}"#),
      Self.call(7, "render"), Self.call(8, "explain", #"{"layer":"Places","objectId":1}"#),
    ])
    #expect(found.compactMap { $0["id"]?.integer } == Array(1...8))
    #expect(Self.text(found[0]).text == "no map is open; send the step \"open\" first")
    #expect(Self.text(found[0]).isError == true)
    for answer in found.dropFirst() { #expect(Self.text(answer).isError == false, "\(answer)") }
    let steps = [
      #"{"step":"open","source":"map.json","size":"400x300"}"#,
      #"{"step":"count","layer":"Places","funnel":true}"#,
      #"{"step":"explain","layer":"Places","objectId":1}"#, #"{"step":"render","output":"own.png"}"#,
    ]
    let run = try await Tool.run(["run", "-"], input: steps.joined(separator: "\n"), folder: folder.root)
    #expect(run.code == 0, "\(run)")
    let own = run.out.split(separator: "\n").map { "{\($0.dropFirst(#"{"ok":true,"#.count))" }
    #expect(Self.text(found[2]).text == own[1])
    #expect(Self.text(found[7]).text == own[2])
    #expect(Self.text(found[3]).text.hasPrefix(#"{"description":"#))
    let image = try #require(found[6]["result"]?["content"]?[0])
    #expect(image["type"] == "image" && image["mimeType"] == "image/png")
    let file = try Data(contentsOf: folder.url("own.png"))
    #expect(Data(base64Encoded: image["data"]?.string ?? "") == file)
  }

  @Test("Only files below the folders are opened, and a file elsewhere looks like a missing one")
  func folders() async throws {
    try folder.write(#"{"type":"FeatureCollection","features":[]}"#, to: "other/secret.geojson")
    try folder.write("n,x,y\n1,2,3\n", to: "maps/sub/data.csv")
    for (link, target) in [("maps/link.geojson", "../other/secret.geojson"), ("maps/out", "../other")] {
      try FileManager.default.createSymbolicLink(atPath: folder.path(link), withDestinationPath: target)
    }
    let refused = [
      "../other/secret.geojson", folder.path("other/secret.geojson"), "link.geojson", "out/secret.geojson",
      "missing.json", "-", "/dev/stdin", "http://127.0.0.1:9/a.json", "postgresql://localhost/a", "", "#a",
      "sub/data.csv\u{0}", "../other/secret.geojson#sub/data.csv",
    ]
    let lines = refused.enumerated().map { number, source in
      Self.call(number, "open", JSONValue.object(["source": .string(source)]).text())
    }
    let found = try await answers(lines + [Self.call(99, "open", #"{"source":"sub/data.csv"}"#)], ["maps"])
    #expect(found.count == refused.count + 1)
    for (source, answer) in zip(refused, found) {
      let (text, isError) = Self.text(answer)
      #expect(isError == true, "\(source)")
      #expect(text.hasSuffix("in the folders of this server; available: sub/"), "\(text)")
    }
    #expect(Self.text(found.last).isError == false, "\(found)")
  }

  @Test(
    "Arguments that would read a file or are no arguments are refused",
    arguments: [
      ("open", "{}", "\"source\" is missing"),
      ("open", #"{"source":7}"#, "source"),
      ("open", #"{"source":"map.json","font":"/etc/passwd"}"#, "no argument \"font\""),
      ("open", #"{"source":"map.json","basemap":"/etc/passwd"}"#, "no basemap named \"/etc/passwd\""),
      ("render", #"{"output":"x.png"}"#, "no argument \"output\""),
      ("count", #"{"geometry":"map.json"}"#, "give an object"),
      ("count", #"{"wher":"n > 1"}"#, "did you mean \"where\"?"),
      ("count", "[]", "and not an object"),
      ("explain", "{}", "\"objectId\" is missing"),
    ])
  func refusals(tool: String, arguments: String, message: String) async throws {
    let found = try await answers([
      Self.call(1, "open", #"{"source":"map.json"}"#), Self.call(2, tool, arguments),
    ])
    let (text, isError) = Self.text(found.last)
    #expect(isError == true && text.contains(message), "\(found)")
    #expect(try !folder.names().contains("x.png"))
  }

  @Test("Messages that are none get an error of JSON-RPC, and the server goes on")
  func hostileMessages() async throws {
    let deep = String(repeating: "[", count: 100_000)
    let lines: [(String, Int?)] = [
      ("{", -32700), (deep, -32700), (#"{"a":""# + String(repeating: "x", count: 5 << 20) + #""}"#, -32700),
      ("7", -32600), ("[]", -32600), (#"{"id":1,"method":"ping"}"#, nil),
      (#"{"jsonrpc":"2.0","id":{},"method":"tools/list"}"#, -32600),
      (#"{"jsonrpc":"2.0","id":3,"method":"resources/list"}"#, -32601),
      (Self.call(4, "rm"), -32602),
      (#"{"jsonrpc":"2.0","id":5,"method":"tools/call"}"#, -32602),
    ]
    let silent = [
      "", "  ", #"{"jsonrpc":"2.0","method":"notifications/unknown"}"#,
      #"{"jsonrpc":"2.0","id":null,"method":"tools/list"}"#,
      #"{"jsonrpc":"2.0","id":9,"result":{}}"#,
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}"#,
    ]
    let batch =
      #"[{"jsonrpc":"2.0","id":20,"method":"ping"},{"jsonrpc":"2.0","method":"x"},\#(Self.call(21, "count"))]"#
    let found = try await answers(lines.map(\.0) + silent + [batch])
    // A ping is answered before messages that wait.
    let others = found.filter { $0["id"] != 1 }
    #expect(found.count == lines.count + 1 && others.count == lines.count, "\(found.count)")
    #expect(
      others.dropLast().map { $0["error"]?["code"]?.integer } == lines.map(\.1).filter { $0 != nil },
      "\(others)")
    #expect(others.last?.array?.compactMap { $0["id"]?.integer } == [20, 21])
  }

  @Test("A cancelled request has no answer, and the next one has")
  func cancellation() async throws {
    let found = try await answers([
      Self.call(1, "open", #"{"source":"map.json"}"#), Self.call(2, "count"), Self.call(3, "count"),
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"late"}}"#,
    ])
    #expect(found.compactMap { $0["id"]?.integer } == [1, 3], "\(found)")
  }

  @Test("Answers that are too long, and images that are too large, are errors with advice")
  func limits() async throws {
    let points = (0..<9000).map { "\($0),\($0 % 170),\($0 % 80),\(String(repeating: "t", count: 100))" }
    try folder.write("n,x,y,t\n" + points.joined(separator: "\n") + "\n", to: "many.csv")
    let found = try await answers([
      Self.call(1, "open", #"{"source":"many.csv"}"#), Self.call(2, "query", #"{"everywhere":true}"#),
      Self.call(3, "query", #"{"everywhere":true,"maxFeatures":9000}"#),
      Self.call(4, "query", #"{"everywhere":true,"maxFeatures":9000,"ids":true}"#),
    ])
    #expect(Self.text(found[1]).text.components(separatedBy: "\"Feature\"").count == 101)
    let (text, isError) = Self.text(found[2])
    #expect(isError == true && text.contains("ask for less"), "\(text.prefix(300))")
    #expect(Self.text(found[3]).isError == false)
  }

  @Test("The folders must exist, and one is needed")
  func words() async throws {
    let missing = try await Tool.run(["mcp", "nowhere"], folder: folder.root)
    #expect(missing.code == 2 && missing.err.contains("nowhere"), "\(missing)")
    #expect(try await Tool.run(["mcp", "map.json"], folder: folder.root).err.contains("is not a folder"))
    #expect(try await Tool.run(["mcp"], folder: folder.root).code == 64)
  }
}
