/// The start of labels with numbers, up to the decimal point of their first number.
///
/// Labels are placed so that these starts end at one position: the digits of single numbers and of ranges such as `1–4`
/// and `10–25` then stand in columns, aligned on the decimal point.
enum LabelColumn {
  /// The words before a number that is a lower bound.
  private static let lowWords = ["over ", "more than ", "above ", "from ", "> ", ">", "≥ ", "≥", ">= ", ">="]
  /// The texts between the two numbers of a range.
  private static let dashes = [" – ", "–", " — ", "—", " - ", "-", " to "]
  private static let currencies: Set<Character> = ["$", "€", "£", "¥"]

  /// Returns the starts of labels; nil for labels that are no numbers, which stay at the left.
  ///
  /// All are nil unless at least two are numbers with the same unit.
  static func starts(of labels: [String]) -> [String?] {
    let read = labels.map { number(in: $0) }
    let units = Set(read.compactMap { $0?.unit })
    guard units.count == 1, read.count(where: { $0 != nil }) > 1 else { return labels.map { _ in nil } }
    return read.map { $0?.start }
  }

  /// Reads a number or a range with a unit after it; nil for another text, and for a range without a lower bound.
  private static func number(in label: String) -> (start: String, unit: String)? {
    var rest = Substring(label)
    if let word = lowWords.first(where: { rest.hasPrefix($0) }) { rest = rest.dropFirst(word.count) }
    guard let end = readNumber(&rest) else { return nil }
    let start = String(label[..<end])
    if let dash = dashes.first(where: { rest.hasPrefix($0) }) {
      var second = rest.dropFirst(dash.count)
      if second.hasPrefix("under ") { second = second.dropFirst(6) }
      if readNumber(&second) != nil { rest = second }
    }
    return (start, String(rest))
  }

  /// Reads a number with separators of thousands, and returns the end of its whole part; nil for none.
  private static func readNumber(_ text: inout Substring) -> String.Index? {
    var rest = text
    if let sign = rest.first, "-−+".contains(sign) { rest.removeFirst() }
    if let sign = rest.first, currencies.contains(sign) { rest.removeFirst() }
    let digits = rest.prefix { $0.isASCII && $0.isNumber || $0 == "," }
    guard let first = digits.first, first != ",", digits.last != "," else { return nil }
    rest = rest[digits.endIndex...]
    if rest.first == "." {
      let decimals = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
      if !decimals.isEmpty { rest = rest[decimals.endIndex...] }
    }
    text = rest
    return digits.endIndex
  }
}
