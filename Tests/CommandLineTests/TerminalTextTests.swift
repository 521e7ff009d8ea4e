import Foundation
import MapSystem
import MapTestSupport
import Testing

/// Text from files and users in answers and messages, and output streams that cannot be written.
@Suite("Text on a terminal")
struct TerminalTextTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let hostile = "\u{1B}[2J\nerror: faked\u{202E}\u{9B}1m\u{7F}"

  private func shell(_ command: String) async throws -> Tool.Run {
    try await Tool.run(
      ["-c", command], folder: folder.root, program: URL(fileURLWithPath: "/bin/bash"),
      environment: ["TOOL": Tool.url.path])
  }

  /// Checks that the output has no terminal control characters and no line starting with `error: ` except the
  /// tool's own.
  private func expectSafe(_ run: Tool.Run, code: Int32 = 0) {
    #expect(run.code == code, "\(run)")
    #expect(!run.isSignal, "\(run)")
    for text in [run.out, run.err] {
      let lines = text.split(separator: "\n")
      #expect(
        lines.allSatisfy { line in
          line.unicodeScalars.allSatisfy { scalar in
            scalar == "\t" || ![.control, .format].contains(scalar.properties.generalCategory)
          }
        }, "\(run)")
      #expect(!lines.contains { $0.hasPrefix("error: faked") }, "\(run)")
    }
  }

  @Test("Control characters in names are escaped in every output")
  func names() async throws {
    let name = Self.hostile
    let json = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
    let data = try folder.write(
      #"{"type":"Feature","properties":{\#(json):\#(json),"n":1},"geometry":{"type":"Point","coordinates":[1,2]}}"#,
      to: "data.geojson")
    let map = try folder.write(
      """
      {"operationalLayers":[{"id":"a","title":\(json),"url":"data.geojson",\(json):1,
       "layerDefinition":{"definitionExpression":"n = 1","drawingInfo":{"renderer":{"type":"uniqueValue",
       "field1":\(json),"uniqueValueInfos":[{"value":\(json),"label":\(json),"symbol":{"type":"esriSMS",
       "style":"esriSMSCircle","color":[1,2,3,255],"size":4}}]}}}},
       {"id":"b","title":"b","url":"data.geojson"}],"version":"2.31"}
      """, to: "map.json")
    for arguments in [
      ["inspect", map], ["inspect", data], ["count", map], ["count", map, "--funnel"],
      ["query", data, "--format", "text"], ["explain", map, "--layer", "0", "--id", "1"],
      ["statistics", data, "--statistic", "sum:n", "--group-by", name],
    ] {
      let run = try await Tool.run(arguments)
      expectSafe(run)
      #expect(arguments[0] == "explain" || (run.out + run.err).contains("\\u001b[2J"), "\(run)")
    }
    for arguments in [
      ["count", map, "--layer", name + "x"], ["count", folder.path(name)],
      ["count", data, "--where", "\(name) = 1"],
    ] { expectSafe(try await Tool.run(arguments), code: 2) }
    expectSafe(try await Tool.run("count", data, "--\(name)"), code: 64)
  }

  @Test("A long name is shortened in messages, and the reason is kept")
  func longNames() async throws {
    let long = String(repeating: "x", count: 100_000)
    let data = try folder.write(SmallMap.places, to: "places.geojson")
    let map = try folder.write(
      #"{"operationalLayers":[{"id":"a","title":"\#(long)","url":"places.geojson","\#(long)":1}]}"#,
      to: "map.json")
    // Blanks and quotes: no single word is long.
    let spaced = String(repeating: #"xx \" "#, count: 20_000)
    let words = try folder.write(
      #"{"operationalLayers":[{"id":"a","title":"\#(spaced)","url":"none"}]}"#, to: "words.json")
    for (arguments, code, reason) in [
      (["count", long], 2, "file name too long"), (["count", data, "--layer", long], 2, "no layer"),
      (["count", data, "--where", "\(long) = 1"], 2, "unknown field"), (["count", map], 0, "unknown member"),
      (["count", words], 2, "none"), ([long], 64, "there is no command"),
    ] as [([String], Int32, String)] {
      let run = try await Tool.run(arguments)
      #expect(run.code == code, "\(run.err.prefix(3000))")
      #expect(run.err.contains(reason), "\(run.err.prefix(3000))")
      #expect(run.err.utf8.count < 3000)
      #expect(!run.err.contains(String(repeating: "x", count: 201)))
    }
    let inspected = try await Tool.run("inspect", map)
    #expect(inspected.code == 0)
    #expect(inspected.out.utf8.count < 2000)
  }

  @Test("An error about a line of a file gives its number and does not show its text")
  func lines() async throws {
    let data = try folder.write(SmallMap.places, to: "places.geojson")
    let secret = try folder.write("0,0,1,1\nroot:x:hidden-words\n", to: "secret")
    for (option, line) in [("--extents", "line 2"), ("--geometry", "line 1"), ("--services", "line 1")] {
      let run = try await Tool.run("count", data, option, secret)
      #expect(run.code == 2, "\(run)")
      #expect(run.err.contains(line), "\(run)")
      #expect(!run.err.contains("hidden"), "\(run)")
      #expect(!run.err.contains("root"), "\(run)")
    }
  }

  @Test("A full or closed standard output is an error, but a reader that closes early is not")
  func streams()
    async throws
  {
    let line =
      #"{"type":"Feature","properties":{"n":1},"geometry":{"type":"Point","coordinates":[1,2]}}"# + "\n"
    try folder.write(String(repeating: line, count: 20_000), to: "large.ndjson")
    for command in [
      "--help", "--version", "help count", "count --help", "count large.ndjson", "filter --functions",
    ] {
      let full = try await shell("\"$TOOL\" \(command) > /dev/full")
      #expect(full.code == 2, "\(full)")
      #expect(full.errors == ["error: standard output: no space left on device"], "\(full)")
      let closed = try await shell("\"$TOOL\" \(command) >&-")
      #expect(closed.code == 2, "\(closed)")
      #expect(closed.errors == ["error: standard output: is closed"], "\(closed)")
    }
    for command in ["query large.ndjson", "query large.ndjson -o -", "query large.ndjson --format text"] {
      let run = try await shell("\"$TOOL\" \(command) | head -c 10 > /dev/null; echo ${PIPESTATUS[0]}")
      #expect(run.out == "0\n", "\(command) \(run)")
      #expect(run.err == "", "\(command) \(run)")
    }
    let silent = try await shell("\"$TOOL\" render large.ndjson -o x.png --size 20x20 <&- >&- 2>&-")
    #expect(silent.code == 0, "\(silent)")
    #expect(silent.err == "", "\(silent)")
    #expect(try Data(contentsOf: folder.url("x.png")).starts(with: [0x89, 0x50, 0x4E, 0x47]))
  }

  @Test("Message text escapes control characters and shortens long names")
  func escapes() {
    #expect(MessageText.escaped("a\u{200D}é 👩‍🚀\u{AD}") == "a\u{200D}é 👩‍🚀\u{AD}")
    #expect(
      MessageText.escaped("\u{0}\t\r\n\u{1B}\u{85}\u{2028}\u{2066}\u{E0041}")
        == #"\u0000\t\r\n\u001b\u0085\u2028\u2066\u{e0041}"#)
    #expect(MessageText.name(String(repeating: "é", count: 300)).count == 201)
    #expect(MessageText.lines("a\u{1B}\nb") == "a\u{FFFD}\nb")
    let long = String(repeating: "y", count: 500)
    let cut = String(repeating: "y", count: 200) + "…"
    #expect(
      MessageText.line("layer \"\(long) z\": why: \(long): end") == "layer \"\(cut)\": why: \(cut): end")
    #expect(MessageText.line(String(repeating: "a b ", count: 2000)).count == 2001)
  }
}
