import Foundation
import MapImages
import MapJSON
import MapTestSupport
import Testing

/// Animations of series.
@Suite("series: animations")
struct AnimationCommandTests {
  let folder: ScratchFolder
  let map: String

  init() throws {
    folder = try ScratchFolder()
    map = try SmallMap.write(to: folder)
  }

  private func series(_ words: [String]) async throws -> Tool.Run {
    try await Tool.run(["series", map, "--size", "120x80", "--bounds=-1,-1,9,1"] + words)
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: folder.url(name)))
  }

  @Test("The images of a GIF are those of the PNG files, in their order")
  func gif() async throws {
    let words = ["--by-time", "day", "--filters", "none"]
    let png = try await series(words + ["-o", folder.path("{start}.png")])
    #expect(png.code == 0, "\(png)")
    let gif = try await series(
      words + ["-o", folder.path("days.gif"), "--frame-time", "0.25s", "--loops", "2"])
    #expect(gif.code == 0 && gif.out == "", "\(gif)")
    let read = try #require(GIFReader(try bytes("days.gif")))
    #expect(read.images.count == 8 && read.repetitions == 1 && Set(read.delays) == [25])
    for (day, shown) in read.images.enumerated() {
      let image = try Bitmap(pngData: bytes("2020-01-0\(day + 1).png"))
      var wrong = 0
      for (pixel, color) in shown.enumerated() {
        let own = image[pixel % 120, pixel / 120]
        if color != UInt32(own.red) << 16 | UInt32(own.green) << 8 | UInt32(own.blue) { wrong += 1 }
      }
      #expect(wrong == 0, "day \(day + 1)")
    }
  }

  @Test(
    "APNG and WebP are one file, the same in each run, with a report of each image",
    arguments: ["apng", "webp"])
  func otherFormats(ending: String) async throws {
    let report = ["--report", folder.path("r.json")]
    let words =
      ["series", map, "--size", "120x80", "--by", "Places", "--by-field", "kind", "--filters", "none"]
      + report
    var files: [[UInt8]] = []
    for name in ["a.\(ending)", "b.\(ending)"] {
      let run = try await Tool.run(words + ["-o", folder.path(name)])
      #expect(run.code == 0, "\(run)")
      files.append(try bytes(name))
    }
    #expect(files[0] == files[1])
    if ending == "apng" {
      #expect(try Bitmap(pngData: files[0]).width == 120)
    } else {
      #expect(files[0].starts(with: Array("RIFF".utf8)))
      let size = files[0][4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
      #expect(size == files[0].count - 8)
    }
    let json = try JSONValue(parsing: bytes("r.json"))
    let images = try #require(json["images"]?.array)
    #expect(
      images.map { $0["group"]?.string } == ["a", "b"] && images.map { $0["page"]?.integer } == [1, 2])
    #expect(json["outputs"]?.array?.count == 1 && json["outputs"]?[0]?["bytes"]?.integer == files[0].count)
  }

  @Test("A series that fails leaves the file of an earlier one")
  func failure() async throws {
    try folder.write("old", to: "old.gif")
    // The field is missed after the first image.
    let wrong = ["--statistic", "sum:nn", "--report", folder.path("r.json")]
    let run = try await series(["--by-time", "day", "-o", folder.path("old.gif")] + wrong)
    #expect(run.code == 2 && run.err.contains("did you mean \"n\"?"), "\(run)")
    #expect(try bytes("old.gif") == Array("old".utf8))
    #expect(try folder.names().allSatisfy { !$0.hasSuffix(".tmp") })
  }

  @Test("Braces, options without an animation, wrong times and other commands are errors")
  func errors() async throws {
    for (words, message) in [
      (["-o", "{start}.gif"], "an animation is one file of all images; leave out {start}"),
      (["-o", "{start}.png", "--frame-time", "1s"], "--frame-time needs an animation"),
      (["-o", "{start}.png", "--loops", "1"], "--loops needs an animation"),
      (["-o", "a.gif", "--loops=-1"], "--loops is -1; it must be 0 to 65535"),
      (["-o", "a.gif", "--frame-time", "500"], "has no unit; write such as 500ms or 2s"),
      (["-o", "a.gif", "--frame-time", "fast"], "is no time"),
      (["-o", "a.gif", "--frame-time", "5ms"], "is not from 20ms to 60s"),
      (["-o", "a.gif", "--fps", "2"], "did you mean '--frame-time'?"),
      (["-o", "a.mp4"], ".mp4 cannot be written"),
    ] {
      let run = try await series(["--by-time", "day"] + words)
      #expect(run.code == 64 && run.err.contains(message), "\(run)")
    }
    let render = try await Tool.run("render", map, "-o", folder.path("a.gif"))
    #expect(render.code == 64 && render.err.contains("series writes animations"), "\(render)")
  }

  @Test("The step series writes animations, with the same times")
  func steps() async throws {
    let steps = """
      {"step": "open", "source": "map.json", "size": [60, 40], "filters": "none"}
      {"step": "series", "byTime": "day", "output": "a.gif", "frameTime": "2s", "loops": 1}
      {"step": "series", "byTime": "day", "output": "{start}.png", "loops": 1}
      """
    let run = try await Tool.run(["run", "-"], input: steps, folder: folder.root)
    let read = try #require(GIFReader(try bytes("a.gif")))
    #expect(read.images.count == 8 && read.repetitions == nil && Set(read.delays) == [200])
    #expect(run.out.contains(#"\"loops\" needs an \"output\" that ends in"#), "\(run)")
  }
}
