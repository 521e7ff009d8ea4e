extension FilterSyntaxError {
  /// Two lines for a terminal: the line of the text with the place, and a caret under the place.
  ///
  /// A long line is cut to 60 characters on each side of the place, with `…` where it is cut. Tabs and control
  /// characters show as one blank. Wide characters count as two columns.
  ///
  /// - Error: a column or two on terminals that give a character another width than Unicode's ranges of wide ones.
  public func caretPicture(in text: String) -> String { CaretPicture.lines(text, offset) }
}

extension FilterError {
  /// The same two lines for the part that does not fit; nil for an error without a place.
  public func caretPicture(in text: String) -> String? { offset.map { CaretPicture.lines(text, $0) } }
}

/// A line of text and a caret under a place in it.
private enum CaretPicture {
  static func lines(_ text: String, _ offset: Int) -> String {
    let utf8 = text.utf8
    let place = utf8.index(utf8.startIndex, offsetBy: max(0, min(offset, utf8.count)))
    // A place inside a character moves to its start, as String's own views do.
    let isLineEnd: (UInt8) -> Bool = { $0 == 0x0A || $0 == 0x0D }
    let lineStart = utf8[..<place].lastIndex(where: isLineEnd).map(utf8.index(after:)) ?? utf8.startIndex
    let lineEnd = utf8[place...].firstIndex(where: isLineEnd) ?? utf8.endIndex
    var before = Self.shown(text[lineStart..<max(lineStart, place)].suffix(Self.shownLength + 1))
    var after = Self.shown(text[place..<lineEnd].prefix(Self.shownLength + 1))
    if before.count > Self.shownLength { before = "…" + before.suffix(Self.shownLength) }
    if after.count > Self.shownLength { after = after.prefix(Self.shownLength) + "…" }
    let column = before.reduce(0) { $0 + Self.columns(of: $1) }
    return before + after + "\n" + String(repeating: " ", count: column) + "^"
  }

  private static let shownLength = 60

  private static func shown(_ text: Substring) -> String {
    String(text.map { $0.unicodeScalars.first?.properties.generalCategory == .control ? " " : $0 })
  }

  /// Columns of a terminal; two for the ranges that UAX 11 calls wide, by block.
  private static func columns(of character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
      0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default:
      // A mark that opens the text has nothing to stand on.
      return scalar.properties.generalCategory == .nonspacingMark ? 0 : 1
    }
  }
}
