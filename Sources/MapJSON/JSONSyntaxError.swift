/// Bytes that are not JSON, with the place where reading stopped.
public struct JSONSyntaxError: Error, Hashable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// The document ends inside a value.
    case unexpectedEnd
    /// Another character than the grammar allows here.
    case unexpected(found: String, expected: String)
    /// A number against the grammar, as `01`, `1.` or `+1`.
    case invalidNumber
    /// A backslash followed by something that is no escape.
    case invalidEscape
    /// Half of a surrogate pair, which stands for no character.
    case loneSurrogate
    /// Bytes that are not UTF-8.
    case invalidUTF8
    /// A control character that has to be escaped inside a string.
    case controlCharacter(UInt8)
    /// Arrays and objects inside each other beyond the limit.
    case nestingTooDeep(limit: Int)
    /// A name that occurs twice in one object.
    case duplicateMember(String)
    /// Arrays of this name hold more than the limit.
    case tooManyElements(String, limit: Int)
    /// More text after the end of the value.
    case trailingContent
  }

  /// What is wrong.
  public let reason: Reason
  /// Bytes before the place.
  public let offset: Int
  /// Line of the place, from 1; lines end with a line feed.
  public let line: Int
  /// Column of the place in characters (Unicode scalars), from 1.
  public let column: Int

  /// An error at an offset; line and column are counted from the bytes.
  public init(_ reason: Reason, at offset: Int, in bytes: [UInt8]) {
    let place = TextPlace(offset: offset, in: bytes)
    (self.reason, self.offset, line, column) = (reason, offset, place.line, place.column)
  }

  /// Place and reason in one line.
  public var description: String { "line \(line), column \(column): \(reason)" }
}

extension JSONSyntaxError.Reason: CustomStringConvertible {
  /// The reason, lower case, without a full stop.
  public var description: String {
    switch self {
    case .unexpectedEnd: "the text ends inside a JSON value"
    case .unexpected(let found, let expected): "expected \(expected), found \(found)"
    case .invalidNumber: "not a JSON number"
    case .invalidEscape: "not a JSON escape"
    case .loneSurrogate: "half of a surrogate pair"
    case .invalidUTF8: "not UTF-8"
    case .controlCharacter(let byte): "control character \(byte) inside a string must be escaped"
    case .nestingTooDeep(let limit): "more than \(limit) arrays and objects inside each other"
    case .duplicateMember(let name): "member \"\(name)\" occurs twice"
    case .tooManyElements(let name, let limit): "more than \(limit) elements in \"\(name)\""
    case .trailingContent: "more text after the end of the JSON value"
    }
  }
}

/// A place in a text as people count it.
public struct TextPlace: Hashable, Sendable {
  /// Line from 1.
  public let line: Int
  /// Column in Unicode scalars from 1.
  public let column: Int

  /// The place of a byte; an offset past the end means the end.
  ///
  /// O(offset). A byte order mark counts as no column.
  public init(offset: Int, in bytes: [UInt8]) {
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
