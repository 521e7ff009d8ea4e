import Foundation
import MapTestSupport
import Testing

/// Every invalid input gives its exit code and one line that names it, and leaves no file behind.
@Suite("bad input")
struct BadInputTests {
  let folder: ScratchFolder
  let map: String

  init() throws {
    folder = try ScratchFolder()
    map = try SmallMap.write(to: folder)
  }

  /// Runs `count`, `render` and `inspect` on an unreadable source.
  private func refuse(_ source: String, code: Int32 = 2, naming name: String, arguments: [String] = [])
    async throws
  {
    let before = try folder.names()
    for command in [["count"], ["render", "-o", folder.path("out.png")], ["inspect"]] {
      if command[0] == "inspect", !arguments.isEmpty { continue }
      let run = try await Tool.run(command + [source] + arguments, folder: folder.root)
      expectRefused(run, code: code, naming: name)
    }
    #expect(try folder.names() == before)
  }

  private func expectRefused(_ run: Tool.Run, code: Int32, naming name: String) {
    #expect(!run.isSignal, "\(run)")
    #expect(run.code == code, "\(run)")
    #expect(run.out == "", "\(run)")
    let other = run.err.split(separator: "\n").filter { !$0.hasPrefix("warning: ") }
    #expect(run.errors.count == 1, "\(run.err)")
    #expect(other.first?.hasPrefix("error: ") == true, "\(run.err)")
    // Only a filter error shows the filter's text and a caret.
    #expect(other.count == 1 || (other.count == 3 && other[2].last == "^"), "\(run.err)")
    #expect(name.isEmpty || run.err.contains(name), "\(name) is not in \(run.err)")
  }

  @Test("A missing file, a folder or a device is refused by name")
  func filesThatAreNone() async throws {
    try await refuse(folder.path("nosuch.json"), naming: "nosuch.json")
    try await refuse(folder.path("nosuch.geojson"), naming: "nosuch.geojson")
    try await refuse(folder.path("nosuch/map.json"), naming: "nosuch/map.json")
    try await refuse(map + "/x.json", naming: "map.json/x.json")
    try await refuse(folder.path("data"), naming: "data")
    try await refuse("/dev/null", naming: "/dev/null")
    try await refuse("/dev/zero", naming: "/dev/zero")
    try await refuse("", naming: "\"\"")
    try await refuse(String(repeating: "x", count: 5000), naming: "xxx")
    // Standard input is empty here.
    try await refuse("-", naming: "standard input")
  }

  @Test("A file without read permission is refused by name")
  func unreadableFile() async throws {
    // Root can read every file, so as root the tool runs as user nobody where possible.
    try FileManager.default.setAttributes([.posixPermissions: 0o000], ofItemAtPath: map)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: map) }
    var (program, arguments) = (Tool.url, [String]())
    if getuid() == 0 {
      program = URL(fileURLWithPath: "/usr/bin/setpriv")
      arguments = ["--reuid=65534", "--clear-groups", Tool.url.path]
      guard FileManager.default.isExecutableFile(atPath: program.path),
        try await Tool.run(arguments + ["--help"], program: program).code == 0
      else { return }
    }
    expectRefused(
      try await Tool.run(arguments + ["count", map], program: program), code: 2, naming: "map.json")
  }

  @Test(
    "A file that is neither a document nor a data file is refused by name",
    arguments: [
      ("empty.json", ""), ("empty.geojson", ""), ("empty.csv", ""), ("blank.json", " \n\t "),
      ("text.json", "hello"), ("text.dat", "hello"), ("number.json", "42"), ("null.json", "null"),
      ("true.json", "true"),
      ("list.json", "[]"), ("list2.json", "[1,2]"), ("object.json", "{}"),
      ("other.json", #"{"name":"package","version":1}"#),
      ("service.json", #"{"error":{"code":499,"message":"Token required"}}"#),
      ("topo.json", #"{"type":"Topology","objects":{}}"#),
      ("kind.geojson", #"{"type":"FeatureCollection"}"#),
      ("kind2.geojson", #"{"type":"FeatureCollection","features":7}"#),
      ("kind3.geojson", #"{"type":"FeatureCollection","features":[7]}"#),
      ("layers.json", #"{"operationalLayers":7}"#), ("layers2.json", #"{"operationalLayers":[7]}"#),
      ("twice.json", #"{"operationalLayers":[]}{"operationalLayers":[]}"#),
      ("comma.json", #"{"operationalLayers":[],}"#), ("quote.json", "{\"operationalLayers"),
      ("bare.csv", "\n\n\n"),
      ("header.csv", "\"a"), ("nan.json", #"{"operationalLayers":NaN}"#),
      ("bits.geojson", "{\"type\":\"FeatureCollection\",\"features\":[\u{0}]}"),
      ("point.geojson", #"{"type":"Point","coordinates":["a","b"]}"#),
      (
        "point1.geojson",
        #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1]}}]}"#
      ),
      (
        "nan.geojson",
        #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[NaN,1]}}]}"#
      ),
      (
        "unknown.geojson",
        #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"Circle","coordinates":[0,1]}}]}"#
      ),
    ])
  func filesOfAnotherKind(name: String, text: String) async throws {
    try await refuse(try folder.write(text, to: name), naming: name)
  }

  @Test("Binary files are refused by name")
  func binaryFiles() async throws {
    var bytes = Data((0..<4096).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7) })
    for name in ["noise.json", "noise.geojson", "noise.csv", "noise"] {
      try await refuse(try folder.write(bytes, to: name), naming: name)
    }
    bytes = Data("{\"type\":\"FeatureCollection\",\"features\":[".utf8) + bytes
    try await refuse(try folder.write(bytes, to: "half.geojson"), naming: "half.geojson")
    try await refuse(
      try folder.write(Data([0xFF, 0xFE, 0x7B, 0, 0x7D, 0]), to: "utf16.json"), naming: "utf16.json")
  }

  @Test(
    "Deeply nested JSON is refused and does not overflow the stack",
    arguments: [
      "[", "{\"a\":", "{\"operationalLayers\":[", "{\"type\":\"FeatureCollection\",\"features\":[",
    ])
  func deepNesting(opening: String) async throws {
    let text = opening + String(repeating: "[", count: 200_000)
    try await refuse(try folder.write(text, to: "deep.json"), naming: "deep.json")
    let closed = opening + String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    try await refuse(try folder.write(closed, to: "deep2.json"), naming: "deep2.json")
  }

  @Test("A deeply nested filter is refused and does not overflow the stack")
  func deepFilter() async throws {
    let deep = String(repeating: "(", count: 50_000) + "n = 1" + String(repeating: ")", count: 50_000)
    let not = String(repeating: "NOT ", count: 50_000) + "n = 1"
    for filter in [deep, not] {
      let document = SmallMap.document().replacing("n > 1", with: filter)
      let run = try await Tool.run("count", try folder.write(document, to: "deepfilter.json"))
      #expect(run.code == 2, "\(run.err.prefix(300))")
      #expect(!run.isSignal, "\(run.err.prefix(300))")
      #expect(run.errors.count == 1, "\(run.err.prefix(300))")
    }
  }

  /// CSV files may still be read when truncated, and other files when only whitespace is lost.
  @Test("A truncated document or data file is read or refused and never crashes the tool")
  func truncatedFiles() async throws {
    let texts = [
      ("map.json", SmallMap.document()), ("data/places.geojson", SmallMap.places),
      ("data/square.geojson", SmallMap.square),
    ]
    for (name, text) in texts {
      let bytes = Data(text.utf8)
      let end = text.trimmingCharacters(in: .whitespacesAndNewlines).utf8.count
      for length in stride(from: 1, to: end, by: max(1, end / 40)) {
        let path = try folder.write(bytes.prefix(length), to: "cut-" + (name as NSString).lastPathComponent)
        let run = try await Tool.run(["count", path], folder: folder.root)
        expectRefused(run, code: 2, naming: "cut-")
      }
    }
    let csv = Data(SmallMap.csv.utf8)
    for length in 1..<csv.count {
      let run = try await Tool.run("count", try folder.write(csv.prefix(length), to: "cut.csv"))
      #expect(!run.isSignal, "\(length): \(run)")
      #expect([0, 2].contains(run.code), "\(length): \(run)")
    }
  }

  @Test(
    "An invalid option value of count is an error that names it",
    arguments: [
      (["--layer", "Plases"], 2, "Plases"), (["--layer", "2"], 2, "\"2\""), (["--layer", "-1"], 2, "-1"),
      (["--layer", ""], 2, "named \"\""), (["--layer", "99999999999999999999"], 2, "99999999999999999999"),
      (["--fit", "nosuch"], 2, "nosuch"), (["--hide", "nosuch"], 2, "nosuch"),
      (["--show", "nosuch"], 2, "nosuch"),
      (["--where", "nosuch = 1"], 2, "nosuch"), (["--where", "n = 'a'"], 2, "n"),
      (["--where", "n ="], 2, "where clause"),
      (["--where", "n = 1 AND"], 2, "end"), (["--where", "n = 'x"], 2, "where clause"),
      (["--where", "n ! 1"], 2, "!"),
      (["--where", "nosuch(n) = 1"], 2, "nosuch"), (["--where", "n = 1; DROP TABLE x"], 2, ";"),
      (["--where", "n IN ()"], 2, ")"), (["--where", "kind LIKE 5"], 2, ""),
      (["--where", "n = 1e999"], 2, ""),
      (["--where", "n = 1)"], 2, ")"), (["--where", "(n = 1"], 2, "end"), (["--where", "n"], 2, ""),
      (["--where", "n =\n\n 'a\nb"], 2, "where clause"), (["--where", "é = 1"], 2, "é"),
      (["--definition", "nosuch > 1"], 2, "nosuch"), (["--definition", "n >"], 2, "definition"),
      (["--size", "0x10"], 64, "0x10"), (["--size", "10"], 64, "10"), (["--size", "-5x5"], 64, "-5x5"),
      (["--size", "axb"], 64, "axb"), (["--size", "40000x10"], 64, "40000"),
      (["--size", "20000x20000"], 64, "20000"),
      (["--size", "99999999999999999999x1"], 64, "99999999999999999999x1"),
      (["--size", "1e3x10"], 64, "1e3x10"),
      (["--size", "9223372036854775807x9223372036854775807"], 64, "image"),
      (["--pixel-ratio", "0.5"], 64, "0.5"), (["--pixel-ratio", "5"], 64, "5"),
      (["--pixel-ratio", "nan"], 64, "nan"),
      (["--pixel-ratio", "-1"], 64, "-1"), (["--pixel-ratio", "inf"], 64, "inf"),
      (["--pixel-ratio", "x"], 64, "x"),
      (["--size", "32000x1000", "--pixel-ratio", "2"], 64, "64000"),
      (["--viewpoint", "0,0,0"], 64, "scale"), (["--viewpoint", "0,0,-5"], 64, "scale"),
      (["--viewpoint", "0,0,1e11"], 64, "scale"), (["--viewpoint", "0,0,1e-9"], 64, "scale"),
      (["--viewpoint", "0,0"], 64, "0,0"), (["--viewpoint", "0,0,1,2,3"], 64, "0,0,1,2,3"),
      (["--viewpoint", "91,0,1000"], 64, "latitude"), (["--viewpoint", "0,0,nan"], 64, "nan"),
      (["--viewpoint", "inf,0,1000"], 64, "inf"), (["--viewpoint", "0,1e300,1000"], 64, ""),
      (["--viewpoint", "0,0,1000,inf"], 64, "inf"),
      (["--bounds", "0,0,1"], 64, "0,0,1"), (["--bounds", "0,1,1,0"], 64, "0,1,1,0"),
      (["--bounds", "0,0,1,1,888888"], 64, "888888"),
      (["--bounds", "nan,0,1,1"], 64, "nan"), (["--bounds", "0,0,inf,1"], 64, "inf"),
      (["--bounds", "a,b,c,d"], 64, "a,b,c,d"), (["--bounds", "5,5,45,5,15,55"], 64, "decimal points"),
      (["--bbox", "0,0,1,1"], 64, "did you mean '--bounds'?"),
      (["--bounds", "24,-125,50,-66"], 64, "write -125,24,-66,50, or"),
      (["--bounds", "0,0,1,1,4326.5"], 64, "4326.5"), (["--bounds", "0,0,1,1,1e300"], 64, "1e300"),
      (["--bounds", "-1e308,-1e308,1e308,1e308"], 64, ""), (["--bounds", "0,91,1,92,4326"], 64, ""),
      (["--extent", "0,0,1,1,999999"], 64, "999999"), (["--extent", ""], 64, "extent"),
      (["--extent", "0,0,1,1,"], 64, "0,0,1,1,"),
      (["--in-view", "--bounds", "0,0,1,1", "--viewpoint", "0,0,1000"], 64, "--viewpoint"),
      (["--viewpoint", "0,0,1000", "--padding", "5"], 64, "--padding"),
      (["--bounds", "500000,0,600000,1"], 64, "500000,0,600000,1,3857"),
      (["--bounds", "0,-91,1,1"], 64, "0,-91,1,1,3857"),
      (["--extent", "361,0,362,1"], 64, "361,0,362,1,3857"),
      (["--fit", "Places", "--padding", "-1"], 64, "padding"),
      (["--fit", "Places", "--padding", "nan"], 64, "padding"),
      (["--fit", "Places", "--padding", "0x10"], 64, "padding"),
      (["--filters", "both"], 64, "both"), (["--format", "yaml"], 64, "yaml"),
      (["--time", "yesterday"], 64, "yesterday"),
      (["--time", "2020-13-01"], 64, "2020-13-01"),
      (["--time", "2020-01-01/2020-01-02/2020-01-03"], 64, "2020"),
      (["--time", ".."], 64, ".."), (["--time", ""], 64, "time"),
      (["--time", "2020-02-30/.."], 64, "2020-02-30"),
      (["--time", "2020-01-04/2020-01-03"], 64, "2020-01-04/2020-01-03"),
      (["--time", "999999999999-01-01"], 64, "999999999999"),
      (["--expect", "x"], 64, "x"), (["--expect", "-1"], 64, "-1"), (["--expect", "5..1"], 64, "5..1"),
      (["--expect", "99999999999999999999"], 64, "99999999999999999999"), (["--expect", ""], 64, "expect"),
      (["--funnel", "--extents", "-"], 64, "--funnel"),
      (["--everywhere", "--extent", "0,0,1,1"], 64, "--everywhere"),
      (["--extents", "nosuch.txt", "--layer", "1"], 2, "nosuch.txt"),
      (["--extents", "map.json", "--layer", "1"], 2, "map.json: line 1"),
      (["--display-filter", "n =", "--funnel"], 2, "display filter"),
      (["--cql2", "n ="], 2, "CQL2"), (["--services", "x.json"], 2, "x.json"),
      (["--show=nosuch"], 2, "nosuch"),
    ])
  func countOptions(arguments: [String], code: Int, named: String) async throws {
    let needsLayer = ["--definition", "--display-filter", "--where", "--expect"].contains(arguments[0])
    let layer = needsLayer ? ["--layer", "Places"] : []
    let run = try await Tool.run(["count", map] + layer + arguments, folder: folder.root)
    expectRefused(run, code: Int32(code), naming: named)
  }

  @Test("A filter error shows the clause with a caret at its position")
  func filterErrorsShowTheirPlace() async throws {
    let run = try await Tool.run("count", map, "--layer", "1", "--where", "n = 1 AND AND n = 2")
    let lines = run.err.split(separator: "\n", omittingEmptySubsequences: false)
    try #require(lines.count == 4, "\(run.err)")
    #expect(lines[1] == "n = 1 AND AND n = 2", "\(run.err)")
    #expect(lines[2] == "          ^", "\(run.err)")
    let near = try await Tool.run("count", map, "--layer", "1", "--where", "Knd = 'a'")
    #expect(near.code == 2, "\(near.err)")
    #expect(near.err.contains("kind"), "\(near.err)")
  }

  @Test(
    "An invalid option value of render is an error that names it and writes no file",
    arguments: [
      (["-o", "nosuch/x.png"], 2, "nosuch/x.png"), (["-o", "data"], 2, "data"),
      (["-o", "map.json/x.png"], 2, "map.json/x.png"),
      (["-o", "x.bmp"], 64, "bmp"), (["-o", "x.tif"], 64, "tif"), (["-o", ""], 2, "\"\""),
      (["-o", "/proc/x.png"], 2, "/proc/x.png"),
      (["-o", "/dev/full"], 2, "/dev/full"),
      (["-o", "x.png", "--report", "nosuch/r.json"], 2, "nosuch/r.json"),
      (["-o", "x.png", "--threads", "0"], 64, "--threads"),
      (["-o", "x.png", "--threads", "-3"], 64, "--threads"),
      (["-o", "x.png", "--threads", "x"], 64, "x"),
      (["-o", "x.png", "--background", "nosuch"], 64, "nosuch"),
      (["-o", "x.png", "--background", "#12"], 64, "#12"),
      (["-o", "x.png", "--background", "1,2,300"], 64, "1,2,300"),
      (["-o", "x.png", "--color-by", "n"], 64, "--color-by"),
      (["-o", "x.png", "--size-by", "n"], 64, "--size-by"), (["-o", "x.png", "--label", "n"], 64, "--label"),
      (["-o", "x.png", "--save-document", "s.json"], 64, "--save-document"),
      (["-o", "x.png", "--layer", "nosuch"], 2, "nosuch"),
      (["-o", "x.png", "--definition", "nosuch = 1", "--layer", "1"], 2, "nosuch"),
      (["-o", "x.png", "--display-filter", "n = ", "--layer", "1"], 2, "display filter"),
      (["-o", "x.png", "--size", "0x0"], 64, "0x0"),
    ])
  func renderOptions(arguments: [String], code: Int, named: String) async throws {
    let before = try folder.names()
    let run = try await Tool.run(["render", map] + arguments, folder: folder.root)
    expectRefused(run, code: Int32(code), naming: named)
    #expect(try folder.names() == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("data")).count == 3)
  }

  @Test("An invalid option for a data file is an error that names it and writes no file")
  func plainDataOptions() async throws {
    let data = folder.path("data/places.geojson")
    for (arguments, name) in [
      (["--color-by", "nosuch"], "nosuch"), (["--color-by", "day"], "day"),
      (["--size-by", "nosuch"], "nosuch"), (["--size-by", "kind"], "kind"),
      (["--label", "nosuch"], "nosuch"),
      (["--save-document", "nosuch/s.json"], "nosuch/s.json"),
    ] {
      let before = try folder.names()
      let run = try await Tool.run(["render", data, "-o", "x.png"] + arguments, folder: folder.root)
      expectRefused(run, code: 2, naming: name)
      #expect(try folder.names() == before)
    }
    expectRefused(try await Tool.run("count", data + "#other"), code: 2, naming: "other")
  }

  @Test("A full standard output is an error, but a reader that closes early is not")
  func fullStandardOutput() async throws {
    for command in ["count \(map)", "inspect \(map)", "render \(map) -o -"] {
      let run = try await Tool.run(
        ["-c", "\(Tool.url.path) \(command) > /dev/full"], program: URL(fileURLWithPath: "/bin/sh"))
      expectRefused(run, code: 2, naming: "standard output")
      let closed = try await Tool.run(
        ["-c", "{ \(Tool.url.path) \(command); echo $? >&2; } | true"],
        program: URL(fileURLWithPath: "/bin/sh"))
      // The reader may have closed the pipe already or not; neither is an error.
      #expect(closed.err == "0\n", "\(closed.err)")
    }
  }
}
