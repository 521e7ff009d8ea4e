internal import Glibc

/// A colour in CIE Lab with the white of D50.
///
/// - Source: CIE 15:2004; the matrices for sRGB adapted to D50 of Lindbloom, with the precision of Bostock's d3-color.
struct LabColor {
  var lightness: Double
  var a: Double
  var b: Double

  init(lightness: Double, a: Double, b: Double) { (self.lightness, self.a, self.b) = (lightness, a, b) }

  /// Creates a colour from its hue in degrees, chroma and lightness.
  init(hue: Double, chroma: Double, lightness: Double) {
    let angle = hue * .pi / 180
    self.init(lightness: lightness, a: cos(angle) * chroma, b: sin(angle) * chroma)
  }

  /// Creates the colour of a colour in sRGB, without its opacity.
  init(_ color: StyleColor) {
    let (red, green, blue) = (Self.linear(color.red), Self.linear(color.green), Self.linear(color.blue))
    let y = Self.compressed(0.2225045 * red + 0.7168786 * green + 0.0606169 * blue)
    var (x, z) = (y, y)
    if red != green || green != blue {
      x = Self.compressed((0.4360747 * red + 0.3850649 * green + 0.1430804 * blue) / Self.white.x)
      z = Self.compressed((0.0139322 * red + 0.0971045 * green + 0.7141733 * blue) / Self.white.z)
    }
    self.init(lightness: max(0, 116 * y - 16), a: 500 * (x - y), b: 200 * (y - z))
  }

  private static let white = (x: 0.96422, z: 0.82521)

  /// The distance from grey.
  var chroma: Double { (a * a + b * b).squareRoot() }

  /// The hue in degrees from 0 to 360; nil for grey.
  var hue: Double? {
    guard (chroma * 10000).rounded() != 0 else { return nil }
    let degrees = atan2(b, a) * 180 / .pi
    return degrees < 0 ? degrees + 360 : degrees
  }

  /// Returns the colour in sRGB, with channels clipped to 0 and 1.
  func color(alpha: Double) -> StyleColor {
    let middle = (lightness + 16) / 116
    let x = Self.white.x * Self.expanded(middle + a / 500)
    let y = Self.expanded(middle)
    let z = Self.white.z * Self.expanded(middle - b / 200)
    return StyleColor(
      Self.encoded(3.1338561 * x - 1.6168667 * y - 0.4906146 * z),
      Self.encoded(-0.9787684 * x + 1.9161415 * y + 0.033454 * z),
      Self.encoded(0.0719453 * x - 0.2289914 * y + 1.4052427 * z), alpha: alpha)
  }

  private static func linear(_ channel: Double) -> Double {
    channel <= 0.04045 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4)
  }

  private static func encoded(_ light: Double) -> Double {
    min(1, max(0, light <= 0.00304 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055))
  }

  private static func compressed(_ light: Double) -> Double {
    light > 216.0 / 24389 ? cbrt(light) : light / (108.0 / 841) + 4.0 / 29
  }

  private static func expanded(_ value: Double) -> Double {
    value > 6.0 / 29 ? value * value * value : 108.0 / 841 * (value - 4.0 / 29)
  }
}
