/// A tokeniser that reads JSON from bytes, one token at a time; the only one in the package.
///
/// It is strict (RFC 8259): UTF-8 only, no trailing comma, no leading zero, no comment. A byte order mark at the
/// start is skipped. Surrogate escapes must come in pairs, because half a pair is not a character. Callers enter
/// containers with ``beginObject()`` and ``beginArray()``, and step through them with ``nextMember()`` and
/// ``nextElement()``.
///
/// - Cost: no allocation except for text that the caller requests.
package struct JSONScanner: Sendable {
  /// The maximum nesting depth of arrays and objects.
  package static let depthLimit = 512
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The bytes of the document.
  package let bytes: [UInt8]
  /// The offset of the next byte to read.
  package internal(set) var offset = 0
  /// The number of open arrays and objects.
  package private(set) var depth = 0
  /// Whether the scanner is right after an opening bracket, where the next step expects no comma.
  var isAtFirst = false

  /// Creates a scanner positioned before the first value.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: Self.byteOrderMark) { offset = 3 }
  }

  // MARK: Positions

  /// A saved state of the scanner.
  package struct Mark: Hashable, Sendable {
    /// The offset of the next byte to read.
    package let offset: Int
    let depth: Int
    let isAtFirst: Bool
  }

  /// The current state.
  package var mark: Mark { Mark(offset: offset, depth: depth, isAtFirst: isAtFirst) }

  /// Returns a state in which the next element of the open array starts at an offset.
  ///
  /// The caller asserts that an element starts there. This is confirmed only when a scanner that read everything
  /// before it arrives at the same offset.
  package func mark(beforeElementAt offset: Int) -> Mark {
    Mark(offset: offset, depth: depth, isAtFirst: true)
  }

  /// Moves back or forward to a saved state.
  package mutating func move(to mark: Mark) {
    (offset, depth, isAtFirst) = (mark.offset, mark.depth, mark.isAtFirst)
  }

  /// Returns an error at an offset; the current offset by default.
  @inline(never)
  package func error(_ reason: JSONSyntaxError.Reason, at place: Int? = nil) -> JSONSyntaxError {
    JSONSyntaxError(reason, at: place ?? offset, in: bytes)
  }

  @inline(never)
  private func unexpected(_ expected: String) -> JSONSyntaxError {
    guard offset < bytes.count else { return error(.unexpectedEnd) }
    let byte = bytes[offset]
    let found =
      0x21..<0x7F ~= byte ? "\"\(Character(UnicodeScalar(byte)))\"" : "byte \(byte)"
    return error(.unexpected(found: found, expected: expected))
  }

  // MARK: Between tokens

  /// Moves past spaces, tabs and line ends.
  @inline(__always)
  package mutating func skipWhitespace() {
    // Most tokens follow each other without a space.
    if offset < bytes.count, bytes[offset] <= 0x20 { skipWhitespaceRun() }
  }

  @inline(never)
  private mutating func skipWhitespaceRun() {
    while offset < bytes.count {
      let byte = bytes[offset]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      offset += 1
    }
  }

  /// Moves past one byte if it is the next one; does not skip whitespace.
  package mutating func skip(byte: UInt8) -> Bool {
    guard offset < bytes.count, bytes[offset] == byte else { return false }
    offset += 1
    return true
  }

  /// Skips whitespace and returns whether the document ends there.
  package mutating func isAtEnd() -> Bool {
    skipWhitespace()
    return offset == bytes.count
  }

  /// Returns the kind of the next value, judged by its first byte; skips the whitespace before it.
  package mutating func peekKind() throws(JSONSyntaxError) -> JSONKind {
    skipWhitespace()
    guard offset < bytes.count else { throw error(.unexpectedEnd) }
    switch bytes[offset] {
    case 0x7B: return .object
    case 0x5B: return .array
    case 0x22: return .string
    case 0x2D, 0x30...0x39: return .number
    case 0x74, 0x66: return .boolean
    case 0x6E: return .null
    default: throw unexpected("a value")
    }
  }

  // MARK: Arrays and objects

  /// Enters an object.
  package mutating func beginObject() throws(JSONSyntaxError) { try open(0x7B, "an object") }

  /// Enters an array.
  package mutating func beginArray() throws(JSONSyntaxError) { try open(0x5B, "an array") }

  private mutating func open(_ bracket: UInt8, _ expected: String) throws(JSONSyntaxError) {
    skipWhitespace()
    guard offset < bytes.count, bytes[offset] == bracket else { throw unexpected(expected) }
    guard depth < Self.depthLimit else { throw error(.nestingTooDeep(limit: Self.depthLimit)) }
    offset += 1
    depth += 1
    isAtFirst = true
  }

  /// Steps to the next element of the open array; returns false when the array ends.
  package mutating func nextElement() throws(JSONSyntaxError) -> Bool { try step(closing: 0x5D) }

  /// Steps to the next member of the open object and reads its name; returns nil when the object ends.
  package mutating func nextMember() throws(JSONSyntaxError) -> JSONStringToken? {
    guard try step(closing: 0x7D) else { return nil }
    skipWhitespace()
    guard offset < bytes.count, bytes[offset] == 0x22 else { throw unexpected("a member name") }
    let name = try readString()
    skipWhitespace()
    guard skip(byte: 0x3A) else { throw unexpected("\":\"") }
    return name
  }

  private mutating func step(closing bracket: UInt8) throws(JSONSyntaxError) -> Bool {
    skipWhitespace()
    guard offset < bytes.count else { throw error(.unexpectedEnd) }
    if bytes[offset] == bracket {
      offset += 1
      depth -= 1
      isAtFirst = false
      return false
    }
    if isAtFirst {
      isAtFirst = false
      return true
    }
    guard skip(byte: 0x2C) else {
      throw unexpected("\",\" or \"\(Character(UnicodeScalar(bracket)))\"")
    }
    skipWhitespace()
    // A comma before the closing bracket: otherwise the caller would report a missing value, which is less clear.
    if offset < bytes.count, bytes[offset] == bracket { throw unexpected("a value after \",\"") }
    return true
  }

  // MARK: Single values

  /// Reads `true` or `false`.
  package mutating func readBoolean() throws(JSONSyntaxError) -> Bool {
    skipWhitespace()
    if offset < bytes.count, bytes[offset] == 0x74 {
      try readWord("true")
      return true
    }
    try readWord("false")
    return false
  }

  /// Reads `null`.
  package mutating func readNull() throws(JSONSyntaxError) {
    skipWhitespace()
    try readWord("null")
  }

  private mutating func readWord(_ word: StaticString) throws(JSONSyntaxError) {
    for expected in word.description.utf8 {
      guard skip(byte: expected) else { throw unexpected("\"\(word)\"") }
    }
  }

  /// Reads a number.
  package mutating func readNumber() throws(JSONSyntaxError) -> DecimalLiteral {
    skipWhitespace()
    let start = offset
    guard let literal = DecimalLiteral(json: bytes, at: start) else {
      guard start < bytes.count else { throw error(.unexpectedEnd) }
      let byte = bytes[start]
      guard byte == 0x2D || 0x30...0x39 ~= byte else { throw unexpected("a number") }
      throw error(.invalidNumber)
    }
    offset = literal.end
    return literal
  }

  /// Reads a string and checks its escapes and its UTF-8; does not copy its bytes.
  package mutating func readString() throws(JSONSyntaxError) -> JSONStringToken {
    skipWhitespace()
    guard skip(byte: 0x22) else { throw unexpected("a string") }
    let start = offset
    var hasEscapes = false
    while true {
      offset = Self.endOfPlainText(bytes.span, from: offset)
      guard offset < bytes.count else { break }
      let byte = bytes[offset]
      if byte == 0x22 {
        offset += 1
        return JSONStringToken(start: start, end: offset - 1, hasEscapes: hasEscapes)
      }
      if byte == 0x5C {
        hasEscapes = true
        try checkEscape()
      } else if byte >= 0x80 {
        guard let length = UTF8Check.length(of: bytes, at: offset) else { throw error(.invalidUTF8) }
        offset += length
      } else {
        throw error(.controlCharacter(byte))
      }
    }
    throw error(.unexpectedEnd)
  }

  /// Returns the offset of the first byte that is not plain ASCII text of a string.
  ///
  /// The byte is a quotation mark, a backslash, a control character, or not ASCII.
  private static func endOfPlainText(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var place = start
    while place <= bytes.count - ByteWord.size {
      let word = ByteWord(bytes, at: place)
      let marks =
        word.marks(equalTo: 0x22) | word.marks(equalTo: 0x5C) | word.marks(below: 0x20)
        | word.marksBeyondASCII
      if marks != 0 { return place + ByteWord.first(marks) }
      place += ByteWord.size
    }
    while place < bytes.count {
      let byte = bytes[place]
      if byte == 0x22 || byte == 0x5C || byte < 0x20 || byte >= 0x80 { break }
      place += 1
    }
    return place
  }

  /// Moves past an escape; a surrogate pair counts as one.
  private mutating func checkEscape() throws(JSONSyntaxError) {
    guard offset + 1 < bytes.count else { throw error(.unexpectedEnd, at: bytes.count) }
    guard bytes[offset + 1] == 0x75 else {
      guard JSONStringToken.character(escapedBy: bytes[offset + 1]) != nil else {
        throw error(.invalidEscape)
      }
      offset += 2
      return
    }
    guard let unit = JSONStringToken.codeUnit(bytes, at: offset + 2) else { throw error(.invalidEscape) }
    if unit & 0xF800 == 0xD800 {
      guard unit < 0xDC00, offset + 7 < bytes.count, bytes[offset + 6] == 0x5C, bytes[offset + 7] == 0x75,
        let low = JSONStringToken.codeUnit(bytes, at: offset + 8), low & 0xFC00 == 0xDC00
      else { throw error(.loneSurrogate) }
      offset += 6
    }
    offset += 6
  }
}
