import MapImages
import MapJSON
import MapModel
import MapStyleDrawing
import MapStyles
import MapText
import Testing

/// Boxes and pixels of icons: anchors, images fitted to texts, and distance fields.
@Suite struct ShapedIconTests {
  private static let red = PixelColor(red: 255, green: 0, blue: 0)
  private static let blue = PixelColor(red: 0, green: 0, blue: 255)

  /// A sprite of one image: red, and blue inside a rectangle.
  private static func image(
    width: Int, height: Int, blueX: Range<Int>, blueY: Range<Int>, _ members: KeyValuePairs<String, JSONValue>
  ) throws -> SpriteImage {
    var sheet = try Bitmap(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width { sheet[x, y] = blueX.contains(x) && blueY.contains(y) ? blue : red }
    }
    var entry: JSONObject = ["x": 0, "y": 0, "width": .number(width), "height": .number(height)]
    for (name, value) in members { entry[name] = value }
    let json: JSONValue = ["image": .object(entry)]
    return try #require(try StyleImages(json: json, bitmap: sheet)["image"])
  }

  private static func text(width: Double, height: Double) -> ShapedText {
    ShapedText(
      text: "", glyphs: [],
      box: SymbolBox(left: -width / 2, top: -height / 2, right: width / 2, bottom: height / 2))
  }

  @Test("An icon is at its anchor, in CSS pixels, and keeps its pixels")
  func anchors() throws {
    let image = try Self.image(width: 8, height: 4, blueX: 0..<1, blueY: 0..<1, ["pixelRatio": 2])
    let icon = ShapedIcon(image, anchor: .bottomLeft, offsetX: 1, offsetY: -1)
    #expect(icon.box == SymbolBox(left: 1, top: -3, right: 5, bottom: -1))
    #expect(icon.collisionBox == icon.box)
    let pixels = try #require(icon.pixels(size: 2, pixelRatio: 1, paint: IconPaint(color: .black)))
    #expect(pixels.bitmap == image.bitmap)
    #expect(pixels.box == SymbolBox(left: 2, top: -6, right: 10, bottom: -2))
    #expect(icon.pixels(size: 0, pixelRatio: 1, paint: IconPaint(color: .black)) == nil)
    #expect(icon.pixels(size: .nan, pixelRatio: 1, paint: IconPaint(color: .black)) == nil)
  }

  @Test(
    "An icon has the size of its text with padding, along the axes that are fitted",
    arguments: [
      (IconTextFit.both, SymbolBox(left: -24, top: -11, right: 22, bottom: 13)),
      (.width, SymbolBox(left: -24, top: -4, right: 22, bottom: 4)),
      (.height, SymbolBox(left: -8, top: -11, right: 8, bottom: 13)),
      (.none, SymbolBox(left: -8, top: -4, right: 8, bottom: 4)),
    ])
  func fits(_ fit: IconTextFit, _ expected: SymbolBox) throws {
    let image = try Self.image(width: 16, height: 8, blueX: 0..<0, blueY: 0..<0, [:])
    let icon = ShapedIcon(
      image, around: Self.text(width: 4, height: 2), fontSize: 10, fit: fit, padding: [1, 2, 3, 4])
    #expect(icon.box == expected)
    let pixels = try #require(icon.pixels(size: 1, pixelRatio: 2, paint: IconPaint(color: .black)))
    #expect(pixels.bitmap == image.bitmap && pixels.box == expected)
  }

  @Test("Zones that stretch take all of the change, and the others keep their size")
  func zones() throws {
    // Columns 4 to 6 of 10 stretch; they are blue.
    let image = try Self.image(
      width: 10, height: 10, blueX: 4..<6, blueY: 0..<10, ["stretchX": [[4, 6]], "content": [2, 0, 8, 10]])
    let icon = ShapedIcon(image, around: Self.text(width: 20, height: 10), fontSize: 1, fit: .both)
    #expect(icon.box.width == 20)
    // The content of 6 pixels becomes 20, so the parts outside of it are outside of the text.
    #expect(icon.collisionBox == SymbolBox(left: -12, top: -5, right: 12, bottom: 5))
    let pixels = try #require(icon.pixels(size: 1, pixelRatio: 1, paint: IconPaint(color: .black)))
    #expect(pixels.box == SymbolBox(left: -12, top: -5, right: 12, bottom: 5))
    #expect(pixels.bitmap.width == 24 && pixels.bitmap.height == 10)
    let row = (0..<24).map { pixels.bitmap[$0, 5] }
    #expect(row[4..<20].allSatisfy { $0.blue > $0.red } && row[8..<16].allSatisfy { $0 == Self.blue })
    #expect((row[0..<4] + row[20..<24]).allSatisfy { $0.red > $0.blue })
  }

  @Test("An image with proportional content keeps its ratio")
  func proportional() throws {
    let image = try Self.image(
      width: 20, height: 10, blueX: 0..<0, blueY: 0..<0,
      ["content": [0, 0, 20, 10], "textFitWidth": "stretchOnly", "textFitHeight": "proportional"])
    let narrow = ShapedIcon(image, around: Self.text(width: 10, height: 10), fontSize: 1, fit: .both)
    #expect(
      narrow.pixels(size: 1, pixelRatio: 1, paint: IconPaint(color: .black))?.box
        == SymbolBox(left: -10, top: -5, right: 10, bottom: 5))
    let wide = ShapedIcon(image, around: Self.text(width: 40, height: 10), fontSize: 1, fit: .both)
    #expect(wide.pixels(size: 1, pixelRatio: 1, paint: IconPaint(color: .black))?.box == wide.box)
  }

  @Test("A distance field has the colour inside its edge, and a halo of the width asked for around it")
  func fields() throws {
    // The distance from a vertical edge at x = 12, which is inside on the left.
    var sheet = try Bitmap(width: 24, height: 24)
    for y in 0..<24 {
      for x in 0..<24 {
        let alpha = 191.25 + 32 * (12 - (Double(x) + 0.5))
        sheet[x, y] = PixelColor(red: 0, green: 0, blue: 0, alpha: UInt8(min(max(alpha, 0), 255)))
      }
    }
    let image = try #require(
      try StyleImages(
        json: ["arrow": ["x": 0, "y": 0, "width": 24, "height": 24, "sdf": true]], bitmap: sheet)["arrow"])
    #expect(image.isDistanceField)
    let paint = IconPaint(
      color: Color(red: 0, green: 0, blue: 255), haloColor: Color(red: 255, green: 255, blue: 0), haloWidth: 2
    )
    let pixels = try #require(ShapedIcon(image).pixels(size: 1, pixelRatio: 2, paint: paint))
    #expect(pixels.bitmap.width == 48 && pixels.box == ShapedIcon(image).box)
    func color(_ x: Double) -> PixelColor { pixels.bitmap[Int(x * 2), 20] }
    #expect(color(8) == Self.blue)
    #expect(color(13) == PixelColor(red: 255, green: 255, blue: 0))
    #expect(color(16.5).alpha == 0)
    // The halo has twice the size in the image when the icon is half as large.
    let half = try #require(ShapedIcon(image).pixels(size: 0.5, pixelRatio: 4, paint: paint))
    #expect(half.bitmap[30, 20].alpha == 255 && half.bitmap[36, 20].alpha == 0)
    let plain = try #require(
      ShapedIcon(image).pixels(
        size: 1, pixelRatio: 2, paint: IconPaint(color: Color(red: 0, green: 0, blue: 255))))
    #expect(plain.bitmap[28, 20].alpha == 0)
  }

  @Test("Members that do not fit the image are left out, and icons of any size have a bounded bitmap")
  func limits() throws {
    let faults: [KeyValuePairs<String, JSONValue>] = [
      ["stretchX": [[4, 60]]], ["stretchX": [[6, 4]]], ["stretchX": [[4, 6], [5, 7]]], ["stretchX": "4"],
      ["stretchX": [[4]]], ["content": [0, 0, 100, 10]], ["content": [5, 5, 5, 5]], ["content": [1, 2]],
      ["textFitWidth": "wide"], ["sdf": 1], ["stretchX": [["a", "b"]]],
    ]
    let text = Self.text(width: 20, height: 0.01)
    let plain = try Self.image(width: 10, height: 10, blueX: 0..<2, blueY: 0..<2, [:])
    for fault in faults {
      let image = try Self.image(width: 10, height: 10, blueX: 0..<2, blueY: 0..<2, fault)
      #expect(image == plain, "\(fault)")
    }
    let image = try Self.image(
      width: 10, height: 10, blueX: 4..<6, blueY: 0..<10, ["stretchX": [[4, 6]]])
    let icon = ShapedIcon(image, around: text, fontSize: 1e6, fit: .both)
    let pixels = try #require(icon.pixels(size: 1, pixelRatio: 8, paint: IconPaint(color: nil)))
    #expect(pixels.bitmap.width == 512 && pixels.bitmap.height < 512)
    #expect(icon.pixels(size: 1e300, pixelRatio: 1e300, paint: IconPaint(color: nil)) != nil)
  }
}
