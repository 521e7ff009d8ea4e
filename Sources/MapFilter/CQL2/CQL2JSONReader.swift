import MapJSON

/// Reads a filter in the JSON encoding of CQL2.
///
/// Members that are not in the standard are ignored. Operator names are case-sensitive. Any other name is a function
/// call, which fails later when the filter meets a schema without that function. As an extension, a bare string is read
/// as a date or an instant.
///
/// - Source: OGC 21-065 (CQL2 1.0), annex C.
/// - Cost: linear in the length of the text; at most 512 nested arrays and objects.
public struct CQL2JSONReader {
  var places = FilterPlaces()

  /// Reads a text as a condition; nil when the text is blank, which is no condition at all.
  ///
  /// - Throws: ``FilterSyntaxError`` with the offset of the fault.
  public static func parse(_ text: String) throws(FilterSyntaxError) -> Expression? {
    try read(text)?.expression
  }

  /// Reads the condition with the positions of its parts.
  static func read(_ text: String) throws(FilterSyntaxError) -> FilterText? {
    try CQL2TextParser.checkLength(text)
    guard text.utf8.contains(where: { $0 > 0x20 }) else { return nil }
    var reader = CQL2JSONReader()
    let expression = try reader.condition(PlacedJSON(text))
    return FilterText(text: text, language: .cql2JSON, expression: expression, places: reader.places)
  }

  // MARK: Conditions

  /// Reads a filter or one of its terms.
  private mutating func condition(_ json: PlacedJSON) throws(FilterSyntaxError) -> Expression {
    if case .boolean(let value) = json.content { return part(.literal(.boolean(value)), json) }
    guard json["op"] != nil else {
      throw invalid(json, "true, false or an object with \"op\" and \"args\" that states a condition")
    }
    let (name, arguments) = try operation(json)
    switch name {
    case "and", "or":
      guard arguments.count >= 2 else {
        throw invalidCount(name, expected: "2 or more", arguments.count, json)
      }
      let terms = try conditions(arguments)
      return part(name == "and" ? .and(terms) : .or(terms), json)
    case "not":
      try count(arguments, 1, of: name, json)
      return part(.not(try condition(arguments[0])), json)
    case "like": return try like(arguments, json)
    case "between":
      try count(arguments, 3, of: name, json)
      let sides = try values(arguments)
      return part(.between(sides[0], lower: sides[1], upper: sides[2]), json)
    case "in":
      try count(arguments, 2, of: name, json)
      let operand = try scalar(arguments[0])
      guard let list = arguments[1].elements, !list.isEmpty else {
        throw invalid(arguments[1], "an array of one value or more")
      }
      return part(.isIn(operand, try values(list)), json)
    case "isNull":
      try count(arguments, 1, of: name, json)
      return part(.isNull(try value(arguments[0])), json)
    default: break
    }
    if let comparison = ComparisonOperator(rawValue: name) {
      try count(arguments, 2, of: name, json)
      let sides = try values(arguments)
      return part(.comparison(comparison, sides[0], sides[1]), json)
    }
    if let predicate = CQL2Words.spatialJSON[name] {
      try count(arguments, 2, of: name, json)
      return part(.spatial(predicate, try value(arguments[0]), try value(arguments[1])), json)
    }
    if let predicate = CQL2Words.temporalJSON[name] {
      try count(arguments, 2, of: name, json)
      return part(.temporal(predicate, try moment(arguments[0]), try moment(arguments[1])), json)
    }
    if let predicate = CQL2Words.arraysJSON[name] {
      try count(arguments, 2, of: name, json)
      return part(.arrays(predicate, try value(arguments[0]), try value(arguments[1])), json)
    }
    guard !Self.isOfValues(name) else {
      throw invalid(json, "a condition; \(name) makes a value")
    }
    return try function(name, arguments, json)
  }

  private mutating func conditions(_ list: [PlacedJSON]) throws(FilterSyntaxError) -> [Expression] {
    var conditions: [Expression] = []
    for json in list { conditions.append(try condition(json)) }
    return conditions
  }

  private mutating func like(
    _ arguments: [PlacedJSON], _ json: PlacedJSON
  ) throws(FilterSyntaxError) -> Expression {
    try count(arguments, 2, of: "like", json)
    let operand = try scalar(arguments[0])
    let pattern = try scalar(arguments[1])
    guard let text = pattern.patternText else {
      throw invalid(arguments[1], "a string, or casei or accenti of one")
    }
    guard LikePattern(text, escape: "\\") != nil else {
      throw FilterSyntaxError(
        LikePattern.endsInEscape(text, escape: "\\")
          ? .patternEndsInEscape : .patternTooLong(limit: LikePattern.wildcardLimit), at: arguments[1].offset)
    }
    return part(.like(operand, pattern: pattern, escape: "\\"), json)
  }

  // MARK: Operations

  /// Returns the name and the arguments of an object with `op`.
  func operation(_ json: PlacedJSON) throws(FilterSyntaxError) -> (name: String, arguments: [PlacedJSON]) {
    guard let name = json["op"]?.string, !name.isEmpty else {
      throw invalid(json["op"] ?? json, "the name of an operation")
    }
    guard let arguments = json["args"]?.elements else {
      if json["args"] == nil, !Self.isKnown(name) {
        throw FilterSyntaxError(.unknownOperator(Token.shortened(name), instead: nil), at: json.offset)
      }
      throw invalid(json["args"] ?? json, "\"args\" with an array")
    }
    return (name, arguments)
  }

  /// Returns whether an operation of the standard or a function has a name.
  private static func isKnown(_ name: String) -> Bool {
    ["and", "or", "not", "like", "between", "in", "isNull"].contains(name) || isOfValues(name)
      || ComparisonOperator(rawValue: name) != nil || CQL2Words.spatialJSON[name] != nil
      || CQL2Words.temporalJSON[name] != nil || CQL2Words.arraysJSON[name] != nil
      || FunctionCatalog.function(named: name) != nil
  }

  /// Returns whether an operation gives a value, not a condition.
  static func isOfValues(_ name: String) -> Bool {
    ArithmeticOperator(rawValue: name) != nil || name == "casei" || name == "accenti"
  }

  mutating func function(
    _ name: String, _ arguments: [PlacedJSON], _ json: PlacedJSON
  ) throws(FilterSyntaxError) -> Expression {
    // These two functions are part of the standard, so their names are case-sensitive.
    guard !["CASEI", "ACCENTI"].contains(name.prefix(8).uppercased()) else {
      throw FilterSyntaxError(
        .unknownFunction(Token.shortened(name), nearest: name.lowercased()), at: json.offset)
    }
    var values: [Expression] = []
    for argument in arguments { values.append(try value(argument)) }
    return part(.call(CQL2Words.functionName(name), values), json)
  }

  // MARK: Parts and errors

  /// Records the offset of a part whose own parts have been recorded before.
  ///
  /// The JSON scanner limits nesting to the depth that trees may have, so the depth is not checked here.
  mutating func part(_ expression: Expression, _ json: PlacedJSON) -> Expression {
    places.append(json.offset)
    return expression
  }

  func count(
    _ arguments: [PlacedJSON], _ expected: Int, of name: String, _ json: PlacedJSON
  ) throws(FilterSyntaxError) {
    guard arguments.count != expected else { return }
    throw invalidCount(name, expected: "\(expected)", arguments.count, json)
  }

  private func invalidCount(
    _ name: String, expected: String, _ found: Int, _ json: PlacedJSON
  ) -> FilterSyntaxError {
    FilterSyntaxError(
      .invalidForm(
        found: "\(found) argument\(found == 1 ? "" : "s") of \"\(name)\"",
        expected: expected), at: (json["args"] ?? json).offset)
  }

  func invalid(_ json: PlacedJSON, _ expected: String) -> FilterSyntaxError {
    FilterSyntaxError(.invalidForm(found: json.description, expected: expected), at: json.offset)
  }
}
