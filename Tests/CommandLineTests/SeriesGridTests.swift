import Foundation
import MapImages
import MapJSON
import MapTestSupport
import Testing

/// Pages with several maps of a series, templates of pages, and other parts of pages.
@Suite("series: several maps on a page")
struct SeriesGridTests {
  private let folder: ScratchFolder
  private let map: String

  init() throws {
    folder = try ScratchFolder()
    map = try SmallMap.write(to: folder)
  }

  @Test("A grid has the images of a series on pages, each with its title, and the report lists all of them")
  func pages() async throws {
    let report = folder.path("report.json")
    let run = try await Tool.run(
      "series", map, "--by-time", "day", "-o", folder.path("days.png"), "--grid", "2x2", "--size", "400x300",
      "--title", "Days", "--subtitle", "{start}", "--legend", "right", "--filters", "none", "--report", report
    )
    #expect(run.code == 0, "\(run)")
    #expect(Set(try folder.names()).isSuperset(of: ["days.png", "days-2.png"]))
    let json = try JSONValue(parsing: Array(Data(contentsOf: URL(fileURLWithPath: report))))
    let images = try #require(json["images"]?.array)
    #expect(images.count == 8)
    #expect(images.map { $0["page"]?.integer } == [1, 2, 3, 4, 1, 2, 3, 4])
    let bytes = try Data(contentsOf: folder.url("days.png"))
    let image = try PNGCodec.decode(Array(bytes))
    #expect(image.width == 400 && image.height == 300)
  }

  @Test(
    "Files, legends and numbers that a page of several maps cannot have are errors",
    arguments: [
      (["--grid", "2x"], "expected 1 to 20 columns and rows"),
      (["--grid", "0x2"], "expected 1 to 20 columns"),
      (["--grid", "2x2", "--legend", "top-left"], "--legend top-left contradicts --grid"),
      (["--grid", "2x2", "--legend", "--legend-counts"], "--legend-counts contradicts --grid"),
    ])
  func errors(options: [String], message: String) async throws {
    let run = try await Tool.run(["series", map, "--by-time", "day", "-o", folder.path("a.png")] + options)
    #expect(run.code == 64 && run.err.contains(message), "\(run)")
  }

  @Test("A template has the parts of a page for options, steps and cases, which replace them")
  func templates() async throws {
    try folder.write(#"{"title": "Places", "legend": "left", "frame": true}"#, to: "page.json")
    try folder.write(#"{"titel": "Places"}"#, to: "wrong.json")
    func image(_ name: String, _ options: [String]) async throws -> Data {
      let run = try await Tool.run(
        ["render", map, "-o", folder.path(name), "--size", "300x200"] + options, folder: folder.root)
      #expect(run.code == 0, "\(run)")
      return try Data(contentsOf: folder.url(name))
    }
    let own = try await image("a.png", ["--title", "Towns", "--legend", "left", "--frame"])
    #expect(try await image("b.png", ["--template", "page.json", "--title", "Towns"]) == own)
    #expect(try await image("c.png", ["--template", "page.json"]) != own)
    let step =
      #"{"step": "open", "source": "map.json", "size": "300x200", "template": "page.json", "title": "Towns"}"#
    let run = try await Tool.run(
      ["run", "-"], input: step + "\n" + #"{"step": "render", "output": "d.png"}"#, folder: folder.root)
    #expect(run.code == 0, "\(run)")
    #expect(try Data(contentsOf: folder.url("d.png")) == own)
    let wrong = try await Tool.run(
      ["render", map, "-o", folder.path("e.png"), "--template", "wrong.json"], folder: folder.root)
    #expect(wrong.code != 0 && wrong.err.contains("did you mean \"title\"?"), "\(wrong)")
  }
}
