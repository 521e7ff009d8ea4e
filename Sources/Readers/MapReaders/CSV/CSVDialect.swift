import MapJSON

/// The sign before the decimals of a number.
public enum DecimalSign: String, Hashable, Sendable, CaseIterable {
  /// A point, as in `1.5`.
  case point = "."
  /// A comma, as in `1,5`.
  case comma = ","

  /// The sign that groups digits where this one is before the decimals.
  var other: DecimalSign { self == .point ? .comma : .point }

  /// The name of the sign.
  var name: String { self == .point ? "point" : "comma" }

  /// The sign as a byte.
  var byte: UInt8 { self == .point ? 0x2E : 0x2C }
}

/// The sign between the fields of a CSV file.
public struct CSVDelimiter: Hashable, Sendable {
  /// The sign, an ASCII character.
  public let byte: UInt8

  /// Creates a delimiter from its character, or from the word `tab`; nil for a sign that is part of fields.
  ///
  /// Letters, digits, quotation marks, line ends, `.`, `+` and `-` are parts of fields.
  public init?(_ text: String) {
    let bytes = Array((["tab", "\\t"].contains(text.lowercased()) ? "\t" : text).utf8)
    guard bytes.count == 1 else { return nil }
    self.init(byte: bytes[0])
  }

  init?(byte: UInt8) {
    guard Self.isPossible(byte) else { return nil }
    self.byte = byte
  }

  /// The delimiter as `--delimiter` takes it.
  package var written: String { byte == 0x09 ? "tab" : "\"\(Character(Unicode.Scalar(byte)))\"" }

  /// Whether a byte can delimit fields.
  static func isPossible(_ byte: UInt8) -> Bool {
    let isSign = (0x20..<0x7F).contains(byte) && !#"".+-'"#.utf8.contains(byte)
    let isAlphanumeric = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    return byte == 0x09 || isSign && !isAlphanumeric
  }
}

/// The delimiter in the first line of a CSV file as Excel writes it, such as `sep=;`.
struct DelimiterLine {
  let delimiter: UInt8
  /// The offset after the line.
  let end: Int

  /// Reads the line at an offset; nil if the line there is another one.
  init?(_ bytes: [UInt8], at start: Int) {
    let line = bytes[start...].prefix(16).prefix { $0 != 0x0A && $0 != 0x0D }
    var content = line
    if content.count == 7, content.first == 0x22, content.last == 0x22 {
      content = content.dropFirst().dropLast()
    }
    guard content.count == 5, content.prefix(4).map({ $0 | 0x20 }) == Array("sep=".utf8).map({ $0 | 0x20 }),
      let last = content.last, CSVDelimiter.isPossible(last)
    else { return nil }
    (delimiter, end) = (last, line.endIndex)
  }
}
