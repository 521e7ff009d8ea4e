/// A filter text that could not be read, with the offset at which reading stopped.
package struct FilterSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason why reading stopped.
  package enum Reason: Hashable, Sendable {
    /// A token other than the expected one.
    case unexpected(found: String, expected: String)
    /// No function has that name; `nearest` is the function that was probably meant, if any.
    case unknownFunction(String, nearest: String?)
    /// A function with too few or too many arguments.
    case argumentCount(function: String, expected: ClosedRange<Int>, found: Int)
    /// A keyword that a part of SQL does not accept; `expected` lists the accepted ones, `nearest` is the most similar
    /// one.
    case unknownWord(String, of: String, expected: String, nearest: String?)
    /// An interval text that does not fit its units.
    case invalidInterval(String, expected: String)
    /// A part of SQL that is not supported.
    case unsupported(String)
    /// An operator or mark that the syntax does not have; `instead` is a replacement, if known.
    case unknownOperator(String, instead: String?)
    /// A reserved word instead of a field.
    case reservedWord(String)
    /// A comparison with NULL, which is never true.
    case comparisonWithNull
    /// A condition where a value is needed.
    case conditionAsValue
    /// A quote without its closing quote.
    case unterminated(String)
    /// A number that cannot be read or is out of the range of doubles.
    case invalidNumber(String)
    /// A date or timestamp of the wrong form, or one that does not exist.
    case invalidDate(String, expected: String)
    /// An invalid geometry, with its fault.
    case invalidGeometry(String)
    /// Text that is not JSON, with its fault.
    case invalidJSON(String)
    /// A JSON value of a form that filters do not have; `expected` is a valid form.
    case invalidForm(found: String, expected: String)
    /// An escape that is not exactly one character.
    case invalidEscape(String)
    /// A pattern that ends in its escape character.
    case patternEndsInEscape
    /// A pattern with more characters between two `%` than the limit, when one of them is `_`.
    case patternTooLong(limit: Int)
    /// Parentheses, NOT, signs or operators nested more deeply than the limit.
    case nestingTooDeep(limit: Int)
    /// A text with more bytes than the limit.
    case tooLong(limit: Int)
  }

  /// The greatest number of nested parentheses, NOT, signs, calls and CASE.
  package static let nestingLimit = 256
  /// The greatest depth of a tree; `1 + 1 + 1` has depth three.
  package static let treeDepthLimit = 1000
  /// The greatest length of a filter text in UTF-8 bytes: 1 MiB.
  package static let lengthLimit = 1 << 20

  /// The reason why reading stopped.
  package let reason: Reason
  /// UTF-8 offset into the filter text, from 0; at the end of the text its length.
  package let offset: Int

  /// Creates an error at an offset.
  package init(_ reason: Reason, at offset: Int) { (self.reason, self.offset) = (reason, offset) }

  /// The reason in one line, without the offset.
  package var description: String {
    switch reason {
    case .unexpected(let found, let expected): "found \(found), expected \(expected)"
    case .unknownFunction(let name, let nearest): FilterMessage.unknownFunction(name, nearest: nearest)
    case .argumentCount(let function, let expected, let found):
      FilterMessage.argumentCount(function, expected, found)
    case .unknownWord(let word, let part, let expected, let nearest):
      "\(part) takes \(expected), not '\(word)'" + FilterMessage.advice(nearest: nearest)
    case .invalidInterval(let text, let expected): "'\(text)' is not a valid interval; write \(expected)"
    case .unsupported(let part): "\(part) is not supported"
    case .unknownOperator(let text, let instead):
      "'\(text)' is not an operator" + (instead.map { "; \($0)" } ?? "")
    case .reservedWord(let word): "'\(word)' is a reserved word; write \"\(word)\" for the field of that name"
    case .comparisonWithNull: "a comparison with NULL is never true; write IS NULL or IS NOT NULL"
    case .conditionAsValue: "found a condition, expected a value"
    case .unterminated(let quote): "the closing \(quote) is missing"
    case .invalidNumber(let text): "'\(text)' is not a valid number"
    case .invalidDate(let text, let expected): "'\(text)' is not a valid date; write \(expected)"
    case .invalidGeometry(let fault): "not a geometry: \(fault)"
    case .invalidJSON(let fault): "not JSON: \(fault)"
    case .invalidForm(let found, let expected): "found \(found), expected \(expected)"
    case .invalidEscape(let text): "ESCAPE takes exactly one character, not '\(text)'"
    case .patternEndsInEscape: "the pattern ends in its escape character"
    case .patternTooLong(let limit): FilterMessage.patternTooLong(limit)
    case .nestingTooDeep(let limit): "the filter is nested more than \(limit) levels deep"
    case .tooLong(let limit): "the filter is longer than \(limit) bytes"
    }
  }
}

/// Messages that syntax errors and field errors share.
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
