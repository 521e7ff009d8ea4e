// Functions of text. A character is a Unicode scalar value, as in LIKE, and positions start at 1.

extension FilterFunction {
  static let textFunctions: [FilterFunction] = [
    // These are Unicode's full case mappings, one scalar at a time: ß becomes SS, and a final Σ becomes σ like any
    // other.
    FilterFunction(
      "UPPER", "UPPER(text)", "The text in capital letters, by the full case mappings of Unicode.",
      example: "UPPER('Zürich') = 'ZÜRICH'", takes: [.text], gives: .always(.text),
      otherNames: ["UCASE", "TOUPPER"],
      .values { arguments in arguments[0].text.map { .text($0.uppercased()) } ?? .null }),
    FilterFunction(
      "LOWER", "LOWER(text)", "The text in small letters, by the full case mappings of Unicode.",
      example: "LOWER('ÅRHUS') = 'århus'", takes: [.text], gives: .always(.text),
      otherNames: ["LCASE", "TOLOWER"],
      .values { arguments in arguments[0].text.map { .text($0.lowercased()) } ?? .null }),
    FilterFunction(
      "CASEI", "CASEI(text)",
      "The text after full case folding, for comparisons that ignore case; CQL2 only.",
      example: "CASEI('Straße') = CASEI('STRASSE')", takes: [.text], gives: .always(.text), syntax: .absent,
      .values { arguments in arguments[0].text.map { .text(UnicodeFolding.withoutCase($0)) } ?? .null }),
    FilterFunction(
      "ACCENTI", "ACCENTI(text)",
      "The text without accents; ø and ł are letters without an accent and stay; CQL2 only.",
      example: "ACCENTI('Chișinău') = 'Chisinau'", takes: [.text], gives: .always(.text), syntax: .absent,
      otherNames: ["UNACCENT"],
      .values { arguments in arguments[0].text.map { .text(UnicodeFolding.withoutAccents($0)) } ?? .null }),
    FilterFunction(
      "CHAR_LENGTH", "CHAR_LENGTH(text)", "The number of characters.",
      example: "CHAR_LENGTH('Zürich') = 6", takes: [.text], gives: .always(.integer),
      otherNames: ["CHARACTER_LENGTH", "LENGTH", "LEN", "OCTET_LENGTH"],
      .values { arguments in arguments[0].text.map { .integer(Int64($0.unicodeScalars.count)) } ?? .null }),
    FilterFunction(
      "CONCAT", "CONCAT(text, text)", "The two texts one after the other; null when one is null.",
      example: "CONCAT('New', ' York') = 'New York'", takes: [.text, .text], gives: .always(.text),
      otherNames: ["CONCATENATE"],
      .values { arguments in
        guard let first = arguments[0].text, let second = arguments[1].text else { return .null }
        return .text(first + second)
      }),
    FilterFunction(
      "SUBSTRING", "SUBSTRING(text FROM start [FOR length]) or SUBSTRING(text, start[, length])",
      "The characters from a position on, counted from 1; positions before 1 use up the length.",
      example: "SUBSTRING('Rotterdam' FROM 7 FOR 3) = 'dam'", takes: [.text, .integer, .integer],
      count: 2...3, gives: .always(.text), syntax: .substring,
      otherNames: ["SUBSTR", "MID", "LEFT", "RIGHT"],
      .values { arguments in
        guard let text = arguments[0].text, let start = arguments[1].integer else { return .null }
        guard arguments.count == 3 else { return text.scalars(from: start, length: nil) }
        return arguments[2].integer.map { text.scalars(from: start, length: $0) } ?? .null
      }),
    FilterFunction(
      "POSITION", "POSITION(text IN text)",
      "The position of the first text in the second, counted from 1; 0 when it does not occur.",
      example: "POSITION('burg' IN 'Hamburg') = 4", takes: [.text, .text], gives: .always(.integer),
      syntax: .position, otherNames: ["CHARINDEX", "INSTR", "STRPOS", "LOCATE", "INDEXOF"],
      .values { arguments in
        guard let wanted = arguments[0].text, let text = arguments[1].text else { return .null }
        return .integer(text.scalarPosition(of: wanted))
      }),
    FilterFunction(
      "TRIM", "TRIM([[BOTH | LEADING | TRAILING] [characters] FROM] text)",
      "The text without the blanks at its ends, or without any of the given characters there.",
      example: "TRIM(LEADING '0' FROM '0042') = '42'",
      takes: [.word(["BOTH", "LEADING", "TRAILING"]), .text, .text],
      count: 1...3, gives: .always(.text), syntax: .trim, otherNames: ["LTRIM", "RTRIM", "BTRIM", "STRIP"],
      .values { arguments in
        guard arguments.count == 3 else {
          return arguments[0].text.map { $0.trimmed(" ", leading: true, trailing: true) } ?? .null
        }
        guard let side = arguments[0].text, let characters = arguments[1].text, let text = arguments[2].text
        else { return .null }
        return text.trimmed(characters, leading: side != "TRAILING", trailing: side != "LEADING")
      }),
  ]
}

extension String {
  /// Returns the scalars from position `start`, at most `length` of them; null for a negative length.
  ///
  /// - Source: SQL-92, 6.7: positions before 1 count towards the length. A negative length is an error there; null is a
  ///   design decision.
  fileprivate func scalars(from start: Int64, length: Int64?) -> AttributeValue {
    var rest = unicodeScalars[...].dropFirst(Int(clamping: start < 1 ? 0 : start - 1))
    if let length {
      guard length >= 0 else { return .null }
      let (end, overflow) = start.addingReportingOverflow(length)
      let first = Swift.max(start, 1)
      rest = rest.prefix(Int(clamping: overflow ? .max : end > first ? end - first : 0))
    }
    return .text(String(rest))
  }

  /// Returns the position of a text in this one; 1 for an empty text, 0 when it does not occur.
  fileprivate func scalarPosition(of wanted: String) -> Int64 {
    // A match of UTF-8 in UTF-8 always begins at the start of a scalar.
    guard let offset = ByteSearch(Array(wanted.utf8)).firstMatch(in: utf8.span, from: 0) else { return 0 }
    var position: Int64 = 1
    let bytes = utf8.span
    for index in 0..<offset where bytes[index] & 0xC0 != 0x80 { position += 1 }
    return position
  }

  /// Returns the text without the scalars at its ends that occur in `characters`.
  ///
  /// - Source: SQL-92 allows one character; treating several as a set follows PostgreSQL.
  fileprivate func trimmed(_ characters: String, leading: Bool, trailing: Bool) -> AttributeValue {
    let set = Set(characters.unicodeScalars)
    var rest = unicodeScalars[...]
    if leading { rest = rest.drop { set.contains($0) } }
    if trailing { while let last = rest.last, set.contains(last) { rest.removeLast() } }
    return .text(String(rest))
  }
}

/// A sequence of bytes, prepared so that a search is linear in the length of the text, whatever the sequence is.
///
/// - Source: Knuth, Morris, Pratt, "Fast pattern matching in strings", SIAM J. Comput. 1977.
struct ByteSearch: Hashable, Sendable {
  let pattern: [UInt8]
  /// For each matched length, the length that still matches after a mismatch of the next byte.
  private let fallbacks: [Int]

  init(_ pattern: [UInt8]) {
    self.pattern = pattern
    var fallbacks = [Int](repeating: 0, count: pattern.count + 1)
    var matched = 0
    for place in pattern.indices.dropFirst() {
      while matched > 0, pattern[matched] != pattern[place] { matched = fallbacks[matched] }
      if pattern[matched] == pattern[place] { matched += 1 }
      fallbacks[place + 1] = matched
    }
    self.fallbacks = fallbacks
  }

  /// Returns the offset of the first match that begins at or after an offset.
  func firstMatch(in text: Span<UInt8>, from start: Int) -> Int? {
    if pattern.isEmpty { return start }
    var matched = 0
    var place = start
    while place < text.count {
      while matched > 0, pattern[matched] != text[place] { matched = fallbacks[matched] }
      if pattern[matched] == text[place] { matched += 1 }
      place += 1
      if matched == pattern.count { return place - matched }
    }
    return nil
  }
}
