import Foundation
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
}
