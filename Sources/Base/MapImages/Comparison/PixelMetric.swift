/// The rule by which two pixels count as different.
public enum PixelMetric: Hashable, Sendable {
  /// A channel differs by more than this value; 0 is an exact comparison.
  case channel(UInt8)
  /// The perceived colour difference exceeds `threshold`, 0 to 1; pixelmatch's default is 0.1.
  ///
  /// Pixels that differ by anti-aliasing alone are ignored unless `countsAntialiasing` is true.
  ///
  /// - Source: Y. Kotsarenko and F. Ramos, "Measuring perceived color difference using YIQ NTSC transmission color
  ///   space in mobile applications", 2010, and pixelmatch 7.1.
  case perceptual(threshold: Double, countsAntialiasing: Bool = false)
}

/// A perceived colour difference in YIQ.
///
/// Colours that are not opaque are compared over a background that changes from pixel to pixel; every colour is
/// visible on it.
///
/// - Source: pixelmatch 7.1, `colorDelta`.
struct PerceivedDifference {
  /// The largest possible difference.
  ///
  /// - Source: pixelmatch 7.1.
  static let largest = 35_215.0
  /// The factor that bounds ``square``: it is at most the square of the largest channel difference times this factor.
  ///
  /// If that product is within a limit, so is ``square``. Derivation: with every weight at its worst sign the sum of
  /// squares is under 0.5053 + 0.299 * 1.192² + 0.1957 * 1.046² < 1.145.
  static let boundOfSquare = 1.145

  let red: Double
  let green: Double
  let blue: Double

  /// Compares two pixels of two images; the index of the first determines the background.
  @inline(__always)
  init(_ a: Span<UInt8>, _ first: Int, _ b: Span<UInt8>, _ second: Int) {
    let at = first * 4
    let other = second * 4
    let (alphaA, alphaB) = (a[at + 3], b[other + 3])
    guard alphaA < 255 || alphaB < 255 else {
      red = Double(Int(a[at]) - Int(b[other]))
      green = Double(Int(a[at + 1]) - Int(b[other + 1]))
      blue = Double(Int(a[at + 2]) - Int(b[other + 2]))
      return
    }
    let (fa, fb) = (Double(alphaA), Double(alphaB))
    let step = Double(at)
    func seen(_ channel: Int, _ background: Double) -> Double {
      (Double(a[at + channel]) * fa - Double(b[other + channel]) * fb - background * (fa - fb)) / 255
    }
    red = seen(0, 48)
    green = seen(1, 48 + 159 * (step / 1.618033988749895).rounded(.down).truncatingRemainder(dividingBy: 2))
    blue = seen(2, 48 + 159 * (step / 2.618033988749895).rounded(.down).truncatingRemainder(dividingBy: 2))
  }

  /// The difference in brightness; above 0 when the first pixel is brighter.
  var brightness: Double { red * 0.29889531 + green * 0.58662247 + blue * 0.11448223 }

  /// The weighted sum of squares, at most ``largest``.
  var square: Double {
    let y = brightness
    let i = red * 0.59597799 - green * 0.27417610 - blue * 0.32180189
    let q = red * 0.21147017 - green * 0.52261711 + blue * 0.31114694
    return 0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q
  }
}
