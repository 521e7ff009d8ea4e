import Foundation
import MapTestSupport
import Testing

/// The fonts of the user in every text of an image.
@Suite("Fonts of titles and legends")
struct FontCommandTests {
  private static let hebrew = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../MapTextTests/Cases/Fonts/NotoSansHebrew.ttf").standardized.path

  @Test("Titles and legends take the fonts of the user, and characters without a glyph are reported")
  func titles() async throws {
    let folder = try ScratchFolder()
    let data = try folder.write("lon,lat,kind\n1,2,ירושלים\n3,4,Jaffa\n", to: "towns.csv")
    func run(_ command: String, _ output: String, _ words: [String] = []) async throws -> Tool.Run {
      try await Tool.run([command, data, "-o", folder.path(output)] + words)
    }
    let titled = ["--title", "ירושלים"]
    let bare = try await run("render", "a.png", titled)
    #expect(bare.code == 0 && bare.err.contains("titles and legend: no glyph for"), "\(bare)")
    let set = try await run("render", "b.png", titled + ["--font", Self.hebrew])
    #expect(set.code == 0 && !set.err.contains("no glyph"), "\(set)")
    let colored = ["--color-by", "kind", "--legend"]
    #expect(try await run("render", "c.png", colored).err.contains("titles and legend: no glyph for"))
    #expect(try await !run("render", "d.png", colored + ["--font", Self.hebrew]).err.contains("no glyph"))
    // A legend alone, and the pages of a series.
    let document = try await run(
      "render", "e.png", ["--color-by", "kind", "--save-document", folder.path("m.json")])
    #expect(document.code == 0, "\(document)")
    let map = folder.path("m.json")
    let legend = try await Tool.run("legend", map, "-o", folder.path("l.png"))
    #expect(legend.code == 0 && legend.err.contains("legend: no glyph for"), "\(legend)")
    let inFont = try await Tool.run("legend", map, "-o", folder.path("l.png"), "--font", Self.hebrew)
    #expect(inFont.code == 0 && !inFont.err.contains("no glyph"), "\(inFont)")
    let series = try await run(
      "series", "{kind}.png", ["--by", "towns", "--title", "{kind}", "--font", Self.hebrew])
    #expect(series.code == 0 && !series.err.contains("no glyph"), "\(series)")
  }

  /// A font of the test cases of the text engine.
  private static func font(_ name: String) -> String {
    URL(fileURLWithPath: hebrew).deletingLastPathComponent().appendingPathComponent("NotoSans\(name).ttf")
      .path
  }

  @Test("Repeated fonts apply to labels, titles and legends of images, series, legends and tiles")
  func repeated() async throws {
    let folder = try ScratchFolder()
    // Greek is in the bundled fonts, and Chinese in none of the given ones.
    let names = ["القاهرة", "दिल्ली", "ירושלים", "Αθήνα"]
    let rows = names.enumerated().map { "\($0 * 10 + 10),\($0 + 10),\($1),\($0)" }
    let data = try folder.write("lon,lat,kind,n\n" + rows.joined(separator: "\n") + "\n", to: "towns.csv")
    let map = folder.path("m.json")
    let saved = try await Tool.run(
      "render", data, "-o", folder.path("a.png"), "--color-by", "kind", "--label", "kind", "--save-document",
      map)
    #expect(saved.code == 0, "\(saved)")
    let title = names.joined(separator: " ")
    let commands = [
      [
        "render", data, "-o", folder.path("r.png"), "--label", "kind", "--color-by", "kind", "--legend",
        "--title", title,
      ],
      ["series", map, "-o", folder.path("{n}.png"), "--by", "0", "--title", "{kind}", "--legend"],
      ["legend", map, "-o", folder.path("l.png"), "--title", title],
      ["tiles", map, "-o", folder.path("t"), "--zoom", "3-4", "--bounds", "0,0,60,30"],
    ]
    let fonts = ["Arabic", "Devanagari", "Hebrew"].map { ["--font", Self.font($0)] }
    for command in commands {
      let all = try await Tool.run(command + fonts.joined())
      #expect(all.code == 0 && !all.err.contains("no glyph"), "\(all)")
      var last = command
      // Tiles are not written over.
      if last[0] == "tiles" { last[3] = folder.path("t2") }
      let fewer = try await Tool.run(last + fonts.dropLast().joined())
      #expect(fewer.code == 0 && fewer.err.contains("no glyph for"), "\(fewer)")
      #expect(fewer.err.contains("\"ר\"") && !fewer.err.contains("\"द\""), "\(fewer)")
    }
    let chinese = try await Tool.run(
      ["render", data, "-o", folder.path("c.png"), "--title", "北京"] + fonts.joined())
    #expect(chinese.err.contains("titles and legend: no glyph for \"京\", \"北\""), "\(chinese)")
  }
}
