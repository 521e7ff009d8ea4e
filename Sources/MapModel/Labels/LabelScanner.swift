/// A place in the bytes of a label expression: what both parsers read with.
struct LabelScanner {
  private let bytes: [UInt8]
  private(set) var offset = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// The byte here; nil at the end.
  var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }
  /// The byte after; nil past the end.
  private var next: UInt8? { offset + 1 < bytes.count ? bytes[offset + 1] : nil }

  mutating func advance() { offset += 1 }

  /// Steps over white space, and over comments where they are written `//` and `/* */`.
  mutating func skipBlanks(comments: Bool = false) {
    while let byte = peek {
      if byte == 0x20 || (0x09...0x0D).contains(byte) {
        advance()
      } else if comments, byte == UInt8(ascii: "/"), next == UInt8(ascii: "/") {
        while let byte = peek, byte != 0x0A { _ = byte; advance() }
      } else if comments, byte == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
        offset += 2
        while peek != nil, !(peek == UInt8(ascii: "*") && next == UInt8(ascii: "/")) { advance() }
        offset = min(offset + 2, bytes.count)
      } else {
        return
      }
    }
  }

  /// Steps over a byte if it is here.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    advance()
    return true
  }

  /// Letters, digits and underscores from here, bytes past ASCII among the letters; nil when there is none.
  mutating func word() -> String? {
    let start = offset
    while let byte = peek, byte >= 0x80 || byte == UInt8(ascii: "_") || Self.isAlphanumeric(byte) {
      advance()
    }
    return start == offset ? nil : text(start..<offset)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// The bytes up to a closing one, which is stepped over; nil when it never comes.
  mutating func upTo(_ close: Unicode.Scalar) -> String? {
    guard let end = bytes[offset...].firstIndex(of: UInt8(ascii: close)) else { return nil }
    defer { offset = end + 1 }
    return text(offset..<end)
  }

  /// The rest of a quoted text whose opening quote has been read; nil when it never ends.
  ///
  /// With `escapes` a backslash keeps the next byte, `\n` and `\t` are blanks of their kind; without them a doubled
  /// quote is a quote.
  mutating func quoted(by quote: UInt8, escapes: Bool) -> String? {
    var content: [UInt8] = []
    while let byte = peek {
      advance()
      if escapes, byte == UInt8(ascii: "\\"), let escaped = peek {
        advance()
        switch escaped {
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "t"): content.append(0x09)
        default: content.append(escaped)
        }
      } else if byte != quote {
        content.append(byte)
      } else if !escapes, peek == quote {
        content.append(quote)
        advance()
      } else {
        return String(decoding: content, as: UTF8.self)
      }
    }
    return nil
  }

  func error(_ reason: String, at place: Int? = nil) -> LabelExpressionError {
    LabelExpressionError(reason: reason, offset: place ?? offset)
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}
