/// A parser for simple label expressions: operands joined by `CONCAT`.
///
/// - Source: Esri web map specification, `labelExpression`: `[FIELD]`, `"text"`, `NEWLINE`. Keywords are
///   case-insensitive.
enum SimpleLabelParser {
  static func parse(_ text: String) throws(LabelExpressionError) -> LabelTemplate {
    var scanner = LabelScanner(text)
    var parts: [LabelTemplate.Part] = []
    scanner.skipBlanks()
    while scanner.peek != nil {
      if !parts.isEmpty {
        let start = scanner.offset
        guard scanner.word()?.uppercased() == "CONCAT" else {
          throw scanner.error("expected CONCAT between two parts", at: start)
        }
        scanner.skipBlanks()
      }
      parts.append(try operand(&scanner))
      scanner.skipBlanks()
    }
    return LabelTemplate(parts: parts)
  }

  private static func operand(
    _ scanner: inout LabelScanner
  ) throws(LabelExpressionError) -> LabelTemplate.Part {
    let start = scanner.offset
    switch scanner.peek {
    case UInt8(ascii: "["):
      scanner.advance()
      guard let name = scanner.upTo("]"), !name.isEmpty else {
        throw scanner.error("expected a field name and ]", at: start)
      }
      return .field(name)
    case .some(let quote) where quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"):
      scanner.advance()
      guard let text = scanner.quoted(by: quote, escapes: false) else {
        throw scanner.error("a quoted text does not end", at: start)
      }
      return .text(text)
    default:
      guard scanner.word()?.uppercased() == "NEWLINE" else {
        throw scanner.error("expected [FIELD], a text in quotes or NEWLINE", at: start)
      }
      return .text("\n")
    }
  }
}
