extension FilterSyntaxError {
  /// Returns two lines for a terminal: the line of the text with the error, and a caret under the error's position.
  ///
  /// A line is cut to 60 characters on each side of the position, with `…` at each cut. Tabs and control characters are
  /// shown as one blank. Wide characters count as two columns.
  ///
  /// - Error: a column or two on terminals that do not follow Unicode's ranges of wide characters.
  package func caretPicture(in text: String) -> String { CaretPicture.lines(text, offset) }
}

extension FilterError {
  /// Returns the same two lines for the part that does not fit; nil for an error without a position.
  package func caretPicture(in text: String) -> String? { offset.map { CaretPicture.lines(text, $0) } }
}

/// A line of text and a caret under a position in it.
private enum CaretPicture {
  static func lines(_ text: String, _ offset: Int) -> String {
    let utf8 = text.utf8
    let place = utf8.index(utf8.startIndex, offsetBy: max(0, min(offset, utf8.count)))
    // A position inside a character moves to the character's start, as in String's own views.
    let isLineEnd: (UInt8) -> Bool = { $0 == 0x0A || $0 == 0x0D }
    let lineStart = utf8[..<place].lastIndex(where: isLineEnd).map(utf8.index(after:)) ?? utf8.startIndex
    let lineEnd = utf8[place...].firstIndex(where: isLineEnd) ?? utf8.endIndex
    var before = Self.shown(text[lineStart..<max(lineStart, place)].suffix(Self.shownLength + 1))
    var after = Self.shown(text[place..<lineEnd].prefix(Self.shownLength + 1))
    if before.count > Self.shownLength {
      before = "…" + before.suffix(Self.shownLength)
    } else if lineStart > utf8.startIndex {
      // A line of the text must not look like a line of the program.
      before = "…" + before
    }
    if after.count > Self.shownLength { after = after.prefix(Self.shownLength) + "…" }
    let column = before.reduce(0) { $0 + Self.columns(of: $1) }
    return before + after + "\n" + String(repeating: " ", count: column) + "^"
  }

  private static let shownLength = 60

  private static func shown(_ text: Substring) -> String {
    String(text.map { $0.unicodeScalars.first?.properties.generalCategory == .control ? " " : $0 })
  }

  /// Returns the number of terminal columns: two for the blocks that UAX 11 calls wide.
  private static func columns(of character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
      0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default:
      // A combining mark has no width of its own.
      return scalar.properties.generalCategory == .nonspacingMark ? 0 : 1
    }
  }
}
