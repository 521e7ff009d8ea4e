/// A cursor over the bytes of a label expression, used by both parsers.
struct LabelScanner {
  private let bytes: [UInt8]
  private(set) var offset = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// The current byte; nil at the end.
  var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }
  /// The byte after the current one; nil past the end.
  private var next: UInt8? { offset + 1 < bytes.count ? bytes[offset + 1] : nil }

  mutating func advance() { offset += 1 }

  /// Skips white space and, on request, comments written as `//` and `/* */`.
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

  /// Skips the current byte if it is the given character; returns whether it was.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    advance()
    return true
  }

  /// Reads letters, digits and underscores; nil when there are none.
  ///
  /// Bytes outside ASCII count as letters.
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

  /// Reads up to a closing character and skips it; nil when there is none.
  mutating func upTo(_ close: Unicode.Scalar) -> String? {
    guard let end = bytes[offset...].firstIndex(of: UInt8(ascii: close)) else { return nil }
    defer { offset = end + 1 }
    return text(offset..<end)
  }

  /// Reads the rest of quoted text after its opening quote; nil when it does not end.
  ///
  /// With `escapes`, a backslash quotes the next byte; `\n` is a line feed and `\t` a tab. Without it, a doubled
  /// quote is one quote.
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
