import MapModel
import MapScript
import Testing

/// Differences of colours, contrast, and the colours that colour-blind readers see.
@Suite struct ColorDifferenceTests {
  /// Lightness, a and b of two colours, and their difference.
  ///
  /// - Source: Sharma, Wu and Dalal 2005, "The CIEDE2000 color-difference formula: implementation notes, supplementary test
  ///   data, and mathematical observations", Color Research and Application 30 (1), table 1; all 34 pairs.
  static let pairs: [[Double]] = [
    [50, 2.6772, -79.7751, 50, 0, -82.7485, 2.0425],
    [50, 3.1571, -77.2803, 50, 0, -82.7485, 2.8615],
    [50, 2.8361, -74.02, 50, 0, -82.7485, 3.4412],
    [50, -1.3802, -84.2814, 50, 0, -82.7485, 1],
    [50, -1.1848, -84.8006, 50, 0, -82.7485, 1],
    [50, -0.9009, -85.5211, 50, 0, -82.7485, 1],
    [50, 0, 0, 50, -1, 2, 2.3669],
    [50, -1, 2, 50, 0, 0, 2.3669],
    [50, 2.49, -0.001, 50, -2.49, 0.0009, 7.1792],
    [50, 2.49, -0.001, 50, -2.49, 0.001, 7.1792],
    [50, 2.49, -0.001, 50, -2.49, 0.0011, 7.2195],
    [50, 2.49, -0.001, 50, -2.49, 0.0012, 7.2195],
    [50, -0.001, 2.49, 50, 0.0009, -2.49, 4.8045],
    [50, -0.001, 2.49, 50, 0.001, -2.49, 4.8045],
    [50, -0.001, 2.49, 50, 0.0011, -2.49, 4.7461],
    [50, 2.5, 0, 50, 0, -2.5, 4.3065],
    [50, 2.5, 0, 73, 25, -18, 27.1492],
    [50, 2.5, 0, 61, -5, 29, 22.8977],
    [50, 2.5, 0, 56, -27, -3, 31.903],
    [50, 2.5, 0, 58, 24, 15, 19.4535],
    [50, 2.5, 0, 50, 3.1736, 0.5854, 1],
    [50, 2.5, 0, 50, 3.2972, 0, 1],
    [50, 2.5, 0, 50, 1.8634, 0.5757, 1],
    [50, 2.5, 0, 50, 3.2592, 0.335, 1],
    [60.2574, -34.0099, 36.2677, 60.4626, -34.1751, 39.4387, 1.2644],
    [63.0109, -31.0961, -5.8663, 62.8187, -29.7946, -4.0864, 1.263],
    [61.2901, 3.7196, -5.3901, 61.4292, 2.248, -4.962, 1.8731],
    [35.0831, -44.1164, 3.7933, 35.0232, -40.0716, 1.5901, 1.8645],
    [22.7233, 20.0904, -46.694, 23.0331, 14.973, -42.5619, 2.0373],
    [36.4612, 47.858, 18.3852, 36.2715, 50.5065, 21.2231, 1.4146],
    [90.8027, -2.0831, 1.441, 91.1528, -1.6435, 0.0447, 1.4441],
    [90.9257, -0.5406, -0.9208, 88.6381, -0.8985, -0.7239, 1.5381],
    [6.7747, -0.2908, -2.4247, 5.8714, -0.0985, -2.2286, 0.6377],
    [2.0776, 0.0795, -1.135, 0.9033, -0.0636, -0.5514, 0.9082],
  ]

  @Test("CIEDE2000 gives the 34 published differences, in both directions")
  func published() throws {
    #expect(Self.pairs.count == 34)
    for pair in Self.pairs {
      try #require(pair.count == 7)
      let first = PerceivedColor(lightness: pair[0], a: pair[1], b: pair[2])
      let second = PerceivedColor(lightness: pair[3], a: pair[4], b: pair[5])
      #expect(abs(first.difference(to: second) - pair[6]) < 0.00005, "\(pair)")
      #expect(abs(second.difference(to: first) - pair[6]) < 0.00005, "\(pair)")
    }
  }

  /// - Source: computed with the Python packages colour-science 0.4.7 (matrices and CIEDE2000) and NumPy.
  @Test(
    "Simulated colours differ as those of an independent program",
    arguments: [
      ([228, 26, 28], [77, 175, 74], [71.4, 28.5, 9.6, 63.3]),
      ([255, 0, 0], [0, 128, 0], [72.2, 7.7, 15.7, 61.3]),
      ([0, 0, 255], [0, 128, 0], [62.7, 66.3, 66.0, 23.9]),
      ([0, 160, 160], [160, 160, 160], [23.5, 5.3, 12.7, 23.7]),
      ([192, 0, 0], [96, 96, 0], [42.9, 8.0, 5.6, 26.5]),
    ] as [([UInt8], [UInt8], [Double])])
  func simulated(_ first: [UInt8], _ second: [UInt8], _ expected: [Double]) {
    let (a, b) = (Self.light(first), Self.light(second))
    let all =
      [PerceivedColor(a).difference(to: PerceivedColor(b))]
      + ColorVisionDeficiency.allCases.map {
        PerceivedColor(a.seen(with: $0)).difference(to: PerceivedColor(b.seen(with: $0)))
      }
    #expect(all.count == 4)
    for (found, value) in zip(all, expected) { #expect(abs(found - value) < 0.06, "\(found) \(value)") }
  }

  /// - Source: WCAG 2.1: black on white is 21; #767676 is the lightest grey with 4.5 on white, as in its techniques.
  @Test("Contrast ratios follow WCAG")
  func contrast() {
    let white = Self.light([255, 255, 255])
    #expect(abs(white.contrast(to: Self.light([0, 0, 0])) - 21) < 1e-9)
    #expect(white.contrast(to: white) == 1)
    #expect(Self.light([0x76, 0x76, 0x76]).contrast(to: white) >= 4.5)
    #expect(Self.light([0x77, 0x77, 0x77]).contrast(to: white) < 4.5)
  }

  static func light(_ channels: [UInt8]) -> LinearColor {
    LinearColor(Color(red: channels[0], green: channels[1], blue: channels[2]))
  }
}
