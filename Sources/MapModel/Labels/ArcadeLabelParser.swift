/// A parser for the part of Arcade that joins text; nothing is executed as code.
///
/// It reads `$feature.NAME`, `$feature["NAME"]`, quoted text, `+`, `Concatenate`, `TextFormatting.NewLine`,
/// parentheses, `return`, a closing semicolon and comments.
///
/// - Source: Esri Arcade; names of functions and constants are case-insensitive. A `+` between two fields is refused,
///   because Arcade adds them when both are numbers.
struct ArcadeLabelParser {
  /// The maximum depth of nested parentheses and calls.
  ///
  /// - Source: design decision: far above what people write, and far below what the stack can hold.
  private static let depthLimit = 50

  private var scanner: LabelScanner
  private var depth = 0

  /// Joined parts, and whether their result is certainly text.
  private struct Operand {
    var parts: [LabelTemplate.Part]
    var isText: Bool
  }

  static func parse(_ text: String) throws(LabelExpressionError) -> LabelTemplate {
    var parser = ArcadeLabelParser(scanner: LabelScanner(text))
    parser.skip()
    let start = parser.scanner
    if parser.scanner.word()?.lowercased() == "return" { parser.skip() } else { parser.scanner = start }
    let sum = try parser.sum()
    while parser.take(";") {}
    guard parser.scanner.peek == nil else {
      throw parser.scanner.error("unsupported text; only fields and text joined by + are read")
    }
    return LabelTemplate(parts: sum.parts)
  }

  private init(scanner: LabelScanner) { self.scanner = scanner }

  private mutating func skip() { scanner.skipBlanks(comments: true) }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard scanner.take(character) else { return false }
    skip()
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(LabelExpressionError) {
    guard take(character) else { throw scanner.error("expected \(character)") }
  }

  private mutating func sum() throws(LabelExpressionError) -> Operand {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else {
      throw scanner.error("more than \(Self.depthLimit) nested parentheses")
    }
    var sum = try operand()
    while true {
      let place = scanner.offset
      guard take("+") else { return sum }
      let next = try operand()
      guard sum.isText || next.isText else {
        throw scanner.error("the sum of two fields is not evaluated; put a text between them", at: place)
      }
      sum.parts += next.parts
      sum.isText = true
    }
  }

  private mutating func operand() throws(LabelExpressionError) -> Operand {
    let start = scanner.offset
    switch scanner.peek {
    case UInt8(ascii: "$"):
      scanner.advance()
      guard scanner.word()?.lowercased() == "feature" else {
        throw scanner.error("only $feature is read", at: start)
      }
      skip()
      return Operand(parts: [.field(try fieldName())], isText: false)
    case .some(let quote) where quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"):
      return Operand(parts: [.text(try text(quote))], isText: true)
    case UInt8(ascii: "("):
      _ = take("(")
      let inner = try sum()
      try expect(")")
      return inner
    default:
      return try named(start)
    }
  }

  private mutating func text(_ quote: UInt8) throws(LabelExpressionError) -> String {
    let start = scanner.offset
    scanner.advance()
    guard let text = scanner.quoted(by: quote, escapes: true) else {
      throw scanner.error("a quoted text does not end", at: start)
    }
    skip()
    return text
  }

  private mutating func fieldName() throws(LabelExpressionError) -> String {
    if take(".") {
      guard let name = scanner.word() else { throw scanner.error("expected a field name") }
      skip()
      return name
    }
    try expect("[")
    guard let quote = scanner.peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw scanner.error("expected a field name in quotes")
    }
    let name = try text(quote)
    try expect("]")
    return name
  }

  /// Parses `Concatenate(…)` or `TextFormatting.NewLine`.
  private mutating func named(_ start: Int) throws(LabelExpressionError) -> Operand {
    guard let word = scanner.word() else {
      throw scanner.error("expected $feature, a text in quotes or Concatenate")
    }
    skip()
    switch word.lowercased() {
    case "textformatting":
      try expect(".")
      let place = scanner.offset
      guard scanner.word()?.lowercased() == "newline" else {
        throw scanner.error("only TextFormatting.NewLine is read", at: place)
      }
      skip()
      return Operand(parts: [.text("\n")], isText: true)
    case "concatenate":
      try expect("(")
      let isList = take("[")
      var items = [try sum()]
      while take(",") { items.append(try sum()) }
      var separator: [LabelTemplate.Part] = []
      if isList {
        try expect("]")
        if take(",") { separator = try sum().parts }
      }
      try expect(")")
      return Operand(parts: Array(items.map(\.parts).joined(separator: separator)), isText: true)
    default:
      let isCall = scanner.peek == UInt8(ascii: "(")
      throw scanner.error(
        isCall ? "function \(word) is not supported" : "\"\(word)\" is not supported", at: start)
    }
  }
}
