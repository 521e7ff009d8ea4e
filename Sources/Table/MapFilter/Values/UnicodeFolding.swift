/// Removal of case and of accents from text, by the tables of Unicode.
///
/// - Source: the Unicode Standard, 3.13 (full case folding) and 3.11 (canonical decomposition), version 15.0; OGC
///   21-065 (CQL2), 7.4 and 7.5.
package enum UnicodeFolding {
  /// Returns the text after full case folding: ß becomes ss, and every sigma becomes the same letter.
  ///
  /// - Cost: linear; the tables are read at the first text that is not ASCII.
  package static func withoutCase(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let folded = folding[scalar] { result.append(contentsOf: folded) } else { result.append(scalar) }
    }
    return String(result)
  }

  /// Returns the text decomposed and without its nonspacing marks, except the two that voice kana.
  ///
  /// Letters without a decomposition, such as ø, đ, ł and ß, are kept.
  ///
  /// - Cost: linear; the tables are read at the first text that is not ASCII.
  package static func withoutAccents(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    var result: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars { decompose(scalar) { if !isAccent($0) { result.append($0) } } }
    sortMarks(&result)
    return String(String.UnicodeScalarView(result))
  }

  private static func decompose(_ scalar: Unicode.Scalar, _ take: (Unicode.Scalar) -> Void) {
    switch scalar.value {
    case 0..<0xC0: take(scalar)
    case 0xAC00...0xD7A3:
      // Hangul syllables are decomposed by arithmetic: the Unicode Standard, 3.12.
      let syllable = scalar.value - 0xAC00
      let parts = [0x1100 + syllable / 588, 0x1161 + syllable % 588 / 28, 0x11A7 + syllable % 28]
      for part in syllable % 28 == 0 ? parts.dropLast() : parts[...] {
        if let jamo = Unicode.Scalar(part) { take(jamo) }
      }
    default: (decomposition[scalar] ?? [scalar]).forEach(take)
    }
  }

  /// Returns whether a scalar is a nonspacing mark other than U+3099 and U+309A, whose removal would change the
  /// syllable.
  private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x300 && scalar.properties.generalCategory == .nonspacingMark && scalar.value != 0x3099
      && scalar.value != 0x309A
  }

  /// Sorts the marks after each letter by combining class, as in canonical decompositions.
  private static func sortMarks(_ scalars: inout [Unicode.Scalar]) {
    var start = 0
    while start < scalars.count {
      var end = start
      while end < scalars.count, markClass(scalars[end]) != 0 { end += 1 }
      if end - start > 1 {
        // Sorting by offset too keeps the order of marks of the same class.
        let marks = scalars[start..<end].enumerated().sorted {
          (markClass($0.element), $0.offset) < (markClass($1.element), $1.offset)
        }
        scalars.replaceSubrange(start..<end, with: marks.map(\.element))
      }
      start = end + 1
    }
  }

  private static func markClass(_ scalar: Unicode.Scalar) -> UInt8 {
    scalar.value < 0x300 ? 0 : scalar.properties.canonicalCombiningClass.rawValue
  }

  private static let folding = table(foldingData)
  private static let decomposition = table(decompositionData)

  /// Reads entries of the form `scalar:scalar+scalar` in hexadecimal, each followed by a blank.
  private static func table(_ data: StaticString) -> [Unicode.Scalar: [Unicode.Scalar]] {
    var table: [Unicode.Scalar: [Unicode.Scalar]] = [:]
    var (key, parts, value): (Unicode.Scalar?, [Unicode.Scalar], UInt32) = (nil, [], 0)
    for byte in data.description.utf8 {
      switch byte {
      case UInt8(ascii: ":"):
        (key, value) = (Unicode.Scalar(value), 0)
      case UInt8(ascii: "+"), UInt8(ascii: " "), UInt8(ascii: "\n"):
        if let scalar = Unicode.Scalar(value), value > 0 { parts.append(scalar) }
        value = 0
        if byte != UInt8(ascii: "+"), let entry = key { (table[entry], key, parts) = (parts, nil, []) }
      default: value = value << 4 | UInt32(byte <= 0x39 ? byte - 0x30 : byte - 0x37)
      }
    }
    return table
  }
}
