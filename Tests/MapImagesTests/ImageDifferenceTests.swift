import MapImages
import MapTestSupport
import Testing

@Suite struct ImageDifferenceTests {
  @Test("Equal images compare as the same")
  func equalPicturesAreTheSame() throws {
    var random = SeededGenerator(seed: 1)
    let bitmap = try PNGCodecTests.randomBitmap(opaque: false, using: &random)
    #expect(ImageComparison(expected: bitmap, actual: bitmap) == .same)
  }

  @Test("A comparison counts, marks and bounds the changed pixels")
  func countsAndBoundsChangedPixels() throws {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<50 {
      let before = try PNGCodecTests.randomBitmap(opaque: true, using: &random)
      var after = before
      var changed: Set<[Int]> = []
      var largest = 0
      for _ in 0..<Int.random(in: 1...9, using: &random) {
        let place = [
          Int.random(in: 0..<before.width, using: &random), Int.random(in: 0..<before.height, using: &random),
        ]
        if !changed.insert(place).inserted { continue }
        let step = UInt8.random(in: 1...100, using: &random)
        let (x, y) = (place[0], place[1])
        switch Int.random(in: 0..<4, using: &random) {
        case 0: after[x, y].red = after[x, y].red < 128 ? after[x, y].red + step : after[x, y].red - step
        case 1:
          after[x, y].green = after[x, y].green < 128 ? after[x, y].green + step : after[x, y].green - step
        case 2: after[x, y].blue = after[x, y].blue < 128 ? after[x, y].blue + step : after[x, y].blue - step
        default: after[x, y].alpha -= step
        }
        largest = max(largest, Int(step))
      }
      guard case .differs(let difference) = ImageComparison(expected: before, actual: after) else {
        Issue.record("not seen")
        continue
      }
      #expect(difference.differing == changed.count)
      #expect(difference.largest == largest)
      let (x, y) = (changed.map { $0[0] }, changed.map { $0[1] })
      let (left, top) = (try #require(x.min()), try #require(y.min()))
      #expect(
        difference.bounds
          == PixelRectangle(
            x: left, y: top, width: try #require(x.max()) - left + 1, height: try #require(y.max()) - top + 1)
      )
      let red = PixelColor(red: 255, green: 0, blue: 0)
      let picture = difference.picture
      for y in 0..<before.height {
        for x in 0..<before.width { #expect((picture[x, y] == red) == changed.contains([x, y])) }
      }
      #expect(ImageComparison(expected: before, actual: after, tolerance: UInt8(largest)) == .same)
      #expect(ImageComparison(expected: before, actual: after, tolerance: UInt8(largest - 1)) != .same)
    }
  }

  @Test("Images of different sizes give a size difference")
  func sizesAreAnOutcome() throws {
    let (wide, high) = (try Bitmap(width: 3, height: 2), try Bitmap(width: 2, height: 3))
    #expect(
      ImageComparison(expected: wide, actual: high)
        == .sizeDiffers(expected: ImageSize(wide), actual: ImageSize(high)))
    #expect(ImageSize(wide).description == "3x2")
  }

  @Test("Fully transparent pixels are equal whatever their colour")
  func clearPixelsAreTheSameWhateverTheirColour() throws {
    var (before, after) = (try Bitmap(width: 1, height: 1), try Bitmap(width: 1, height: 1))
    after[0, 0].red = 200
    #expect(ImageComparison(expected: before, actual: after) == .same)
    (before[0, 0].alpha, after[0, 0].alpha) = (1, 1)
    #expect(ImageComparison(expected: before, actual: after) != .same)
  }
}
