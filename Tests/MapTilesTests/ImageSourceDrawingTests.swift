import MapFeatures
import MapGeometry
import MapImages
import MapModel
import MapTiles
import Testing

@Suite struct ImageSourceDrawingTests {
  /// Four quarters: red, green, blue and half-transparent white.
  private static func image(side: Int = 8) throws -> Bitmap {
    var image = try Bitmap(width: side, height: side)
    for y in 0..<side {
      for x in 0..<side {
        let isRight = x >= side / 2
        image[x, y] =
          y < side / 2
          ? PixelColor(red: isRight ? 0 : 255, green: isRight ? 255 : 0, blue: 0, alpha: 255)
          : isRight
            ? PixelColor(red: 255, green: 255, blue: 255, alpha: 128)
            : PixelColor(red: 0, green: 0, blue: 255, alpha: 255)
      }
    }
    return image
  }

  /// A view of so many degrees of longitude around a place on the equator, 100 pixels wide and high.
  private static func view(
    degrees: Double = 10, x: Double = 0, rotation: Double = 0
  ) -> ViewState {
    let meters = degrees / 180 * WebMercator.halfWorld
    let viewpoint = ResolvedViewpoint(
      center: Point(x: x / 180 * WebMercator.halfWorld, y: 0, spatialReference: .webMercator),
      resolution: meters / 100, rotation: rotation)
    return ViewState(
      width: 100, height: 100, pixelRatio: 1, viewpoint: viewpoint, background: nil, timeExtent: nil,
      layers: [])
  }

  private static func drawn(
    _ corners: [(Double, Double)], _ view: ViewState, isNearest: Bool = false, side: Int = 8
  ) throws -> [UInt32] {
    try ImageSourceDrawing(
      image(side: side), corners: corners.map { (longitude: $0.0, latitude: $0.1) }, in: view, width: 100,
      height: 100,
      isNearest: isNearest, operations: .builtIn
    ).pixels
  }

  private static let square = [(-4.0, 4.0), (4, 4), (4, -4), (-4, -4)]
  private static let (red, green, blue, veil): (UInt32, UInt32, UInt32, UInt32) = (
    0xFFFF_0000, 0xFF00_FF00, 0xFF00_00FF, 0x8080_8080
  )

  @Test("An image lies between its corners, in any rotation and copy of the world")
  func corners() throws {
    let pixels = try Self.drawn(Self.square, Self.view())
    #expect(pixels[15 * 100 + 15] == Self.red && pixels[15 * 100 + 85] == Self.green)
    #expect(pixels[85 * 100 + 15] == Self.blue && pixels[85 * 100 + 85] == Self.veil)
    #expect(pixels[5 * 100 + 50] == 0 && pixels[50 * 100 + 95] == 0)
    let columns = (0..<100).filter { pixels[50 * 100 + $0] != 0 }
    #expect(columns == Array(10..<90))
    #expect(try Self.drawn(Self.square, Self.view(x: 360)) == pixels)
    #expect(try Self.drawn(Self.square.map { ($0.0 - 360, $0.1) }, Self.view()) == pixels)
    // The top of the image is where east is.
    let turned = try Self.drawn(Self.square, Self.view(rotation: 90))
    #expect(turned[15 * 100 + 15] == Self.green && turned[15 * 100 + 85] == Self.veil)
  }

  @Test("Colours between pixels are mixed, unless the nearest is asked for")
  func resampling() throws {
    let linear = try Self.drawn(Self.square, Self.view(), side: 2)
    // From the middle of one pixel to that of the next.
    #expect(linear[15 * 100 + 20] == Self.red && linear[15 * 100 + 79] == Self.green)
    #expect(linear[15 * 100 + 49] >> 16 & 255 == 131 && linear[15 * 100 + 50] >> 16 & 255 == 124)
    let nearest = try Self.drawn(Self.square, Self.view(), isNearest: true, side: 2)
    #expect(nearest[15 * 100 + 49] == Self.red && nearest[15 * 100 + 50] == Self.green)
  }

  @Test("A large image in a few pixels is their mean")
  func reduced() throws {
    let small = try Self.drawn([(0, 0.1), (0.1, 0.1), (0.1, 0), (0, 0)], Self.view(), side: 64)
    #expect(small.filter { $0 != 0 } == [small[49 * 100 + 50]])
    #expect(small[49 * 100 + 50] == 0xDF60_6060)
  }

  @Test("Between other corners than those of a parallelogram, both halves of an image are sheared")
  func halves() throws {
    let corners = [(-2.0, 4.0), (2, 4), (4, -4), (-4, -4)]
    let pixels = try Self.drawn(corners, Self.view())
    #expect(pixels[40 * 100 + 35] == Self.red && pixels[65 * 100 + 25] == Self.blue)
    #expect(pixels[35 * 100 + 55] == Self.green && pixels[60 * 100 + 62] == Self.veil)
    // Outside the slanted sides.
    #expect(pixels[20 * 100 + 14] == 0 && pixels[85 * 100 + 14] != 0)
  }

  @Test(
    "Concave corners draw the image; corners without area or with other than finite numbers draw nothing")
  func others() throws {
    let concave = [(-4.0, 4.0), (0, 0), (4, -4), (-4, -4.0)]
    #expect(try Self.drawn(concave, Self.view()).contains { $0 != 0 })
    let dented = [(-4.0, 4.0), (-2, -2), (4, -4), (-4, -4.0)]
    #expect(try Self.drawn(dented, Self.view()).contains { $0 != 0 })
    for corners in [
      [(0, 0), (0, 0), (0, 0), (0, 0)], [(1, 1), (2, 2), (.nan, 1), (0, 0)], [(0, 0), (1, 1)],
      [(-4, 0), (4, 0), (4, 0), (-4, 0)],
    ] as [[(Double, Double)]] {
      #expect(try Self.drawn(corners, Self.view()).allSatisfy { $0 == 0 })
    }
  }
}
