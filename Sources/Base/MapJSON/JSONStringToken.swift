/// A checked string in a document: the byte range between its quotation marks.
package struct JSONStringToken: Hashable, Sendable {
  /// The offset after the opening quotation mark.
  package let start: Int
  /// The offset of the closing quotation mark.
  package let end: Int
  /// Whether the bytes contain escapes, so that they are not yet the text.
  package let hasEscapes: Bool

  /// Returns the text; `bytes` must be those of the scanner that made the token.
  package func text(in bytes: [UInt8]) -> String {
    guard hasEscapes else { return String(decoding: bytes[start..<end], as: UTF8.self) }
    var buffer: [UInt8] = []
    appendText(in: bytes, to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  /// Appends the text in UTF-8, with escapes resolved.
  package func appendText(in bytes: [UInt8], to buffer: inout [UInt8]) {
    var place = start
    while place < end {
      let byte = bytes[place]
      guard byte == 0x5C, place + 1 < end else {
        buffer.append(byte)
        place += 1
        continue
      }
      let escape = bytes[place + 1]
      if let character = Self.character(escapedBy: escape) {
        buffer.append(character)
        place += 2
        continue
      }
      var scalar = Self.codeUnit(bytes, at: place + 2) ?? 0xFFFD
      place += 6
      if scalar & 0xFC00 == 0xD800, let low = Self.codeUnit(bytes, at: place + 2) {
        scalar = 0x10000 + (scalar & 0x3FF) << 10 + (low & 0x3FF)
        place += 6
      }
      if let scalar = Unicode.Scalar(scalar) { buffer.append(contentsOf: UTF8.encode(scalar) ?? .init()) }
    }
  }

  /// Returns whether the text equals the given UTF-8 bytes.
  ///
  /// Uses an array and a loop: comparing with a `StaticString` took a tenth of the time of reading a whole file.
  package func equals(_ text: [UInt8], in bytes: [UInt8]) -> Bool {
    if hasEscapes { return Array(self.text(in: bytes).utf8) == text }
    guard end - start == text.count else { return false }
    return bytes.span.extracting(start..<end).hasSameBytes(as: text.span)
  }

  /// Returns the character for the byte after a backslash; nil for `u` and for bytes that are not an escape.
  static func character(escapedBy byte: UInt8) -> UInt8? {
    switch byte {
    case 0x22, 0x5C, 0x2F: byte
    case 0x62: 0x08
    case 0x66: 0x0C
    case 0x6E: 0x0A
    case 0x72: 0x0D
    case 0x74: 0x09
    default: nil
    }
  }

  /// Returns the value of four hexadecimal digits.
  static func codeUnit(_ bytes: [UInt8], at place: Int) -> UInt32? {
    guard place + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for byte in bytes[place..<place + 4] {
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x41...0x46: digit = byte - 0x41 + 10
      case 0x61...0x66: digit = byte - 0x61 + 10
      default: return nil
      }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}

/// A check for well-formed UTF-8.
///
/// - Source: Unicode 15, table 3-7: no overlong form, no surrogate, nothing above U+10FFFF.
package enum UTF8Check {
  /// Returns the number of bytes of the character that starts at `place`; nil when the bytes are not UTF-8.
  package static func length(of bytes: [UInt8], at place: Int) -> Int? {
    let first = bytes[place]
    if first < 0x80 { return 1 }
    let length: Int
    // The range of the second byte excludes overlong forms, surrogates and values beyond Unicode.
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if first == 0xE0 { second = 0xA0...0xBF }
      if first == 0xED { second = 0x80...0x9F }
    case 0xF0...0xF4:
      length = 4
      if first == 0xF0 { second = 0x90...0xBF }
      if first == 0xF4 { second = 0x80...0x8F }
    default: return nil
    }
    guard place + length <= bytes.count, second.contains(bytes[place + 1]) else { return nil }
    for index in place + 2..<place + max(length, 2) where bytes[index] & 0xC0 != 0x80 { return nil }
    return length
  }
}
