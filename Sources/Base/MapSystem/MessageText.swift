/// Functions that make text from files, services and users safe for a terminal: one line, visible, limited length.
package enum MessageText {
  /// The longest name that is not cut, in characters.
  ///
  /// - Source: design decision.
  package static let longestName = 200
  /// The longest message that is not cut, in characters.
  ///
  /// - Source: design decision; a list of the nearest names still fits.
  private static let longestMessage = 2000

  /// Returns a name on one line, cut after ``longestName`` characters.
  package static func name(_ text: String) -> String { cut(escaped(text), longestName) }

  /// Returns a message on one line.
  ///
  /// Words and quoted names are cut after ``longestName`` characters; a message that is still too long is cut in
  /// its middle.
  package static func line(_ text: String) -> String {
    let text = escaped(text)
    guard text.utf8.count > longestName else { return text }
    let line = cuttingLongRuns(text)
    guard line.count > longestMessage else { return line }
    return "\(line.prefix(longestMessage - 500))…\(line.suffix(500))"
  }

  /// Returns text with all characters escaped that control a terminal or change the order of visible text.
  ///
  /// A line feed becomes `\n`; other characters become `\u` and four digits, as in JSON.
  package static func escaped(_ text: String) -> String {
    // Most text is plain ASCII, so the bytes are checked before the Unicode scalars.
    guard text.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return text }
    guard text.unicodeScalars.contains(where: isHidden) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where isHidden(scalar):
        let digits = String(scalar.value, radix: 16)
        result +=
          digits.count > 4
          ? "\\u{\(digits)}" : "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns lines that show a position in a text; each hidden character becomes one visible one, so carets stay
  /// aligned.
  package static func lines(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHidden) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      result.append(scalar == "\n" || !isHidden(scalar) ? scalar : "\u{FFFD}")
    }
    return String(result)
  }

  /// Returns whether a character is a control character, breaks lines or sets the direction of text.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E: false
    // Joiners and the soft hyphen are part of normal words.
    case 0xAD, 0x200C, 0x200D: false
    default:
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
  }

  /// Cuts each word, and each text between double quotes, that is longer than ``longestName``.
  private static func cuttingLongRuns(_ text: String) -> String {
    text.split(separator: "\"", omittingEmptySubsequences: false).enumerated().map { index, part in
      guard part.utf8.count > longestName else { return String(part) }
      guard index.isMultiple(of: 2) else {
        return part.count <= longestName + 1 ? String(part) : cut(String(part), longestName)
      }
      return part.split(separator: " ", omittingEmptySubsequences: false).map { word in
        // A name that was already cut stays unchanged, with the punctuation after it.
        word.count <= longestName + 2
          ? String(word) : cut(String(word), longestName) + (word.last == ":" ? ":" : "")
      }.joined(separator: " ")
    }.joined(separator: "\"")
  }

  private static func cut(_ text: String, _ length: Int) -> String {
    guard text.utf8.count > length,
      let end = text.index(text.startIndex, offsetBy: length, limitedBy: text.endIndex),
      end < text.endIndex
    else { return text }
    return text[..<end] + "…"
  }
}
