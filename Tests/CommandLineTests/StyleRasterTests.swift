import Foundation
import MapImages
import MapTestSupport
import Testing

/// Layers of images and heights in styles, and styles in formats without pixels.
@Suite("Drawing images and heights of styles")
struct StyleRasterTests {
  /// Writes a style with one source and one layer over white at zoom 0, and returns its path.
  private static func style(_ tiles: StyleTiles, source: String, layer: String) throws -> String {
    try tiles.write(
      "style.json",
      """
      {"version": 8, "center": [0, 0], "zoom": 0, "sources": {"own": {\(source)}}, "layers": [
        {"id": "ground", "type": "background", "paint": {"background-color": "#ffffff"}},
        {"id": "shown", "source": "own", \(layer)}]}
      """)
  }

  private static func render(_ style: String, _ tiles: StyleTiles, _ options: [String] = []) async throws
    -> Bitmap
  {
    let path = tiles.folder.path("out.png")
    let run = try await Tool.run(["render", style, "-o", path, "--size", "256x256"] + options)
    #expect(run.code == 0 && run.err == "", "\(run)")
    return try Bitmap(file: path)
  }

  /// Writes the tile of the world with heights in Mapbox's encoding: 0 in the west, more to the east of Greenwich.
  private static func heights(_ tiles: StyleTiles) throws {
    var image = try Bitmap(width: 256, height: 256)
    for y in 0..<256 {
      for x in 0..<256 {
        let steps = (10_000 + max(0, x - 127) * 4_000) * 10
        image[x, y] = PixelColor(
          red: UInt8(steps >> 16), green: UInt8(steps >> 8 & 255), blue: UInt8(steps & 255), alpha: 255)
      }
    }
    try write(image, "tiles/0/0/0.png", tiles)
  }

  private static func write(_ image: Bitmap, _ name: String, _ tiles: StyleTiles) throws {
    let url = tiles.folder.url(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(try image.pngData()).write(to: url)
  }

  private static let dem =
    #""type": "raster-dem", "tileSize": 256, "maxzoom": 0, "tiles": ["tiles/{z}/{x}/{y}.png"]"#

  @Test("A hillshade shades slopes by the side of the light, and leaves flat ground as it is")
  func hillshade() async throws {
    let tiles = try StyleTiles()
    try Self.heights(tiles)
    func shaded(_ direction: Int, _ options: [String] = []) async throws -> Bitmap {
      let style = try Self.style(
        tiles, source: Self.dem,
        layer: """
          "type": "hillshade", "paint": {"hillshade-illumination-direction": \(direction),
          "hillshade-illumination-anchor": "map", "hillshade-accent-color": "transparent",
          "hillshade-highlight-color": "#00ff00", "hillshade-shadow-color": "#ff0000"}
          """)
      return try await Self.render(style, tiles, options)
    }
    let (west, east) = (try await shaded(270), try await shaded(90))
    #expect(west[60, 128] == PixelColor(red: 255, green: 255, blue: 255, alpha: 255))
    // The ground rises to the east.
    #expect(west[200, 128].green == 255 && west[200, 128].red < 250, "\(west[200, 128])")
    #expect(east[200, 128].red == 255 && east[200, 128].green < 250, "\(east[200, 128])")
    let turned = try await shaded(270, ["--rotation", "180"])
    #expect(turned[55, 128].green == 255 && turned[55, 128].red < 250, "\(turned[55, 128])")
  }

  @Test("A color-relief has the colours of the heights, also where tiles are enlarged")
  func colorRelief() async throws {
    let tiles = try StyleTiles()
    try Self.heights(tiles)
    let style = try Self.style(
      tiles, source: Self.dem,
      layer: """
        "type": "color-relief", "paint": {"color-relief-opacity": 0.5, "color-relief-color":
        ["interpolate", ["linear"], ["elevation"], 0, "#000000", 512000, "#ff0000"]}
        """)
    let image = try await Self.render(style, tiles)
    let flat = image[20, 128]
    #expect(flat.red == flat.green && flat.red == flat.blue && abs(Int(flat.red) - 128) <= 1, "\(flat)")
    // At a quarter of the ramp, half over white: the image shows half of the world.
    let middle = image[192, 128]
    #expect(abs(Int(middle.red) - 160) <= 2 && abs(Int(middle.green) - 128) <= 2, "\(middle)")
    let large = try await Self.render(style, tiles, ["--zoom", "3", "--viewpoint", "0,90"])
    let near = large[128, 128]
    #expect(abs(Int(near.red) - 191) <= 2 && abs(Int(near.green) - 128) <= 2, "\(near)")
  }

  @Test("An image source lies between its corners, with the paint of its layer")
  func imageSource() async throws {
    let tiles = try StyleTiles()
    var image = try Bitmap(width: 2, height: 2)
    for place in 0..<4 {
      image[place % 2, place / 2] = PixelColor(
        red: place == 0 ? 255 : 0, green: 0, blue: place == 0 ? 0 : 255, alpha: 255)
    }
    try Self.write(image, "image.png", tiles)
    let style = try Self.style(
      tiles,
      source:
        #""type": "image", "url": "image.png", "coordinates": [[-45, 40], [45, 40], [45, -40], [-45, -40]]"#,
      layer:
        #""type": "raster", "paint": {"raster-hue-rotate": 120, "raster-resampling": "nearest", "raster-opacity": 0.5}"#
    )
    let drawn = try await Self.render(style, tiles)
    // Red becomes green and blue red, half over white.
    #expect(
      drawn[110, 110] == PixelColor(red: 128, green: 255, blue: 128, alpha: 255)
        || drawn[110, 110] == PixelColor(red: 127, green: 255, blue: 127, alpha: 255), "\(drawn[110, 110])")
    #expect(drawn[150, 110].red == 255 && drawn[150, 110].blue < 130)
    #expect(drawn[20, 110] == PixelColor(red: 255, green: 255, blue: 255, alpha: 255))
  }

  @Test("Problems of image sources are reported by name, and the layer is left out")
  func imageProblems() async throws {
    let tiles = try StyleTiles()
    for (source, message) in [
      (#""type": "image", "url": "no.png", "coordinates": [[0, 1], [1, 1], [1, 0], [0, 0]]"#, "no.png"),
      (#""type": "image", "url": "no.png", "coordinates": [[0, 1], [1, 1]]"#, "four corners"),
      (#""type": "image", "coordinates": [[0, 1], [1, 1], [1, 0], [0, 0]]"#, "'url'"),
      (#""type": "video", "urls": ["a.mp4"], "coordinates": [[0, 1], [1, 1], [1, 0], [0, 0]]"#, "video"),
    ] {
      let style = try Self.style(tiles, source: source, layer: #""type": "raster""#)
      let run = try await Tool.run(["render", style, "-o", tiles.folder.path("a.png"), "--size", "20x20"])
      #expect(run.err.contains("source \"own\": 1 layer is not drawn") && run.err.contains(message), "\(run)")
    }
  }

  @Test("In SVG and PDF, areas and lines that tiles cut are whole")
  func vectors() async throws {
    let tiles = try StyleTiles()
    for (tile, column, row) in [("4/8/5", 0, 0), ("4/9/5", 1, 0), ("4/8/6", 0, 1), ("4/9/6", 1, 1)] {
      func own(_ part: [(Int, Int)]) -> [(Int, Int)] {
        part.map { ($0.0 - column * 4096, $0.1 - row * 4096) }
      }
      try tiles.write(
        tile: tile, layer: "areas",
        [
          StyleTiles.Feature(parts: [own([(3000, 3000), (5000, 3000), (5000, 5000), (3000, 5000)])]),
          StyleTiles.Feature(kind: .line, parts: [own([(2000, 2000), (6000, 5500)])]),
        ])
    }
    let style = try tiles.write(
      "style.json",
      """
      {"version": 8, "sources": {"own": {"type": "vector", "tiles": ["tiles/{z}/{x}/{y}.pbf"], "maxzoom": 4}}, "layers": [
        {"id": "areas", "type": "fill", "source": "own", "source-layer": "areas", "filter": ["==", ["geometry-type"], "Polygon"],
         "paint": {"fill-color": "#ff0000", "fill-opacity": 0.5, "fill-antialias": false}},
        {"id": "lines", "type": "line", "source": "own", "source-layer": "areas", "filter": ["==", ["geometry-type"], "LineString"],
         "paint": {"line-color": "#0000ff", "line-opacity": 0.5, "line-width": 8}}]}
      """)
    for options in [[], ["--rotation", "30"], ["--reference", "3035"]] {
      let path = tiles.folder.path("a.svg")
      let run = try await Tool.run(
        ["render", style, "-o", path, "--viewpoint", "40.98,22.5", "--zoom", "4.3", "--size", "900x700"]
          + options)
      #expect(run.code == 0 && run.err == "", "\(run)")
      let svg = try String(contentsOfFile: path, encoding: .utf8)
      let paths = svg.components(separatedBy: "<path d=\"").dropFirst().map { $0.prefix { $0 != "\"" } }
      #expect(paths.count == 2, "\(options) \(svg)")
      // One ring, and one line.
      #expect(paths.allSatisfy { $0.count(where: { $0 == "M" }) == 1 }, "\(options) \(paths)")
      #expect(paths.first?.hasSuffix("z") == true && paths.last?.hasSuffix("z") == false)
    }
    let pdf = try await Tool.run(
      [
        "render", style, "-o", tiles.folder.path("a.pdf"), "--viewpoint", "40.98,22.5", "--zoom", "4.3",
        "--size", "90x70",
      ])
    #expect(pdf.code == 0 && pdf.err == "", "\(pdf)")
  }
}
