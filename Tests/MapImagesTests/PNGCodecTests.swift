import MapImages
import MapTestSupport
import Testing

@Suite struct PNGCodecTests {
  /// A picture of random bytes, opaque or not.
  static func randomBitmap(opaque: Bool, using random: inout SeededGenerator) throws -> Bitmap {
    let (width, height) = (Int.random(in: 1...70, using: &random), Int.random(in: 1...40, using: &random))
    var pixels = (0..<width * height * 4).map { _ in UInt8.random(in: 0...255, using: &random) }
    if opaque { for at in stride(from: 3, to: pixels.count, by: 4) { pixels[at] = 255 } }
    return try Bitmap(width: width, height: height, pixels: pixels)
  }

  @Test("Decoding what was encoded gives the same picture", arguments: [true, false])
  func roundTrip(opaque: Bool) throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<60 {
      let bitmap = try Self.randomBitmap(opaque: opaque, using: &random)
      let bytes = try bitmap.pngData()
      #expect(try Bitmap(pngData: bytes) == bitmap)
      #expect(try bitmap.pngData() == bytes)
      // Colour type, in the header at byte 25: 2 is RGB, 6 RGBA.
      #expect(bytes[25] == (bitmap.isOpaque ? 2 : 6))
    }
  }

  @Test func holdsNoTimeAndNoText() throws {
    let bytes = try Bitmap(width: 3, height: 2).pngData()
    var kinds: [String] = []
    var at = 8
    while at + 8 <= bytes.count {
      let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      kinds.append(String(decoding: bytes[at + 4..<at + 8], as: UTF8.self))
      at += 12 + length
    }
    #expect(kinds == ["IHDR", "IDAT", "IEND"])
    #expect(at == bytes.count)
  }

  @Test("Every cut of a PNG is refused")
  func truncated() throws {
    var random = SeededGenerator(seed: 2)
    let bytes = try Self.randomBitmap(opaque: false, using: &random).pngData()
    for length in 0..<bytes.count {
      #expect(throws: PNGError.self) { try PNGCodec.decode(Array(bytes[..<length])) }
    }
  }

  @Test("Flipped bits are refused or give a picture, never a crash")
  func corrupted() throws {
    var random = SeededGenerator(seed: 3)
    let whole = try Self.randomBitmap(opaque: false, using: &random)
    let bytes = try whole.pngData()
    var refused = 0
    for _ in 0..<3000 {
      var broken = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        broken[Int.random(in: 0..<broken.count, using: &random)] ^=
          1 << UInt8.random(in: 0...7, using: &random)
      }
      do { _ = try PNGCodec.decode(broken) } catch { refused += 1 }
    }
    #expect(refused > 2900)
  }

}
