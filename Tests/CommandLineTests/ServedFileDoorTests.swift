import Foundation
import MapTestSupport
import Testing

/// Files on servers in commands, steps, cases and partial answers: each gives what the local file gives.
@Suite("served files: commands, steps, cases and parts")
struct ServedFileDoorTests {
  private let site: ServedFolder

  init() throws { site = try ServedFolder() }

  /// Runs a command for the local file and for that on the server, and compares the answers and the files in `made`.
  private func compare(_ name: String, _ command: [String], made: [String] = []) async throws {
    let url = "\(site.address)/ranges/\(name)"
    var files: [[Data]] = []
    var runs: [Tool.Run] = []
    for source in [name, url] {
      let run = try await site.run(command.map { $0.replacing("SOURCE", with: source) })
      #expect(run.code == 0, "\(command) \(source): \(run)")
      runs.append(run)
      files.append(made.map { (try? Data(contentsOf: site.folder.url($0))) ?? Data() })
      for file in made { try? FileManager.default.removeItem(at: site.folder.url(file)) }
    }
    #expect(runs[1].out.replacing(url, with: name) == runs[0].out, "\(name) \(command)")
    #expect(runs[1].err.replacing(url, with: name) == runs[0].err, "\(name) \(command)")
    #expect(files[0] == files[1] && files[0].allSatisfy { !$0.isEmpty }, "\(name) \(command)")
  }

  @Test(
    "Series, legends, tiles, joins and drawing documents give those of the local file",
    arguments: ["c.csv", "c.parquet", "c.fgb", "c.gpkg", "c.csv.gz"])
  func commands(name: String) async throws {
    try await site.write(name.replacing(".gz", with: ""), "c.geojson")
    if name.hasSuffix(".gz") {
      let packed = try await Tool.run(
        ["c.csv"], folder: site.folder.root, program: URL(fileURLWithPath: "/bin/gzip"))
      #expect(packed.code == 0, "\(packed)")
    }
    try site.folder.write(
      #"{"renderer":{"type":"simple","symbol":{"type":"esriSMS","style":"esriSMSCircle","size":6,"color":[9,9,9,255]}}}"#,
      to: "drawing.json")
    try site.folder.write(#"{"count":{"bounds":"5,45,12,50"}}"#, to: "q.json")
    let extent = ServedFolder.extent
    let doors: [(command: [String], made: [String])] = [
      (
        ["series", "SOURCE", "--by", "0", "--by-field", "STATUS", "-o", "s-{STATUS}.png", "--size", "90x60"],
        ["s-capital.png"]
      ),
      (["legend", "SOURCE", "--color-by", "POP", "-o", "legend.png"], ["legend.png"]),
      (["tiles", "SOURCE", "-o", "tiles", "--zoom", "0-3"] + extent, ["tiles/3/4/2.png"]),
      (["explain", "SOURCE", "--id", "5"], []), (["lint", "SOURCE"], []),
      (["query", "SOURCE", "-o", "q.geojson", "--order-by", "POP"] + extent, ["q.geojson"]),
      (["render", "drawing.json", "--data", "SOURCE", "-o", "d.svg", "--size", "90x60"] + extent, ["d.svg"]),
      (["render", "SOURCE", "-o", "a.png", "--aggregate", "hexagon", "--size", "90x60"], ["a.png"]),
      (
        [
          "query", "c.geojson", "--join", "SOURCE:CITY_NAME=CITY_NAME", "--join-first", "--format", "csv",
          "--max-features", "3",
        ], []
      ),
      (["partial", "SOURCE", "--question", "q.json", "--ordinal", "0", "-o", "0.state"], []),
    ]
    for door in doors { try await compare(name, door.command, made: door.made) }
  }

  @Test("Steps draw, count and add files on servers", arguments: ["c.parquet", "c.fgb", "c.gpkg"])
  func steps(name: String) async throws {
    try await site.write(name)
    var answers: [String] = []
    for source in [name, "\(site.address)/ranges/\(name)"] {
      let steps = """
        {"step": "open", "source": "\(source)", "bounds": "5,45,12,50", "size": [120, 90]}
        {"step": "count"}
        {"step": "statistics", "statistic": ["sum:POP"]}
        {"step": "query", "where": "POP > 1000000"}
        {"step": "identify", "at": [60, 45]}
        {"step": "explain", "objectId": 3}
        {"step": "tiles", "output": "tiles", "zoom": "0-2", "bounds": "5,45,12,50"}
        {"step": "legend", "output": "legend.png"}
        {"step": "add", "source": "\(source)"}
        """
      let run = try await site.run(["run", "-"], input: steps)
      #expect(run.code == 0 && run.err.isEmpty, "\(run)")
      answers.append(run.out)
    }
    #expect(answers[0] == answers[1])
    #expect(answers[0].split(separator: "\n").count == 9)
  }

  @Test("Cases of snapshots name files on servers, without secrets")
  func cases() async throws {
    try await site.write("c.parquet")
    let url = "\(site.address)/ranges/c.parquet"
    let generated = try await site.run(["snapshot", "generate", url + "?token=planted-4711", "cases"])
    #expect(generated.code == 0, "\(generated)")
    let text = try String(contentsOf: site.folder.url("cases/map/far/case.json"), encoding: .utf8)
    #expect(text.contains("\"\(url)\"") && !text.contains("planted"), "\(text)")
    for command in [["record", "cases", "--missing"], ["verify", "cases"], ["coverage", "cases"]] {
      let run = try await site.run(["snapshot"] + command)
      #expect(run.code == 0, "\(command): \(run)")
    }
    // Another file at the address is another answer.
    let other = try await site.run(["query", Tool.cityData, "--where", "POP > 500000", "-o", "c.parquet"])
    #expect(other.code == 0, "\(other)")
    let changed = try await site.run(
      ["snapshot", "verify", "cases"], ["XDG_CACHE_HOME": site.folder.path("none")])
    #expect(changed.code == 1 && changed.out.contains("differs"), "\(changed)")
  }

  /// Writes three Parquet files of different rows in folders `part=N`; each is larger than its first request.
  private func writeParts() async throws {
    var random = SeededGenerator(seed: 7)
    for part in 0..<3 {
      var rows = ["x,y,name,value"]
      for _ in 0..<8000 {
        let place = (Double.random(in: 0...30, using: &random), Double.random(in: 40...60, using: &random))
        rows.append(
          "\(place.0),\(place.1),place \(UInt64.random(in: 0...UInt64.max, using: &random)),"
            + "\(Int.random(in: 0..<1000, using: &random))")
      }
      try site.folder.write(rows.joined(separator: "\n"), to: "part.csv")
      try FileManager.default.createDirectory(
        atPath: site.folder.path("parts/part=\(part)"), withIntermediateDirectories: true)
      let made = try await site.run(["query", "part.csv", "-o", "parts/part=\(part)/rows.parquet"])
      #expect(made.code == 0, "\(made)")
    }
    try site.folder.write(
      """
      {"count": {"bounds": "5,45,12,50", "where": "value > 500"},
       "statistics": {"statistic": ["count", "sum:value"], "groupBy": "part", "everywhere": true}}
      """, to: "question.json")
  }

  @Test(
    "Partial answers of shares of a folder in a store are those of the local folder, and read their own files"
  )
  func shares() async throws {
    try await writeParts()
    let question = ["--question", "question.json"]
    let whole = try await site.run(["partial", "parts", "--ordinal", "0", "-o", "whole.state"] + question)
    #expect(whole.code == 0, "\(whole)")
    let local = try await site.run(["merge", "--expect-partitions", "1", "whole.state"])
    let served = ["partial", "s3://maps/parts/", "--of", "3"] + question
    for part in 0..<3 {
      _ = try await site.requests()
      let run = try await site.run(
        served + ["--ordinal", "\(part)", "-o", "\(part).state", "--record", "kept-\(part)", "--explain"],
        site.bucket.merging(["XDG_CACHE_HOME": site.folder.path("cache-\(part)")]) { $1 })
      #expect(run.code == 0, "\(run)")
      let files = try await site.requests().filter { $0.range != nil }
      // The ends of all files, and the values of one.
      #expect(files.filter { $0.sent == 65_536 }.count == 3, "\(files)")
      let values = files.filter { $0.sent != 65_536 }
      #expect(!values.isEmpty && values.allSatisfy { $0.path.contains("part%3D\(part)/") }, "\(values)")
      #expect(run.err.contains("note: GET s3://maps/parts/part=\(part)/rows.parquet: "), "\(run)")
    }
    let states = (0..<3).map { "\($0).state" }
    let merged = try await site.run(["merge", "--expect-partitions", "3"] + states)
    #expect(merged.out == local.out && merged.out.contains("COUNT"), "\(merged) \(local)")
    _ = try await site.requests()
    // Without requests, from a recording and from the cache.
    for (options, cache) in [(["--replay", "kept-1"], "empty"), (["--offline"], "cache-1")] {
      let again = try await site.run(
        served + ["--ordinal", "1", "-o", "again.state"] + options,
        site.bucket.merging(["XDG_CACHE_HOME": site.folder.path(cache)]) { $1 })
      #expect(again.code == 0, "\(again)")
      #expect(
        try Data(contentsOf: site.folder.url("again.state")) == Data(contentsOf: site.folder.url("1.state")))
    }
    #expect(try await site.requests().isEmpty)
    let unknown = try await site.run(
      served + ["--ordinal", "1", "-o", "none.state", "--offline"], site.bucket)
    #expect(unknown.code == 3 && unknown.err.contains("--offline"), "\(unknown)")
    let online = try await site.run(
      served + ["--ordinal", "1", "-o", "none.state", "--online"], site.bucket)
    #expect(online.code == 0 && online.err.contains("--online has no effect"), "\(online)")
  }
}
