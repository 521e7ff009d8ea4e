import Glibc
import MapImages
import MapJSON
import MapStyleDrawing
import MapStyles
import Testing

@Suite struct RasterTests {
  /// The style layer of a type with some paint properties.
  private static func layer(_ type: String, _ paint: JSONValue) throws -> StyleLayer {
    let json: JSONValue = [
      "version": 8, "sources": ["s": ["type": type == "raster" ? "raster" : "raster-dem", "tiles": ["x"]]],
      "layers": [["id": "l", "type": .string(type), "source": "s", "paint": paint]],
    ]
    let document = try StyleDocument(json)
    return try #require(document.layers.first)
  }

  private static let context = StyleContext(zoom: 3)

  private static func painted(_ paint: JSONValue, _ pixels: [UInt32]) throws -> [UInt32] {
    var pixels = pixels
    RasterPaint(try layer("raster", paint), context).apply(to: &pixels)
    return pixels
  }

  // MARK: Paint of images

  @Test("The paint of a raster layer changes the colours as MapLibre does")
  func paint() throws {
    let (red, black, white): (UInt32, UInt32, UInt32) = (0xFFFF_0000, 0xFF00_0000, 0xFFFF_FFFF)
    #expect(try Self.painted([:], [red, 0x8040_2010, 0]) == [red, 0x8040_2010, 0])
    // A third of a turn moves red to green, and green to blue.
    #expect(try Self.painted(["raster-hue-rotate": 120], [red, 0xFF00_FF00]) == [0xFF00_FF00, 0xFF00_00FF])
    #expect(try Self.painted(["raster-hue-rotate": 720], [0xFF12_3456]) == [0xFF12_3456])
    #expect(try Self.painted(["raster-saturation": -1], [red, 0xFF12_3456]) == [0xFF55_5555, 0xFF34_3434])
    #expect(try Self.painted(["raster-saturation": 1], [0xFF80_7F7F]) == [0xFFFF_0000])
    #expect(try Self.painted(["raster-contrast": -1], [red, black]) == [0xFF80_8080, 0xFF80_8080])
    #expect(try Self.painted(["raster-contrast": 1], [0xFF90_7010]) == [0xFFFF_0000])
    #expect(try Self.painted(["raster-contrast": 0.5], [0xFF90_7010]) == [0xFFA1_6100])
    let dim: JSONValue = ["raster-brightness-min": 0.2, "raster-brightness-max": 0.6]
    #expect(try Self.painted(dim, [black, white]) == [0xFF33_3333, 0xFF99_9999])
    // Half transparent: the straight colour changes, and no channel is above alpha.
    #expect(
      try Self.painted(["raster-brightness-min": 0.5], [0x8000_0000, 0x8080_8080]) == [
        0x8040_4040, 0x8080_8080,
      ])
    #expect(try Self.painted(["raster-hue-rotate": 120], [0x8080_0000]) == [0x8000_8000])
  }

  @Test("The opacity and the resampling of a raster layer are read, within their ranges")
  func opacity() throws {
    let paint = RasterPaint(
      try Self.layer("raster", ["raster-opacity": ["interpolate", ["linear"], ["zoom"], 2, 0, 4, 0.5]]),
      Self.context)
    #expect(paint.opacity == 0.25 && paint.keepsColors && !paint.isNearest)
    #expect(RasterPaint(try Self.layer("raster", ["raster-resampling": "nearest"]), Self.context).isNearest)
    #expect(RasterPaint(try Self.layer("raster", ["resampling": "nearest"]), Self.context).isNearest)
  }

  // MARK: Heights

  @Test("Heights are read from the colours of both encodings and from factors")
  func encodings() throws {
    let bitmap = try Bitmap(
      width: 2, height: 2, pixels: [1, 134, 160, 255, 0, 0, 0, 255, 128, 0, 64, 255, 1, 2, 3, 0])
    let mapbox = try #require(ElevationTile(bitmap, .mapbox))
    #expect(Array(mapbox.heights.prefix(3)) == [0, -10_000, 828_867.2] as [Float])
    #expect(mapbox.heights[3].isNaN)
    let terrarium = try #require(ElevationTile(bitmap, .terrarium))
    #expect(Array(terrarium.heights.prefix(3)) == [-32_377.375, -32_768, 0.25] as [Float])
    let own = ElevationEncoding(red: 1, green: 2, blue: 3, base: 4)
    #expect(try #require(ElevationTile(bitmap, own)).heights[0] == 745)
    #expect(ElevationTile(try Bitmap(width: 2, height: 1), .mapbox) == nil)
  }

  /// A tile of the field that the expected values below were computed from, of 16 pixels at zoom 15 beside the equator.
  private static func field() -> ElevationSquare {
    func tile(_ right: Int, _ down: Int) -> ElevationTile {
      ElevationTile(
        side: 16,
        heights: (0..<256).map { index in
          let (x, y) = (Double(index % 16 + 16 * right), Double(index / 16 + 16 * down))
          return Float((300 * sin(x / 3) + 200 * cos(y / 4) + x * y * 5).rounded())
        })
    }
    return ElevationSquare(tile(0, 0), around: tile)
  }

  private static func shades(_ shading: Hillshade, _ square: ElevationSquare, bearing: Double = 0) throws
    -> [UInt32]
  {
    let slopes = try square.slopes(zoom: 15, row: 1 << 14)
    var pixels = (0..<slopes.width * slopes.height).map { index in
      let color = slopes[index % slopes.width, index / slopes.width]
      return UInt32(color.alpha) << 24 | UInt32(color.red) << 16 | UInt32(color.green) << 8
        | UInt32(color.blue)
    }
    shading.apply(to: &pixels, bearing: bearing)
    return pixels
  }

  /// Values of GDAL 3.6: `gdaldem hillshade -az 335 -alt 45`, with `-combined` and `-igor` (without `-alt`), rows 2 and
  /// 10 of the field with cells of 40075016.6855785 / (16 * 2^15) metres.
  private static let gdal: [(Hillshade.Method, [Int: [Int]])] = [
    (
      .basic,
      [
        2: [135, 144, 156, 173, 189, 184, 151, 117, 97, 91, 98, 119, 156, 205, 243, 252],
        10: [120, 126, 136, 150, 168, 186, 189, 169, 147, 140, 148, 174, 212, 241, 244, 230],
      ]
    ),
    (
      .combined,
      [
        2: [154, 161, 174, 196, 224, 253, 217, 181, 157, 147, 149, 164, 189, 217, 238, 243],
        10: [132, 137, 147, 164, 188, 217, 246, 234, 209, 196, 198, 211, 230, 239, 235, 215],
      ]
    ),
    (
      .igor,
      [
        2: [187, 191, 198, 210, 229, 255, 218, 194, 181, 176, 178, 187, 203, 226, 246, 248],
        10: [179, 182, 186, 193, 205, 223, 248, 234, 213, 205, 207, 218, 236, 253, 241, 228],
      ]
    ),
  ]

  @Test("Slopes are shaded as GDAL shades them")
  func gdalShades() throws {
    let square = Self.field()
    var compared = 0
    for (method, rows) in Self.gdal {
      var shading = Hillshade()
      shading.method = method
      shading.isAnchoredToViewport = false
      // Black over white, which GDAL's image is; basic shading is white and black over grey.
      if method != .basic { shading.lights[0].highlight = StyleColor(0, 0, 0, alpha: 0) }
      let shades = try Self.shades(shading, square)
      for (row, expected) in rows {
        for (column, value) in expected.enumerated() {
          let shade = shades[row * 16 + column]
          let alpha = Double(shade >> 24)
          let own =
            method != .basic
            ? 255 - alpha : 127.5 + (shade & 255 > 0 ? alpha : -alpha) / 2
          // Slopes have 8 bits.
          #expect(abs(own - Double(value)) <= 6, "\(method) \(column) \(row)")
          compared += 1
        }
      }
    }
    #expect(compared == 96)
  }

  @Test("Flat ground has no shade, and the light comes from the direction of the layer")
  func directions() throws {
    let flat = ElevationSquare(ElevationTile(side: 4, heights: Array(repeating: 7, count: 16))) { _, _ in nil
    }
    #expect(try Self.shades(Hillshade(), flat).allSatisfy { $0 == 0 })
    // Ground that rises to the east faces west.
    let ramp = ElevationSquare(ElevationTile(side: 4, heights: (0..<16).map { Float($0 % 4 * 200) })) {
      _, _ in nil
    }
    for method in Hillshade.Method.allCases {
      var shading = Hillshade()
      shading.method = method
      shading.accent = StyleColor(0, 0, 0, alpha: 0)
      shading.isAnchoredToViewport = false
      shading.lights[0].direction = 270
      let west = try Self.shades(shading, ramp)[5]
      shading.lights[0].direction = 90
      let east = try Self.shades(shading, ramp)[5]
      #expect(west & 255 > east & 255, "\(method)")
      #expect(east >> 24 > 0, "\(method)")
      // With the map turned, a light of the viewport comes from another side of the map.
      shading.isAnchoredToViewport = true
      shading.lights[0].direction = 0
      #expect(try Self.shades(shading, ramp, bearing: 270)[5] == west)
    }
  }

  @Test("Slopes go on over the sides of tiles, and stop at pixels without a height")
  func sides() throws {
    func plane(_ right: Int, _ down: Int) -> ElevationTile {
      ElevationTile(
        side: 4, heights: (0..<16).map { Float(($0 % 4 + 4 * right) * 50 + ($0 / 4 + 4 * down) * 30) })
    }
    let slopes = try ElevationSquare(plane(0, 0), around: plane).slopes(zoom: 15, row: 1 << 14)
    let first = slopes[0, 0]
    #expect(first.red > 128 && first.green > 128 && first.blue == 255)
    #expect((0..<16).allSatisfy { slopes[$0 % 4, $0 / 4] == first })
    let alone = try ElevationSquare(plane(0, 0)) { _, _ in nil }.slopes(zoom: 15, row: 1 << 14)
    #expect(alone[1, 1] == first && alone[0, 1] != first)
    // At 60 degrees, the ground is twice as steep as the map.
    let north = try ElevationSquare(plane(0, 0), around: plane).slopes(zoom: 15, row: 9_500)
    #expect(abs(Int(north[0, 0].blue) - 128) < 6)
    var heights = plane(0, 0).heights
    heights[5] = .nan
    let holed = try ElevationSquare(ElevationTile(side: 4, heights: heights), around: plane).slopes(
      zoom: 15, row: 0)
    #expect(holed[1, 1].alpha == 0 && holed[2, 2].alpha == 255)
  }

  @Test("The properties of a hillshade layer are read; lists of lights have the length of the longest")
  func properties() throws {
    let layer = try Self.layer(
      "hillshade",
      [
        "hillshade-method": "multidirectional", "hillshade-illumination-direction": [270, 315, 0],
        "hillshade-illumination-altitude": 30, "hillshade-shadow-color": ["#ff0000", "#00ff00"],
        "hillshade-exaggeration": 0.25, "hillshade-illumination-anchor": "map",
        "hillshade-accent-color": "#0000ff",
      ])
    let shading = Hillshade(layer, Self.context)
    #expect(
      shading.method == .multidirectional && shading.exaggeration == 0.25 && !shading.isAnchoredToViewport)
    #expect(
      shading.lights.map(\.direction) == [270, 315, 0] && shading.lights.map(\.altitude) == [30, 30, 30])
    let green = StyleColor(0, 1, 0)
    #expect(shading.lights.map(\.shadow) == [StyleColor(1, 0, 0), green, green])
    #expect(shading.lights.map(\.highlight) == Array(repeating: StyleColor(1, 1, 1), count: 3))
    #expect(shading.accent == StyleColor(0, 0, 1))
    #expect(Hillshade(try Self.layer("hillshade", [:]), Self.context) == Hillshade())
  }

  // MARK: Colours of heights

  @Test("Heights have the colours of the ramp, between pixels too")
  func relief() throws {
    let layer = try Self.layer(
      "color-relief",
      [
        "color-relief-opacity": 0.5,
        "color-relief-color": [
          "interpolate", ["linear"], ["elevation"], 0, "#000000", 100, "#ffffff", 200, "#ff0000",
        ],
      ])
    let relief = ColorRelief(layer, Self.context)
    #expect(relief.opacity == 0.5 && !relief.isNearest)
    let tile = ElevationTile(side: 2, heights: [0, 100, 50, .nan])
    let square = ElevationSquare(tile) { _, _ in nil }
    let image = try relief.image(of: square, factor: 1)
    #expect(image[0, 0] == PixelColor(red: 0, green: 0, blue: 0, alpha: 255))
    #expect(image[1, 0] == PixelColor(red: 255, green: 255, blue: 255, alpha: 255))
    #expect(image[0, 1] == PixelColor(red: 128, green: 128, blue: 128, alpha: 255))
    #expect(image[1, 1].alpha == 0)
    let slope = ElevationSquare(ElevationTile(side: 2, heights: [0, 200, 0, 200])) { _, _ in nil }
    let large = try relief.image(of: slope, factor: 4)
    // Three eighths of the way from one pixel to the next: 75 metres.
    #expect(large.width == 8 && large[3, 4] == PixelColor(red: 191, green: 191, blue: 191, alpha: 255))
    #expect(large[7, 0] == PixelColor(red: 255, green: 0, blue: 0, alpha: 255))
  }

  @Test("A ramp over less than a metre has all its colours")
  func shallowRelief() throws {
    let ramp: JSONValue = ["interpolate", ["linear"], ["elevation"], 0, "#000000", 0.25, "#ffffff"]
    let relief = ColorRelief(try Self.layer("color-relief", ["color-relief-color": ramp]), Self.context)
    let tile = ElevationTile(side: 2, heights: [0, 0.25, 0.0625, 0.125])
    let image = try relief.image(of: ElevationSquare(tile) { _, _ in nil }, factor: 1)
    #expect([image[0, 0], image[1, 0], image[0, 1], image[1, 1]].map(\.red) == [0, 255, 64, 128])
    let flat = ElevationTile(side: 1, heights: [0.125])
    #expect(try relief.image(of: ElevationSquare(flat) { _, _ in nil }, factor: 1)[0, 0].red == 128)
  }
}
