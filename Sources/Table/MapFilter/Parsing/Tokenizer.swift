/// A token of a filter text.
struct Token: Hashable {
  enum Kind: Hashable {
    /// An unquoted word that is not a keyword.
    case name(String)
    /// A keyword, and its spelling in the text.
    case keyword(Keyword, String)
    /// A name in double quotes.
    case quotedName(String)
    /// Text in single quotes.
    case string(String)
    /// Digits with optional point and exponent, without a sign.
    case number(String)
    case comparison(ComparisonOperator)
    case arithmetic(ArithmeticOperator)
    case leftParenthesis, rightParenthesis, comma
    case end
  }

  let kind: Kind
  /// The UTF-8 offset of the token's first byte.
  let offset: Int

  /// The token as named in error messages.
  var description: String {
    switch kind {
    case .name(let text), .keyword(_, let text), .number(let text): "'\(Self.shortened(text))'"
    case .quotedName(let name): "\"\(Self.shortened(name))\""
    case .string(let text): "text '\(Self.shortened(text))'"
    case .comparison(let comparison): "'\(comparison.rawValue)'"
    case .arithmetic(let arithmetic): "'\(arithmetic.rawValue)'"
    case .leftParenthesis: "'('"
    case .rightParenthesis: "')'"
    case .comma: "','"
    case .end: "the end of the text"
    }
  }

  /// Returns the text on one line, cut after 40 characters.
  static func shortened(_ text: String) -> String {
    let line = text.prefix(41).map { $0.isNewline ? " " : $0 }
    return line.count > 40 ? String(line.prefix(40)) + "…" : String(line)
  }
}

/// The words that a where clause reserves: those that it uses, and those that begin other parts of SQL.
///
/// SQL-92 reserves many more. Fields with such names (`desc`, `time`, `year`) are common and need no quotes here.
enum Keyword: String {
  case and = "AND", or = "OR", not = "NOT", like = "LIKE", escape = "ESCAPE", isIn = "IN"
  case between = "BETWEEN", isWord = "IS", null = "NULL", date = "DATE", timestamp = "TIMESTAMP"
  case trueWord = "TRUE", falseWord = "FALSE", interval = "INTERVAL"
  case caseWord = "CASE", when = "WHEN", then = "THEN", elseWord = "ELSE", end = "END", cast = "CAST"
  case currentDate = "CURRENT_DATE", currentTime = "CURRENT_TIME", currentTimestamp = "CURRENT_TIMESTAMP"
  case select = "SELECT", from = "FROM", whereWord = "WHERE", group = "GROUP", order = "ORDER"
  case having = "HAVING", union = "UNION", distinct = "DISTINCT"

  /// Creates the keyword of a syntax from a word in any case; nil when the word is not a keyword.
  init?(word: String, of syntax: Tokenizer.Syntax) {
    // No keyword is longer than 17 bytes, so longer words need no conversion to upper case.
    guard word.utf8.count <= 17, let keyword = Keyword(rawValue: word.uppercased()) else { return nil }
    if syntax == .cql2, !keyword.isOfCQL2 { return nil }
    self = keyword
  }

  /// Whether CQL2 has the keyword too; in CQL2 the other keywords are names.
  private var isOfCQL2: Bool {
    switch self {
    case .and, .or, .not, .like, .isIn, .between, .isWord, .null, .date, .timestamp, .trueWord, .falseWord:
      true
    default: false
    }
  }
}

/// Splits a filter text into tokens, one at a time.
struct Tokenizer {
  /// The language family that defines the keywords, quotes and operators of a text.
  enum Syntax {
    case sqlWhere, cql2
  }

  private let bytes: [UInt8]
  private let syntax: Syntax
  private var offset = 0

  init(_ text: String, _ syntax: Syntax) { (bytes, self.syntax) = (Array(text.utf8), syntax) }

  private func byte(_ ahead: Int = 0) -> UInt8? {
    offset + ahead < bytes.count ? bytes[offset + ahead] : nil
  }

  /// Reads the next token; after the last token it always returns `.end`.
  mutating func next() throws(FilterSyntaxError) -> Token {
    while let scalar = scalar(), scalar.properties.isWhitespace { offset += UTF8.width(scalar) }
    let start = offset
    guard let first = byte() else { return Token(kind: .end, offset: start) }
    let kind: Token.Kind
    switch first {
    case UInt8(ascii: "'"): kind = .string(try quoted(first))
    case UInt8(ascii: "\""):
      let name = try quoted(first)
      guard !name.isEmpty else {
        throw FilterSyntaxError(.unexpected(found: "\"\"", expected: "a field name"), at: start)
      }
      kind = .quotedName(name)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): kind = .number(try number())
    case UInt8(ascii: ".") where isDigit(byte(1)): kind = .number(try number())
    case UInt8(ascii: "("): kind = take(1, .leftParenthesis)
    case UInt8(ascii: ")"): kind = take(1, .rightParenthesis)
    case UInt8(ascii: ","): kind = take(1, .comma)
    default:
      if let word = word() {
        if syntax == .cql2, word.utf8.count == 3, word.uppercased() == "DIV" {
          kind = .arithmetic(.divideWhole)
        } else {
          kind = Keyword(word: word, of: syntax).map { .keyword($0, word) } ?? .name(word)
        }
      } else {
        kind = try mark()
      }
    }
    return Token(kind: kind, offset: start)
  }

  private mutating func take(_ count: Int, _ kind: Token.Kind) -> Token.Kind {
    offset += count
    return kind
  }

  /// Returns the scalar at the current offset; nil at the end.
  private func scalar() -> Unicode.Scalar? {
    guard let first = byte() else { return nil }
    if first < 0x80 { return Unicode.Scalar(first) }
    var decoder = UTF8()
    var rest = bytes[offset..<min(offset + 4, bytes.count)].makeIterator()
    // The bytes come from a String, so they are well-formed.
    guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return nil }
    return scalar
  }

  private func isDigit(_ byte: UInt8?) -> Bool { byte.map { (0x30...0x39).contains($0) } ?? false }

  /// Reads quoted text, in which a doubled quote is one quote; in CQL2 text a backslash escapes.
  private mutating func quoted(_ quote: UInt8) throws(FilterSyntaxError) -> String {
    let start = offset
    offset += 1
    var content: [UInt8] = []
    while let next = byte() {
      offset += 1
      if next == quote {
        guard byte() == quote else { return String(decoding: content, as: UTF8.self) }
        offset += 1
      } else if next == UInt8(ascii: "\\"), syntax == .cql2, quote == UInt8(ascii: "'"),
        let meaning = byte().flatMap({ Self.escapes[$0] })
      {
        offset += 1
        content.append(meaning)
        continue
      }
      content.append(next)
    }
    throw FilterSyntaxError(.unterminated(quote == UInt8(ascii: "'") ? "'" : "\""), at: start)
  }

  /// The bytes that backslash escapes give in CQL2 text; before any other byte a backslash is literal.
  ///
  /// - Source: OGC 21-065 (CQL2), annex B, `escapeQuote` and `ctrl`; a doubled backslash for one is a design decision.
  static let escapes: [UInt8: UInt8] = Dictionary(
    uniqueKeysWithValues: zip("abtnvfr'\\".utf8, [7, 8, 9, 10, 11, 12, 13, 0x27, 0x5C]))

  /// Reads `5`, `.5`, `5.` or `5.0E+6`; a letter or a second point right after it is an error.
  private mutating func number() throws(FilterSyntaxError) -> String {
    let start = offset
    while isDigit(byte()) { offset += 1 }
    if byte() == UInt8(ascii: ".") { offset += 1 }
    while isDigit(byte()) { offset += 1 }
    if let letter = byte(), letter | 0x20 == UInt8(ascii: "e") {
      let sign = byte(1) == UInt8(ascii: "+") || byte(1) == UInt8(ascii: "-") ? 1 : 0
      if isDigit(byte(1 + sign)) {
        offset += 1 + sign
        while isDigit(byte()) { offset += 1 }
      }
    }
    let end = offset
    if byte() == UInt8(ascii: ".") || word() != nil {
      let text = String(decoding: bytes[start..<max(end + 1, offset)], as: UTF8.self)
      throw FilterSyntaxError(.invalidNumber(Token.shortened(text)), at: start)
    }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  private func isWordScalar(_ scalar: Unicode.Scalar, first isFirst: Bool) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "_": true
    case "0"..."9": !isFirst
    case ":": syntax == .cql2
    case ".": syntax == .cql2 && !isFirst
    case "\0"..."\u{7F}": false
    // Unicode's own table is used only for the other scalars, since it is slower.
    case _ where syntax == .sqlWhere: isFirst ? scalar.properties.isIDStart : scalar.properties.isIDContinue
    default: Self.isIdentifierScalar(scalar, first: isFirst)
    }
  }

  /// Returns whether a scalar belongs to a CQL2 identifier.
  ///
  /// - Source: OGC 21-065 (CQL2), annex B, `identifierStart` and `identifierPart`.
  static func isIdentifierScalar(_ scalar: Unicode.Scalar, first isFirst: Bool) -> Bool {
    switch scalar.value {
    case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFE, 0x200C...0x200D,
      0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD,
      0x1_0000...0xE_FFFF:
      // Unicode blanks in these ranges separate words nevertheless.
      !scalar.properties.isWhitespace
    case 0x300...0x36F, 0x203F...0x2040: !isFirst
    default: false
    }
  }

  /// Reads an unquoted word: a letter or `_`, then letters, digits and `_`; a point joins two words (`table.field`).
  ///
  /// In CQL2 a colon counts as a letter, and so does a point after the first character.
  private mutating func word() -> String? {
    let start = offset
    while let scalar = scalar() {
      let fits = isWordScalar(scalar, first: offset == start)
      if fits {
        offset += UTF8.width(scalar)
      } else if syntax == .sqlWhere, scalar == ".", offset > start, let next = byte(1),
        next == 0x5F || next | 0x20 > 0x60
      {
        offset += 1
      } else {
        break
      }
    }
    return offset > start ? String(decoding: bytes[start..<offset], as: UTF8.self) : nil
  }

  /// Reads an operator; otherwise throws an error, with a replacement if one is known.
  private mutating func mark() throws(FilterSyntaxError) -> Token.Kind {
    for (text, meaning) in syntax == .cql2 ? Self.cql2Marks : Self.marks
    where bytes[offset...].starts(with: text.utf8) {
      switch meaning {
      case .operator(let kind):
        offset += text.utf8.count
        return kind
      case .not(let instead): throw FilterSyntaxError(.unknownOperator(text, instead: instead), at: offset)
      }
    }
    throw FilterSyntaxError(.unknownOperator(scalar().map(String.init) ?? "", instead: nil), at: offset)
  }

  private enum Mark {
    case `operator`(Token.Kind)
    case not(instead: String)
  }

  /// The first match wins, so longer marks come first.
  private static let marks: [(String, Mark)] = [
    ("==", .not(instead: "write =")), ("=>", .not(instead: "write >=")), ("=<", .not(instead: "write <=")),
    ("--", .not(instead: "comments are not allowed")), ("/*", .not(instead: "comments are not allowed")),
    ("&&", .not(instead: "write AND")), ("||", .not(instead: "write OR, or CONCAT(a, b) for text")),
    ("<>", .operator(.comparison(.notEqual))), ("!=", .operator(.comparison(.notEqual))),
    ("<=", .operator(.comparison(.lessOrEqual))), (">=", .operator(.comparison(.greaterOrEqual))),
    ("=", .operator(.comparison(.equal))), ("<", .operator(.comparison(.less))),
    (">", .operator(.comparison(.greater))), ("+", .operator(.arithmetic(.add))),
    ("-", .operator(.arithmetic(.subtract))), ("*", .operator(.arithmetic(.multiply))),
    ("/", .operator(.arithmetic(.divide))), ("!", .not(instead: "write NOT")),
    (";", .not(instead: "only one condition is allowed")),
    ("[", .not(instead: "write a field bare or in double quotes")),
    ("‘", .not(instead: "write straight quotes")), ("’", .not(instead: "write straight quotes")),
    ("“", .not(instead: "write straight quotes")), ("”", .not(instead: "write straight quotes")),
  ]
  /// The marks of CQL2: `--` is a minus before a negative number there, and not-equal has the one spelling `<>`.
  private static let cql2Marks: [(String, Mark)] =
    [
      ("!=", .not(instead: "write <>")), ("||", .not(instead: "write OR")),
      ("%", .operator(.arithmetic(.modulo))),
      ("^", .operator(.arithmetic(.power))),
    ] + marks.filter { !["!=", "--", "||"].contains($0.0) }
}
