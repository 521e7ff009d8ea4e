import Foundation
import MapTestSupport
import Testing

/// Counts in cells in a series, in steps, and where they are refused.
@Suite struct CellCommandTests {
  @Test("An image of a series by time is that of render for the same time")
  func series() async throws {
    let folder = try ScratchFolder()
    let view = [
      "--bounds", "-122.5,37.7,-122.35,37.82", "--size", "320x240", "--aggregate", "hexagon:12", "--hide",
      "Land",
    ]
    let run = try await Tool.run(
      ["series", Tool.incidents, "--by-time", "year", "-o", folder.path("{start}.png"), "--legend"] + view)
    #expect(run.code == 0, "\(run.err)")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.root.path).sorted()
    #expect(files.count > 1, "\(files)")
    var images: Set<Data> = []
    for file in files {
      #expect(run.err.contains("\(file): layer"), "\(run.err)")
      let year = file.prefix(4)
      let one = try await Tool.run(
        [
          "render", Tool.incidents, "--time", "\(year)-01-01/\(year)-12-31T23:59:59.999999Z", "--legend",
          "-o",
          folder.path("one.png"),
        ] + view)
      #expect(one.code == 0, "\(one.err)")
      let image = try Data(contentsOf: folder.url(file))
      #expect(try Data(contentsOf: folder.url("one.png")) == image, "\(file)")
      images.insert(image)
    }
    #expect(images.count > 1)
  }

  @Test("The steps render and expect count in cells")
  func steps() async throws {
    let folder = try ScratchFolder()
    let render = try await Tool.run(
      "render", Tool.incidentData, "--aggregate", "pixel:3", "--size", "300x200", "-o", folder.path("a.png"))
    #expect(render.code == 0, "\(render.err)")
    let (a, b) = (folder.path("a.png"), folder.path("b.png"))
    let steps = [
      #"{"step": "open", "source": "\#(Tool.incidentData)", "size": "300x200"}"#,
      #"{"step": "render", "output": "\#(b)", "aggregate": "pixel:3"}"#,
      #"{"step": "expect", "image": "\#(a)", "aggregate": "pixel:3"}"#,
    ]
    let run = try await Tool.run(["run", "-"], input: steps.joined(separator: "\n") + "\n")
    #expect(run.code == 0, "\(run.out) \(run.err)")
    #expect(run.out.contains(#""cell":"pixel""#), "\(run.out)")
    #expect(try Data(contentsOf: folder.url("a.png")) == Data(contentsOf: folder.url("b.png")))
    for (step, text) in [
      (#"{"step": "expect", "image": "\#(a)"}"#, "pixels differ"),
      (#"{"step": "expect", "count": 3, "aggregate": "pixel"}"#, "needs \\\"image\\\""),
      (#"{"step": "render", "output": "\#(b)", "aggregate": "pixl"}"#, "did you mean \\\"pixel\\\"?"),
      (
        #"{"step": "render", "output": "\#(b)", "svgIds": true, "aggregate": "pixel"}"#,
        "contradicts \\\"aggregate\\\""
      ),
    ] {
      let run = try await Tool.run(["run", "-"], input: steps[0] + "\n" + step + "\n")
      #expect(run.code != 0 && run.out.contains(text), "\(run.out)")
    }
  }

  @Test("Tiles and snapshot cases refuse cells, and name what draws them")
  func refusals() async throws {
    let folder = try ScratchFolder()
    let tiles = try await Tool.run(
      "tiles", Tool.incidentData, "-o", folder.path("tiles"), "--zoom", "3", "--bounds", "-123,37,-122,38",
      "--aggregate", "pixel")
    #expect(tiles.code == 64 && tiles.err.contains("Draw one image with render --aggregate"), "\(tiles.err)")
    try folder.write(#"{"document": "\#(Tool.incidentData)", "aggregate": "pixel"}"#, to: "a/case.json")
    let cases = try await Tool.run("snapshot", "verify", folder.root.path)
    #expect(cases.code != 0 && "\(cases.out)\(cases.err)".contains("by the step \"expect\""), "\(cases)")
  }
}
