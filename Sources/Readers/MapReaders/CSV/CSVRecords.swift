/// Splits delimited text into records and fields, without copying.
///
/// - Source: RFC 4180, extended. Lines may end with LF, CR LF or CR; the last line may have no end. A quotation mark
///   inside an unquoted field is a character. Empty lines are skipped. A first line `sep=;` states the delimiter, as Excel
/// writes and reads it.
struct CSVRecords: Sendable {
  /// The byte range of a field.
  struct FieldPlace {
    /// The text between the delimiters, or between the quotation marks.
    var range: Range<Int>
    var isQuoted = false
    /// Whether the text contains doubled quotation marks.
    var hasDoubledQuotes = false
    /// The place after the text and its quotation mark.
    var end: Int { isQuoted ? range.upperBound + 1 : range.upperBound }
    /// The first place of the text or its quotation mark.
    var start: Int { isQuoted ? range.lowerBound - 1 : range.lowerBound }
    /// Whether nothing is between the delimiters, not even quotation marks.
    var isNull: Bool { range.isEmpty && !isQuoted }
  }

  let bytes: [UInt8]
  let delimiter: UInt8
  /// A sign that the header has as often as the delimiter; nil if the delimiter is given or the most frequent one.
  let otherDelimiter: UInt8?
  /// Whether a line `sep=;` states the delimiter.
  let isDeclared: Bool
  private(set) var offset: Int
  /// The fields of the current record.
  private(set) var fields: [FieldPlace] = []
  /// The offset at which the current record starts.
  private(set) var start: Int

  /// Creates the records of a text; without a given delimiter, it is that of a line `sep=;`, or found in the header.
  init(_ bytes: [UInt8], delimiter given: CSVDelimiter? = nil) {
    self.bytes = bytes
    offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let line = DelimiterLine(bytes, at: offset)
    if let line { offset = line.end }
    isDeclared = line != nil
    start = offset
    if let known = given?.byte ?? line?.delimiter {
      (delimiter, otherDelimiter) = (known, nil)
    } else {
      (delimiter, otherDelimiter) = Self.delimiter(of: bytes, from: offset)
    }
  }

  /// Returns the most frequent of comma, semicolon and tab outside quotation marks in the first line with any text, and
  /// another one that is as frequent.
  private static func delimiter(of bytes: [UInt8], from start: Int) -> (UInt8, other: UInt8?) {
    let candidates: [UInt8] = [0x2C, 0x3B, 0x09]
    var counts = [0, 0, 0]
    var (isQuoted, hasText) = (false, false)
    for byte in bytes[start...] {
      if byte == 0x22 { isQuoted.toggle() }
      if isQuoted { continue }
      if byte == 0x0A || byte == 0x0D {
        if hasText { break }
        continue
      }
      hasText = true
      if let index = candidates.firstIndex(of: byte) { counts[index] += 1 }
    }
    let most = counts.max() ?? 0
    let found = candidates.indices.filter { counts[$0] == most }.map { candidates[$0] }
    return (found.first ?? candidates[0], most > 0 && found.count > 1 ? found[1] : nil)
  }

  /// Creates the records of a range of another text, with a copy of its bytes.
  init(_ range: Range<Int>, of whole: CSVRecords) {
    (bytes, delimiter, offset, start) = (Array(whole.bytes[range]), whole.delimiter, 0, 0)
    (isDeclared, otherDelimiter) = (whole.isDeclared, whole.otherDelimiter)
  }

  static let textAfterQuotation = "text after a closing quotation mark"
  static let openQuotation = "a quotation mark that is not closed"

  /// Moves to the end of the line that holds a place.
  mutating func skipLine(from place: Int) {
    offset = bytes[place...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
  }

  /// Moves to the start of a record.
  mutating func move(to start: Int) { offset = start }

  /// Moves past line ends and empty lines; returns the new offset.
  mutating func skipLineEnds() -> Int {
    while offset < bytes.count, bytes[offset] == 0x0A || bytes[offset] == 0x0D { offset += 1 }
    return offset
  }

  /// Returns the start of the next record after `place`, assuming that no line end is quoted there; nil without one.
  func recordStart(after place: Int) -> Int? {
    guard let lineEnd = bytes[place...].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return nil }
    return bytes[lineEnd...].firstIndex { $0 != 0x0A && $0 != 0x0D }
  }

  /// Reads the next record into ``fields``; returns false at the end.
  mutating func next() throws(ReadFault) -> Bool {
    _ = skipLineEnds()
    guard offset < bytes.count else { return false }
    start = offset
    fields.removeAll(keepingCapacity: true)
    var marks = FieldMarks(from: offset, delimiter)
    repeat {
      let field = try marks.field(bytes.span, from: offset)
      fields.append(field)
      offset = field.end
    } while accept(delimiter)
    return true
  }

  private mutating func accept(_ byte: UInt8) -> Bool {
    guard offset < bytes.count, bytes[offset] == byte else { return false }
    offset += 1
    return true
  }

  /// Returns the text of a field in UTF-8, with doubled quotation marks made single.
  func text(of field: FieldPlace) -> [UInt8] {
    guard field.hasDoubledQuotes else { return Array(bytes[field.range]) }
    var text: [UInt8] = []
    read(field, into: &text)
    return text
  }

  /// Replaces a text by that of a field, with doubled quotation marks made single.
  func read(_ field: FieldPlace, into text: inout [UInt8]) {
    text.removeAll(keepingCapacity: true)
    var isSecond = false
    for place in field.range {
      let byte = bytes[place]
      isSecond = byte == 0x22 && !isSecond
      if !isSecond || byte != 0x22 { text.append(byte) }
    }
  }
}

extension FeatureReadError.Reason {
  /// Whether a quotation mark is wrong, so that the end of the record is unknown.
  var isOfQuotation: Bool {
    [.content(CSVRecords.textAfterQuotation), .content(CSVRecords.openQuotation)].contains(self)
  }
}
