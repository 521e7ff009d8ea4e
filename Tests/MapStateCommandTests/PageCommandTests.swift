import Foundation
import MapJSON
import MapScript
import MapState
import MapStateCommand
import MapTestSupport
import Testing

/// The commands that draw pages, legends and series.
@Suite struct PageCommandTests {
  @Test("The ending of the output chooses PNG, SVG or PDF, and other endings are an error with the list")
  func formats() async throws {
    let folder = try ScratchFolder()
    let map = try SmallMap.write(to: folder)
    for (name, start) in [("a.png", "\u{89}PNG"), ("a.svg", "<?xml"), ("a.pdf", "%PDF")] {
      let run = try await Tool.run([
        "render", map, "-o", folder.path(name), "--size", "300x200", "--title", "A", "--legend",
        "--scale-bar",
      ])
      #expect(run.code == 0, "\(run)")
      let bytes = try Data(contentsOf: folder.url(name))
      #expect(bytes.starts(with: start.unicodeScalars.map { UInt8($0.value) }), "\(name)")
    }
    let wrong = try await Tool.run(["render", map, "-o", folder.path("a.gif")])
    #expect(wrong.code == 64 && wrong.err.contains("available: .png, .svg, .pdf"), "\(wrong)")
  }

  @Test("A resolution sets the pixels of a PNG and is written into it, and a world file lies beside it")
  func resolution() async throws {
    let folder = try ScratchFolder()
    let map = try SmallMap.write(to: folder)
    let run = try await Tool.run([
      "render", map, "-o", folder.path("a.png"), "--size", "300x200", "--dpi", "192", "--world-file",
      "--viewpoint", "0,0,3779520",
    ])
    #expect(run.code == 0, "\(run)")
    let bytes = [UInt8](try Data(contentsOf: folder.url("a.png")))
    // The width in IHDR, and 192 / 0.0254 pixels per metre in pHYs.
    #expect(Array(bytes[16..<20]) == [0, 0, 2, 88])
    #expect(Data(bytes).range(of: Data("pHYs".utf8) + Data([0, 0, 0x1D, 0x87, 0, 0, 0x1D, 0x87, 1])) != nil)
    let world = try String(contentsOf: folder.url("a.pgw"), encoding: .utf8)
    // 1000 m per view pixel, and the centre of the upper left of 600 by 400 pixels.
    let numbers = world.split(separator: "\n").compactMap { Double($0) }
    let expected = [500, 0, 0, -500, -149_750, 99_750.0]
    #expect(numbers.count == 6 && zip(numbers, expected).allSatisfy { abs($0 - $1) < 1e-6 }, "\(world)")
  }

  @Test("After --color-by, the legend names the field, and features without a number are painted first")
  func colorBy() async throws {
    let folder = try ScratchFolder()
    let table = """
      town_size,kind,longitude,latitude
      10,a,7.4,46.9
      ,,7.4,46.9
      30,b,7.5,46.8
      """
    for (field, name) in [("town_size", "Town size"), ("kind", "Kind")] {
      try folder.write(table, to: "towns.csv")
      let run = try await Tool.run([
        "render", folder.path("towns.csv"), "-o", folder.path("a.svg"), "--color-by", field, "--legend",
        "--svg-text", "--save-document", folder.path("towns.json"),
      ])
      #expect(run.code == 0, "\(run)")
      let svg = try String(contentsOf: folder.url("a.svg"), encoding: .utf8)
      #expect(svg.contains(">\(name)</text>"), "\(field)")
      #expect(svg.contains(">No data</text>"), "\(field)")
      let (other, first) = (svg.range(of: "layer-0-class-default"), svg.range(of: "layer-0-class-0"))
      // Texts have no drawing order in web maps.
      let isBelow = try #require(other).lowerBound < #require(first).lowerBound
      #expect(isBelow == (field == "town_size"), "\(field)")
      // The saved document draws the same.
      let again = try await Tool.run([
        "render", folder.path("towns.json"), "-o", folder.path("b.svg"), "--legend", "--svg-text",
      ])
      #expect(again.code == 0, "\(again)")
      #expect(try String(contentsOf: folder.url("b.svg"), encoding: .utf8) == svg, "\(field)")
    }
  }

  @Test("A series draws one image per feature, with names that stay in the folder and never collide")
  func series() async throws {
    let folder = try ScratchFolder()
    try folder.write(
      """
      name,longitude,latitude
      Bern,7.4,46.9
      ../Bern,7.5,46.8
      bern,7.6,46.7
      .,7.7,46.6
      """, to: "towns.csv")
    let run = try await Tool.run([
      "series", folder.path("towns.csv"), "--by", "0", "-o", folder.path("out/{name}.png"), "--title",
      "{name}",
      "--size", "200x150",
    ])
    #expect(run.code == 0, "\(run)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted()
    #expect(names == ["Bern-2.png", "Bern.png", "_.png", "bern-3.png"])
    let unknown = try await Tool.run([
      "series", folder.path("towns.csv"), "--by", "0", "-o", folder.path("out/{nme}.png"),
    ])
    #expect(unknown.code == 2 && unknown.err.contains("did you mean \"name\"?"), "\(unknown)")
  }

  @Test("The report of a series has the statistics of the features in each image")
  func seriesStatistics() async throws {
    let folder = try ScratchFolder()
    try folder.write(
      "name,pop,longitude,latitude\nA,5,7.4,46.9\nB,7,107.5,-26.8\n", to: "towns.csv")
    let words = [
      "series", folder.path("towns.csv"), "--by", "0", "-o", folder.path("{name}.png"), "--size", "200x150",
      "--statistic", "sum:pop", "--statistic", "count",
    ]
    #expect(try await Tool.run(words).code == 64)
    let report = ["--report", folder.path("report.json")]
    let run = try await Tool.run(words + report)
    #expect(run.code == 0, "\(run)")
    let json = try JSONValue(parsing: Array(Data(contentsOf: folder.url("report.json"))))
    let found = json["images"]?.array?.map { image in
      image["statistics"]?[0]?["records"]?[0]?["statistics"].map { "\($0.text())" } ?? ""
    }
    #expect(found == [#"{"SUM_pop":5,"COUNT":1}"#, #"{"SUM_pop":7,"COUNT":1}"#])
    let pages = try await Tool.run(
      words.map { $0.hasSuffix(".png") ? folder.path("all.pdf") : $0 } + report)
    #expect(pages.code == 0, "\(pages)")
    let paged = try JSONValue(parsing: Array(Data(contentsOf: folder.url("report.json"))))
    #expect(paged["images"]?.array?.map { $0["page"]?.integer } == [1, 2])
    #expect(paged["images"]?.array?.allSatisfy { $0["file"]?.string == folder.path("all.pdf") } == true)
    #expect(paged["images"]?[1]?["statistics"] == json["images"]?[1]?["statistics"])
    #expect(
      paged["outputs"]?.array?.count == 1 && paged["outputs"]?[0]?["path"]?.string == folder.path("all.pdf"))
    let unknown = try await Tool.run(words + report + ["--statistic", "sum:pup"])
    #expect(unknown.code == 2 && unknown.err.contains("did you mean \"pop\"?"), "\(unknown)")
  }

  @Test("A series by time draws one image per step at the same place, with the features of that time")
  func seriesByTime() async throws {
    let folder = try ScratchFolder()
    try folder.write(
      """
      day,longitude,latitude
      2012-01-31,7.4,46.9
      2012-02-01,7.5,46.8
      2012-02-29,7.6,46.7
      2012-04-10,7.7,46.6
      """, to: "visits.csv")
    let report = folder.path("report.json")
    let run = try await Tool.run([
      "series", folder.path("visits.csv"), "--by-time", "month", "-o", folder.path("out/{start}.png"),
      "--title",
      "Visits in {start}", "--size", "200x150", "--report", report,
    ])
    #expect(run.code == 0, "\(run)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted()
    #expect(names == ["2012-01.png", "2012-02.png", "2012-03.png", "2012-04.png"])
    let json = try JSONValue(parsing: Array(Data(contentsOf: folder.url("report.json"))))
    let images = try #require(json["images"]?.array)
    let drawn = images.map { $0["report"]?["layers"]?.array?.first?["funnel"]?["drawn"]?.integer }
    #expect(drawn == [1, 2, 0, 1])
    let scales = Set(images.compactMap { $0["report"]?["scale"]?.text() })
    #expect(scales.count == 1)
    for (arguments, message) in [
      (["--by-time", "fortnight"], "is no step of time"), (["--by-time", "day", "--by", "0"], "either"),
      (["--by-time", "day", "--mute"], "--mute needs --by"), ([], "either"),
    ] {
      let wrong = try await Tool.run(
        ["series", folder.path("visits.csv"), "-o", folder.path("{start}.png")] + arguments)
      #expect(wrong.code == 64 && wrong.err.contains(message), "\(wrong)")
    }
    let untimed = try await Tool.run([
      "series", try folder.write("n,longitude,latitude\n1,8,50\n", to: "untimed.csv"), "--by-time", "day",
      "-o", folder.path("{start}.png"),
    ])
    #expect(untimed.code == 2 && untimed.err.contains("no visible layer has a time"), "\(untimed)")
  }

  @Test(
    "Steps of time start at whole units of the calendar",
    arguments: [
      ("hour", "2012-02-29T05:30:00Z", "2012-02-29T05", "2012-02-29T06"),
      ("6hours", "2012-02-29T23:30:00Z", "2012-02-29T23", "2012-03-01T05"),
      ("day", "1969-12-31T12:00:00Z", "1969-12-31", "1970-01-01"),
      ("week", "2026-11-22T12:00:00Z", "2026-11-16", "2026-11-23"),
      ("week", "1969-12-31T12:00:00Z", "1969-12-29", "1970-01-05"),
      ("3months", "2011-11-15T12:00:00Z", "2011-11", "2012-02"),
      ("years", "2011-11-15T12:00:00Z", "2011", "2012"),
    ])
  func timeSteps(text: String, time: String, start: String, next: String) throws {
    let step = try TimeStep(text: text)
    let first = step.start(of: try #require(Instant(rfc3339: time)))
    #expect(step.name(of: first) == start)
    #expect(step.next(after: first).map(step.name) == next)
  }

  @Test("A description is written as Markdown, and a world file lies beside a JPEG")
  func description() async throws {
    let folder = try ScratchFolder()
    let map = try SmallMap.write(to: folder)
    let run = try await Tool.run([
      "render", map, "-o", folder.path("a.jpg"), "--describe", folder.path("a.md"), "--title", "Places",
      "--world-file",
    ])
    #expect(run.code == 0, "\(run)")
    let text = try String(contentsOf: folder.url("a.md"), encoding: .utf8)
    #expect(text.hasPrefix("\"Places\": map of ") && text.contains("| layer | class | features |"), "\(text)")
    #expect(FileManager.default.fileExists(atPath: folder.path("a.jgw")))
  }

  @Test("The legend as JSON has the labels, the counts and the symbols as PNG")
  func legend() async throws {
    let folder = try ScratchFolder()
    let map = try SmallMap.write(to: folder)
    let run = try await Tool.run(["legend", map, "-o", folder.path("legend.json"), "--counts"])
    #expect(run.code == 0, "\(run)")
    let text = try String(contentsOf: folder.url("legend.json"), encoding: .utf8)
    #expect(text.contains("\"layer\": \"Places\"") && text.contains("\"png\": \"iVBORw0KGgo"), "\(text)")
    #expect(text.contains("\"count\": 2"), "\(text)")
  }
}
