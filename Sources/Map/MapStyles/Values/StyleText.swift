internal import Glibc
internal import MapJSON

/// Texts of values and values of texts, as ECMAScript has them.
enum StyleText {
  /// The maximum length of a text that expressions make, in bytes.
  ///
  /// - Source: design decision; labels have some hundred bytes.
  static let lengthLimit = 1 << 20

  /// Whether two texts have the same characters; é is not e with an accent after it.
  static func areSame(_ first: String, _ second: String) -> Bool {
    first.utf8.elementsEqual(second.utf8)
  }

  /// Whether a text comes before another by its UTF-16 units.
  static func isLess(_ first: String, _ second: String) -> Bool {
    first.utf16.lexicographicallyPrecedes(second.utf16)
  }

  /// Returns a number as text.
  ///
  /// - Source: ECMA-262, Number::toString.
  static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
    if value == 0 { return "0" }
    let (digits, point) = decimalDigits(value.magnitude)
    let sign = value < 0 ? "-" : ""
    let count = digits.count
    func text(_ range: Range<Int>) -> String {
      String(decoding: digits[range].map { $0 + 0x30 }, as: UTF8.self)
    }
    if count <= point, point <= 21 {
      return sign + text(0..<count) + String(repeating: "0", count: point - count)
    }
    if point > 0, point <= 21 { return sign + text(0..<point) + "." + text(point..<count) }
    if point > -6, point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + text(0..<count) }
    let exponent = point - 1
    let fraction = count > 1 ? "." + text(1..<count) : ""
    return sign + text(0..<1) + fraction + "e" + (exponent < 0 ? "-" : "+") + String(abs(exponent))
  }

  /// Returns the shortest decimal digits of a positive number, and the place of the point from the first digit.
  static func decimalDigits(_ value: Double) -> (digits: [UInt8], point: Int) {
    var (digits, point, exponent, hasPoint, isExponent): ([UInt8], Int, String, Bool, Bool) = (
      [], 0, "", false, false
    )
    for byte in value.description.utf8 {
      switch byte {
      case UInt8(ascii: "e"): isExponent = true
      case UInt8(ascii: "."): hasPoint = true
      case _ where isExponent: exponent.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        digits.append(byte - 0x30)
        if !hasPoint { point += 1 }
      }
    }
    point += Int(exponent) ?? 0
    while digits.count > 1, digits.last == 0 { digits.removeLast() }
    while digits.count > 1, digits.first == 0 {
      digits.removeFirst()
      point -= 1
    }
    return (digits, point)
  }

  /// Returns the number that decimal digits, a point, signs and an exponent make; nil for none.
  static func decimal(_ bytes: ArraySlice<UInt8>) -> Double? {
    Double(String(decoding: bytes, as: UTF8.self))
  }

  /// Returns a text as a number; NaN when it is none.
  ///
  /// - Source: ECMA-262, StringToNumber.
  static func number(of text: String) -> Double {
    var trimmed = text[...]
    while trimmed.first?.isWhitespace == true { trimmed.removeFirst() }
    while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
    if trimmed.isEmpty { return 0 }
    for (prefix, bits) in [("0x", 4), ("0o", 3), ("0b", 1)] where trimmed.lowercased().hasPrefix(prefix) {
      return number(ofDigits: trimmed.dropFirst(2).utf8, bitsPerDigit: bits)
    }
    switch trimmed {
    case "Infinity", "+Infinity": return .infinity
    case "-Infinity": return -.infinity
    default: break
    }
    // Swift reads more words than ECMAScript does.
    let isDecimal = trimmed.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte)
    }
    return isDecimal ? Double(trimmed) ?? .nan : .nan
  }

  /// Returns the double nearest to digits of base 2, 8 or 16; NaN for other characters, and without digits.
  private static func number(ofDigits digits: Substring.UTF8View, bitsPerDigit: Int) -> Double {
    var (first, exponent, hasMore) = (UInt64(0), 0, false)
    for byte in digits {
      guard let digit = Character(UnicodeScalar(byte)).hexDigitValue, digit >> bitsPerDigit == 0 else {
        return .nan
      }
      if first >> 60 == 0 {
        first = first << UInt64(bitsPerDigit) | UInt64(digit)
      } else {
        (exponent, hasMore) = (exponent + bitsPerDigit, hasMore || digit > 0)
      }
    }
    // A double has 53 bits, so the last of at least 61 only decides between two that are equally near.
    return digits.isEmpty
      ? .nan : Double(sign: .plus, exponent: exponent, significand: Double(hasMore ? first | 1 : first))
  }

  /// Returns a value as `to-string` writes it; null is empty.
  static func text(_ value: StyleValue) -> String {
    switch value {
    case .null: ""
    case .boolean(let value): value ? "true" : "false"
    case .number(let number): Self.number(number)
    case .string(let text): text
    case .color(let color): color.text
    case .formatted(let sections): sections.map(\.text).joined()
    case .image(let image): image.name
    case .projection(let projection) where projection.from == projection.to && projection.transition == 1:
      projection.from
    default: json(value)
    }
  }

  /// Returns a value as JSON; the text ends early when it is too long.
  static func json(_ value: StyleValue) -> String {
    var text = ""
    append(value, to: &text)
    return text
  }

  private static func append(_ value: StyleValue, to text: inout String) {
    guard text.utf8.count < lengthLimit else { return }
    switch value {
    case .null, .collator: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .number(let number): text += number.isFinite ? Self.number(number) : "null"
    case .string(let string): append(quoted: string, to: &text)
    case .array(let elements): append(elements, to: &text)
    case .padding(let numbers), .numbers(let numbers): append(numbers.map(StyleValue.number), to: &text)
    case .color(let color):
      let alpha = color.alpha
      let parts = [color.red * alpha, color.green * alpha, color.blue * alpha, alpha].map(StyleValue.number)
      append(StyleObject(zip(["r", "g", "b", "a"], parts)), to: &text)
    case .colors(let colors): append(colors.map(StyleValue.color), to: &text)
    case .anchorOffsets(let offsets):
      var elements: [StyleValue] = []
      for offset in offsets {
        elements += [.string(offset.anchor), .array([.number(offset.x), .number(offset.y)])]
      }
      append(elements, to: &text)
    case .projection(let projection):
      append(
        [.string(projection.from), .string(projection.to), .number(projection.transition)], to: &text)
    case .object(let object): append(object, to: &text)
    case .formatted, .image: append(quoted: Self.text(value), to: &text)
    }
  }

  private static func append(_ elements: [StyleValue], to text: inout String) {
    text += "["
    for (index, element) in elements.enumerated() {
      guard text.utf8.count < lengthLimit else { break }
      if index > 0 { text += "," }
      append(element, to: &text)
    }
    text += "]"
  }

  private static func append(_ object: StyleObject, to text: inout String) {
    text += "{"
    for (index, name) in object.names.enumerated() {
      guard text.utf8.count < lengthLimit else { break }
      if index > 0 { text += "," }
      append(quoted: name, to: &text)
      text += ":"
      append(object[name] ?? .null, to: &text)
    }
    text += "}"
  }

  private static func append(quoted string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{8}": text += "\\b"
      case "\u{C}": text += "\\f"
      case "\0"..<" ": text += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
