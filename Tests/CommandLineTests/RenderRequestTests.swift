import Foundation
import MapTestSupport
import Testing

/// Conditions, reports and sizes of paper of images.
@Suite("render: conditions, digests and paper")
struct RenderRequestTests {
  let folder: ScratchFolder
  let map: String

  init() throws {
    folder = try ScratchFolder()
    map = try SmallMap.write(to: folder)
  }

  private func size(of png: Data) -> [Int] {
    let bytes = [UInt8](png)
    return [16, 20].map { at in bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
  }

  @Test(
    "A condition of render is added to the definition expression, and counts as count does",
    arguments: [
      ["--where", "Places: n < 5"], ["--layer", "Places", "--where", "n < 5"],
      ["--only", "Places", "--where", "n < 5"],
      ["--where", "Places: n < 5", "--where", "Places: n < 6"],
    ])
  func conditions(_ options: [String]) async throws {
    let (report, image) = (folder.path("report.json"), folder.path("out.png"))
    let drawn = try await Tool.run(
      ["render", map, "-o", image, "--filters", "definition", "--report", report] + options)
    #expect(drawn.code == 0 && drawn.err == "", "\(drawn)")
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: report)))
    let layers = (json as? [String: Any])?["layers"] as? [[String: Any]] ?? []
    let funnel = layers.first { $0["layer"] as? String == "Places" }?["funnel"] as? [String: Any]
    #expect(funnel?["definition"] as? Int == 3)
    let count = try await Tool.run("count", map, "--layer", "Places", "--where", "n < 5")
    #expect(count.out == "3\n" && funnel?["extent"] as? Int == 3, "\(count)")
    let other = folder.path("other.png")
    let replaced = try await Tool.run(
      "render", map, "-o", other, "--definition", "Places: n > 1 AND n < 5", "--filters", "definition")
    #expect(replaced.code == 0, "\(replaced)")
    if !options.contains("--only") {
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: image)) == Data(contentsOf: URL(fileURLWithPath: other)))
    }
  }

  @Test("A condition of render without its layer, with an unknown field, or empty is an error")
  func wrongConditions() async throws {
    for (options, message) in [
      (["--where", "n < 5"], "--where: write \"NAME: SQL\" or name a layer"),
      (["--where", "Places: m < 5"], "unknown field 'm'"), (["--where", " "], "--where is empty"),
    ] {
      let run = try await Tool.run(["render", map, "-o", folder.path("out.png")] + options)
      #expect(run.code != 0 && run.err.contains(message), "\(run)")
    }
  }

  /// The digests are compared with those of `sha256sum`.
  @Test("The report has the digests of the files that were read and written, class counts, and the time")
  func digests() async throws {
    let (report, image) = (folder.path("report.json"), folder.path("out.png"))
    let run = try await Tool.run("render", map, "-o", image, "--world-file", "--report", report)
    #expect(run.code == 0, "\(run)")
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: report)))
    let object = try #require(json as? [String: Any])
    let outputs = try #require(object["outputs"] as? [[String: Any]])
    let inputs = try #require(object["inputs"] as? [[String: Any]])
    #expect(outputs.compactMap { $0["path"] as? String } == [image, folder.path("out.pgw")])
    let read = Set(
      inputs.compactMap { ($0["path"] as? String).map { URL(fileURLWithPath: $0).lastPathComponent } })
    #expect(read.isSuperset(of: ["map.json", "places.geojson", "square.geojson"]), "\(read)")
    for file in inputs + outputs {
      let path = try #require(file["path"] as? String)
      let sum = try await Tool.run(
        [path], folder: folder.root, program: URL(fileURLWithPath: "/usr/bin/sha256sum"))
      #expect(sum.out.hasPrefix(file["sha256"] as? String ?? "?"), "\(path)")
      #expect(file["bytes"] as? Int == (try Data(contentsOf: URL(fileURLWithPath: path))).count)
    }
    #expect((object["seconds"] as? Double ?? 0) > 0)
    let layers = try #require(object["layers"] as? [[String: Any]])
    for layer in layers {
      let classes = try #require(layer["classes"] as? [[String: Any]])
      let funnel = try #require(layer["funnel"] as? [String: Any])
      #expect(classes.compactMap { $0["count"] as? Int }.reduce(0, +) == funnel["extent"] as? Int)
      #expect(classes.compactMap { $0["drawn"] as? Int }.reduce(0, +) == funnel["drawn"] as? Int)
    }
  }

  @Test(
    "A size of paper gives as many pixels as its inches ask for",
    arguments: [
      ("A4", [], [794, 1123]), ("a4-landscape", [], [1123, 794]),
      ("210x297mm", ["--dpi", "300"], [2480, 3508]),
      ("8.5x11in", ["--dpi", "192"], [1632, 2112]), ("letter", [], [816, 1056]),
      ("21x29.7cm", [], [794, 1123]),
    ] as [(String, [String], [Int])])
  func paper(text: String, options: [String], pixels: [Int]) async throws {
    let output = folder.path("out.png")
    let run = try await Tool.run(["render", map, "-o", output, "--size", text] + options)
    #expect(run.code == 0, "\(run)")
    #expect(size(of: try Data(contentsOf: URL(fileURLWithPath: output))) == pixels)
  }

  @Test(
    "A PDF has the size of its paper, and a wrong size is an error",
    arguments: ["A7", "A4-wide", "0x5mm", "5mm"])
  func paperOfPDF(wrong: String) async throws {
    let output = folder.path("out.pdf")
    let run = try await Tool.run("render", map, "-o", output, "--size", "A4")
    #expect(run.code == 0, "\(run)")
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: output)), as: UTF8.self)
    let box = try #require(text.firstMatch(of: #/MediaBox \[ ?0 0 ([0-9.]+) ([0-9.]+)/#))
    // In 1/72 inch, within half a view pixel.
    #expect(
      abs((Double(box.1) ?? 0) - 595.2756) < 0.4 && abs((Double(box.2) ?? 0) - 841.8898) < 0.4, "\(box.0)")
    let refused = try await Tool.run("render", map, "-o", output, "--size", wrong)
    #expect(refused.code == 64 && refused.err.contains("A4-landscape"), "\(refused)")
  }
}
