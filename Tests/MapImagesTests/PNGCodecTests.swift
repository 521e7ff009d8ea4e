import MapImages
import MapTestSupport
import Testing

@Suite struct PNGCodecTests {
  /// An image of random bytes, opaque or not.
  static func randomBitmap(opaque: Bool, using random: inout SeededGenerator) throws -> Bitmap {
    let (width, height) = (Int.random(in: 1...70, using: &random), Int.random(in: 1...40, using: &random))
    var pixels = (0..<width * height * 4).map { _ in UInt8.random(in: 0...255, using: &random) }
    if opaque { for at in stride(from: 3, to: pixels.count, by: 4) { pixels[at] = 255 } }
    return try Bitmap(width: width, height: height, pixels: pixels)
  }

  /// Uses images of many blocks and of one.
  @Test("Encoding gives the same bytes on any number of threads", arguments: [3, 2_400])
  func threads(height: Int) throws {
    var random = SeededGenerator(seed: UInt64(height))
    for isOpaque in [true, false] {
      let pixels = (0..<700 * height * 4).map { place in
        isOpaque && place % 4 == 3 ? 255 : UInt8.random(in: 0...3, using: &random) * 85
      }
      let bitmap = try Bitmap(width: 700, height: height, pixels: pixels)
      let png = try PNGCodec.encode(bitmap, threads: 1)
      for threads in [2, 3, 7, 8] { #expect(try PNGCodec.encode(bitmap, threads: threads) == png) }
      #expect(try bitmap.pngData() == png)
      #expect(try Bitmap(pngData: png) == bitmap)
    }
  }

  @Test("A decoded PNG equals the encoded image", arguments: [true, false])
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

  @Test("An encoded PNG has no timestamp and no text")
  func holdsNoTimeAndNoText() throws {
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

  @Test("PNG files of other encoders are decoded", arguments: PNGFixture.all)
  func reads(fixture: PNGFixture) throws {
    let bitmap = try PNGCodec.decode(fixture.png)
    #expect(bitmap == (try Bitmap(width: 13, height: 9, pixels: fixture.pixels)))
  }

  @Test("All 24 PNG fixtures are present")
  func readsAllFixtures() { #expect(PNGFixture.all.count == 24) }

  @Test("Every truncated fixture is refused, and no flipped bit causes a crash", arguments: PNGFixture.all)
  func brokenFixtures(fixture: PNGFixture) throws {
    for length in 0..<fixture.png.count {
      #expect(throws: PNGError.self) { try PNGCodec.decode(Array(fixture.png[..<length])) }
    }
    for bit in 0..<fixture.png.count * 8 {
      var broken = fixture.png
      broken[bit / 8] ^= 1 << UInt8(bit % 8)
      if let bitmap = try? PNGCodec.decode(broken) {
        #expect(bitmap.pixels.count == bitmap.width * bitmap.height * 4)
      }
    }
  }

  @Test("Data that is not a PNG is refused with libpng's message")
  func garbage() throws {
    for bytes in [[], [1, 2, 3], Array("not a PNG at all, but long enough".utf8)] as [[UInt8]] {
      let error = try #require(throws: PNGError.self) { try PNGCodec.decode(bytes) }
      #expect(error.description.count > 25)
    }
  }

  /// A PNG header without pixels: its checksum is right, so only the size can be refused.
  func header(width: UInt32, height: UInt32) -> [UInt8] {
    func word(_ value: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
    func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
      let body = Array(kind.utf8) + data
      var crc = UInt32.max
      for byte in body {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
      }
      return word(UInt32(data.count)) + body + word(~crc)
    }
    return [137, 80, 78, 71, 13, 10, 26, 10]
      + chunk("IHDR", word(width) + word(height) + [8, 6, 0, 0, 0]) + chunk("IDAT", [0x78, 1, 0, 0])
      + chunk("IEND", [])
  }

  @Test("Images above the size limit are refused before memory is allocated")
  func vast() throws {
    let tooLarge = try #require(throws: PNGError.self) {
      try PNGCodec.decode(header(width: 32_767, height: 32_767))
    }
    #expect(tooLarge.reason == .tooLarge(width: 32_767, height: 32_767))
    let promised = try #require(throws: PNGError.self) {
      try PNGCodec.decode(header(width: 16_384, height: 16_384))
    }
    #expect(promised.reason == .decoding("the data end too early"))
    for (width, height) in [(32_768, 1), (1, 32_768), (0, 1), (1, 0), (0x7FFF_FFFF, 0x7FFF_FFFF)]
      as [(UInt32, UInt32)]
    {
      #expect(throws: PNGError.self) { try PNGCodec.decode(header(width: width, height: height)) }
    }
  }

  @Test("A PNG truncated at any byte is refused")
  func truncated() throws {
    var random = SeededGenerator(seed: 2)
    let bytes = try Self.randomBitmap(opaque: false, using: &random).pngData()
    for length in 0..<bytes.count {
      #expect(throws: PNGError.self) { try PNGCodec.decode(Array(bytes[..<length])) }
    }
  }

  @Test("A PNG with flipped bits is refused or decoded and never causes a crash")
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
