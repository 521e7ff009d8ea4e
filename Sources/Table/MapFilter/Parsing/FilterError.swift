package import MapSystem

/// A filter that is well-formed but does not fit the fields that it is used with.
package struct FilterError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason why a filter does not fit.
  ///
  /// Indirect, because each call of a traversal has room for the error on its stack.
  package indirect enum Reason: Hashable, Sendable {
    /// No field has that name; `nearest` is a similar name that exists, if any.
    case unknownField(String, nearest: String?)
    /// A field of a type that filters cannot use, such as a geometry.
    case unusableField(String)
    /// Two values of types that do not compare; `advice` is a replacement, if known, and `cast` that of a text field
    /// which it proposes.
    case incomparable(String, AttributeType, String, AttributeType, advice: String?, cast: TextCast? = nil)
    /// A value of a type that an operation does not accept.
    case wrongType(String, AttributeType, operation: String, expected: String)
    /// A value where a condition is needed, such as a field alone.
    case notACondition(String)
    /// A condition where a value is needed.
    case notAValue
    /// No function has that name; `nearest` is the function that was probably meant, if any.
    case unknownFunction(String, nearest: String?)
    /// A function with too few or too many arguments.
    case argumentCount(function: String, expected: ClosedRange<Int>, found: Int)
    /// A keyword that a function does not accept; `expected` lists those that it accepts.
    case unknownWord(String, function: String, expected: String)
    /// Results of types that do not go together.
    case mixedResults(function: String, AttributeType, AttributeType)
    /// A function of the current time in a query without a current time.
    case noCurrentTime(function: String)
    /// A constant date or time outside the years 1 to 9999.
    case impossibleMoment(String)
    /// A constant text that a CAST cannot read; `expected` names what it reads.
    case unreadableText(String, type: String, expected: String)
    /// A pattern that ends in its escape character.
    case patternEndsInEscape(String)
    /// A pattern with more characters between two `%` than the limit, when one of them is `_`.
    case patternTooLong(limit: Int)
    /// A tree that is deeper than the limit.
    case nestingTooDeep(limit: Int)
  }

  /// The reason why the filter does not fit.
  package let reason: Reason
  /// UTF-8 offset into the filter text of the part that does not fit; nil for a tree that was not read from text.
  package let offset: Int?

  /// The cast of a text field that the advice proposes; nil for other advice.
  package var cast: TextCast? {
    if case .incomparable(_, _, _, _, _, let cast) = reason { cast } else { nil }
  }

  /// The names of the fields, for an unknown name that is similar to none of them.
  ///
  /// Empty if the name is compared with a value, where it may be text in the wrong quotes.
  let available: [String]
  /// Whether the table has fields.
  private(set) var hasFields = true
  /// Whether an unknown name may be text, because it is compared with a value.
  private(set) var isText = false

  /// Creates an error, with the offset of the part at fault when it is known.
  package init(_ reason: Reason, at offset: Int? = nil) {
    (self.reason, self.offset, available) = (reason, offset, [])
  }

  /// Creates an error that lists the names that exist.
  init(
    _ reason: Reason, at offset: Int? = nil, available: [String], hasFields: Bool = true, isText: Bool = false
  ) {
    (self.reason, self.offset, self.available) = (reason, offset, available)
    (self.hasFields, self.isText) = (hasFields, isText)
  }

  /// The error without advice to cast a field.
  package var withoutCast: FilterError {
    guard cast != nil, case .incomparable(let first, let firstType, let second, let secondType, _, _) = reason
    else {
      return self
    }
    return FilterError(.incomparable(first, firstType, second, secondType, advice: nil), at: offset)
  }

  /// Returns the error for a table with some texts in the field that the advice would cast.
  ///
  /// The advice is left out if the cast reads none of them.
  package func refined(byTexts texts: [String]) -> FilterError {
    guard let cast, case .incomparable(let first, let firstType, let second, let secondType, _, _) = reason,
      let text = texts.first, !texts.contains(where: cast.reads)
    else { return self }
    let advice =
      "no text of '\(Token.shortened(cast.field))' can be read: CAST reads \(cast.expected), not '\(Token.shortened(text))'"
    return FilterError(.incomparable(first, firstType, second, secondType, advice: advice), at: offset)
  }

  /// The names, in lower case, of fields that other programs give to the ids of rows.
  package static let idNames = ["objectid", "fid", "oid", "id", "ogc_fid"]

  /// The first names, and the number of the others.
  private var availableList: String {
    let rest = available.count - 30
    return available.prefix(30).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  /// The fault and, when known, its remedy, in one line.
  package var description: String {
    switch reason {
    case .unknownField(let name, let nearest?):
      "unknown field '\(name)'; did you mean '\(nearest)'?"
        + (isText ? " (text is written in single quotes)" : "")
    case .unknownField(let name, nil):
      "unknown field '\(name)'"
        + (!hasFields
          ? "; the table has no fields"
          : isText ? " (text is written in single quotes)" : "; available: \(availableList)")
        + (Self.idNames.contains(name.lowercased()) ? "; --object-ids selects features by id" : "")
    case .unusableField(let name): "field '\(name)' has a type that cannot be used in a filter"
    case .incomparable(let first, let firstType, let second, let secondType, let advice, _):
      "cannot compare \(first) (\(firstType.rawValue)) with \(second) (\(secondType.rawValue))"
        + (advice.map { "; \($0)" } ?? "")
    case .wrongType(let value, let type, let operation, let expected):
      "\(operation) takes \(expected), not \(value) (\(type.rawValue))"
    case .notACondition(let value): "\(value) is a value, not a condition; compare it with something"
    case .notAValue: "found a condition, expected a value"
    case .unknownFunction(let name, let nearest): FilterMessage.unknownFunction(name, nearest: nearest)
    case .argumentCount(let function, let expected, let found):
      FilterMessage.argumentCount(function, expected, found)
    case .unknownWord(let word, let function, let expected): "\(function) takes \(expected), not '\(word)'"
    case .mixedResults(let function, let first, let second):
      "results of \(function) have the types \(first.rawValue) and \(second.rawValue); CAST one of them"
    case .noCurrentTime(let function): "\(function) cannot be used here: the query has no current time"
    case .impossibleMoment(let operation):
      "the result of \(operation) of these constants is outside the years 1 to 9999"
    case .unreadableText(let text, let type, let expected):
      "CAST AS \(type) reads \(expected), not '\(text)'"
    case .patternEndsInEscape(let pattern): "the pattern \(pattern) ends in its escape character"
    case .patternTooLong(let limit): FilterMessage.patternTooLong(limit)
    case .nestingTooDeep(let limit): "the filter is nested more than \(limit) levels deep"
    }
  }
}

extension FilterExpression {
  /// The value as named in error messages.
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
  /// The value as in a where clause, shortened when it is long.
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

extension FilterError: MapStateErrorCause {
  /// The valid name nearest to the wrong one; nil if the error is not about a name.
  package var suggestion: String? {
    switch reason {
    case .unknownField(_, let nearest), .unknownFunction(_, let nearest): nearest
    default: nil
    }
  }

  /// Returns the error for callers, with the nearest name.
  package func mapStateError(_ kind: MapStateError.Kind) -> MapStateError {
    MapStateError(kind, description, suggestion: suggestion, cause: self)
  }
}
