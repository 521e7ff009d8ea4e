import Glibc
import MapSystem

/// A colour in CIELAB under the white point D65.
package struct PerceivedColor: Hashable, Sendable {
  /// The lightness, from 0 to 100.
  package var lightness: Double
  /// The position between green (negative) and red.
  package var a: Double
  /// The position between blue (negative) and yellow.
  package var b: Double

  package init(lightness: Double, a: Double, b: Double) {
    (self.lightness, self.a, self.b) = (lightness, a, b)
  }

  /// Creates the colour of linear sRGB channels.
  ///
  /// - Source: IEC 61966-2-1 for sRGB, CIE 15 for CIELAB.
  package init(_ light: LinearColor) {
    let (r, g, b) = (light.red, light.green, light.blue)
    func f(_ value: Double) -> Double {
      value > 216.0 / 24389 ? cbrt(value) : (24389.0 / 27 * value + 16) / 116
    }
    // The sums of the rows are the white point.
    let x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047)
    let y = f(0.2126729 * r + 0.7151522 * g + 0.0721750 * b)
    let z = f((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.0888300)
    (lightness, a, self.b) = (116 * y - 16, 500 * (x - y), 200 * (y - z))
  }

  /// Returns the colour difference CIEDE2000; 1 is about the smallest difference that is visible side by side.
  ///
  /// - Source: Sharma, Wu and Dalal 2005, "The CIEDE2000 color-difference formula: implementation notes, supplementary
  ///   test data, and mathematical observations", Color Research and Application 30 (1).
  package func difference(to other: PerceivedColor) -> Double {
    let meanChroma = (hypot(a, b) + hypot(other.a, other.b)) / 2
    let g = 0.5 * (1 - Self.weight(meanChroma))
    let (a1, a2) = ((1 + g) * a, (1 + g) * other.a)
    let (c1, c2) = (hypot(a1, b), hypot(a2, other.b))
    let (h1, h2) = (Self.hue(a1, b), Self.hue(a2, other.b))
    let hasHues = c1 * c2 != 0

    var hueStep = hasHues ? h2 - h1 : 0
    if hueStep > 180 { hueStep -= 360 } else if hueStep < -180 { hueStep += 360 }
    let lightnessStep = other.lightness - lightness
    let chromaStep = c2 - c1
    let arc = 2 * (c1 * c2).squareRoot() * sin(Self.radians(hueStep / 2))

    let meanLightness = (lightness + other.lightness) / 2
    let chroma = (c1 + c2) / 2
    var hue = h1 + h2
    if hasHues {
      if abs(h1 - h2) > 180 { hue += hue < 360 ? 360 : -360 }
      hue /= 2
    }
    let t =
      1 - 0.17 * cos(Self.radians(hue - 30)) + 0.24 * cos(Self.radians(2 * hue))
      + 0.32 * cos(Self.radians(3 * hue + 6)) - 0.20 * cos(Self.radians(4 * hue - 63))
    let offset = meanLightness - 50
    let lightnessScale = 1 + 0.015 * offset * offset / (20 + offset * offset).squareRoot()
    let (chromaScale, hueScale) = (1 + 0.045 * chroma, 1 + 0.015 * chroma * t)
    let bend = (hue - 275) / 25
    let turn = -sin(Self.radians(60 * exp(-bend * bend))) * 2 * Self.weight(chroma)
    let (l, c, h) = (lightnessStep / lightnessScale, chromaStep / chromaScale, arc / hueScale)
    return max(0, l * l + c * c + h * h + turn * c * h).squareRoot()
  }

  private static func weight(_ chroma: Double) -> Double {
    let power = pow(chroma, 7)
    // 25 to the power of 7.
    return (power / (power + 6_103_515_625)).squareRoot()
  }

  /// The hue in degrees, from 0 to 360.
  private static func hue(_ a: Double, _ b: Double) -> Double {
    guard a != 0 || b != 0 else { return 0 }
    let angle = atan2(b, a) * 180 / .pi
    return angle < 0 ? angle + 360 : angle
  }

  private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
}

/// An opaque colour as amounts of light: linear sRGB channels from 0 to 1.
package struct LinearColor: Hashable, Sendable {
  package var red: Double
  package var green: Double
  package var blue: Double

  package init(red: Double, green: Double, blue: Double) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// Creates the light of a colour; its alpha is ignored.
  ///
  /// - Source: IEC 61966-2-1.
  package init(_ color: Color) {
    func light(_ channel: UInt8) -> Double {
      let value = Double(channel) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    (red, green, blue) = (light(color.red), light(color.green), light(color.blue))
  }

  /// The relative luminance.
  ///
  /// - Source: WCAG 2.1, definition of relative luminance.
  package var luminance: Double { 0.2126 * red + 0.7152 * green + 0.0722 * blue }

  /// Returns the contrast ratio, from 1 to 21.
  ///
  /// - Source: WCAG 2.1, definition of contrast ratio.
  package func contrast(to other: LinearColor) -> Double {
    let (a, b) = (luminance, other.luminance)
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  /// Returns the colour as people with a colour vision deficiency see it.
  package func seen(with deficiency: ColorVisionDeficiency) -> LinearColor {
    let rows = deficiency.matrix
    func channel(_ row: [Double]) -> Double {
      min(max(row[0] * red + row[1] * green + row[2] * blue, 0), 1)
    }
    return LinearColor(red: channel(rows[0]), green: channel(rows[1]), blue: channel(rows[2]))
  }
}

/// The kinds of colour blindness with one missing kind of cone.
package enum ColorVisionDeficiency: String, CaseIterable, Sendable {
  /// Without cones for long, medium and short waves.
  case protanopia, deuteranopia, tritanopia

  /// The simulation on linear sRGB.
  ///
  /// - Source: Machado, Oliveira and Fernandes 2009, "A physiologically-based model for simulation of color vision
  ///   deficiency", IEEE Transactions on Visualization and Computer Graphics 15 (6), severity 1.0.
  fileprivate var matrix: [[Double]] {
    switch self {
    case .protanopia:
      [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    case .deuteranopia:
      [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    case .tritanopia:
      [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    }
  }
}

extension Color {
  /// Returns the difference CIEDE2000 from another opaque colour.
  package func difference(to other: Color) -> Double {
    PerceivedColor(LinearColor(self)).difference(to: PerceivedColor(LinearColor(other)))
  }

  /// Returns the opaque colour that results over another one.
  package func over(_ below: Color) -> Color {
    let share = Double(alpha) / 255
    func mixed(_ top: UInt8, _ bottom: UInt8) -> UInt8 {
      UInt8(clamping: (Double(top) * share + Double(bottom) * (1 - share)).rounded())
    }
    return Color(
      red: mixed(red, below.red), green: mixed(green, below.green), blue: mixed(blue, below.blue))
  }
}
