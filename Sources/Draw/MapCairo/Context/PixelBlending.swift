import MapModel
import MapSystem

/// Blend modes that are computed pixel by pixel.
///
/// - Source: W3C Compositing and Blending Level 1, section 10. For hue, saturation, colour and luminosity, Cairo's
///   operators are not used, because pixman 0.42 gives colours up to 42 of 255 off below full opacity. Cairo has no
///   operators for average, invert, minus, plus, reflect and vivid-light.
struct PixelBlending {
  private typealias RGB = SIMD3<Double>

  private let mode: BlendMode
  private let opacity: Double

  /// Creates the blending of a layer; nil for a mode with an operator of Cairo.
  init?(_ mode: BlendMode, opacity: Double) {
    switch mode {
    case .hue, .saturation, .color, .luminosity, .average, .invert, .minus, .plus, .reflect, .vividLight:
      (self.mode, self.opacity) = (mode, opacity)
    default: return nil
    }
  }

  /// Blends the pixels of a layer with those below.
  func blend(_ layer: borrowing CairoSurface, over below: borrowing CairoSurface) throws(CairoError) {
    let pixels = try layer.withPixels { span in span.indices.map { span[$0] } }
    try below.withMutablePixels { ground in
      for index in 0..<min(pixels.count, ground.count) where pixels[index] > 0 {
        ground[index] = blended(pixels[index], over: ground[index])
      }
    }
  }

  private func blended(_ above: UInt32, over below: UInt32) -> UInt32 {
    // Both colours are premultiplied.
    let (source, sourceAlpha) = (Self.color(above) * opacity, Double(above >> 24) / 255 * opacity)
    let (ground, groundAlpha) = (Self.color(below), Double(below >> 24) / 255)
    var result = source * (1 - groundAlpha) + ground * (1 - sourceAlpha)
    if sourceAlpha > 0, groundAlpha > 0 {
      result += mixed(ground / groundAlpha, source / sourceAlpha) * (sourceAlpha * groundAlpha)
    }
    let alpha = sourceAlpha + groundAlpha - sourceAlpha * groundAlpha
    return Self.pixel(result, alpha: alpha)
  }

  private func mixed(_ ground: RGB, _ source: RGB) -> RGB {
    switch mode {
    case .hue:
      Self.withLuminosity(
        Self.luminosity(ground), Self.withSaturation(Self.saturation(ground), source))
    case .saturation:
      Self.withLuminosity(
        Self.luminosity(ground), Self.withSaturation(Self.saturation(source), ground))
    case .color: Self.withLuminosity(Self.luminosity(ground), source)
    case .average: (ground + source) / 2
    case .invert: 1 - ground
    case .minus: pointwiseMax(ground - source, .zero)
    case .plus: pointwiseMin(ground + source, .one)
    case .reflect: Self.each(ground, source) { $1 >= 1 ? 1 : min(1, $0 * $0 / (1 - $1)) }
    case .vividLight:
      Self.each(ground, source) { ground, source in
        source <= 0.5 ? Self.burned(ground, 2 * source) : Self.dodged(ground, 2 * source - 1)
      }
    default: Self.withLuminosity(Self.luminosity(source), ground)
    }
  }

  private static func each(
    _ ground: RGB, _ source: RGB, _ function: (_ ground: Double, _ source: Double) -> Double
  ) -> RGB {
    RGB(function(ground.x, source.x), function(ground.y, source.y), function(ground.z, source.z))
  }

  /// Returns the channel of `color-burn`.
  private static func burned(_ ground: Double, _ source: Double) -> Double {
    ground >= 1 ? 1 : source <= 0 ? 0 : 1 - min(1, (1 - ground) / source)
  }

  /// Returns the channel of `color-dodge`.
  private static func dodged(_ ground: Double, _ source: Double) -> Double {
    ground <= 0 ? 0 : source >= 1 ? 1 : min(1, ground / (1 - source))
  }

  private static func luminosity(_ color: RGB) -> Double { 0.3 * color.x + 0.59 * color.y + 0.11 * color.z }

  private static func saturation(_ color: RGB) -> Double { color.max() - color.min() }

  private static func withLuminosity(_ luminosity: Double, _ color: RGB) -> RGB {
    let moved = color + (luminosity - Self.luminosity(color))
    let (low, high, middle) = (moved.min(), moved.max(), Self.luminosity(moved))
    var clipped = moved
    if low < 0 { clipped = middle + (clipped - middle) * (middle / (middle - low)) }
    if high > 1 { clipped = middle + (clipped - middle) * ((1 - middle) / (high - middle)) }
    return clipped
  }

  private static func withSaturation(_ saturation: Double, _ color: RGB) -> RGB {
    let (low, high) = (color.min(), color.max())
    guard high > low else { return .zero }
    return (color - low) * (saturation / (high - low))
  }

  private static func color(_ pixel: UInt32) -> RGB {
    RGB(Double(pixel >> 16 & 255), Double(pixel >> 8 & 255), Double(pixel & 255)) / 255
  }

  private static func pixel(_ color: RGB, alpha: Double) -> UInt32 {
    let whole = min(max((alpha * 255).rounded(), 0), 255)
    // A premultiplied channel is at most the alpha.
    func channel(_ value: Double) -> UInt32 { UInt32(clamping: min(max((value * 255).rounded(), 0), whole)) }
    return UInt32(clamping: whole) << 24 | channel(color.x) << 16 | channel(color.y) << 8 | channel(color.z)
  }
}
