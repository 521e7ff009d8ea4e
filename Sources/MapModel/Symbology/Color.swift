/// A colour as symbols carry it: red, green, blue and straight alpha, each 0 to 255.
///
/// - Source: web map JSON, where alpha runs to 255 like the rest.
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
}
