import Glibc
package import MapStyles
import MapSystem

/// The change of the colours of a raster layer by its paint properties.
///
/// `raster-fade-duration` has no meaning for images. The opacity is that of the layer as a whole.
///
/// - Source: MapLibre GL JS 5, the fragment shader of raster layers.
package struct RasterPaint: Hashable, Sendable {
  /// The opacity, 0 to 1.
  package var opacity = 1.0
  /// The rotation of the hue, in degrees.
  package var hueRotation = 0.0
  /// The brightness of what is black, 0 to 1.
  package var brightnessMin = 0.0
  /// The brightness of what is white, 0 to 1.
  package var brightnessMax = 1.0
  /// The saturation, -1 to 1.
  package var saturation = 0.0
  /// The contrast, -1 to 1.
  package var contrast = 0.0
  /// Whether each pixel has the colour of the nearest one of the image.
  package var isNearest = false

  /// Creates the paint that changes nothing.
  package init() {}

  /// Creates the paint of a raster layer.
  package init(_ layer: StyleLayer, _ context: StyleContext) {
    func number(_ name: String, _ range: ClosedRange<Double>, _ absent: Double) -> Double {
      guard let number = layer.value(of: name, context)?.value.number, number.isFinite else { return absent }
      return min(max(number, range.lowerBound), range.upperBound)
    }
    opacity = number("raster-opacity", 0...1, 1)
    hueRotation = number("raster-hue-rotate", -1e9...1e9, 0)
    brightnessMin = number("raster-brightness-min", 0...1, 0)
    brightnessMax = number("raster-brightness-max", 0...1, 1)
    saturation = number("raster-saturation", -1...1, 0)
    contrast = number("raster-contrast", -1...1, 0)
    isNearest = ["resampling", "raster-resampling"].contains {
      layer.value(of: $0, context)?.value.string == "nearest"
    }
  }

  /// Whether the colours stay as they are.
  package var keepsColors: Bool {
    hueRotation == 0 && brightnessMin == 0 && brightnessMax == 1 && saturation == 0 && contrast == 0
  }

  /// Changes the colours of pixels: premultiplied alpha, red, green and blue from the highest byte down.
  package func apply(to pixels: inout [UInt32]) {
    guard !keepsColors else { return }
    let angle = hueRotation * .pi / 180
    let (sine, cosine) = (sin(angle), cos(angle))
    let root = 3.0.squareRoot()
    let spin = SIMD3<Float>(
      Float((2 * cosine + 1) / 3), Float((-root * sine - cosine + 1) / 3),
      Float((root * sine - cosine + 1) / 3))
    let saturating = Float(saturation > 0 ? 1 - 1 / (1.001 - saturation) : -saturation)
    // The largest contrast makes a channel black or white.
    let contrasting = Float(contrast > 0 ? 1 / max(1 - contrast, 1e-6) : 1 + contrast)
    let (low, range) = (Float(brightnessMin), Float(brightnessMax - brightnessMin))
    var last: (pixel: UInt32, painted: UInt32) = (0, 0)
    for index in pixels.indices where pixels[index] >> 24 > 0 {
      let pixel = pixels[index]
      // Neighbouring pixels often have one colour.
      if pixel != last.pixel {
        let color = SIMD3(Float(pixel >> 16 & 255), Float(pixel >> 8 & 255), Float(pixel & 255))
        let alpha = Float(pixel >> 24)
        let straight = color / alpha
        var rgb = SIMD3(
          (straight * spin).sum(), (straight * SIMD3(spin.z, spin.x, spin.y)).sum(),
          (straight * SIMD3(spin.y, spin.z, spin.x)).sum())
        rgb += (straight.sum() / 3 - rgb) * saturating
        rgb = (rgb - 0.5) * contrasting + 0.5
        last = (pixel, Self.pixel((rgb * range + low) * alpha, alpha: pixel >> 24))
      }
      pixels[index] = last.painted
    }
  }

  /// Returns a pixel; no channel is above alpha.
  private static func pixel(_ color: SIMD3<Float>, alpha: UInt32) -> UInt32 {
    func byte(_ channel: Float) -> UInt32 { min(UInt32(clamping: channel + 0.5), alpha) }
    return alpha << 24 | byte(color.x) << 16 | byte(color.y) << 8 | byte(color.z)
  }
}
