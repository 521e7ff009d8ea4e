import MapDrawing
import MapGeometry
import MapImages
import MapJSON
import MapModel
import MapStyleDrawing
import MapStyles
import Testing

@Suite struct LineTests {
  private static var scene: Scene {
    var scene = Scene()
    scene.add(.polyline, [[(10, 50), (90, 50)]])
    return scene
  }

  @Test("Widths are CSS pixels times the ratio, with the style's ends and corners")
  func widths() throws {
    var scene = Self.scene
    scene.pixelRatio = 2
    let drawing = try scene.drawing(
      "line", paint: ["line-width": 3, "line-color": "red", "line-opacity": 0.5],
      layout: ["line-cap": "round", "line-join": "bevel"])
    let stroke = try #require(drawing.paths.first?.styles.first?.stroke)
    #expect(
      stroke
        == Stroke(
          color: Color(red: 255, green: 0, blue: 0, alpha: 128), width: 6, cap: .round, join: .bevel,
          miterLimit: 2))
    #expect(drawing.paths.first?.geometry.texts(row: 0) == ["10 50, 90 50"])
  }

  @Test("Dashes have the width at the whole zoom and grow with the map")
  func dashes() throws {
    var scene = Self.scene
    scene.zoom = 14.5
    let width: JSONValue = ["interpolate", ["linear"], ["zoom"], 14, 2, 15, 4]
    let drawing = try scene.drawing("line", paint: ["line-width": width, "line-dasharray": [3, 2]])
    let batch = try #require(drawing.paths.first)
    #expect(batch.styles.first?.stroke?.width == 3)
    // A dash is 3 * 2 * 2^0.5 pixels long.
    #expect(batch.geometry.texts(row: 0).prefix(2) == ["10 50, 18.485 50", "24.142 50, 32.627 50"])
  }

  @Test("Round ends of dashes grow along the line as the dashes do, and a dash without length is a dot")
  func roundDashes() throws {
    var scene = Self.scene
    scene.zoom = 14.5
    let drawing = try scene.drawing(
      "line", paint: ["line-width": 2, "line-dasharray": [0, 4]], layout: ["line-cap": "round"])
    // Dots are 2 * 2^0.5 pixels long, with round ends of 1 pixel.
    let texts = try #require(drawing.paths.first?.geometry.texts(row: 0))
    #expect(texts.prefix(2) == ["10 50, 10.414 50", "20.899 50, 21.728 50"])
    scene.zoom = 14
    let whole = try scene.drawing(
      "line", paint: ["line-width": 2, "line-dasharray": [0, 4]], layout: ["line-cap": "round"])
    #expect(whole.paths.first?.geometry.texts(row: 0).prefix(2) == ["10 50, 10.01 50", "18.01 50, 18.02 50"])
  }

  @Test("The dashes of a layer are limited, also those of one line")
  func manyDashes() throws {
    var scene = Self.scene
    scene.add(.polyline, [[(10, 20), (90, 20)], [(10, 60), (90, 60)]])
    // 40 dashes of one pixel, each with two vertices, along each of three lines.
    let paint: JSONObject = ["line-width": 1, "line-dasharray": [1, 1]]
    func vertices(_ limit: Int?) throws -> (rows: [Int], problems: [String]) {
      scene.dashLimit = limit
      let drawing = try scene.drawing("line", paint: paint)
      let geometry = try #require(drawing.paths.first).geometry
      return ((0..<geometry.rowCount).map { geometry.vertices(ofRow: $0).count }, drawing.problems)
    }
    let problem = "line-dasharray: too many dashes to draw"
    #expect(try vertices(nil) == ([80, 160], []))
    #expect(try vertices(241) == ([80, 160], []))
    #expect(try vertices(150) == ([80, 70], ["\(problem) (1 feature)"]))
    #expect(try vertices(30) == ([30, 0], ["\(problem) (2 features)"]))
    scene.dashLimit = 0
    let plain = try scene.drawing("line", paint: ["line-width": 1])
    #expect(plain.paths.first?.row.count == 2 && plain.problems.isEmpty)
  }

  @Test(
    "A limit of round joins that is large and constant is reported, because it has no effect",
    arguments: [(1.2, "round", false), (1.3, "round", true), (1.3, "miter", false)])
  func roundLimit(limit: Double, join: String, isReported: Bool) throws {
    let drawing = try Self.scene.drawing(
      "line", paint: ["line-width": 4],
      layout: ["line-join": .string(join), "line-round-limit": .number(limit)])
    #expect(drawing.problems == (isReported ? ["line-round-limit: joins stay round"] : []))
  }

  @Test("A dash that begins or ends the line has a square end there")
  func squareDashes() throws {
    let drawing = try Self.scene.drawing(
      "line", paint: ["line-width": 4, "line-dasharray": [5, 2.5]], layout: ["line-cap": "square"])
    let batch = try #require(drawing.paths.first)
    #expect(batch.styles.first?.stroke?.cap == .butt)
    #expect(batch.geometry.texts(row: 0) == ["8 50, 30 50", "40 50, 60 50", "70 50, 92 50"])
  }

  @Test("The dashes of an area go once around it")
  func dashedRing() throws {
    var scene = Scene()
    scene.add(.polygon, [[(10, 10), (50, 10), (50, 40), (10, 40), (10, 10)]])
    let drawing = try scene.drawing("line", paint: ["line-width": 1, "line-dasharray": [10, 5]])
    let geometry = try #require(drawing.paths.first?.geometry)
    let lengths = geometry.parts(ofRow: 0).map { part in
      let vertices = geometry.vertices(ofPart: part)
      return zip(vertices, vertices.dropFirst()).reduce(0.0) {
        $0 + abs(geometry.x[$1.1] - geometry.x[$1.0]) + abs(geometry.y[$1.1] - geometry.y[$1.0])
      }
    }
    // Of 140 pixels, nine whole dashes and one of 5.
    #expect(lengths.count == 10 && abs(lengths.reduce(0, +) - 95) < 1e-9, "\(lengths)")
  }

  @Test("A line of less than a pixel has the ink of MapLibre's antialiasing")
  func thinLines() throws {
    let drawing = try Self.scene.drawing("line", paint: ["line-width": 0.5])
    #expect(drawing.paths.first?.styles.first?.stroke?.width == 0.5625)
    #expect(try Self.scene.drawing("line", paint: ["line-width": 0]).batches.isEmpty)
  }

  @Test("With an odd number of lengths the last dash continues in the first")
  func oddDashes() throws {
    let drawing = try Self.scene.drawing("line", paint: ["line-width": 1, "line-dasharray": [10, 5, 20]])
    #expect(
      drawing.paths.first?.geometry.texts(row: 0) == [
        "10 50, 20 50", "25 50, 55 50", "60 50, 90 50",
      ])
  }

  @Test(
    "Lines without gaps or width are continuous or not drawn",
    arguments: [[1, 0], [0, 0], [4], []] as [[Double]])
  func degenerateDashes(_ dashes: [Double]) throws {
    let drawing = try Self.scene.drawing(
      "line", paint: ["line-dasharray": .array(dashes.map { .number($0) })])
    #expect(drawing.paths.first?.geometry.texts(row: 0) == ["10 50, 90 50"])
  }

  @Test("A gap draws two lines, and a positive offset moves to the right")
  func gapAndOffset() throws {
    let drawing = try Self.scene.drawing(
      "line", paint: ["line-width": 2, "line-gap-width": 6, "line-offset": 10])
    #expect(drawing.paths.first?.geometry.texts(row: 0) == ["10 56, 90 56", "10 64, 90 64"])
  }

  @Test("A parallel line is sharp within the miter limit, and falls into two lines beyond it")
  func corners() throws {
    func texts(_ parts: [(Double, Double)], _ join: JSONValue, _ offset: Double) throws -> [String] {
      var scene = Scene()
      scene.add(.polyline, [parts])
      return try #require(
        try scene.drawing(
          "line", paint: ["line-offset": .number(offset)], layout: ["line-join": join]
        ).paths.first?.geometry
      ).texts(row: 0)
    }
    let square = [(10.0, 10.0), (50, 10), (50, 50)]
    #expect(try texts(square, "miter", -4) == ["10 6, 54 6, 54 50"])
    #expect(try texts(square, "miter", 4) == ["10 14, 46 14, 46 50"])
    #expect(try texts(square, "bevel", -4) == ["10 6, 50 6, 54 10, 54 50"])
    #expect(try texts(square, "bevel", 4) == ["10 14, 46 14, 46 50"])
    let back = [(10.0, 10.0), (50, 10), (10, 10.0)]
    #expect(try texts(back, "miter", 4) == ["10 14, 50 14", "50 6, 10 6"])
    // A turn of 143 degrees: the lines end where their connection is perpendicular to the miter.
    let sharp = [(10.0, 10.0), (50, 10), (10, 40)]
    #expect(try texts(sharp, "miter", 6) == ["10 16, 52 16", "48 4, 6.4 35.2"])
    #expect(try texts(sharp, "miter", -6) == ["10 4, 48 4", "52 16, 13.6 44.8"])
    let round = try texts(square, "round", -4)
    #expect(round.count == 1 && round[0].hasPrefix("10 6, 50 6, ") && round[0].hasSuffix("54 10, 54 50"))
    let ring = try #require(try Self.ring(4))
    #expect(ring == ["14 14, 86 14, 86 86, 14 86, 14 14, 86 14"])
  }

  /// Returns the outline of a square at an offset.
  private static func ring(_ offset: Double) throws -> [String]? {
    var scene = Scene()
    scene.add(.polygon, [[(10, 10), (90, 10), (90, 90), (10, 90), (10, 10)]])
    return try scene.drawing("line", paint: ["line-offset": .number(offset)]).paths.first?.geometry.texts(
      row: 0)
  }

  @Test("Areas are outlined with joined rings, without the sides of the tile")
  func areas() throws {
    var scene = Scene()
    scene.add(.polygon, [[(10, 10), (20, 10), (20, 20), (10, 10)]])
    scene.add(.polygon, [[(90, 10), (105, 10), (105, 20), (90, 20), (90, 10)]])
    let geometry = try #require(try scene.drawing("line").paths.first?.geometry)
    #expect(geometry.texts(row: 0) == ["10 10, 20 10, 20 20, 10 10, 20 10"])
    #expect(geometry.texts(row: 1) == ["105 20, 90 20, 90 10, 105 10"])
  }

  @Test("Strokes of a blurred line add up to opacities that fall to the edge")
  func blur() throws {
    let drawing = try Self.scene.drawing(
      "line", paint: ["line-width": 10, "line-blur": 3, "line-color": "red"])
    let batch = try #require(drawing.paths.first)
    let strokes = batch.style.compactMap { batch.styles[Int($0)].stroke }
    #expect(strokes.map(\.width) == [10, 8, 6, 4])
    var (sum, sums) = (0.0, [Double]())
    for stroke in strokes {
      sum += (1 - sum) * Double(stroke.color.alpha) / 255
      sums.append((sum * 100).rounded())
    }
    #expect(sums == [25, 50, 75, 100])
    #expect(drawing.featureCount == 1)
  }
}

@Suite struct LinePixelsTests {
  private static func scene() throws -> Scene {
    var sheet = try Bitmap(width: 4, height: 2)
    for y in 0..<2 {
      for x in 0..<4 {
        sheet[x, y] = PixelColor(red: x < 2 ? 255 : 0, green: y == 0 ? 0 : 255, blue: 0, alpha: 255)
      }
    }
    let images = try StyleImages(
      json: ["a": ["x": 0, "y": 0, "width": 4, "height": 2, "pixelRatio": 1]], bitmap: sheet)
    var scene = Scene(images: images)
    scene.add(.polyline, [[(10, 50), (90, 50)]])
    return scene
  }

  private static func image(_ drawing: StyleLayerDrawing) throws -> DisplayImage {
    guard case .image(let image)? = drawing.batches.first else { throw NoImage() }
    return image
  }

  private struct NoImage: Error {}

  @Test("A pattern is as wide as the line, upright on a line to the right, and repeated along it")
  func pattern() throws {
    let drawing = try Self.scene().drawing("line", paint: ["line-width": 20, "line-pattern": "a"])
    let image = try Self.image(drawing)
    // A copy is 40 pixels long: 20 of them red, 20 black; the lower half is mixed with green.
    #expect(image.pixels[42 * 100 + 20] == 0xFFFF_0000)
    #expect(image.pixels[42 * 100 + 40] == 0xFF00_0000)
    #expect(image.pixels[58 * 100 + 60] == 0xFFFF_FF00)
    #expect(image.pixels[58 * 100 + 80] == 0xFF00_FF00)
    #expect(image.pixels[38 * 100 + 20] == 0)
    #expect(image.pixels[50 * 100 + 8] == 0 && image.pixels[50 * 100 + 91] == 0)
    #expect(drawing.featureCount == 1)
  }

  @Test("A gradient goes from the start of a line to its end")
  func gradient() throws {
    let ramp: JSONValue = ["interpolate", ["linear"], ["line-progress"], 0, "black", 1, "red"]
    let drawing = try Self.scene().drawing(
      "line", paint: ["line-width": 4, "line-gradient": ramp, "line-opacity": 0.5],
      layout: ["line-cap": "round"])
    let image = try Self.image(drawing)
    func red(_ x: Int) -> Int { Int(image.pixels[50 * 100 + x] >> 16 & 255) }
    #expect(abs(red(50) - 64) <= 1 && abs(red(70) - 96) <= 1)
    #expect(image.pixels[50 * 100 + 9] >> 24 == 128)
  }

  @Test("A line of no opacity is not counted")
  func transparentPattern() throws {
    let drawing = try Self.scene().drawing(
      "line", paint: ["line-width": 20, "line-pattern": "a", "line-opacity": 0])
    #expect(drawing.batches.isEmpty && drawing.featureCount == 0)
  }

  @Test("A pattern that no sprite has is reported")
  func missing() throws {
    let drawing = try Self.scene().drawing("line", paint: ["line-pattern": "b"])
    #expect(drawing.batches.isEmpty)
    #expect(drawing.problems == ["line-pattern: the sprite has no image 'b' (1 feature)"])
  }
}
