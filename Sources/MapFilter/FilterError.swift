/// A filter that is well-formed but does not fit the fields it is used with.
public struct FilterError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What does not fit.
  public enum Reason: Hashable, Sendable {
    /// No field has that name; and the nearest one that exists, if any is near.
    case unknownField(String, nearest: String?)
    /// A field whose type filters do not know, such as a geometry.
    case unusableField(String)
    /// Two values of types that do not compare, and what would be right.
    case incomparable(String, AttributeType, String, AttributeType, advice: String?)
    /// A value of a type that an operation does not take.
    case wrongType(String, AttributeType, operation: String, expected: String)
    /// A value where a condition is needed, such as a bare field.
    case notACondition(String)
    /// A condition where a value is needed.
    case notAValue
    /// No function has that name; and the one that was meant, if any is near.
    case unknownFunction(String, nearest: String?)
    /// A function has too few arguments or too many.
    case argumentCount(function: String, expected: ClosedRange<Int>, found: Int)
    /// A word that a function does not take, and those it does.
    case unknownWord(String, function: String, expected: String)
    /// Results of types that do not go together.
    case mixedResults(function: String, AttributeType, AttributeType)
    /// A function of the current time, in a query that was given none.
    case noCurrentTime(function: String)
    /// A pattern that ends in its escape character.
    case patternEndsInEscape(String)
    /// A pattern with more characters between two `%` than are matched where one of them is `_`.
    case patternTooLong(limit: Int)
    /// A tree deeper than is evaluated.
    case nestingTooDeep(limit: Int)
  }

  /// What does not fit.
  public let reason: Reason
  /// UTF-8 offset into the filter text of the part that does not fit; nil for a tree that was not read from text.
  public let offset: Int?

  /// An error, and its place where there is one.
  public init(_ reason: Reason, at offset: Int? = nil) { (self.reason, self.offset) = (reason, offset) }

  /// What does not fit and what would be right, in one line.
  public var description: String {
    switch reason {
    case .unknownField(let name, let nearest?): "unknown field '\(name)'; did you mean '\(nearest)'?"
    case .unknownField(let name, nil): "unknown field '\(name)' (text is written in single quotes)"
    case .unusableField(let name): "field '\(name)' has a type that cannot be used in a filter"
    case .incomparable(let first, let firstType, let second, let secondType, let advice):
      "cannot compare \(first) (\(firstType.rawValue)) with \(second) (\(secondType.rawValue))"
        + (advice.map { "; \($0)" } ?? "")
    case .wrongType(let value, let type, let operation, let expected):
      "\(operation) takes \(expected), not \(value) (\(type.rawValue))"
    case .notACondition(let value): "\(value) is a value, not a condition; compare it with something"
    case .notAValue: "a condition stands where a value is needed"
    case .unknownFunction(let name, let nearest): FilterMessage.unknownFunction(name, nearest: nearest)
    case .argumentCount(let function, let expected, let found):
      FilterMessage.argumentCount(function, expected, found)
    case .unknownWord(let word, let function, let expected): "\(function) takes \(expected), not '\(word)'"
    case .mixedResults(let function, let first, let second):
      "\(function) gives \(first.rawValue) here and \(second.rawValue) there; CAST one of them"
    case .noCurrentTime(let function): "\(function) is not known here"
    case .patternEndsInEscape(let pattern): "the pattern \(pattern) ends in its escape character"
    case .patternTooLong(let limit): FilterMessage.patternTooLong(limit)
    case .nestingTooDeep(let limit): "nested more than \(limit) deep"
    }
  }
}

extension Expression {
  /// The value as error messages name it.
  var nameInMessages: String {
    switch self {
    case .property(let name): "'\(Token.shortened(name))'"
    case .literal(let value): value.nameInMessages
    case .arithmetic(let operation, _, _): "the result of \(operation.rawValue)"
    case .negative: "the result of -"
    case .call(let function, _): "the result of \(Token.shortened(function))"
    case .choice: "the result of CASE"
    case .geometry: "the geometry"
    case .interval: "the interval"
    case .array: "the array"
    default: "the condition"
    }
  }
}

extension AttributeValue {
  /// The value as a where clause writes it, cut where it is long.
  var nameInMessages: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): String(value)
    case .real(let value): String(value)
    case .text(let value): "text '\(Token.shortened(value))'"
    case .boolean(let value): value ? "TRUE" : "FALSE"
    case .date(let value): "DATE '\(value)'"
    case .instant(let value): "TIMESTAMP '\(value.sqlTimestamp)'"
    case .duration(let value): value.sqlLiteral
    }
  }
}
