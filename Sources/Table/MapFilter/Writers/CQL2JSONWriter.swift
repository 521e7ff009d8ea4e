import MapJSON

/// Writes a tree in CQL2 JSON, in forms that the standard's schema allows.
///
/// - Source: OGC 21-065 (CQL2 1.0), annex C.
enum CQL2JSONWriter {
  private static let language = CQL2TextWriter.language

  static func json(_ filter: FilterExpression) throws(FilterWritingError) -> JSONValue {
    let filter = filter.inFormsOfCQL2
    switch filter {
    case .and(let terms): return operation("and", try terms.map(condition))
    case .or(let terms): return operation("or", try terms.map(condition))
    case .not(let term): return operation("not", [try json(term)])
    case .comparison(let comparison, let first, let second):
      return operation(comparison.rawValue, [try value(first), try value(second)])
    case .like(let operand, let pattern, let escape):
      return operation("like", [try value(operand), try value(pattern.asPatternOfCQL2(escape: escape))])
    case .between(let operand, let lower, let upper, _):
      return operation("between", [try value(operand), try value(lower), try value(upper)])
    case .isIn(let operand, let elements):
      return operation("in", [try value(operand), .array(try elements.map(element))])
    case .isNull(let operand): return operation("isNull", [try value(operand)])
    case .spatial(let predicate, let first, let second):
      return operation(predicate.jsonName, [try value(first), try value(second)])
    case .temporal(let predicate, let first, let second):
      return operation(predicate.jsonName, [try value(first), try value(second)])
    case .arrays(let predicate, let first, let second):
      return operation(predicate.jsonName, [try value(first), try value(second)])
    case .literal(.boolean), .call: return try value(filter)
    default: throw FilterWritingError(language, "\(filter.nameInMessages) as a condition")
    }
  }

  // Named functions for `map`, since they have a typed error.
  private static func condition(_ filter: FilterExpression) throws(FilterWritingError) -> JSONValue {
    try json(filter)
  }
  private static func element(_ value: FilterExpression) throws(FilterWritingError) -> JSONValue {
    try self.value(value)
  }

  private static func operation(_ name: String, _ arguments: [JSONValue]) -> JSONValue {
    ["op": .string(name), "args": .array(arguments)]
  }

  static func value(_ expression: FilterExpression) throws(FilterWritingError) -> JSONValue {
    switch expression.inFormsOfCQL2 {
    case .literal(let literal): return try self.literal(literal)
    case .property(let name): return ["property": .string(name)]
    case .arithmetic(let operation, let first, let second):
      return self.operation(operation.rawValue, [try value(first), try value(second)])
    case .call(let name, let arguments):
      let isLetterFunction = CQL2Words.isLetterFunction(name)
      guard isLetterFunction || !CQL2JSONReader.isOperation(name) else {
        throw FilterWritingError(language, "the function \(Token.shortened(name))")
      }
      return operation(isLetterFunction ? name.lowercased() : name, try arguments.map(element))
    case .geometry(let geometry): return geometry.json
    case .interval(let start, let end): return ["interval": [try self.end(start), try self.end(end)]]
    case .array(let elements): return .array(try elements.map(element))
    case .choice: throw FilterWritingError(language, "CASE")
    default: throw FilterWritingError(language, "a condition as a value")
    }
  }

  private static func end(_ expression: FilterExpression?) throws(FilterWritingError) -> JSONValue {
    switch expression {
    case nil: return .string(CQL2Words.openEnd)
    case .literal(let value)?: return .string(try CQL2Words.bareMoment(value))
    case .property?, .call?: return try value(expression ?? .literal(.null))
    default: throw FilterWritingError(language, "an interval with a computed end")
    }
  }

  private static func literal(_ value: AttributeValue) throws(FilterWritingError) -> JSONValue {
    switch value {
    case .integer(let number): return .number(JSONNumber(number))
    case .real(let number):
      guard let written = JSONNumber(number) else { break }
      // A whole real keeps its decimal point, so that it is read as a real again.
      return .number(written.isWrittenAsInteger ? JSONNumber(whole: number) : written)
    case .text(let text): return .string(text)
    case .boolean(let flag): return .boolean(flag)
    case .date: return ["date": .string(try CQL2Words.bareMoment(value))]
    case .instant: return ["timestamp": .string(try CQL2Words.bareMoment(value))]
    case .null, .duration: break
    }
    throw FilterWritingError(language, value.nameInMessages)
  }
}

extension JSONNumber {
  /// Creates a number from a whole real, with its decimal point.
  fileprivate init(whole: Double) { self = (try? JSONValue(parsing: "\(whole)"))?.number ?? JSONNumber(0) }
}

extension JSONValue {
  fileprivate var number: JSONNumber? { if case .number(let number) = self { number } else { nil } }
}

extension CQL2JSONReader {
  /// Returns whether a name is an operation of the standard.
  static func isOperation(_ name: String) -> Bool {
    isOfValues(name) || isCondition(name) || ["CASEI", "ACCENTI"].contains(name.uppercased())
  }
}
