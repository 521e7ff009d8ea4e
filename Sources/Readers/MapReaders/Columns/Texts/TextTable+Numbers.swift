import MapFeatures
import MapFilter

extension TextTable {
  /// The texts, in lower case, by which programs and people say that there is no value.
  private static let missing: Set<String> = [
    "na", "n/a", "#n/a", "nan", "null", "none", "nil", "-", "--", ".", "?", "missing", "unknown", "k.a.",
  ]

  /// Why texts are no column of numbers, although all but words for a missing value are numbers, and although all are
  /// numbers between blanks; nil for other texts.
  ///
  /// - Cost: up to the first text that is neither; each is read twice at most.
  var causeOfText: String? {
    var (word, blank): (String?, String?)
    var hasNumbers = false
    for code in 0..<count {
      var range = range(of: code)
      let whole = range
      while !range.isEmpty, Self.isBlank(bytes[range.lowerBound]) { range = range.dropFirst() }
      while !range.isEmpty, Self.isBlank(bytes[range.upperBound - 1]) { range = range.dropLast() }
      if TypedTexts.integer(bytes, range) != nil || TypedTexts.real(bytes, range) != nil {
        hasNumbers = true
        if range.count < whole.count, blank == nil { blank = text(whole) }
      } else {
        let own = text(range)
        guard own.isEmpty || Self.missing.contains(own.lowercased()) else { return nil }
        if word == nil { word = own }
      }
    }
    guard hasNumbers else { return nil }
    if let word {
      return word.isEmpty
        ? "a value is blanks alone" : "a value is \"\(word)\"; CAST reads the others as numbers"
    }
    return blank.map { "there are blanks around numbers, as in \"\($0)\"" }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range].prefix(60), as: UTF8.self)
  }
}
