import Foundation
import MapTestSupport
import Testing

@Suite("Ctrl-C")
struct StopTests {
  /// A file that takes seconds to draw: many overlapping polygons with many vertices.
  private func largeFile(in folder: ScratchFolder) throws -> String {
    var text = "{\"type\":\"FeatureCollection\",\"features\":[\n"
    let ring = (0...400).map { step -> String in
      let angle = Double(step % 400) / 200 * Double.pi
      let radius = step % 2 == 0 ? 60.0 : 30.0
      return "[\(radius * cos(angle)),\(radius * sin(angle))]"
    }.joined(separator: ",")
    let feature =
      "{\"type\":\"Feature\",\"properties\":{},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[\(ring)]]}}"
    text += Array(repeating: feature, count: 500).joined(separator: ",\n") + "]}"
    return try folder.write(text, to: "large.geojson")
  }

  /// The render is interrupted while it reads, while it draws and shortly before its end.
  @Test(
    "An interrupted render exits with 130 and leaves no output files", .timeLimit(.minutes(30)),
    arguments: [0.1, 0.4, 0.9, 1.5])
  func endsWith130(delay: Double)
    async throws
  {
    let folder = try ScratchFolder()
    let data = try largeFile(in: folder)
    // The shell measures the time, because a test that waits for its turn cannot. It has job control (`set -m`) and
    // starts with the usual action of an interrupt, because a program that inherits an ignored one loses an interrupt
    // that comes before its first statement.
    let script = """
      set -m
      "\(Tool.url.path)" render "\(data)" -o large.png --report report.json --size 4000x4000 2>/dev/null &
      sleep \(delay); kill -INT $!; start=$SECONDS; wait $!; echo $? $((SECONDS - start))
      """
    let run = try await Tool.run(
      ["--default-signal=INT", "bash", "-c", script], folder: folder.root,
      program: URL(fileURLWithPath: "/usr/bin/env"))
    let numbers = run.out.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    // Rendering the whole image takes many times as long.
    try #require(numbers.count == 2, "\(run)")
    #expect(numbers[0] == 130)
    #expect(numbers[1] <= 5)
    #expect(try folder.names() == ["large.geojson"])
  }

  @Test("An interrupted session that waits for input exits with 130")
  func waitingForInput() async throws {
    let folder = try ScratchFolder()
    let process = Process()
    process.executableURL = Tool.url
    process.arguments = ["run", "-"]
    process.currentDirectoryURL = folder.root
    process.standardInput = Pipe()
    process.standardOutput = FileHandle.nullDevice
    let stopping = Task {
      try await Task.sleep(for: .seconds(0.3))
      process.interrupt()
    }
    try await process.runToEnd()
    _ = try await stopping.value
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 130)
    #expect(try folder.names() == [])
  }

  @Test("A watching render draws again after each change, reports errors, and ends with Ctrl-C")
  func watching() async throws {
    let folder = try ScratchFolder()
    func data(_ longitude: Int) -> String {
      #"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[\#(longitude),0]}}"#
    }
    for place in 0...1 { _ = try folder.write(data(place * 5), to: "\(place).geojson") }
    _ = try folder.write(data(0), to: "map.geojson")
    _ = try folder.write("{", to: "broken")
    // Each step waits at most a minute for what it expects.
    let script = """
      set -m
      soon() { for i in $(seq 600); do if "$@"; then return; fi; sleep 0.1; done; echo "no: $*"; }
      "\(Tool.url.path)" render map.geojson -o map.png --bounds=-10,-10,10,10 --size 80x80 --watch 2>log &
      soon test -s map.png; cp map.png first.png
      cp 1.geojson map.geojson; soon grep -q '^note: drawn again: map.png' log
      cmp -s map.png first.png && echo same
      cp broken map.geojson; soon grep -q ^error: log
      cp 0.geojson map.geojson; soon cmp -s map.png first.png
      kill -INT $!; wait $!; echo $?
      """
    let run = try await Tool.run(
      ["--default-signal=INT", "bash", "-c", script], folder: folder.root,
      program: URL(fileURLWithPath: "/usr/bin/env"))
    let log = try String(contentsOf: folder.url("log"), encoding: .utf8)
    #expect(run.out == "130\n", "\(run) \(log)")
  }

  @Test(
    "Watching needs files, and contradicts --strict",
    arguments: [["-o", "-"], ["-o", "map.png", "--strict"]])
  func watchingNeedsFiles(options: [String]) async throws {
    let run = try await Tool.run(["render", Tool.countyData, "--watch"] + options)
    #expect(run.code == 64 && run.err.contains("--watch"), "\(run)")
  }
}
