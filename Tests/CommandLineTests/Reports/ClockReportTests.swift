import Foundation
import MapTestSupport
import Testing

/// Case 05-outdated-clock-in-snapshot: a filter of the current time makes a snapshot fail by itself.
@Suite("Reports: the clock")
struct ClockReportTests {
  /// Writes a map of eight points, one on each day from 1 to 8 January 2020; the last three days are shown.
  private static func write(to folder: ScratchFolder, _ definition: String = recent) throws -> String {
    try folder.write(SmallMap.places, to: "o.geojson")
    return try folder.write(
      """
      {"version": "2.31", "operationalLayers": [{"title": "Obs", "layerType": "GeoJSON", "url": "o.geojson",
       "showLabels": true, "layerDefinition": {"definitionExpression": "\(definition)", "drawingInfo": {
        "renderer": {"type": "simple", "symbol": {
         "type": "esriSMS", "style": "esriSMSCircle", "size": 8, "color": [200, 60, 40, 255]}},
        "labelingInfo": [{"labelExpressionInfo": {"expression": "Text(Year(Today()))"},
         "symbol": {"type": "esriTS", "color": [0, 0, 0, 255], "font": {"family": "Noto Sans", "size": 10}}}]}}}],
       "initialState": {"viewpoint": {"targetGeometry": {"xmin": -1, "ymin": -2, "xmax": 8, "ymax": 2,
        "spatialReference": {"wkid": 4326}}}}}
      """, to: "m.json")
  }

  private static let recent = "day > CURRENT_TIMESTAMP - INTERVAL '3' DAY"

  @Test(
    "The option --now fixes the time of filters in every command",
    arguments: [("2020-01-08T18:00:00Z", 3), ("2020-01-05", 7), ("2020-01-20", 0)])
  func counts(now: String, count: Int) async throws {
    let folder = try ScratchFolder()
    let map = try Self.write(to: folder)
    let counted = try await Tool.run("count", map, "--now", now)
    #expect(counted.out == "\(count)\n", "\(counted)")
    let listed = try await Tool.run("query", map, "--ids", "--now", now)
    #expect(listed.out.split(separator: "\n").count == count, "\(listed)")
    let summed = try await Tool.run(
      "statistics", map, "--statistic", "count", "--format", "csv", "--now", now)
    #expect(summed.out.hasSuffix("\n\(count)\n"), "\(summed)")
    let drawn = try await Tool.run(
      "render", map, "-o", folder.path("a.png"), "--report", folder.path("r.json"), "--now", now)
    #expect(drawn.code == 0, "\(drawn)")
    let report = try String(contentsOfFile: folder.path("r.json"), encoding: .utf8)
    #expect(report.contains("\"drawn\": \(count),"), "\(report)")
    let run = try await Tool.run(
      ["run", "-"],
      input: """
        {"step": "open", "source": "m.json", "now": "\(now)"}
        {"step": "count"}
        {"step": "time", "now": "2020-01-08T18:00:00Z"}
        {"step": "count"}
        """, folder: folder.root)
    let lines = run.out.split(separator: "\n").map(String.init)
    try #require(lines.count == 4, "\(run)")
    #expect(lines[1].contains("\"count\":\(count),"), "\(lines[1])")
    #expect(lines[3].contains("\"count\":3,"), "\(lines[3])")
    let session = try await Tool.run(
      ["run", "-", "--now", now],
      input: "{\"step\": \"open\", \"source\": \"m.json\"}\n{\"step\": \"count\", \"expect\": \(count)}",
      folder: folder.root)
    #expect(session.code == 0, "\(session)")
  }

  @Test("A time that is neither a date nor a timestamp is an error that shows both forms")
  func malformed() async throws {
    let folder = try ScratchFolder()
    let map = try Self.write(to: folder)
    for text in ["yesterday", "2020-13-01", "2020-01-01 25:00", "2020"] {
      let run = try await Tool.run("count", map, "--now", text)
      #expect(run.code == 64, "\(run)")
      #expect(run.err.contains("2024-04-01T12:00:00Z"), "\(run)")
    }
  }

  @Test("The warnings of lint name the path of each filter and script that reads the clock; --now ends them")
  func lint() async throws {
    let folder = try ScratchFolder()
    let map = try Self.write(to: folder)
    let run = try await Tool.run("lint", map)
    for path in ["definitionExpression", "drawingInfo.labelingInfo[0]"] {
      #expect(run.err.contains("warning: $.operationalLayers[0].layerDefinition.\(path): "), "\(run)")
    }
    #expect(run.err.contains("reads the current time"), "\(run)")
    let fixed = try await Tool.run("lint", map, "--now", "2020-01-08")
    #expect(!fixed.err.contains("current time"), "\(fixed)")
  }

  @Test("Recording a case warns of the clock, and a failure names it as a possible cause; \"now\" ends both")
  func snapshots() async throws {
    let folder = try ScratchFolder()
    // Each point is shown until the clock reads another day; the reference is that of a fixed day.
    _ = try Self.write(to: folder)
    let (cases, folderCase) = (folder.path("cases"), "cases/obs/case.json")
    let open = #"{"document": "../../m.json", "size": [300, 120]}"#
    try folder.write(open, to: folderCase)
    let recorded = try await Tool.run("snapshot", "record", cases, "--all", "--now", "2020-01-08T18:00:00Z")
    #expect(recorded.code == 0, "\(recorded)")
    #expect(!recorded.err.contains("current time"), "\(recorded)")
    let same = try await Tool.run("snapshot", "verify", cases, "--now", "2020-01-08T18:00:00Z")
    #expect(same.out == "same\tobs\n", "\(same)")

    let failed = try await Tool.run(
      "snapshot", "verify", cases, "--report-dir", folder.path("report"))
    #expect(failed.code == 1, "\(failed)")
    let cause = "the current time may be the cause: layer \"Obs\": the definition expression"
    #expect(failed.out.contains(cause), "\(failed)")
    for file in ["report.json", "report.md", "junit.xml", "report.html"] {
      let text = try String(contentsOfFile: folder.path("report/\(file)"), encoding: .utf8)
      #expect(text.contains("current time may be the cause"), "\(file)")
    }

    try folder.write(
      #"{"document": "../../m.json", "size": [300, 120], "now": "2020-01-08T18:00:00Z"}"#, to: folderCase)
    let fixed = try await Tool.run("snapshot", "verify", cases)
    #expect(fixed.out == "same\tobs\n", "\(fixed)")

    try folder.write(open, to: folderCase)
    _ = try Self.write(to: folder, "day < CURRENT_DATE")
    let warned = try await Tool.run("snapshot", "record", cases, "--all")
    #expect(warned.code == 0, "\(warned)")
    #expect(
      warned.err.contains(
        "warning: obs: layer \"Obs\": the definition expression \"day < CURRENT_DATE\" reads the current time"
      ),
      "\(warned)")
    #expect(try await Tool.run("snapshot", "record", cases, "--all", "--strict").code == 1)
  }

  @Test("Generated cases get the time of --now, and verify later")
  func generated() async throws {
    let folder = try ScratchFolder()
    let map = try Self.write(to: folder)
    let made = try await Tool.run(
      "snapshot", "generate", map, folder.path("made"), "--now", "2020-01-08T18:00:00Z")
    #expect(made.code == 0, "\(made)")
    #expect(made.out.contains("generated\t"), "\(made)")
    let recorded = try await Tool.run("snapshot", "record", folder.path("made"), "--all", "--strict")
    #expect(recorded.code == 0, "\(recorded)")
  }

  @Test("Partial answers of a filter with the current time are merged if the question fixes it")
  func partitions() async throws {
    let folder = try ScratchFolder()
    let data = try folder.write(SmallMap.places, to: "o.geojson")
    for (now, code) in [("", Int32(2)), ("\"now\": \"2020-01-08T18:00:00Z\", ", 0)] {
      let question = try folder.write("{\(now)\"count\": {\"where\": \"\(Self.recent)\"}}", to: "q.json")
      let partial = try await Tool.run(
        "partial", data, "--question", question, "--ordinal", "0", "-o", folder.path("0.state"))
      #expect(partial.code == code, "\(partial)")
      if code == 0 {
        let merged = try await Tool.run("merge", "--expect-partitions", "1", folder.path("0.state"))
        #expect(merged.out == "3\n", "\(merged)")
      }
    }
  }
}
