/// When two pixels count as different.
public enum PixelMetric: Hashable, Sendable {
  /// When a channel differs by more than this; 0 is exact.
  case channel(UInt8)
  /// When the colours look farther apart than `threshold`, 0 to 1, as pixelmatch has it (its default is 0.1).
  ///
  /// Pixels that differ by anti-aliasing alone do not count unless `countsAntialiasing`.
  ///
  /// - Source: Y. Kotsarenko and F. Ramos, "Measuring perceived color difference using YIQ NTSC transmission color
  ///   space in mobile applications", 2010, and pixelmatch 7.1.
  case perceptual(threshold: Double, countsAntialiasing: Bool = false)
}

/// A colour difference in YIQ, weighted as eyes do.
///
/// Colours that are not opaque are seen over a background that changes from pixel to pixel, so that no colour hides.
///
/// - Source: pixelmatch 7.1, `colorDelta`.
struct PerceivedDifference {
  /// What the difference of black and white is.
  static let largest = 35_215.0
  /// Y, at least the square of a channel's difference times this: below, no difference can be above a limit.
  ///
  /// The sum of squares with every weight at its worst sign is under 0.5053 + 0.299 * 1.192² + 0.1957 * 1.046² < 1.145.
  static let boundOfSquare = 1.145

  let red: Double
  let green: Double
  let blue: Double

  /// The difference of the colours at two places of two pictures, the first of which decides the background.
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

  /// The difference of brightness, above 0 where the first is brighter.
  var brightness: Double { red * 0.29889531 + green * 0.58662247 + blue * 0.11448223 }

  /// The weighted square, up to ``largest``.
  var square: Double {
    let y = brightness
    let i = red * 0.59597799 - green * 0.27417610 - blue * 0.32180189
    let q = red * 0.21147017 - green * 0.52261711 + blue * 0.31114694
    return 0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q
  }
}
