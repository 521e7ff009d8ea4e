/// Text reduced to its ASCII letters and digits in lower case, with the bytes that each of them comes from.
///
/// Escapes of JSON, addresses and HTML are undone, also repeated ones. White space, line ends, quotation marks and all
/// other characters are dropped. So two texts with the same letters are equal however they are written or divided.
struct PlainText {
  /// The letters and digits.
  private(set) var bytes: [UInt8] = []
  /// For each of them, the range of the original text.
  private(set) var sources: [Range<Int>] = []

  /// Creates an empty text.
  init() {}

  /// Reduces a whole text.
  init(_ text: [UInt8]) {
    var place = 0
    append(text, from: &place, to: text.count)
  }

  /// Appends the text from a position up to `end`; an escape that starts before `end` is read whole.
  mutating func append(_ text: [UInt8], from place: inout Int, to end: Int) {
    let text = text.span
    while place < end {
      let start = place
      let value: Int
      (value, place) = Self.character(text, at: start)
      switch value {
      case 0x30...0x39, 0x61...0x7A: append(UInt8(truncatingIfNeeded: value), start..<place)
      case 0x41...0x5A: append(UInt8(truncatingIfNeeded: value | 0x20), start..<place)
      default: break
      }
    }
  }

  private mutating func append(_ byte: UInt8, _ source: Range<Int>) {
    bytes.append(byte)
    sources.append(source)
  }

  /// Removes all but the last `count` letters.
  mutating func keepLast(_ count: Int) {
    bytes.removeFirst(max(0, bytes.count - count))
    sources.removeFirst(max(0, sources.count - count))
  }

  /// Returns the character at a position, with its escape undone, and the position after it.
  private static func character(_ text: Span<UInt8>, at start: Int) -> (value: Int, end: Int) {
    var place = start + 1
    switch text[start] {
    case UInt8(ascii: "\\"):
      // JSON inside JSON escapes its backslashes once more.
      while place < text.count, text[place] == UInt8(ascii: "\\") { place += 1 }
      guard place < text.count else { break }
      switch text[place] {
      case UInt8(ascii: "u"): if let value = number(text, place + 1, count: 4) { return (value, place + 5) }
      case UInt8(ascii: "x"): if let value = number(text, place + 1, count: 2) { return (value, place + 3) }
      case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"):
        return (0, place + 1)
      default: break
      }
      return (0, place)
    case UInt8(ascii: "%"):
      // `%2541` is `%41`, encoded once more.
      while number(text, place, count: 2) == 0x25, number(text, place + 2, count: 2) != nil { place += 2 }
      if let value = number(text, place, count: 2) { return (value, place + 2) }
      return (0, start + 1)
    case UInt8(ascii: "&"):
      var name: [UInt8] = []
      while place < text.count, name.count < 8, text[place] != UInt8(ascii: ";") {
        name.append(text[place])
        place += 1
      }
      guard place < text.count, text[place] == UInt8(ascii: ";") else { return (0, start + 1) }
      if name.first == UInt8(ascii: "#") {
        let digits = String(decoding: name.dropFirst(), as: UTF8.self)
        let value = digits.hasPrefix("x") ? Int(digits.dropFirst(), radix: 16) : Int(digits)
        return value.map { ($0, place + 1) } ?? (0, start + 1)
      }
      let names = ["amp", "quot", "apos", "lt", "gt", "nbsp"]
      return (0, names.contains(String(decoding: name, as: UTF8.self)) ? place + 1 : start + 1)
    default: return (Int(text[start]), place)
    }
    return (0, place)
  }

  /// Returns the number of `count` hexadecimal digits; nil for other text.
  private static func number(_ text: Span<UInt8>, _ start: Int, count: Int) -> Int? {
    guard start + count <= text.count else { return nil }
    var value = 0
    for place in start..<start + count {
      switch text[place] {
      case 0x30...0x39: value = value << 4 | Int(text[place] - 0x30)
      case 0x41...0x46, 0x61...0x66: value = value << 4 | Int((text[place] | 0x20) - 0x57)
      default: return nil
      }
    }
    return value
  }
}
