import Glibc
import MapStyles

extension StyleColor {
  /// The colour of a roof in the light that a style has by default: white, from an angle of 30 degrees to the vertical.
  ///
  /// The opacity darkens the roof, which is opaque.
  ///
  /// - Source: MapLibre Style Specification, light; the formula is that of MapLibre GL JS 5, and equals measured colours
  ///   of MapLibre Native.
  var asRoof: StyleColor {
    let intensity = 0.5
    let share = min(1, 1.15 * cos(30 * Double.pi / 180))
    let (red, green, blue) = (red * alpha, green * alpha, blue * alpha)
    let luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    let light = (1 - intensity) * (1 - share) + max(1 - luminance + intensity, 1) * share
    func lit(_ channel: Double) -> Double { min(1, (channel + 0.03) * light) }
    return StyleColor(lit(red), lit(green), lit(blue))
  }
}
