extension Color {
  /// Parses a colour from text; nil for any other text.
  ///
  /// It reads `#rgb`, `#rrggbb`, `#rrggbbaa`, `r,g,b`, `r,g,b,a` (0 to 255 each), the sixteen basic colour names of
  /// CSS, and `orange`.
  ///
  /// - Source: CSS Color 4, 5.2 and 6.1.
  public init?(text: String) {
    let text = text.lowercased()
    if let named = Self.named[text] {
      self = named
    } else if text.hasPrefix("#") {
      let digits = text.dropFirst().compactMap { $0.isASCII ? $0.hexDigitValue.map { UInt8($0) } : nil }
      guard digits.count == text.count - 1 else { return nil }
      switch digits.count {
      case 3: self.init(red: digits[0] * 17, green: digits[1] * 17, blue: digits[2] * 17)
      case 6, 8:
        let bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] * 16 + digits[$0 + 1] }
        self.init(red: bytes[0], green: bytes[1], blue: bytes[2], alpha: bytes.count == 4 ? bytes[3] : 255)
      default: return nil
      }
    } else {
      let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      let bytes = parts.compactMap { UInt8($0.trimmingPrefix(" ")) }
      guard bytes.count == parts.count, bytes.count == 3 || bytes.count == 4 else { return nil }
      self.init(red: bytes[0], green: bytes[1], blue: bytes[2], alpha: bytes.count == 4 ? bytes[3] : 255)
    }
  }

  private static let named: [String: Color] = [
    "black": .black, "white": .white, "gray": Color(red: 128, green: 128, blue: 128),
    "silver": Color(red: 192, green: 192, blue: 192), "maroon": Color(red: 128, green: 0, blue: 0),
    "red": Color(red: 255, green: 0, blue: 0), "purple": Color(red: 128, green: 0, blue: 128),
    "fuchsia": Color(red: 255, green: 0, blue: 255), "green": Color(red: 0, green: 128, blue: 0),
    "lime": Color(red: 0, green: 255, blue: 0), "olive": Color(red: 128, green: 128, blue: 0),
    "yellow": Color(red: 255, green: 255, blue: 0), "navy": Color(red: 0, green: 0, blue: 128),
    "blue": Color(red: 0, green: 0, blue: 255), "teal": Color(red: 0, green: 128, blue: 128),
    "aqua": Color(red: 0, green: 255, blue: 255), "orange": Color(red: 255, green: 165, blue: 0),
  ]
}
