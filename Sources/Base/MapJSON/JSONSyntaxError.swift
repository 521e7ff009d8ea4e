/// An error for bytes that are not JSON, with the position where reading stopped.
package struct JSONSyntaxError: Error, Hashable, CustomStringConvertible {
  /// The kinds of syntax error.
  package enum Reason: Hashable, Sendable {
    /// The document ends inside a value.
    case unexpectedEnd
    /// A character that the grammar does not allow here.
    case unexpected(found: String, expected: String)
    /// A number that breaks the grammar, such as `01`, `1.` or `+1`.
    case invalidNumber
    /// A backslash followed by a character that is not an escape.
    case invalidEscape
    /// Half of a surrogate pair, which is not a character.
    case loneSurrogate
    /// Bytes that are not UTF-8.
    case invalidUTF8
    /// A control character that must be escaped inside a string.
    case controlCharacter(UInt8)
    /// Arrays and objects nested deeper than the limit.
    case nestingTooDeep(limit: Int)
    /// A name that occurs twice in one object.
    case duplicateMember(String)
    /// More elements in the arrays with this name than the limit.
    case tooManyElements(String, limit: Int)
    /// Values that take more memory than the limit in bytes.
    case tooMuchMemory(limit: Int)
    /// More text after the end of the value.
    case trailingContent
  }

  /// The kind of syntax error.
  package let reason: Reason
  /// The offset of the error in bytes.
  package let offset: Int
  /// The line of the error, from 1; lines end with a line feed.
  package let line: Int
  /// The column of the error in Unicode scalars, from 1.
  package let column: Int

  /// Creates an error at an offset; counts line and column from the bytes.
  package init(_ reason: Reason, at offset: Int, in bytes: [UInt8]) {
    let place = TextPlace(offset: offset, in: bytes)
    (self.reason, self.offset, line, column) = (reason, offset, place.line, place.column)
  }

  /// Position and reason in one line.
  package var description: String { "line \(line), column \(column): \(reason)" }
}

extension JSONSyntaxError.Reason: CustomStringConvertible {
  /// The reason in words: lower case, no full stop.
  package var description: String {
    switch self {
    case .unexpectedEnd: "the text ends inside a JSON value"
    case .unexpected(let found, let expected): "expected \(expected), found \(found)"
    case .invalidNumber: "not a JSON number"
    case .invalidEscape: "not a JSON escape"
    case .loneSurrogate: "half of a surrogate pair"
    case .invalidUTF8: "not UTF-8"
    case .controlCharacter(let byte): "control character \(byte) inside a string must be escaped"
    case .nestingTooDeep(let limit): "arrays and objects nested more than \(limit) deep"
    case .duplicateMember(let name): "member \"\(name)\" occurs twice"
    case .tooManyElements(let name, let limit): "more than \(limit) elements in \"\(name)\""
    case .tooMuchMemory(let limit): "so many values that they need more than \(limit >> 20) MiB, the limit"
    case .trailingContent: "more text after the end of the JSON value"
    }
  }
}

/// A position in a text as line and column.
package struct TextPlace: Hashable, Sendable {
  /// The line, from 1.
  package let line: Int
  /// The column in Unicode scalars, from 1.
  package let column: Int

  /// Creates the position of a byte; an offset past the end gives the position of the end.
  ///
  /// A byte order mark does not count as a column.
  ///
  /// - Cost: O(offset).
  package init(offset: Int, in bytes: [UInt8]) {
    var (line, column) = (1, 1)
    let start = bytes.starts(with: JSONScanner.byteOrderMark) ? 3 : 0
    for byte in bytes[min(start, bytes.count)..<min(max(offset, start), bytes.count)] {
      if byte == 0x0A {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    (self.line, self.column) = (line, column)
  }
}
