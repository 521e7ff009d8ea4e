import Foundation
import MapImages
import MapTestSupport
import Testing

/// The perceptual metric compared with pixelmatch, and every metric with a plain implementation of its rule.
@Suite struct PerceptualTests {
  /// The formula of `Cases/make_pixelmatch.py`.
  static func picture(
    _ width: Int, _ height: Int, number: Int, shift: Int, tint: Int, alpha: Int
  ) throws -> Bitmap {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        var color = [240 - tint, 236, 230, 255]
        for disc in 0..<3 {
          let cx = (number * 37 + disc * 211) % (width * 10) + (disc == 1 ? shift : 0)
          let cy = (number * 53 + disc * 97) % (height * 10)
          let r = 40 + (number * 7 + disc * 29) % 60
          let (dx, dy) = (x * 10 + 5 - cx, y * 10 + 5 - cy)
          let cover = max(0, min(255, Self.floor(((r + 5) * (r + 5) - dx * dx - dy * dy) * 255, 20 * r)))
          let ink = [(number * 91 + disc * 70) % 256, (disc * 120 + tint) % 256, number * 13 % 256, alpha]
          color = zip(color, ink).map { $0 + Self.floor(($1 - $0) * cover, 255) }
        }
        pixels += color.map(UInt8.init)
      }
    }
    return try Bitmap(width: width, height: height, pixels: pixels)
  }

  /// Floor division, as in Python.
  private static func floor(_ a: Int, _ b: Int) -> Int {
    let (quotient, remainder) = a.quotientAndRemainder(dividingBy: b)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// - Source: counts by pixelmatch-fast 1.3.4, a port of pixelmatch 7.1.
  @Test("The perceptual comparison counts the same pixels as pixelmatch")
  func countsWhatPixelmatchCounts() throws {
    let file = try #require(
      Bundle.module.url(forResource: "pixelmatch", withExtension: "tsv", subdirectory: "Cases"))
    var (read, found) = (0, 0)
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where line.first != "#" {
      let n = line.split(separator: " ").compactMap { Int($0) }
      try #require(n.count == 9)
      let before = try Self.picture(n[0], n[1], number: n[2], shift: 0, tint: 0, alpha: n[5])
      let after = try Self.picture(n[0], n[1], number: n[2], shift: n[3], tint: n[4], alpha: n[5])
      let comparison = ImageComparison(
        expected: before, actual: after,
        metric: .perceptual(threshold: Double(n[6]) / 1000, countsAntialiasing: n[7] == 1))
      var count = 0
      if case .differs(let difference) = comparison { count = difference.differing }
      #expect(count == n[8], "\(line)")
      read += 1
      found += n[8] > 0 ? 1 : 0
    }
    #expect(read == 400)
    #expect(found > 200)
  }

  /// The rule of every metric, pixel by pixel, without the scan's shortcuts.
  private static func plain(_ a: Bitmap, _ b: Bitmap, tolerance: Int, mask: ImageMask?) -> [Bool] {
    (0..<a.width * a.height).map { pixel in
      let (before, after) = (a.pixels[pixel * 4..<pixel * 4 + 4], b.pixels[pixel * 4..<pixel * 4 + 4])
      if before.last == 0, after.last == 0 { return false }
      let step = zip(before, after).map { abs(Int($0) - Int($1)) }.max() ?? 0
      return step > max(tolerance, Int(mask?.allowed[pixel] ?? 0))
    }
  }

  @Test("The fast comparison agrees with the plain one")
  func fastFormAgreesWithThePlainOne() throws {
    var random = SeededGenerator(seed: 11)
    var differed = 0
    for round in 0..<120 {
      let (width, height) = (Int.random(in: 1...150, using: &random), Int.random(in: 1...20, using: &random))
      var before = try Bitmap(width: width, height: height)
      for y in 0..<height {
        for x in 0..<width {
          before[x, y] = PixelColor(
            red: UInt8.random(in: 0...255, using: &random), green: 90, blue: 7,
            alpha: [0, 128, 255].randomElement(using: &random) ?? 255)
        }
      }
      var after = before
      for _ in 0..<Int.random(in: 0...30, using: &random) {
        let (x, y) = (Int.random(in: 0..<width, using: &random), Int.random(in: 0..<height, using: &random))
        after[x, y].green = UInt8.random(in: 80...100, using: &random)
      }
      var mask: ImageMask?
      if round % 2 == 0 {
        mask = try ImageMask(width: width, height: height)
        mask?.allow(5, in: PixelRectangle(x: -3, y: 0, width: width / 2, height: height))
        mask?.allow(255, in: PixelRectangle(x: width / 3, y: 1, width: Int.max, height: Int.max))
      }
      let tolerance = round % 5
      let expected = Self.plain(before, after, tolerance: tolerance, mask: mask)
      let comparison = ImageComparison(
        expected: before, actual: after, metric: .channel(UInt8(tolerance)), mask: mask)
      guard case .differs(let difference) = comparison else {
        #expect(!expected.contains(true))
        continue
      }
      differed += 1
      let found = (0..<width * height).map { difference.differs(x: $0 % width, y: $0 / width) }
      #expect(found == expected)
      #expect(difference.differing == expected.count { $0 })
      for side in [1, 3, 8] {
        var worst = 0
        for top in 0..<height {
          for left in 0..<width {
            var sum = 0
            for y in top..<min(top + side, height) {
              for x in left..<min(left + side, width) where expected[y * width + x] { sum += 1 }
            }
            worst = max(worst, sum)
          }
        }
        #expect(difference.worstWindow(side: side) == worst)
      }
    }
    #expect(differed > 60)
  }

  @Test("A mask reports the hidden fraction and the allowed difference per pixel")
  func maskSaysHowMuchItHides() throws {
    var mask = try ImageMask(width: 4, height: 4)
    mask.allow(9, in: PixelRectangle(x: 0, y: 0, width: 4, height: 1))
    mask.allow(255, in: PixelRectangle(x: 2, y: 2, width: 9, height: 9))
    #expect(mask.hiddenFraction == 0.25)
    var picture = try Bitmap(width: 4, height: 4)
    picture[0, 3] = PixelColor(red: 200, green: 0, blue: 0)
    mask.allow(picture)
    #expect(mask.allowed[12] == 200)
    #expect(mask.allowed[0] == 9)
    #expect(mask.allowed[15] == 255)
  }

  @Test("Anti-aliased differences are counted and marked separately")
  func antialiasingIsToldApart() throws {
    let before = try Self.picture(40, 40, number: 3, shift: 0, tint: 0, alpha: 255)
    let after = try Self.picture(40, 40, number: 3, shift: 7, tint: 30, alpha: 255)
    let metric = PixelMetric.perceptual(threshold: 0.02)
    guard case .differs(let difference) = ImageComparison(expected: before, actual: after, metric: metric)
    else {
      Issue.record("not seen")
      return
    }
    #expect(difference.antialiased > 0)
    #expect(difference.differing > 0)
    let yellow = PixelColor(red: 255, green: 220, blue: 0)
    let picture = difference.picture
    let marked = (0..<1600).count { picture[$0 % 40, $0 / 40] == yellow }
    #expect(marked == difference.antialiased)
  }
}
