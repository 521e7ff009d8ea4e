import Foundation
import MapImages
import MapJSON
import MapTestSupport
import Testing

/// Names and icons of styles in images.
@Suite("Drawing symbols of styles")
struct SymbolDrawingTests {
  private static let city = Tool.style("tiles/city.json")
  private static let bicycles = Tool.style("helsinki-bicycles.json")
  private static let archive = Tool.style("tiles/helsinki.pmtiles")

  /// A style over the whole world with one point at its centre, and layers of symbols.
  private static func style(_ layers: String..., members: String = "") -> String {
    let source = #"{"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}"#
    let list = layers.enumerated().map {
      #"{"id": "names\#($0)", "type": "symbol", "source": "own", \#($1)}"#
    }
    return """
      {"version": 8, "center": [0, 0], "zoom": 2, \(members) "sources": {"own": \(source)}, "layers": [
        {"id": "ground", "type": "background", "paint": {"background-color": "#ffffff"}},
        \(list.joined(separator: ",\n  "))]}
      """
  }

  private static func name(_ text: String, _ layout: String = "", color: String = "#000000") -> String {
    #""layout": {"text-field": "\#(text)", "text-font": ["Noto Sans Regular"]\#(layout)}, "paint": {"text-color": "\#(color)"}"#
  }

  /// Draws a style, and returns the image, the counts of its layers' features and the standard error.
  private static func drawn(
    _ style: String, _ folder: ScratchFolder, _ options: [String] = []
  ) async throws -> (image: Bitmap, counts: [String: Int], errors: String) {
    let path = folder.path("style.json")
    try Data(style.utf8).write(to: folder.url("style.json"))
    return try await drawn(path: path, folder, options)
  }

  private static func drawn(
    path: String, _ folder: ScratchFolder, _ options: [String] = []
  ) async throws -> (image: Bitmap, counts: [String: Int], errors: String) {
    let (image, report) = (folder.path("drawn.png"), folder.path("drawn.json"))
    var arguments = ["render", path, "-o", image, "--report", report] + options
    if !options.contains("--size") { arguments += ["--size", "300x200"] }
    let run = try await Tool.run(arguments)
    #expect(run.code == 0, "\(run)")
    let json = try JSONValue(parsing: Array(try Data(contentsOf: URL(fileURLWithPath: report))))
    var counts: [String: Int] = [:]
    for tiles in json["tiles"]?.array ?? [] {
      for layer in tiles["styleLayers"]?.array ?? [] {
        counts[layer["layer"]?.string ?? ""] = layer["features"]?.integer
      }
    }
    let bitmap = try Bitmap(file: image)
    return (bitmap, counts, run.err)
  }

  /// The box of the pixels that are darker than a half in some channel: left, top, right and bottom.
  private static func ink(_ image: Bitmap) -> [Int]? {
    var (columns, rows): ([Int], [Int]) = ([], [])
    for y in 0..<image.height {
      for x in 0..<image.width
      where min(image[x, y].red, image[x, y].green, image[x, y].blue) < 128 {
        columns.append(x)
        rows.append(y)
      }
    }
    guard let left = columns.min(), let right = columns.max(), let top = rows.min(), let bottom = rows.max()
    else { return nil }
    return [left, top, right, bottom]
  }

  @Test("A name is centred on its point, with the anchor, the offset, the size and the rotation of the style")
  func position() async throws {
    let folder = try ScratchFolder()
    let plain = try #require(Self.ink(try await Self.drawn(Self.style(Self.name("Helsinki")), folder).image))
    #expect(
      abs((plain[0] + plain[2]) / 2 - 150) <= 1 && abs((plain[1] + plain[3]) / 2 - 100) <= 4, "\(plain)")
    let left = Self.style(Self.name("Helsinki", #", "text-anchor": "left", "text-offset": [1, 2]"#))
    let moved = try #require(Self.ink(try await Self.drawn(left, folder).image))
    #expect(abs(moved[0] - 167) <= 2 && abs(moved[1] - plain[1] - 32) <= 1, "\(moved)")
    let large = Self.style(Self.name("Helsinki", #", "text-size": 32"#))
    let double = try #require(Self.ink(try await Self.drawn(large, folder).image))
    #expect(abs(double[2] - double[0] - 2 * (plain[2] - plain[0])) <= 3, "\(double) \(plain)")
    let turned = Self.style(Self.name("Helsinki", #", "text-rotate": 90"#))
    let high = try #require(Self.ink(try await Self.drawn(turned, folder).image))
    #expect(abs(high[3] - high[1] - plain[2] + plain[0]) <= 2, "\(high) \(plain)")
  }

  @Test(
    "Of names at one point, only that of the upper layer is drawn, unless the lower one allows the overlap")
  func order() async throws {
    let folder = try ScratchFolder()
    let two = try await Self.drawn(Self.style(Self.name("Lower"), Self.name("Upper")), folder)
    #expect(two.counts == ["ground": 0, "names0": 0, "names1": 1], "\(two.counts)")
    let both = try await Self.drawn(
      Self.style(Self.name("Lower", #", "text-allow-overlap": true"#), Self.name("Upper")), folder)
    #expect(both.counts["names0"] == 1 && both.counts["names1"] == 1, "\(both.counts)")
    let hidden = try await Self.drawn(
      Self.style(Self.name("Lower"), Self.name("Upper")), folder, ["--hide", "style#names1"])
    #expect(hidden.counts == ["ground": 0, "names0": 1], "\(hidden.counts)")
  }

  @Test("Labels of layers with features come first, and names of a style above or below them make room")
  func operationalLabels() async throws {
    let folder = try ScratchFolder()
    try Data("NAME,LONGITUDE,LATITUDE\nOwn,0,0\n".utf8).write(to: folder.url("own.csv"))
    func document(_ labels: Bool) throws -> String {
      let label = #"""
        , "labelingInfo": [{"labelExpressionInfo": {"expression": "$feature.NAME"},
          "labelPlacement": "esriServerPointLabelPlacementCenterCenter",
          "symbol": {"type": "esriTS", "color": [0, 0, 0, 255], "font": {"size": 12}}}]
        """#
      let text = #"""
        {"version": "2.31", "baseMap": {"title": "None", "baseMapLayers": []}, "operationalLayers": [
          {"title": "Own", "layerType": "CSV", "url": "own.csv", "showLabels": \#(labels),
           "layerDefinition": {"drawingInfo": {"renderer": {"type": "simple", "symbol":
             {"type": "esriSMS", "style": "esriSMSCircle", "size": 4, "color": [255, 0, 0, 255]}}
             \#(labels ? label : "")}}}]}
        """#
      try Data(text.utf8).write(to: folder.url("map.json"))
      return folder.path("map.json")
    }
    try Data(Self.style(Self.name("Name of the style")).utf8).write(to: folder.url("base.json"))
    let options = ["--basemap", folder.path("base.json"), "--viewpoint", "0,0", "--zoom", "2"]
    let labelled = try await Self.drawn(path: try document(true), folder, options)
    #expect(labelled.counts["names0"] == 0, "\(labelled)")
    let plain = try await Self.drawn(path: try document(false), folder, options)
    #expect(plain.counts["names0"] == 1, "\(plain)")
  }

  /// Returns the texts that `--list-labels` lists of a style.
  private static func listed(_ style: String) async throws -> [String?] {
    let folder = try ScratchFolder()
    try Data(style.utf8).write(to: folder.url("style.json"))
    let report = folder.path("report.json")
    let run = try await Tool.run(
      "render", folder.path("style.json"), "-o", folder.path("drawn.png"), "--size", "300x200", "--report",
      report, "--list-labels")
    #expect(run.code == 0, "\(run)")
    let json = try JSONValue(parsing: Array(try Data(contentsOf: URL(fileURLWithPath: report))))
    let names = try #require(json["tiles"]?.array?.first?["names"]?.array)
    return names.map { $0["text"]?.string }
  }

  @Test("--list-labels lists each name once, whatever its halo")
  func listedOnce() async throws {
    let layout = #""layout": {"text-field": "Name", "text-font": ["Noto Sans Regular"]}"#
    let halo = #""paint": {"text-halo-color": "yellow", "text-halo-width": 2, "text-halo-blur": 2}"#
    #expect(try await Self.listed(Self.style("\(layout), \(halo)")) == ["Name"])
  }

  @Test("--list-labels lists texts in one line and in the case of the image")
  func listedTexts() async throws {
    let name = Self.name(#"Helsinki \nja "#, #", "text-transform": "uppercase""#)
    #expect(try await Self.listed(Self.style(name)) == ["HELSINKI JA"])
  }

  @Test("--svg-text warns that names of a style are outlines, if the style shows any")
  func svgText() async throws {
    let folder = try ScratchFolder()
    try Data(Self.style(Self.name("Name")).utf8).write(to: folder.url("style.json"))
    let arguments = [
      "render", folder.path("style.json"), "-o", folder.path("drawn.svg"), "--svg-text", "--size", "300x200",
    ]
    let run = try await Tool.run(arguments)
    #expect(run.code == 0 && run.err.contains("names of styles are written as outlines"), "\(run)")
    let hidden = try await Tool.run(arguments + ["--hide", "style#names0"])
    #expect(hidden.code == 0 && hidden.err == "", "\(hidden)")
  }

  @Test("A font that is missing is reported once, with the font that replaces it, and so is a missing glyph")
  func fonts() async throws {
    let folder = try ScratchFolder()
    let layout = #""layout": {"text-field": "Ab 〆", "text-font": ["Metropolis Bold"]}"#
    let run = try await Self.drawn(Self.style(layout, layout), folder)
    #expect(run.errors.components(separatedBy: "Metropolis Bold").count == 2, "\(run.errors)")
    #expect(run.errors.contains("Noto Sans Bold"), "\(run.errors)")
    #expect(run.errors.contains("no glyph for \"〆\""), "\(run.errors)")
    let known = try await Self.drawn(Self.style(Self.name("Ab")), folder)
    #expect(known.errors == "", "\(known.errors)")
  }

  @Test("Names and icons do not depend on the number of threads, and are in SVG and PDF, too")
  func threads() async throws {
    let folder = try ScratchFolder()
    var images: [Data] = []
    for threads in ["1", "2", "4"] {
      let path = folder.path("\(threads).png")
      let run = try await Tool.run(
        "render", Self.bicycles, "--basemap", Self.city, "--threads", threads, "-o", path)
      #expect(run.code == 0 && run.err == "", "\(run)")
      images.append(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    #expect(images[0] == images[1] && images[0] == images[2])
    for (with, without) in [("a.svg", "b.svg"), ("a.pdf", "b.pdf")] {
      let full = try await Tool.run("render", Self.city, "-o", folder.path(with))
      let less = try await Tool.run("render", Self.city, "--hide", "*names", "-o", folder.path(without))
      #expect(full.code == 0 && less.code == 0, "\(full) \(less)")
      let sizes = try [with, without].map { try Data(contentsOf: folder.url($0)).count }
      #expect(sizes[0] > sizes[1] + 1000, "\(sizes)")
    }
    let svg = try String(contentsOf: folder.url("a.svg"), encoding: .utf8)
    #expect(svg.contains("data-name=\"city#street-names\""))
  }

  @Test("A source-layer that the tiles do not have is reported with the nearest name")
  func sourceLayer() async throws {
    let folder = try ScratchFolder()
    let style = """
      {"version": 8, "center": [24.945, 60.168], "zoom": 14,
       "sources": {"tiles": {"type": "vector", "url": "pmtiles://helsinki.pmtiles"}}, "layers": [
        {"id": "a", "type": "fill", "source": "tiles", "source-layer": "bulding"},
        {"id": "b", "type": "line", "source": "tiles", "source-layer": "bulding"},
        {"id": "c", "type": "line", "source": "tiles", "source-layer": "aeroway"}]}
      """
    try FileManager.default.copyItem(
      at: URL(fileURLWithPath: Self.archive), to: folder.url("helsinki.pmtiles"))
    let run = try await Self.drawn(style, folder)
    #expect(
      run.errors.contains(
        "source \"tiles\" has no layer \"bulding\", did you mean \"building\"?: 2 layers draw nothing"),
      "\(run.errors)")
    #expect(!run.errors.contains("aeroway"), "\(run.errors)")
  }

  @Test("A legend of a map of styles is empty, with a warning")
  func legend() async throws {
    let folder = try ScratchFolder()
    let run = try await Tool.run("render", Self.city, "--legend", "-o", folder.path("a.png"))
    #expect(run.code == 0 && run.err.contains("the legend is empty"), "\(run)")
  }

  @Test("explain --at names the layer of a name and its feature, once")
  func explanation() async throws {
    let folder = try ScratchFolder()
    let path = folder.path("style.json")
    try Data(Self.style(Self.name("HHH", #", "text-size": 64"#)).utf8).write(to: folder.url("style.json"))
    let run = try await Tool.run("explain", path, "--at", "138,100", "--size", "300x200")
    #expect(run.code == 0, "\(run)")
    #expect(run.out.components(separatedBy: "names0  (symbol, own)").count == 2, "\(run.out)")
  }

  @Test("Names in tiles are those of an image of the whole, but for 64 pixels at the sides of blocks")
  func tiles() async throws {
    let folder = try ScratchFolder()
    let bounds = "24.9356,60.1635,24.9544,60.1715"
    let run = try await Tool.run(
      "tiles", Self.city, "-o", folder.path("out"), "--zoom", "16", "--bounds", bounds)
    #expect(run.code == 0, "\(run)")
    // The tiles 37309-37312 and 18970-18973 are in one block, from 37296 and 18960 on.
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path("out")).filter {
      $0.hasSuffix(".png")
    }
    #expect(names.count > 4)
    let numbers = names.map { $0.split(separator: "/").map { Int($0.split(separator: ".")[0]) ?? 0 } }
    let (columns, rows) = (numbers.map { $0[1] }, numbers.map { $0[2] })
    let (left, right) = (try #require(columns.min()), try #require(columns.max()))
    let (top, bottom) = (try #require(rows.min()), try #require(rows.max()))
    func metres(_ number: Int) -> Double {
      Double(number) * 40_075_016.685578488 / 65536 - 20_037_508.342789244
    }
    let extent = [metres(left), -metres(bottom + 1), metres(right + 1), -metres(top)].map { "\($0)" }
    let whole = folder.path("whole.png")
    let image = try await Tool.run(
      "render", Self.city, "-o", whole, "--bounds", extent.joined(separator: ",") + ",3857", "--size",
      "\((right - left + 1) * 256)x\((bottom - top + 1) * 256)", "--no-attribution")
    #expect(image.code == 0, "\(image)")
    let picture = try Bitmap(file: whole)
    var worst = 0
    for (column, row) in zip(columns, rows) {
      let tile = try Bitmap(file: folder.path("out/16/\(column)/\(row).png"))
      for y in 0..<256 {
        for x in 0..<256 {
          let (wholeX, wholeY) = ((column - left) * 256 + x, (row - top) * 256 + y)
          guard wholeX >= 64, wholeY >= 64, wholeX < picture.width - 64, wholeY < picture.height - 64 else {
            continue
          }
          let (a, b) = (tile[x, y], picture[wholeX, wholeY])
          worst = max(worst, abs(Int(a.red) - Int(b.red)), abs(Int(a.green) - Int(b.green)))
        }
      }
    }
    #expect(worst <= 2, "\(worst)")
  }
}
