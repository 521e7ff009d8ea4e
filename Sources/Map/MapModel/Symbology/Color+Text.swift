import MapStyles

extension Color {
  /// Parses a colour from text; nil for any other text.
  ///
  /// It reads `#rgb`, `#rrggbb`, `#rrggbbaa`, `r,g,b`, `r,g,b,a` (0 to 255 each), and the colour names of CSS.
  ///
  /// - Source: CSS Color 4, 5.2 and 6.1.
  public init?(text: String) {
    let text = text.lowercased()
    if let rgb = ColorNames.rgb(text) {
      self.init(red: UInt8(rgb >> 16 & 255), green: UInt8(rgb >> 8 & 255), blue: UInt8(rgb & 255))
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
}
