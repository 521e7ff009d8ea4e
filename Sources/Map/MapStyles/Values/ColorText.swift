/// A reader of colours as CSS writes them: names, hexadecimal digits, `rgb()` and `hsl()`.
///
/// - Source: CSS Color Module Level 4, as far as the style specification takes it.
struct ColorText {
  private let bytes: [UInt8]
  private var place = 0

  /// Returns the colour of a text; nil when it is none.
  static func color(_ text: String) -> StyleColor? {
    var trimmed = text.lowercased()[...]
    while trimmed.first?.isWhitespace == true { trimmed.removeFirst() }
    while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
    if trimmed == "transparent" { return .transparent }
    if let color = ColorNames.color(String(trimmed)) { return color }
    if trimmed.utf8.first == UInt8(ascii: "#") { return hexadecimal(Array(trimmed.utf8.dropFirst())) }
    var reader = ColorText(bytes: Array(trimmed.utf8))
    return reader.function()
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private static func hexadecimal(_ digits: [UInt8]) -> StyleColor? {
    var values: [Double] = []
    for digit in digits {
      switch digit {
      case 0x30...0x39: values.append(Double(digit - 0x30))
      case 0x61...0x66: values.append(Double(digit - 0x57))
      default: return nil
      }
    }
    switch values.count {
    case 3, 4: values = values.map { $0 * 17 }
    case 6, 8: values = stride(from: 0, to: values.count, by: 2).map { values[$0] * 16 + values[$0 + 1] }
    default: return nil
    }
    return StyleColor(
      values[0] / 255, values[1] / 255, values[2] / 255, alpha: values.count == 4 ? values[3] / 255 : 1)
  }

  /// Reads `rgb(…)`, `rgba(…)`, `hsl(…)` or `hsla(…)`.
  private mutating func function() -> StyleColor? {
    let isRGB = take("rgb")
    guard isRGB || take("hsl") else { return nil }
    _ = take("a")
    guard take("(") else { return nil }
    skipBlanks()
    var (values, percents, commas): ([Double], [Bool], [Bool]) = ([], [], [])
    for part in 0..<3 {
      if part > 0 {
        let blanks = skipBlanks()
        let isComma = take(",")
        guard isComma || blanks > 0 else { return nil }
        if isComma { skipBlanks() }
        commas.append(isComma)
      }
      guard let value = number() else { return nil }
      if !isRGB, part == 0 { _ = take("deg") }
      values.append(value)
      percents.append((isRGB || part > 0) && take("%"))
    }
    skipBlanks()
    var alpha = 1.0
    if place < bytes.count, bytes[place] != UInt8(ascii: ")") {
      let isComma = take(",")
      guard isComma || take("/"), isComma == commas[0] else { return nil }
      skipBlanks()
      guard let value = number() else { return nil }
      alpha = min(1, max(0, take("%") ? value / 100 : value))
      skipBlanks()
    }
    guard commas[0] == commas[1], take(")"), place == bytes.count else { return nil }
    if isRGB {
      guard percents[0] == percents[1], percents[1] == percents[2] else { return nil }
      let channels = values.map { min(1, max(0, $0 / (percents[0] ? 100 : 255))) }
      return StyleColor(channels[0], channels[1], channels[2], alpha: alpha)
    }
    guard percents[1], percents[2] else { return nil }
    return Self.hsl(values[0], min(100, max(0, values[1])), min(100, max(0, values[2])), alpha: alpha)
  }

  /// - Source: CSS Color Module Level 4, 7.1.
  private static func hsl(_ hue: Double, _ saturation: Double, _ lightness: Double, alpha: Double)
    -> StyleColor
  {
    var hue = hue.truncatingRemainder(dividingBy: 360)
    if hue < 0 { hue += 360 }
    let (saturation, lightness) = (saturation / 100, lightness / 100)
    func channel(_ offset: Double) -> Double {
      let place = (offset + hue / 30).truncatingRemainder(dividingBy: 12)
      return lightness - saturation * min(lightness, 1 - lightness) * max(-1, min(place - 3, 9 - place, 1))
    }
    return StyleColor(channel(0), channel(8), channel(4), alpha: alpha)
  }

  private mutating func take(_ text: String) -> Bool {
    guard bytes[place...].starts(with: text.utf8) else { return false }
    place += text.utf8.count
    return true
  }

  @discardableResult private mutating func skipBlanks() -> Int {
    let start = place
    while place < bytes.count, bytes[place] == 0x20 || (0x09...0x0D).contains(bytes[place]) { place += 1 }
    return place - start
  }

  /// Reads a number; nil when there is none, or when the characters of numbers make none.
  private mutating func number() -> Double? {
    let start = place
    while place < bytes.count, isNumeric(bytes[place]) { place += 1 }
    return place > start ? StyleText.decimal(bytes[start..<place]) : nil
  }

  private func isNumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "e")
      || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
  }
}
