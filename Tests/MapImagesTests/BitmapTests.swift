import MapImages
import MapSystem
import MapTestSupport
import Testing

@Suite struct BitmapTests {
  /// Uses a named array: the span of a temporary one crashes the compiler in debug (Swift 6.3.1).
  func replaceRows(of bitmap: inout Bitmap, from top: Int, by source: [UInt32]) {
    let pixels = source.span
    bitmap.replaceRows(from: top, premultiplied: pixels)
  }

  @Test("A straight colour is the nearest one for every alpha and value")
  func straightColours() throws {
    for alpha in 0...255 {
      let source = (0...alpha).map { UInt32(alpha << 24 | $0 << 16 | (alpha - $0) << 8 | $0) }
      var bitmap = try Bitmap(width: source.count, height: 1)
      replaceRows(of: &bitmap, from: 0, by: source)
      for value in 0...alpha {
        func nearest(_ value: Int) -> UInt8 {
          alpha == 0 ? 0 : UInt8((Double(value) * 255 / Double(alpha)).rounded(.toNearestOrAwayFromZero))
        }
        let expected = PixelColor(
          red: nearest(value), green: nearest(alpha - value), blue: nearest(value), alpha: UInt8(alpha))
        #expect(bitmap[value, 0] == expected)
      }
    }
  }

  @Test("A straight colour multiplied by its alpha gives the stored value")
  func roundTrip() throws {
    for alpha in 1...255 {
      var bitmap = try Bitmap(width: alpha + 1, height: 1)
      replaceRows(of: &bitmap, from: 0, by: (0...alpha).map { UInt32(alpha << 24 | $0) })
      for value in 0...alpha {
        #expect((Int(bitmap[value, 0].blue) * alpha * 2 + 255) / 510 == value)
      }
    }
  }

  @Test("A premultiplied colour above its alpha is clamped")
  func impossiblePremultipliedColoursAreCut() throws {
    var bitmap = try Bitmap(width: 1, height: 1)
    replaceRows(of: &bitmap, from: 0, by: [0x0A_FF_0A_00])
    #expect(bitmap[0, 0] == PixelColor(red: 255, green: 255, blue: 0, alpha: 10))
  }

  /// Uses every alpha, whole and cut blocks of equal pixels, and fewer rows than the image has.
  @Test("Rows added at the creation of an image equal replaced rows, and missing rows are transparent")
  func addedRows() throws {
    var random = SeededGenerator(seed: 4)
    for width in [1, 16, 37] {
      let rows = (0..<256).map { alpha in
        (0..<width).map { column in
          let value = UInt32.random(in: 0...UInt32(alpha), using: &random)
          return column % 20 < 3 ? UInt32(alpha << 24) | value << 16 | value : 0xFF00_00FF
        }
      }
      var expected = try Bitmap(width: width, height: 300)
      for (row, pixels) in rows.enumerated() { replaceRows(of: &expected, from: row, by: pixels) }
      let bitmap = try Bitmap(width: width, height: 300) { add in
        for pixels in rows { add(pixels.span) }
      }
      #expect(bitmap == expected)
    }
  }

  @Test("Replacing rows leaves the other rows unchanged")
  func replacesTheRowsGivenOnly() throws {
    var bitmap = try Bitmap(width: 2, height: 4)
    replaceRows(of: &bitmap, from: 1, by: [UInt32](repeating: 0xFF01_0203, count: 4))
    for y in 0..<4 {
      for x in 0..<2 {
        let inside = PixelColor(red: 1, green: 2, blue: 3)
        #expect(
          bitmap[x, y] == ((1...2).contains(y) ? inside : PixelColor(red: 0, green: 0, blue: 0, alpha: 0)))
      }
    }
  }

  @Test("A bitmap is opaque only when every pixel is")
  func knowsWhetherItIsOpaque() throws {
    var bitmap = try Bitmap(width: 5, height: 3, pixels: [UInt8](repeating: 255, count: 60))
    #expect(bitmap.isOpaque)
    for at in 0..<15 {
      bitmap[at % 5, at / 5].alpha = 254
      #expect(!bitmap.isOpaque)
      bitmap[at % 5, at / 5].alpha = 255
    }
    #expect(bitmap.isOpaque)
  }

  @Test(
    "Impossible bitmap sizes are refused",
    arguments: [(0, 1), (1, 0), (-1, 1), (32_768, 1), (32_767, 8193), (.max, .max)])
  func sizes(width: Int, height: Int) {
    let error = #expect(throws: MapStateError.self) { try Bitmap(width: width, height: height) }
    #expect(error?.cause as? BitmapError == .size(width: width, height: height))
    #expect(throws: BitmapError.size(width: width, height: height)) {
      try IDImage(width: width, height: height)
    }
  }

  @Test("A wrong number of bytes is refused")
  func refusesAWrongNumberOfBytes() {
    let error = #expect(throws: MapStateError.self) {
      try Bitmap(width: 2, height: 3, pixels: [UInt8](repeating: 0, count: 23))
    }
    #expect(error?.cause as? BitmapError == .byteCount(expected: 24, found: 23))
  }
}
