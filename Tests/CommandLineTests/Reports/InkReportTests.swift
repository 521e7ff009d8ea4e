import Foundation
import MapImages
import MapTestSupport
import Testing

/// Small shapes that vanished or became too dark, and the pixels that an explanation counts.
@Suite("reports: small shapes keep their ink") struct InkReportTests {
  static let cases = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
    "Cases")

  /// Renders a document with one pixel per degree, and returns its image.
  static func image(_ document: String, _ options: [String], painter: String = "fast") async throws -> Bitmap
  {
    let folder = try ScratchFolder()
    let run = try await Tool.run(
      ["render", document, "-o", folder.path("x.png"), "--painter", painter, "-q"] + options)
    #expect(run.code == 0, "\(run.err)")
    return try Bitmap(file: folder.path("x.png"))
  }

  /// The share of black in all pixels of a black and white image.
  static func ink(_ image: Bitmap) -> Double {
    var sum = 0
    for pixel in stride(from: 0, to: image.pixels.count, by: 4) {
      for channel in pixel..<pixel + 3 { sum += 255 - Int(image.pixels[channel]) }
    }
    return Double(sum) / 765
  }

  static let plane = ["--bounds", "0,-50,100,50", "--size", "100x100", "--reference", "4326"]

  /// Writes a document of one layer with a symbol, and returns its path.
  static func map(_ geometries: [String], symbol: String, in folder: ScratchFolder) throws -> String {
    let features = geometries.map { #"{"type":"Feature","properties":{},"geometry":\#($0)}"# }
    try folder.write(
      #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#, to: "g.geojson")
    return try folder.write(
      """
      {"version":"2.31","operationalLayers":[{"title":"L","layerType":"GeoJSON","url":"g.geojson",
      "layerDefinition":{"drawingInfo":{"renderer":{"type":"simple","symbol":\(symbol)}}}}]}
      """, to: "m.json")
  }

  static func polygon(_ corners: [(x: Double, y: Double)]) -> String {
    let ring = (corners + corners.prefix(1)).map { "[\($0.x),\($0.y)]" }.joined(separator: ",")
    return #"{"type":"Polygon","coordinates":[[\#(ring)]]}"#
  }

  /// Twelve rectangles, turned by an angle in radians.
  static func rectangles(_ width: Double, _ height: Double, angle: Double) -> [String] {
    (0..<12).map { index in
      let (x, y) = (20 + Double(index / 3) * 20.37, -30 + Double(index % 3) * 23.3)
      return polygon(
        [(-1, -1), (1, -1), (1, 1), (-1, 1)].map { corner in
          let (across, along) = (corner.0 * width / 2, corner.1 * height / 2)
          return (
            x + across * cos(angle) - along * sin(angle), y + across * sin(angle) + along * cos(angle)
          )
        })
    }
  }

  static func outline(points: Double) -> String {
    #"{"type":"esriSLS","style":"esriSLSSolid","color":[0,0,0,255],"width":\#(points)}"#
  }

  static func area(fill: Bool, outline: String?) -> String {
    """
    {"type":"esriSFS","style":"\(fill ? "esriSFSSolid" : "esriSFSNull")","color":[0,0,0,255],\
    "outline":\(outline ?? "null")}
    """
  }

  @Test("Twelve squares of 0.02 pixels keep the ink of their outlines")
  func squares() async throws {
    let image = try await Self.image(
      Self.cases.appendingPathComponent("01-small-polygons-vanish/outline.json").path, Self.plane)
    // 3 points are 4 pixels; the corners are mitered.
    #expect(abs(Self.ink(image) / (12 * 4.02 * 4.02) - 1) < 0.02, "\(Self.ink(image))")
  }

  @Test("Rectangles have the ink of their area and outline, however small, thin and turned they are")
  func rectangles() async throws {
    let folder = try ScratchFolder()
    var compared = 0
    for points in [0.75, 3] {
      for (width, height, angle) in [
        (40, 0.02, 0), (40, 0.02, 0.5), (40, 0.05, 0.5), (40, 0.2, 0.5), (0.02, 0.02, 0), (0.05, 0.05, 0.3),
        (0.1, 0.1, 0.3), (0.3, 0.3, 0.3), (0.001, 0.001, 0.3),
      ] {
        let all = Self.rectangles(width, height, angle: angle)
        // Of the strips, only those of one column, because they would cross those of the next.
        let map = try Self.map(
          width == 40 ? Array(all[3..<6]) : all,
          symbol: Self.area(fill: false, outline: Self.outline(points: points)), in: folder)
        let ink = Self.ink(try await Self.image(map, Self.plane))
        let line = points * 4 / 3
        let inner = max(0, width - line) * max(0, height - line)
        let expected = (width == 40 ? 3 : 12) * ((width + line) * (height + line) - inner)
        #expect(abs(ink / expected - 1) < 0.02, "\(width) x \(height), \(points) points: \(ink), \(expected)")
        compared += 1
      }
    }
    #expect(compared == 18)
  }

  @Test("A town of 500 small buildings is as dark as its outlines")
  func town() async throws {
    let folder = try ScratchFolder()
    // Buildings of 0.01 by 0.006 pixels, none closer than 3 pixels to another.
    let buildings = (0..<500).map { index in
      let (x, y) = (5 + Double(index % 25) * 3.61, -45 + Double(index / 25) * 4.53)
      return Self.polygon([(x, y), (x + 0.01, y), (x + 0.01, y + 0.006), (x, y + 0.006)])
    }
    let map = try Self.map(
      buildings, symbol: Self.area(fill: true, outline: Self.outline(points: 0.75)), in: folder)
    let ink = Self.ink(try await Self.image(map, Self.plane))
    #expect(abs(ink / (500 * 1.01 * 1.006) - 1) < 0.02, "\(ink)")
  }

  @Test("One building of 10 meters at 1:6,000,000 is as dark as the reference painter draws it")
  func building() async throws {
    let document = Self.cases.appendingPathComponent("01-small-polygons-vanish/one.geojson").path
    let options = ["--viewpoint", "50,10,6000000", "--size", "40x40"]
    let own = Self.ink(try await Self.image(document, options))
    let reference = Self.ink(try await Self.image(document, options, painter: "reference"))
    #expect(own > 0.1)
    #expect(abs(own / reference - 1) < 0.02, "\(own) \(reference)")
  }

  @Test("Short lines have the ink of their length and caps")
  func lines() async throws {
    let folder = try ScratchFolder()
    var compared = 0
    for (cap, area) in [("butt", 0.0), ("round", Double.pi / 4), ("square", 1)] {
      for length in [0.003, 0.01, 0.05, 0.2, 1, 5] {
        let lines = (0..<16).map { index in
          let (x, y) = (20 + Double(index / 4) * 17.3, -30 + Double(index % 4) * 17.6)
          return
            #"{"type":"LineString","coordinates":[[\#(x),\#(y)],[\#(x + length * 0.8),\#(y + length * 0.6)]]}"#
        }
        let symbol =
          #"{"type":"esriSLS","style":"esriSLSSolid","color":[0,0,0,255],"width":3,"cap":"\#(cap)"}"#
        let ink = Self.ink(try await Self.image(try Self.map(lines, symbol: symbol, in: folder), Self.plane))
        let expected = 16 * (length * 4 + area * 16)
        // Of the shortest lines without caps, each pixel is rounded.
        #expect(
          abs(ink - expected) < 0.02 * expected + 16 * 12 * 0.5 / 255, "\(cap) \(length): \(ink), \(expected)"
        )
        compared += 1
      }
    }
    #expect(compared == 18)
  }

  @Test("The last dash of a line with round caps has both caps, however short it is")
  func lastDash() async throws {
    let folder = try ScratchFolder()
    let symbol =
      #"{"type":"esriSLS","style":"esriSLSDash","color":[0,0,0,255],"width":3,"cap":"round","join":"round"}"#
    // The dashes are 4 widths with caps, the gaps 3 and one: a period is 28 pixels.
    var compared = 0
    for rest in [0.002, 0.004, 0.05, 0.5, 2, 6] {
      let lines = (0..<5).map { index in
        let y = -40 + Double(index) * 15.7
        return #"{"type":"LineString","coordinates":[[10.2,\#(y)],[\#(66.2 + rest),\#(y)]]}"#
      }
      let ink = Self.ink(try await Self.image(try Self.map(lines, symbol: symbol, in: folder), Self.plane))
      let expected = 5 * (3 * Double.pi * 4 + 4 * (24 + rest))
      #expect(abs(ink / expected - 1) < 0.02, "\(rest): \(ink), \(expected)")
      compared += 1
    }
    #expect(compared == 6)
  }

  @Test("An explanation counts the pixels of a thin line that the line colours")
  func explanation() async throws {
    let folder = Self.cases.appendingPathComponent("numbers")
    let options = ["--bounds=-1,-1,5,5", "--size", "200x200"]
    let document = folder.appendingPathComponent("thin-0.25-255.json").path
    let image = try await Self.image(document, options)
    let colored = stride(from: 0, to: image.pixels.count, by: 4).count {
      image.pixels[$0..<$0 + 3] != [255, 255, 255]
    }
    #expect(colored == 134)
    let run = try await Tool.run(["explain", document, "--layer", "x", "--id", "1"] + options)
    #expect(run.out.hasPrefix("x, id 1: drawn\n"), "\(run.out)")
    #expect(run.out.contains("pixels      134 painted, 134 visible"), "\(run.out)")
  }

  @Test(
    "An explanation of a fill that is too small for a pixel says so", arguments: [1: 0, 4: 0, 6: 1, 9: 4])
  func tinyFills(id: Int, pixels: Int) async throws {
    let run = try await Tool.run([
      "explain", Self.cases.appendingPathComponent("numbers/tiny-nooutline.json").path, "--layer", "x",
      "--id",
      "\(id)", "--bounds=-1,-1,5,5", "--size", "200x200",
    ])
    #expect(run.out.contains("pixels      \(pixels) painted, \(pixels) visible"), "\(run.out)")
    #expect(run.out.contains("covers too little of any pixel") == (pixels == 0), "\(run.out)")
  }
}
