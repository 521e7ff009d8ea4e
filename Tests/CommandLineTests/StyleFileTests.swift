import Foundation
import MapTestSupport
import Testing

/// The files beside a style: sprites, glyph files and tiles.
@Suite("Files of styles")
struct StyleFileTests {
  let tiles: StyleTiles

  init() throws { tiles = try StyleTiles() }

  /// A style with a name and an icon at the centre of the world, over areas of vector tiles.
  private func write(members: String, icon: String = "dot", font: String = "Own") throws -> String {
    try tiles.write(
      "style.json",
      """
      {"version": 8, "center": [0, 0], "zoom": 1, \(members), "sources": {
        "own": {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}},
        "tiles": {"type": "vector", "tiles": ["tiles/{z}/{x}/{y}.pbf"]}}, "layers": [
        {"id": "areas", "type": "fill", "source": "tiles", "source-layer": "areas"},
        {"id": "names", "type": "symbol", "source": "own", "layout": {
          "text-field": "A", "text-font": ["\(font)"], "icon-image": "\(icon)"}}]}
      """)
  }

  private func render(_ style: String, _ options: String...) async throws -> Tool.Run {
    try await Tool.run(
      ["render", style, "-o", tiles.folder.path("drawn.png"), "--size", "64x64"] + options)
  }

  private func link(_ name: String, to file: String) throws {
    let url = tiles.folder.url(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: file)
  }

  @Test("Sprites, glyph files and tiles are not read through links that lead outside, without --allow-path")
  func links() async throws {
    let outside = try StyleTiles()
    try outside.write(tile: "0/0/0", layer: "areas", [StyleTiles.square(0, 4096)])
    for name in ["sheet.png", "glyphs.pbf"] { try outside.write(name, "secret") }
    try tiles.write("sprite.json", "{}")
    try link("sprite.png", to: outside.folder.path("sheet.png"))
    try link("fonts/Own/0-255.pbf", to: outside.folder.path("glyphs.pbf"))
    try link("tiles/0/0/0.pbf", to: outside.folder.path("tiles/0/0/0.pbf"))
    let style = try write(members: #""sprite": "sprite", "glyphs": "fonts/{fontstack}/{range}.pbf""#)
    let refused = try await render(style)
    for name in ["sprite.png", "fonts/Own/0-255.pbf", "tiles/0/0/0.pbf"] {
      #expect(refused.err.contains("\(name): is outside the folder of the document"), "\(refused)")
    }
    let allowed = try await render(style, "--allow-path", outside.folder.root.path)
    #expect(allowed.code == 0 && !allowed.err.contains("outside"), "\(allowed)")
    #expect(allowed.err.contains("the glyph file Own/0-255 is damaged"), "\(allowed)")
  }

  @Test("A sprite that is missing has one warning, without others for its images")
  func missingSprite() async throws {
    try tiles.write(tile: "0/0/0", layer: "areas", [StyleTiles.square(0, 4096)])
    let run = try await render(
      try write(members: #""sprite": "nosprite""#, font: "Noto Sans Regular"))
    #expect(run.code == 0 && run.err.contains("there are no images nosprite.json"), "\(run)")
    #expect(!run.err.contains("has no image"), "\(run)")
  }

  @Test(
    "Glyphs without a part of the template are reported",
    arguments: [
      ("fonts/{range}.pbf", "has no {fontstack}"), ("fonts/{fontstack}.pbf", "has no {range}"),
      ("../{fontstack}/{range}.pbf", "has \"..\" in a template"),
    ])
  func templates(_ glyphs: String, _ reason: String) async throws {
    try tiles.write(tile: "0/0/0", layer: "areas", [StyleTiles.square(0, 4096)])
    let run = try await render(
      try write(members: #""glyphs": "\#(glyphs)""#, font: "Noto Sans Regular"))
    #expect(run.code == 0 && run.err.contains("glyph files are not read: \(glyphs): \(reason)"), "\(run)")
  }
}
