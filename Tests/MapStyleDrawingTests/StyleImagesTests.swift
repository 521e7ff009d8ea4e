import MapDrawing
import MapGeometry
import MapImages
import MapJSON
import MapModel
import MapStyleDrawing
import MapStyles
import Testing

@Suite struct StyleImagesTests {
  /// A sheet of two images of 2 by 2 pixels, red and blue.
  private static func images(prefix: String = "") throws -> StyleImages {
    var sheet = try Bitmap(width: 4, height: 2)
    for y in 0..<2 {
      for x in 0..<4 {
        sheet[x, y] =
          x < 2
          ? PixelColor(red: 255, green: 0, blue: 0, alpha: 255)
          : PixelColor(red: 0, green: 0, blue: 255, alpha: 255)
      }
    }
    return try StyleImages(
      json: [
        "red": ["x": 0, "y": 0, "width": 2, "height": 2, "pixelRatio": 1],
        "blue": ["x": 2, "y": 0, "width": 2, "height": 2, "pixelRatio": 2],
        "outside": ["x": 3, "y": 0, "width": 2, "height": 2, "pixelRatio": 1],
        "nothing": 1,
      ], bitmap: sheet, prefix: prefix)
  }

  @Test("A sprite has the images inside its sheet, with their members")
  func entries() throws {
    let images = try Self.images()
    #expect(images.names == ["red", "blue"])
    let blue = try #require(images["blue"])
    #expect(blue.bitmap[1, 1] == PixelColor(red: 0, green: 0, blue: 255, alpha: 255))
    #expect(blue.width == 1 && blue.height == 1)
    #expect(images["outside"] == nil)
  }

  @Test("Entries that cannot be used and members that are ignored are reported")
  func problems() throws {
    let box: JSONObject = ["x": 0, "y": 0, "width": 4, "height": 2]
    func problems(_ name: String, _ value: JSONValue) throws -> [String] {
      var members = box
      members[name] = value
      return try StyleImages(json: ["k": .object(members)], bitmap: Bitmap(width: 4, height: 2)).problems
    }
    let parts = "it must be a list of [start, end] in order, inside the image"
    let cases: [(String, JSONValue, String?)] = [
      ("x", 1, "it is not used: x, y, width and height are no box inside the sheet of 4 by 2 pixels"),
      ("pixelRatio", 0, "it is not used: its pixelRatio must be a number from 1/64 to 64"),
      ("pixelRatio", "2", "it is not used: its pixelRatio must be a number from 1/64 to 64"),
      ("stretchX", [[4, 2]], "'stretchX' is ignored: \(parts)"),
      ("stretchY", [[0, 3]], "'stretchY' is ignored: \(parts)"),
      (
        "content", [9, 9, 1, 1],
        "'content' is ignored: it must be [left, top, right, bottom] inside the image"
      ),
      ("sdf", "yes", "'sdf' is ignored: it must be true or false"),
      (
        "textFitWidth", "bogus",
        "'textFitWidth' is ignored: it must be stretchOrShrink, stretchOnly or proportional"
      ),
      ("stretchX", [[1, 2], [3, 4]], nil), ("stretchX", [], nil), ("content", [0, 0, 4, 2], nil),
      ("sdf", true, nil), ("textFitHeight", "proportional", nil), ("pixelRatio", 2, nil), ("sdf", .null, nil),
    ]
    for (name, value, expected) in cases {
      #expect(try problems(name, value) == (expected.map { ["image 'k' of the sprite: \($0)"] } ?? []))
    }
  }

  @Test("Faults of a sprite take at most ten lines")
  func manyProblems() throws {
    var index = JSONObject()
    for number in 0..<30 { index["image\(number)"] = 1 }
    let images = try StyleImages(json: .object(index), bitmap: Bitmap(width: 1, height: 1))
    #expect(images.problems.count == 10 && images.names.isEmpty)
    #expect(images.problems.last == "images of the sprite have 21 more faults")
  }

  @Test(
    "An image that cannot be used is not called missing, and one of an unread sprite is not reported again")
  func unavailable() throws {
    var images = try Self.images()
    images.addUnread(prefix: "poi")
    for (name, expected) in [
      ("outside", ["fill-pattern: image 'outside' of the sprite cannot be used (1 feature)"]),
      ("poi:a", []), ("b", ["fill-pattern: the sprite has no image 'b' (1 feature)"]),
    ] {
      var scene = Scene(images: images)
      scene.add(.polygon, [[(0, 0), (40, 0), (40, 40), (0, 40), (0, 0)]])
      #expect(try scene.drawing("fill", paint: ["fill-pattern": .string(name)]).problems == expected)
    }
  }

  @Test("Sprites with ids precede their names with them")
  func prefixes() throws {
    var images = try Self.images()
    images.add(try Self.images(prefix: "own"))
    #expect(images.names == ["red", "blue", "own:red", "own:blue"])
    #expect(images["own:blue"]?.bitmap == images["blue"]?.bitmap)
  }

  @Test("A pattern is repeated from the world's corner, and grows from its size at the whole zoom")
  func pattern() throws {
    var scene = Scene(extent: 4096, zoom: 14.5, images: try Self.images())
    // 512 pixels at zoom 14 are 724 at zoom 14.5.
    scene.scale = 512 * 2.0.squareRoot() / 4096
    scene.add(.polygon, [[(0, 0), (400, 0), (400, 400), (0, 400), (0, 0)]])
    let drawing = try scene.drawing("fill", paint: ["fill-pattern": "red", "fill-opacity": 0.5])
    guard case .image(_, let tile)? = drawing.paths.first?.styles.first?.hatch?.pattern else {
      Issue.record("no pattern")
      return
    }
    #expect(abs(tile.width - 2 * 2.0.squareRoot()) < 1e-9 && tile.isExact && tile.opacity == 0.5)
    #expect(tile.offsetX == 0 && tile.offsetY == 0)
  }

  @Test("Areas with a pattern are larger by the ink of an outline, and holes smaller")
  func growth() throws {
    var scene = Scene(images: try Self.images())
    scene.add(
      .polygon,
      [
        [(10, 10), (40, 10), (40, 40), (10, 40), (10, 10)],
        [(20, 20), (20, 30), (30, 30), (30, 20), (20, 20)],
      ])
    let drawing = try scene.drawing("fill", paint: ["fill-pattern": "red"])
    #expect(
      drawing.paths.first?.geometry.texts(row: 0) == [
        "9.6 9.6, 40.4 9.6, 40.4 40.4, 9.6 40.4, 9.6 9.6",
        "20.4 20.4, 20.4 29.6, 29.6 29.6, 29.6 20.4, 20.4 20.4",
      ])
    let plain = try scene.drawing("fill", paint: ["fill-pattern": "red", "fill-antialias": false])
    #expect(plain.paths.first?.geometry.texts(row: 0).first == "10 10, 40 10, 40 40, 10 40, 10 10")
  }

  @Test("A pattern that no sprite has is reported and not drawn")
  func missing() throws {
    var scene = Scene(images: try Self.images())
    for _ in 0..<2 { scene.add(.polygon, [[(0, 0), (40, 0), (40, 40), (0, 40), (0, 0)]]) }
    let drawing = try scene.drawing("fill", paint: ["fill-pattern": "green"])
    #expect(drawing.batches.isEmpty)
    #expect(drawing.problems == ["fill-pattern: the sprite has no image 'green' (2 features)"])
    let background = try scene.drawing("background", paint: ["background-pattern": "red"])
    #expect(background.paths.first?.styles.first?.hatch != nil)
  }
}
