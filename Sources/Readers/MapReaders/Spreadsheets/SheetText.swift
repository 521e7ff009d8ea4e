/// A sheet as delimited text, with the rows that its lines were.
struct SheetText: Sendable {
  /// The number of a row, from 1, and its first byte in the text.
  struct Row: Sendable {
    let number: Int
    let start: Int
  }

  let bytes: [UInt8]
  let rows: [Row]

  /// Returns the row of the sheet that a line of the text is of, such as `row 7`.
  func row(ofLine line: Int) -> String { "row \(cell(line, 1).row)" }

  /// Returns a message about a place in the text with the cell instead of line and column, such as `cell B7`.
  func message(_ error: FeatureReadError) -> String {
    // The start of the text stands for the whole sheet.
    guard error.line > 1 || error.column > 1 else { return "\(error.reason)" }
    let cell = cell(error.line, error.column)
    return "cell \(Self.letters(cell.column))\(cell.row): \(error.reason)"
  }

  /// Returns the row, from 1, and the column, from 0, at a line and column of the text.
  private func cell(_ line: Int, _ column: Int) -> (row: Int, column: Int) {
    var (offset, lines, characters) = (0, line - 1, column - 1)
    while lines > 0, let end = bytes[offset...].firstIndex(of: 0x0A) {
      (offset, lines) = (end + 1, lines - 1)
    }
    while characters > 0, offset < bytes.count {
      offset += 1
      // Bytes that continue a character do not count.
      while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
      characters -= 1
    }
    guard let row = rows.last(where: { $0.start <= offset }) else { return (1, 0) }
    var (commas, isQuoted) = (0, false)
    for byte in bytes[row.start..<offset] {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == UInt8(ascii: ","), !isQuoted { commas += 1 }
    }
    return (row.number, commas)
  }

  /// Returns the letters of a column, such as `AB`.
  private static func letters(_ column: Int) -> String {
    var (letters, rest) = ("", column + 1)
    while rest > 0 {
      letters = String(UnicodeScalar(UInt8(65 + (rest - 1) % 26))) + letters
      rest = (rest - 1) / 26
    }
    return letters
  }
}
