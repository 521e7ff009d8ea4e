/// A writer of JSON in UTF-8: members in their order, numbers as written, few escapes.
///
/// Escaped are the characters that JSON requires, and those that control a terminal or the direction of text.
public struct JSONWriter: Sendable {
  /// The layouts of the text.
  public enum Style: Hashable, Sendable {
    /// No whitespace.
    case compact
    /// Lines with one member or element each, indented by two spaces per level; empty arrays and objects on one line.
    case pretty
  }

  /// The bytes written so far.
  public private(set) var bytes: [UInt8] = []
  /// The layout of the text.
  public let style: Style

  /// Creates a writer with no bytes written.
  public init(style: Style = .compact) { self.style = style }

  /// Appends a value; `level` is the indentation level of its line in pretty text.
  public mutating func append(_ value: JSONValue, level: Int = 0) {
    switch value {
    case .null: append(raw: "null")
    case .boolean(let value): append(raw: value ? "true" : "false")
    case .number(let number): append(raw: number.text)
    case .string(let text): append(string: text)
    case .array(let elements): append(elements, level: level)
    case .object(let object): append(object, level: level)
    }
  }

  private mutating func append(_ elements: [JSONValue], level: Int) {
    bytes.append(0x5B)
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(0x2C) }
      breakLine(level: level + 1)
      append(element, level: level + 1)
    }
    if !elements.isEmpty { breakLine(level: level) }
    bytes.append(0x5D)
  }

  private mutating func append(_ object: JSONObject, level: Int) {
    bytes.append(0x7B)
    for (index, member) in object.members.enumerated() {
      if index > 0 { bytes.append(0x2C) }
      breakLine(level: level + 1)
      append(string: member.name)
      bytes.append(0x3A)
      if style == .pretty { bytes.append(0x20) }
      append(member.value, level: level + 1)
    }
    if !object.isEmpty { breakLine(level: level) }
    bytes.append(0x7D)
  }

  private mutating func breakLine(level: Int) {
    guard style == .pretty else { return }
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: 2 * level))
  }

  /// Appends a string with its quotation marks.
  public mutating func append(string text: String) {
    bytes.append(0x22)
    if text.utf8.contains(where: { $0 >= 0x7F }), text.unicodeScalars.contains(where: Self.isHidden) {
      for scalar in text.unicodeScalars {
        if Self.isHidden(scalar) {
          for unit in Character(scalar).utf16 { append(raw: "\\u" + Self.digits(unit)) }
        } else {
          append(content: Character(scalar).utf8)
        }
      }
    } else {
      append(content: text.utf8)
    }
    bytes.append(0x22)
  }

  /// Whether a character controls a terminal or the direction of text, and JSON allows it unescaped.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x7F...0x9F, 0x61C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
      0xFFF9...0xFFFB, 0xE0000...0xE007F:
      true
    default: false
    }
  }

  private static func digits(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }

  private mutating func append(content text: some Sequence<UInt8>) {
    for byte in text {
      switch byte {
      case 0x22, 0x5C: bytes.append(contentsOf: [0x5C, byte])
      case 0x08: append(raw: "\\b")
      case 0x0C: append(raw: "\\f")
      case 0x0A: append(raw: "\\n")
      case 0x0D: append(raw: "\\r")
      case 0x09: append(raw: "\\t")
      case 0..<0x20: append(raw: "\\u" + Self.digits(UInt16(byte)))
      default: bytes.append(byte)
      }
    }
  }

  /// Appends a double with its shortest text; `null` when it is not finite, which JSON cannot represent.
  public mutating func append(number value: Double) {
    append(raw: value.isFinite ? Self.text(of: value) : "null")
  }

  /// Appends raw text, such as the brackets and commas of a document that is written in parts.
  public mutating func append(raw text: String) { bytes.append(contentsOf: text.utf8) }

  /// Returns the shortest decimal text that reads back as the same finite double, without a trailing `.0`.
  public static func text(of value: Double) -> String {
    let text = value.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension JSONValue {
  /// Returns the value as JSON text.
  public func text(style: JSONWriter.Style = .compact) -> String {
    String(decoding: bytes(style: style), as: UTF8.self)
  }

  /// Returns the value as JSON in UTF-8.
  public func bytes(style: JSONWriter.Style = .compact) -> [UInt8] {
    var writer = JSONWriter(style: style)
    writer.append(self)
    return writer.bytes
  }
}
