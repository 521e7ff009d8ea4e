import MapGeometry

/// A colour as symbols carry it: red, green, blue and straight alpha, each 0 to 255.
///
/// - Source: web map JSON, where alpha runs to 255 like the rest; the named colours are UIKit's.
public struct Color: Hashable, Sendable {
  /// Red, 0 to 255.
  public let red: UInt8
  /// Green, 0 to 255.
  public let green: UInt8
  /// Blue, 0 to 255.
  public let blue: UInt8
  /// 0 is clear, 255 opaque.
  public let alpha: UInt8

  /// A colour, opaque unless said.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// Red, green and blue 0.
  public static let black = Color(red: 0, green: 0, blue: 0)
  /// Red, green and blue 255.
  public static let white = Color(red: 255, green: 255, blue: 255)
  /// Nothing at all.
  public static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
  /// Pure red.
  public static let red = Color(red: 255, green: 0, blue: 0)
  /// Pure green.
  public static let green = Color(red: 0, green: 255, blue: 0)
  /// Pure blue.
  public static let blue = Color(red: 0, green: 0, blue: 255)
  /// Red and green.
  public static let yellow = Color(red: 255, green: 255, blue: 0)
  /// Green and blue.
  public static let cyan = Color(red: 0, green: 255, blue: 255)
  /// Red and blue.
  public static let magenta = Color(red: 255, green: 0, blue: 255)
  /// Red with half of green.
  public static let orange = Color(red: 255, green: 128, blue: 0)
  /// Half of red and blue.
  public static let purple = Color(red: 128, green: 0, blue: 128)
  /// A dark orange.
  public static let brown = Color(red: 153, green: 102, blue: 51)
  /// Half of all.
  public static let gray = Color(red: 128, green: 128, blue: 128)

  /// The same colour with another alpha, 0 clear to 1 opaque; beyond, the nearer of the two.
  public func withAlphaComponent(_ alpha: Double) -> Color {
    let share = alpha.isNaN ? 0 : min(max(alpha, 0), 1)
    return Color(red: red, green: green, blue: blue, alpha: UInt8(clamping: (share * 255).rounded()))
  }
}
