/// A filter text that could not be read, with the place where reading stopped.
public struct FilterSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong at the place.
  public enum Reason: Hashable, Sendable {
    /// Something else should stand there.
    case unexpected(found: String, expected: String)
    /// No function has that name; and the one that was meant, if any is near.
    case unknownFunction(String, nearest: String?)
    /// A function has too few arguments or too many.
    case argumentCount(function: String, expected: ClosedRange<Int>, found: Int)
    /// A word that a part of SQL does not have, those it has, and the one that was meant, if any is near.
    case unknownWord(String, of: String, expected: String, nearest: String?)
    /// The text of a length of time that its units do not have.
    case invalidInterval(String, expected: String)
    /// A part of SQL that is not read.
    case unsupported(String)
    /// An operator or mark that this syntax does not have, and what to write in its place, where there is such.
    case unknownOperator(String, instead: String?)
    /// A word of the language where a field is meant.
    case reservedWord(String)
    /// A comparison with NULL, which is never true.
    case comparisonWithNull
    /// A condition where a value is needed.
    case conditionAsValue
    /// A quote that is not closed.
    case unterminated(String)
    /// A number that cannot be read, or is past the range of doubles.
    case invalidNumber(String)
    /// A date or time stamp of the wrong form, or that the calendar does not have.
    case invalidDate(String, expected: String)
    /// A geometry that is none, and why.
    case invalidGeometry(String)
    /// Text that is not JSON, and why.
    case invalidJSON(String)
    /// A JSON value of a form that a filter does not have, and the form that would do.
    case invalidForm(found: String, expected: String)
    /// An escape that is not one character.
    case invalidEscape(String)
    /// A pattern that ends in its escape character.
    case patternEndsInEscape
    /// A pattern with more characters between two `%` than are matched where one of them is `_`.
    case patternTooLong(limit: Int)
    /// More parentheses, NOT, signs or operators inside one another than are read.
    case nestingTooDeep(limit: Int)
    /// A text of more bytes than are read.
    case tooLong(limit: Int)
  }

  /// How many parentheses, NOT and signs may stand inside one another.
  public static let nestingLimit = 256
  /// How deep a tree may be; `1 + 1 + 1` is three deep.
  public static let treeDepthLimit = 1000
  /// How many bytes of UTF-8 a filter text may have: 1 MiB.
  public static let lengthLimit = 1 << 20

  /// What is wrong.
  public let reason: Reason
  /// UTF-8 offset into the filter text, from 0; its length at the end.
  public let offset: Int

  /// An error at a place.
  public init(_ reason: Reason, at offset: Int) { (self.reason, self.offset) = (reason, offset) }

  /// What is wrong, in one line without the place.
  public var description: String {
    switch reason {
    case .unexpected(let found, let expected): "found \(found), expected \(expected)"
    case .unknownFunction(let name, let nearest): FilterMessage.unknownFunction(name, nearest: nearest)
    case .argumentCount(let function, let expected, let found):
      FilterMessage.argumentCount(function, expected, found)
    case .unknownWord(let word, let part, let expected, let nearest):
      "\(part) takes \(expected), not '\(word)'" + FilterMessage.advice(nearest: nearest)
    case .invalidInterval(let text, let expected): "'\(text)' is not a length of time; write \(expected)"
    case .unsupported(let part): "\(part) is not supported"
    case .unknownOperator(let text, let instead):
      "'\(text)' is not an operator" + (instead.map { "; \($0)" } ?? "")
    case .reservedWord(let word): "'\(word)' is a reserved word; write \"\(word)\" for the field of that name"
    case .comparisonWithNull: "a comparison with NULL is never true; write IS NULL or IS NOT NULL"
    case .conditionAsValue: "found a condition, expected a value"
    case .unterminated(let quote): "the closing \(quote) is missing"
    case .invalidNumber(let text): "'\(text)' is not a number that can be read"
    case .invalidDate(let text, let expected): "'\(text)' is not a date of the calendar; write \(expected)"
    case .invalidGeometry(let fault): "not a geometry: \(fault)"
    case .invalidJSON(let fault): "not JSON: \(fault)"
    case .invalidForm(let found, let expected): "found \(found), expected \(expected)"
    case .invalidEscape(let text): "ESCAPE takes exactly one character, not '\(text)'"
    case .patternEndsInEscape: "the pattern ends in its escape character"
    case .patternTooLong(let limit): FilterMessage.patternTooLong(limit)
    case .nestingTooDeep(let limit): "nested more than \(limit) deep"
    case .tooLong(let limit): "longer than \(limit) bytes"
    }
  }
}

/// Wordings that errors of text and of meaning share.
enum FilterMessage {
  static func advice(nearest: String?) -> String { nearest.map { "; did you mean '\($0)'?" } ?? "" }

  static func patternTooLong(_ limit: Int) -> String {
    "the pattern has more than \(limit) characters between two '%', one of them '_'"
  }

  static func unknownFunction(_ name: String, nearest: String?) -> String {
    "unknown function '\(name)'" + advice(nearest: nearest)
  }

  static func argumentCount(_ function: String, _ expected: ClosedRange<Int>, _ found: Int) -> String {
    let count =
      if expected.upperBound == FilterFunction.argumentLimit {
        "\(expected.lowerBound) or more arguments"
      } else if expected.count == 1 {
        expected.lowerBound == 0
          ? "no argument" : "\(expected.lowerBound) argument\(expected.lowerBound == 1 ? "" : "s")"
      } else {
        "\(expected.lowerBound) to \(expected.upperBound) arguments"
      }
    return "\(function) takes \(count), not \(found)"
  }
}
