import Glibc
import MapImages
import MapTestSupport
import Testing

/// Images scaled and rotated.
@Suite struct PictureStampTests {
  private static func picture(_ width: Int, _ height: Int, _ color: (Int, Int) -> PixelColor) throws -> Bitmap
  {
    var bitmap = try Bitmap(width: width, height: height)
    for y in 0..<height { for x in 0..<width { bitmap[x, y] = color(x, y) } }
    return bitmap
  }

  private static func random(_ width: Int, _ height: Int, seed: UInt64) throws -> Bitmap {
    var random = SeededGenerator(seed: seed)
    func byte() -> UInt8 { UInt8.random(in: 0...255, using: &random) }
    return try picture(width, height) { _, _ in
      PixelColor(red: byte(), green: byte(), blue: byte(), alpha: byte())
    }
  }

  private static func premultiplied(_ color: PixelColor) -> UInt32 {
    func channel(_ value: UInt8) -> UInt32 { UInt32((Double(value) * Double(color.alpha) / 255).rounded()) }
    return UInt32(color.alpha) << 24 | channel(color.red) << 16 | channel(color.green) << 8
      | channel(color.blue)
  }

  private static func channels(_ pixel: UInt32) -> [Int] { [24, 16, 8, 0].map { Int(pixel >> $0 & 255) } }

  private static func apart(_ a: UInt32, _ b: UInt32) -> Int {
    zip(channels(a), channels(b)).map { abs($0 - $1) }.max() ?? 0
  }

  @Test("An image at its own size or rotated by quarter turns keeps its pixels")
  func itself() throws {
    let picture = try Self.random(13, 8, seed: 1)
    let turns: [(Double, Double, (Int, Int) -> (Int, Int))] = [
      (1, 0, { ($0, $1) }), (0, 1, { ($1, 7 - $0) }), (-1, 0, { (12 - $0, 7 - $1) }),
      (0, -1, { (12 - $1, $0) }),
    ]
    var seen = 0
    for (cosine, sine, source) in turns {
      let stamp = PictureStamp(picture, width: 13, height: 8, turn: (cosine, sine))
      #expect((stamp.width, stamp.height) == (sine == 0 ? (13, 8) : (8, 13)))
      for y in 0..<stamp.height {
        for x in 0..<stamp.width {
          let from = source(x, y)
          let expected = Self.premultiplied(picture[from.0, from.1])
          #expect(
            Self.apart(stamp.pixels[y * stamp.width + x], expected) <= 1, "\(x), \(y) at \(cosine), \(sine)")
          seen += 1
        }
      }
    }
    #expect(seen == 4 * 104)
  }

  @Test("A fine check pattern scaled down becomes an even grey", arguments: [3.7, 2.0, 7.3, 11.0])
  func noAliasing(_ factor: Double) throws {
    let check = try Self.picture(128, 128) { x, y in
      (x + y) % 2 == 0 ? PixelColor(red: 255, green: 255, blue: 255) : PixelColor(red: 0, green: 0, blue: 0)
    }
    let stamp = PictureStamp(check, width: 128 / factor, height: 128 / factor)
    for y in 1..<stamp.height - 1 {
      for x in 1..<stamp.width - 1 {
        let values = Self.channels(stamp.pixels[y * stamp.width + x])
        #expect(values[0] == 255, "\(values)")
        #expect(abs(values[1] - 128) <= 12, "\(values)")
      }
    }
  }

  @Test("A scaled image covers its exact area and stays centred")
  func wholeArea() throws {
    let red = try Self.picture(20, 10) { _, _ in PixelColor(red: 255, green: 0, blue: 0) }
    var seen = 0
    for (width, height) in [(20.0, 10.0), (7.25, 3.5), (30.4, 15.2), (0.4, 0.2), (61, 1.5)] {
      for angle in stride(from: 0.0, to: 360, by: 30) {
        let stamp = PictureStamp(
          red, width: width, height: height,
          turn: angle == 0 ? (1, 0) : (cos(angle * .pi / 180), sin(angle * .pi / 180)))
        var (sum, x, y) = (0.0, 0.0, 0.0)
        for place in stamp.pixels.indices {
          let alpha = Double(stamp.pixels[place] >> 24) / 255
          sum += alpha
          x += alpha * (Double(place % stamp.width) + 0.5 - Double(stamp.width) / 2)
          y += alpha * (Double(place / stamp.width) + 0.5 - Double(stamp.height) / 2)
        }
        #expect(
          abs(sum - width * height) <= 0.05 * width * height + 0.3, "\(width)x\(height) at \(angle): \(sum)")
        #expect(hypot(x, y) <= 0.05 * sum + 0.01)
        seen += 1
      }
    }
    #expect(seen == 60)
  }

  @Test("A part of a scaled or rotated image equals the same part of the whole")
  func parts() throws {
    let picture = try Self.picture(20, 10) { x, y in
      PixelColor(red: UInt8(x * 12), green: UInt8(y * 25), blue: 7)
    }
    for (width, height, angle) in [(70.0, 35.0, 0.0), (70.5, 33, 30), (90, 4, 135), (8, 61, 270), (3, 3, 45)]
    {
      let turn = angle == 0 ? (1.0, 0.0) : (cos(angle * .pi / 180), sin(angle * .pi / 180))
      let whole = PictureStamp(picture, width: width, height: height, turn: turn)
      let size = PictureStamp.size(width: width, height: height, turn: turn)
      #expect(size == (whole.width, whole.height))
      for columns in [
        0..<size.width, 0..<1, size.width / 3..<size.width / 3 + 2, -5..<2, size.width - 1..<size.width + 9,
      ] {
        for rows in [0..<size.height, size.height / 2..<size.height / 2 + 1, size.height - 2..<size.height] {
          let part = PictureStamp(picture, width: width, height: height, turn: turn, part: (columns, rows))
          var index = 0
          for row in part.rows {
            for column in part.columns {
              #expect(part.pixels[index] == whole.pixels[row * whole.width + column])
              index += 1
            }
          }
          #expect(index == part.pixels.count)
        }
      }
    }
    // 40,000 pixels wide and high; a hundred pixels are prepared.
    let part = PictureStamp(
      picture, width: 30_000, height: 30_000, turn: (0.6, 0.8), part: (20_000..<20_010, 20_000..<20_010))
    #expect(part.pixels.count == 100)
    #expect(part.pixels.allSatisfy { $0 >> 24 == 255 })
  }

  @Test("Transparent pixels do not tint their neighbours when scaled or rotated")
  func clearNeighbours() throws {
    // Transparent pixels are green, which must not be visible.
    let half = try Self.picture(40, 40) { x, _ in
      x < 20 ? PixelColor(red: 200, green: 0, blue: 0) : PixelColor(red: 0, green: 255, blue: 0, alpha: 0)
    }
    for (size, angle) in [(9.5, 0.0), (130.0, 0), (23, 17)] {
      let turn = angle * .pi / 180
      let stamp = PictureStamp(half, width: size, height: size, turn: (cos(turn), sin(turn)))
      for pixel in stamp.pixels { #expect(Self.channels(pixel)[2] == 0) }
    }
  }

  @Test("Opacity multiplies colour and alpha")
  func opacity() throws {
    let white = try Self.picture(4, 4) { _, _ in PixelColor(red: 255, green: 255, blue: 255) }
    #expect(PictureStamp(white, width: 4, height: 4, opacity: 0.4).pixels.allSatisfy { $0 == 0x6666_6666 })
  }
}
