import Foundation
import MapJSON
import MapImages
import MapTestSupport
import Testing

@Suite("partial and merge with --aggregate")
struct PartialCellTests {
  @Test(
    "Counts of cells in partitions give the image of the whole file, byte by byte",
    arguments: ["hexagon:9", "pixel:2"])
  func cells(cells: String) async throws {
    let parts = try Partitions(Tool.incidentData, at: [0.2, 0.5, 0.9], renderer: Partitions.incidents)
    let bounds = "-122.45,37.74,-122.4,37.8"
    try await parts.ask(
      #"{"document": "drawing.json", "bounds": "\#(bounds)", "size": "300x200", "image": true, "aggregate": "\#(cells)"}"#
    )
    let run = try await parts.merge("-o", parts.folder.path("merged.png"), "--format", "json")
    #expect(run.code == 0, "\(run.err)")
    let whole = try await Tool.run(
      "render", parts.folder.path("drawing.json"), "--data", Tool.incidentData, "--bounds", bounds, "--size",
      "300x200",
      "--aggregate", cells, "-o", parts.folder.path("whole.png"), "--report", parts.folder.path("report.json")
    )
    #expect(whole.code == 0, "\(whole.err)")
    let (merged, expected) = (parts.folder.url("merged.png"), parts.folder.url("whole.png"))
    #expect(try Data(contentsOf: merged) == Data(contentsOf: expected))
    let text = try String(contentsOf: parts.folder.url("report.json"), encoding: .utf8)
    let report = try JSONValue(parsing: text)
    let layer = try #require(report["layers"]?.array?.first)
    let aggregate = try #require(JSONValue(parsing: run.out)["aggregate"]?.array?.first)
    #expect(aggregate == layer["aggregate"] && aggregate["sum"] == layer["funnel"]?["extent"])
    #expect(run.err.hasPrefix("note: the image is drawn as a density: "))
    let counted = try await Tool.run(
      "count", Tool.incidentData, "--in-view", "--bounds", bounds, "--size", "300x200")
    #expect(counted.out == "\(aggregate["sum"] ?? .null)\n")
  }

  @Test("The legend of merged counts is that of the whole file, byte by byte", arguments: [1.0, 2])
  func legends(pixelRatio: Double) async throws {
    let parts = try Partitions(Tool.incidentData, at: [0.3, 0.6], renderer: Partitions.incidents)
    let bounds = "-122.45,37.74,-122.4,37.8"
    try await parts.ask(
      #"{"document": "drawing.json", "bounds": "\#(bounds)", "size": "400x300", "image": true, "aggregate": "hexagon:9", "pixelRatio": \#(pixelRatio)}"#
    )
    for options in [
      ["--legend"], ["--legend", "bottom-right", "--legend-counts"],
      ["--legend", "bottom", "--legend-in-view"],
    ] {
      let legend = options + ["--legend-title", "Incidents"]
      let file = parts.folder.path("merged.png")
      let states = (0..<parts.count).map { parts.folder.path("\($0).state") }
      let run = try await Tool.run(
        ["merge", "--expect-partitions", "\(parts.count)"] + states + ["-o", file] + legend)
      #expect(run.code == 0 && !run.err.contains("warning"), "\(run.err)")
      let merged = try Data(contentsOf: parts.folder.url("merged.png"))
      let image = try Bitmap(pngData: Array(merged))
      let (width, height) = (Double(image.width) / pixelRatio, Double(image.height) / pixelRatio)
      #expect((width == 400 && height == 300) == (options.count == 3 && options[1] == "bottom-right"))
      let whole = try await Tool.run(
        [
          "render", parts.folder.path("drawing.json"), "--data", Tool.incidentData, "--bounds", bounds,
          "--size", "\(Int(width))x\(Int(height))", "--pixel-ratio", "\(pixelRatio)", "--aggregate",
          "hexagon:9",
          "-o", parts.folder.path("whole.png"),
        ] + legend)
      #expect(whole.code == 0, "\(whole.err)")
      #expect(try Data(contentsOf: parts.folder.url("whole.png")) == merged, "\(options)")
    }
    let alone = try await parts.merge("-o", parts.folder.path("merged.png"), "--legend-counts")
    #expect(alone.err.contains("has no effect: no legend is requested"))
    try await parts.ask(#"{"document": "drawing.json", "bounds": "\#(bounds)", "image": true}"#)
    let symbols = try await parts.merge("-o", parts.folder.path("merged.png"), "--legend")
    #expect(
      symbols.code == 64 && symbols.err.contains("draw the legend of symbols with mapstate legend"),
      "\(symbols.err)")
  }

  @Test("Cells without an image, and unknown cells, are errors with their place")
  func wrongCells() async throws {
    let folder = try ScratchFolder()
    for (question, text) in [
      (#"{"count": {}, "aggregate": "pixel"}"#, #""aggregate" needs "image": true"#),
      (#"{"image": true, "aggregate": "hexagn", "bounds": "0,0,1,1"}"#, #"did you mean "hexagon"?"#),
      (#"{"image": true, "aggregate": "pixel:0", "bounds": "0,0,1,1"}"#, "must be 1 to 512 view pixels"),
    ] {
      let path = try folder.write(question, to: "q.json")
      let run = try await Tool.run(
        "partial", Tool.incidentData, "--question", path, "--ordinal", "0", "-o", folder.path("0"))
      #expect(run.code == 2 && run.err.contains(text), "\(run.err)")
    }
  }

  @Test("Options that contradict counts in cells are errors, and areas name their layer")
  func contradictions() async throws {
    let folder = try ScratchFolder()
    for (options, text) in [
      (["--save-document", folder.path("m.json")], "--save-document contradicts --aggregate"),
      (["--svg-ids"], "--svg-ids contradicts --aggregate"),
      (["--label", "NAME"], "--label contradicts --aggregate"),
    ] {
      let run = try await Tool.run(
        ["render", Tool.cityData, "--aggregate", "pixel", "-o", folder.path("a.svg")] + options)
      #expect(run.code == 64 && run.err.contains(text), "\(run.err)")
    }
    let run = try await Tool.run(
      "render", Tool.counties, "--aggregate", "hexagon", "-o", folder.path("a.png"))
    #expect(
      run.err
        == "error: layer \"States\": has polygon features, and only points can be counted in cells; hide it with --hide\n"
    )
  }
}
