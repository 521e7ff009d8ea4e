/// A word, number, text or sign of an expression, with its place.
struct ArcadeToken: Sendable {
  enum Kind: Hashable, Sendable {
    /// A name or keyword, in lower case.
    case name(String)
    case number(Double)
    case text(String)
    /// A template: its texts, and the source and place of each `${…}` between them.
    case template(texts: [String], sources: [String], offsets: [Int])
    case sign(String)
    case end
  }

  let kind: Kind
  /// A name as written.
  var written = ""
  let offset: Int
  /// Whether a line ends between the previous token and this one.
  var startsLine = false
}

/// A tokenizer of Arcade expressions.
///
/// - Source: Esri Arcade, guide, "Language features": comments, texts in two kinds of quotes, templates in backticks.
struct ArcadeTokenizer {
  private let bytes: [UInt8]
  private var place = 0
  /// The offset of the first byte in the whole expression.
  private let start: Int

  /// The largest number of bytes in an expression.
  ///
  /// - Source: design decision: far above what people write.
  static let largestLength = 1 << 17

  /// The signs of two characters, the first in the high byte.
  private static let pairs = Set(
    ["&&", "||", "==", "!=", "<=", ">=", "++", "--", "+=", "-=", "*=", "/=", "%=", "<<", ">>"].map { pair in
      pair.utf8.reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
    })
  private static let singles = Set("+-*/%<>=!()[]{},;.:&|^~".utf8)

  static func tokens(of text: String, start: Int = 0) throws(ArcadeError) -> [ArcadeToken] {
    var tokenizer = ArcadeTokenizer(bytes: Array(text.utf8), start: start)
    guard tokenizer.bytes.count <= largestLength else {
      throw ArcadeError("an expression has at most \(largestLength) bytes", at: start)
    }
    var tokens: [ArcadeToken] = []
    repeat { tokens.append(try tokenizer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  private init(bytes: [UInt8], start: Int) { (self.bytes, self.start) = (bytes, start) }

  private func byte(_ ahead: Int = 0) -> UInt8? {
    place + ahead < bytes.count ? bytes[place + ahead] : nil
  }

  private func error(_ reason: String, at offset: Int) -> ArcadeError {
    ArcadeError(reason, at: start + offset)
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Skips blanks and comments; returns whether a line ended.
  private mutating func skip() throws(ArcadeError) -> Bool {
    var endedLine = false
    while let current = byte() {
      if current == 0x0A || current == 0x0D {
        endedLine = true
        place += 1
      } else if current == 0x20 || (0x09...0x0C).contains(current) {
        place += 1
      } else if current == 0xC2, byte(1) == 0xA0 {
        // A blank that does not break the line, as web pages write it.
        place += 2
      } else if current == 0xEF, byte(1) == 0xBB, byte(2) == 0xBF {
        place += 3
      } else if current == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "/") {
        while let current = byte(), current != 0x0A, current != 0x0D { place += 1 }
      } else if current == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
        let opening = place
        place += 2
        while byte() != nil, !(byte() == UInt8(ascii: "*") && byte(1) == UInt8(ascii: "/")) {
          if byte() == 0x0A { endedLine = true }
          place += 1
        }
        guard byte() != nil else { throw error("a comment does not end", at: opening) }
        place += 2
      } else {
        break
      }
    }
    return endedLine
  }

  private mutating func next() throws(ArcadeError) -> ArcadeToken {
    let startsLine = try skip()
    let offset = place
    guard let current = byte() else {
      return ArcadeToken(kind: .end, offset: start + offset, startsLine: startsLine)
    }
    var written = ""
    let kind: ArcadeToken.Kind
    if Self.isDigit(current) || (current == UInt8(ascii: ".") && byte(1).map(Self.isDigit) ?? false) {
      kind = .number(try number())
    } else if Self.startsName(current) {
      place += 1
      while let current = byte(), Self.startsName(current) || Self.isDigit(current) { place += 1 }
      written = text(offset..<place)
      kind = .name(written.lowercased())
    } else if current == UInt8(ascii: "\"") || current == UInt8(ascii: "'") {
      place += 1
      kind = .text(try quoted(by: current, from: offset))
    } else if current == UInt8(ascii: "`") {
      place += 1
      kind = try template(from: offset)
    } else if let next = byte(1), Self.pairs.contains(UInt16(current) << 8 | UInt16(next)) {
      place += 2
      kind = .sign(text(offset..<place))
    } else if Self.singles.contains(current) {
      place += 1
      kind = .sign(text(offset..<place))
    } else {
      throw error("unexpected character", at: offset)
    }
    return ArcadeToken(kind: kind, written: written, offset: start + offset, startsLine: startsLine)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func startsName(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte >= 0x80
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
  }

  private mutating func number() throws(ArcadeError) -> Double {
    let first = place
    if byte() == UInt8(ascii: "0"), let mark = byte(1), mark | 0x20 == UInt8(ascii: "x") {
      place += 2
      while let current = byte(), Self.startsName(current) || Self.isDigit(current) { place += 1 }
      guard let value = UInt64(text(first + 2..<place), radix: 16) else {
        throw error("this number cannot be read", at: first)
      }
      return Double(value)
    }
    while let current = byte(), Self.isDigit(current) { place += 1 }
    if byte() == UInt8(ascii: ".") {
      place += 1
      while let current = byte(), Self.isDigit(current) { place += 1 }
    }
    if let mark = byte(), mark | 0x20 == UInt8(ascii: "e") {
      let hasSign = byte(1) == UInt8(ascii: "+") || byte(1) == UInt8(ascii: "-")
      if byte(hasSign ? 2 : 1).map(Self.isDigit) ?? false {
        place += hasSign ? 2 : 1
        while let current = byte(), Self.isDigit(current) { place += 1 }
      }
    }
    var digits = text(first..<place)
    if digits.hasPrefix(".") { digits = "0" + digits }
    if digits.hasSuffix(".") { digits += "0" }
    guard let value = Double(digits.replacing(".e", with: ".0e").replacing(".E", with: ".0e")) else {
      throw error("this number cannot be read", at: first)
    }
    return value
  }

  /// Reads an escape after its backslash.
  private mutating func escape(into content: inout [UInt8]) throws(ArcadeError) {
    guard let escaped = byte() else { return }
    let first = place
    place += 1
    switch escaped {
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "u"):
      guard place + 4 <= bytes.count, let code = UInt32(text(place..<place + 4), radix: 16),
        let scalar = Unicode.Scalar(code)
      else { throw error("expected four hexadecimal digits after \\u", at: first) }
      place += 4
      content += Array(String(Character(scalar)).utf8)
    // A line end after a backslash continues the text.
    case 0x0A: break
    default: content.append(escaped)
    }
  }

  private mutating func quoted(by quote: UInt8, from opening: Int) throws(ArcadeError) -> String {
    var content: [UInt8] = []
    while let current = byte() {
      place += 1
      if current == quote { return String(decoding: content, as: UTF8.self) }
      if current == UInt8(ascii: "\\") { try escape(into: &content) } else { content.append(current) }
    }
    throw error("a quoted text does not end", at: opening)
  }

  private mutating func template(from opening: Int) throws(ArcadeError) -> ArcadeToken.Kind {
    var (texts, sources, offsets): ([String], [String], [Int]) = ([], [], [])
    var content: [UInt8] = []
    while let current = byte() {
      place += 1
      if current == UInt8(ascii: "`") {
        texts.append(String(decoding: content, as: UTF8.self))
        return .template(texts: texts, sources: sources, offsets: offsets)
      }
      if current == UInt8(ascii: "\\") {
        try escape(into: &content)
      } else if current == UInt8(ascii: "$"), byte() == UInt8(ascii: "{") {
        place += 1
        let first = place
        var depth = 1
        while let current = byte(), depth > 0 {
          // Braces inside texts of the inner expression do not count.
          if current == UInt8(ascii: "\"") || current == UInt8(ascii: "'") {
            let opening = place
            place += 1
            _ = try quoted(by: current, from: opening)
            continue
          }
          if current == UInt8(ascii: "{") { depth += 1 }
          if current == UInt8(ascii: "}") { depth -= 1 }
          place += 1
        }
        guard depth == 0 else { throw error("${ does not end", at: first - 2) }
        texts.append(String(decoding: content, as: UTF8.self))
        content = []
        sources.append(text(first..<place - 1))
        offsets.append(start + first)
      } else {
        content.append(current)
      }
    }
    throw error("a template does not end", at: opening)
  }
}
