import MapGeometry
import MapSystem

/// A colour of a symbol: red, green, blue and straight (not premultiplied) alpha, each 0 to 255.
///
/// - Source: web map JSON, where alpha also ranges to 255; the named colours are those of UIKit.
public struct Color: Hashable, Sendable {
  /// The red channel, 0 to 255.
  public let red: UInt8
  /// The green channel, 0 to 255.
  public let green: UInt8
  /// The blue channel, 0 to 255.
  public let blue: UInt8
  /// The alpha channel, from 0 (transparent) to 255 (opaque).
  public let alpha: UInt8

  /// Creates a colour, opaque by default.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// Black: all channels 0.
  public static let black = Color(red: 0, green: 0, blue: 0)
  /// White: all channels 255.
  public static let white = Color(red: 255, green: 255, blue: 255)
  /// Fully transparent.
  public static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
  /// Pure red.
  public static let red = Color(red: 255, green: 0, blue: 0)
  /// Pure green.
  public static let green = Color(red: 0, green: 255, blue: 0)
  /// Pure blue.
  public static let blue = Color(red: 0, green: 0, blue: 255)
  /// Yellow: red and green.
  public static let yellow = Color(red: 255, green: 255, blue: 0)
  /// Cyan: green and blue.
  public static let cyan = Color(red: 0, green: 255, blue: 255)
  /// Magenta: red and blue.
  public static let magenta = Color(red: 255, green: 0, blue: 255)
  /// Orange: red with half of green.
  public static let orange = Color(red: 255, green: 128, blue: 0)
  /// Purple: half of red and half of blue.
  public static let purple = Color(red: 128, green: 0, blue: 128)
  /// Brown: a dark orange.
  public static let brown = Color(red: 153, green: 102, blue: 51)
  /// Grey: half of every channel.
  public static let gray = Color(red: 128, green: 128, blue: 128)

  /// Returns the colour with another alpha, from 0 (transparent) to 1 (opaque); other values are clamped.
  public func withAlphaComponent(_ alpha: Double) -> Color {
    let share = alpha.isNaN ? 0 : min(max(alpha, 0), 1)
    return Color(red: red, green: green, blue: blue, alpha: UInt8(clamping: (share * 255).rounded()))
  }
}
