import MapImages
import Testing

@Suite struct LayerPileTests {
  /// An image of one row from premultiplied pixels.
  private static func image(_ pixels: [UInt32]) throws -> Bitmap {
    var bitmap = try Bitmap(width: pixels.count, height: 1)
    bitmap.replaceRows(from: 0, premultiplied: pixels.span)
    return bitmap
  }

  @Test("One image keeps every premultiplied pixel")
  func identity() throws {
    // Every alpha with every colour up to it.
    var pixels: [UInt32] = []
    for alpha in UInt32(1)...255 {
      for color in 0...alpha { pixels.append(alpha << 24 | color << 16 | (alpha - color) << 8 | color) }
    }
    #expect(pixels.count == 32_895)
    for start in stride(from: 0, to: pixels.count, by: 20_000) {
      let row = Array(pixels[start..<min(start + 20_000, pixels.count)])
      var pile = try LayerPile(width: row.count, height: 1)
      #expect(pile.lay(try Self.image(row)))
      #expect(pile.pixels == row)
    }
  }

  @Test("An image lies over those before it, and opaque pixels hide them")
  func order() throws {
    var pile = try LayerPile(width: 3, height: 1)
    #expect(pile.lay(try Self.image([0xFFFF_0000, 0xFFFF_0000, 0])))
    #expect(pile.lay(try Self.image([0xFF00_FF00, 0x8000_8000, 0x4000_0040])))
    #expect(pile.pixels == [0xFF00_FF00, 0xFF7F_8000, 0x4000_0040])
    #expect(!pile.lay(try Bitmap(width: 2, height: 1)))
  }

  @Test("Sixteen bits keep the sum of 200 faint images within 1 of the exact one")
  func faintImages() throws {
    var pile = try LayerPile(width: 1, height: 1)
    var exact = 0.0
    for _ in 0..<200 {
      #expect(pile.lay(try Self.image([0x0302_0000])))
      exact = 2 + exact * (1 - 3.0 / 255)
    }
    let red = Double(pile.pixels[0] >> 16 & 255)
    #expect(abs(red - exact) <= 1, "\(red), exactly \(exact)")
  }
}
