import MapGeometry
import MapJSON

/// Reads a filter in the JSON encoding of CQL2.
///
/// Members that are not in the standard are ignored. Operator names are case-sensitive. Any other name is a function
/// call, which fails later when the filter meets a schema without that function. As an extension, a bare string is read
/// as a date or an instant.
///
/// - Source: OGC 21-065 (CQL2 1.0), annex C.
/// - Cost: linear in the length of the text; at most 512 nested arrays and objects.
package struct CQL2JSONReader {
  var places = FilterPlaces(.cql2JSON)

  /// Reads a text as a condition; nil when the text is blank, which is no condition at all.
  ///
  /// - Throws: ``FilterSyntaxError`` with the offset of the fault.
  package static func parse(_ text: String) throws(FilterSyntaxError) -> FilterExpression? {
    try read(text)?.expression
  }

  /// Reads the condition with the positions of its parts.
  static func read(
    _ text: String
  ) throws(FilterSyntaxError) -> (expression: FilterExpression, places: FilterPlaces)? {
    ParsedTexts.record(text)
    try CQL2TextParser.checkLength(text)
    guard text.utf8.contains(where: { $0 > 0x20 }) else { return nil }
    return try read(PlacedJSON(text))
  }

  /// Reads the condition of a value with the positions of its parts.
  static func read(
    _ json: PlacedJSON
  ) throws(FilterSyntaxError) -> (expression: FilterExpression, places: FilterPlaces) {
    var reader = CQL2JSONReader()
    return (try reader.condition(json), reader.places)
  }

  // MARK: Conditions

  /// Reads a filter or one of its terms.
  private mutating func condition(_ json: PlacedJSON) throws(FilterSyntaxError) -> FilterExpression {
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

  private mutating func conditions(_ list: [PlacedJSON]) throws(FilterSyntaxError) -> [FilterExpression] {
    var conditions: [FilterExpression] = []
    for json in list { conditions.append(try condition(json)) }
    return conditions
  }

  private mutating func like(
    _ arguments: [PlacedJSON], _ json: PlacedJSON
  ) throws(FilterSyntaxError) -> FilterExpression {
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
  ) throws(FilterSyntaxError) -> FilterExpression {
    // These two functions are part of the standard, so their names are case-sensitive.
    guard !["CASEI", "ACCENTI"].contains(name.prefix(8).uppercased()) else {
      throw FilterSyntaxError(
        .unknownFunction(Token.shortened(name), nearest: name.lowercased()), at: json.offset)
    }
    var values: [FilterExpression] = []
    for argument in arguments { values.append(try value(argument)) }
    return part(.call(CQL2Words.functionName(name), values), json)
  }

  // MARK: Parts and errors

  /// Records the offset of a part whose own parts have been recorded before.
  ///
  /// The JSON scanner limits nesting to the depth that trees may have, so the depth is not checked here.
  mutating func part(_ expression: FilterExpression, _ json: PlacedJSON) -> FilterExpression {
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

  // MARK: Values: literals, properties, arithmetic, functions, times and geometries

  /// Reads a value of any kind, including arrays, time intervals and geometries.
  mutating func value(_ json: PlacedJSON) throws(FilterSyntaxError) -> FilterExpression {
    switch json.content {
    case .array(let elements):
      var values: [FilterExpression] = []
      for element in elements { values.append(try value(element)) }
      return part(.array(values), json)
    case .object where json["op"] == nil && json["property"] == nil:
      if let ends = json["interval"] { return try interval(ends, json) }
      if let numbers = json["bbox"], json["type"] == nil { return try box(numbers, json) }
      if json["type"] != nil { return try geometry(json) }
      return try scalar(json)
    default: return try scalar(json)
    }
  }

  /// Reads values that can be compared.
  mutating func values(_ list: [PlacedJSON]) throws(FilterSyntaxError) -> [FilterExpression] {
    var values: [FilterExpression] = []
    for json in list { values.append(try scalar(json)) }
    return values
  }

  /// Reads a value that can be compared.
  mutating func scalar(_ json: PlacedJSON) throws(FilterSyntaxError) -> FilterExpression {
    switch json.content {
    case .string(let text): return part(.literal(.text(text)), json)
    case .boolean(let value): return part(.literal(.boolean(value)), json)
    case .number(let text): return part(.literal(try number(text, json)), json)
    case .null: throw FilterSyntaxError(.comparisonWithNull, at: json.offset)
    case .array: throw invalid(json, "a single value")
    case .object: break
    }
    if json["op"] != nil { return try operationValue(json) }
    if let name = json["property"] {
      guard let text = name.string else { throw invalid(name, "the name of a property") }
      return part(.property(text), json)
    }
    if let date = json["date"] {
      return part(
        .literal(try moment(date, CQL2Words.dateForm) { CalendarDate(iso8601: $0).map { .date($0) } }), json)
    }
    if let timestamp = json["timestamp"] {
      return part(
        .literal(try moment(timestamp, CQL2Words.timestampForm) { Instant(cql2: $0).map { .instant($0) } }),
        json)
    }
    throw invalid(
      json, "a value: a number, a string, or an object with \"property\", \"op\", \"date\" or \"timestamp\"")
  }

  private mutating func operationValue(_ json: PlacedJSON) throws(FilterSyntaxError) -> FilterExpression {
    let (name, arguments) = try operation(json)
    if let operation = ArithmeticOperator(rawValue: name) {
      try count(arguments, 2, of: name, json)
      let sides = try values(arguments)
      return part(.arithmetic(operation, sides[0], sides[1]), json)
    }
    if name == "casei" || name == "accenti" {
      try count(arguments, 1, of: name, json)
      return part(.call(name.uppercased(), [try scalar(arguments[0])]), json)
    }
    guard !Self.isCondition(name) else { throw FilterSyntaxError(.conditionAsValue, at: json.offset) }
    return try function(name, arguments, json)
  }

  static func isCondition(_ name: String) -> Bool {
    ["and", "or", "not", "like", "between", "in", "isNull"].contains(name)
      || ComparisonOperator(rawValue: name) != nil || CQL2Words.spatialJSON[name] != nil
      || CQL2Words.temporalJSON[name] != nil || CQL2Words.arraysJSON[name] != nil
  }

  private func number(_ text: String, _ json: PlacedJSON) throws(FilterSyntaxError) -> AttributeValue {
    if let integer = Int64(text) { return .integer(integer) }
    guard let real = Double(text), real.isFinite else {
      throw FilterSyntaxError(.invalidNumber(Token.shortened(text)), at: json.offset)
    }
    return .real(real)
  }

  // MARK: Times

  private func moment(
    _ json: PlacedJSON, _ form: String, _ read: (String) -> AttributeValue?
  ) throws(FilterSyntaxError) -> AttributeValue {
    guard let text = json.string else { throw invalid(json, "a string, as in \(form)") }
    guard let value = read(text) else {
      throw FilterSyntaxError(.invalidDate(Token.shortened(text), expected: form), at: json.offset)
    }
    return value
  }

  private func moment(bare json: PlacedJSON) throws(FilterSyntaxError) -> AttributeValue {
    try moment(json, "\"yyyy-mm-dd\" or \"yyyy-mm-ddThh:mm:ssZ\"") { AttributeValue(cql2Moment: $0) }
  }

  /// Reads an operand of a temporal predicate; a bare string is a date or an instant.
  mutating func moment(_ json: PlacedJSON) throws(FilterSyntaxError) -> FilterExpression {
    guard json.string != nil else { return try value(json) }
    return part(.literal(try moment(bare: json)), json)
  }

  private mutating func interval(
    _ ends: PlacedJSON, _ json: PlacedJSON
  ) throws(FilterSyntaxError) -> FilterExpression {
    guard let list = ends.elements, list.count == 2 else {
      throw invalid(ends, "an array of the two ends of the interval")
    }
    let start = try end(list[0])
    let end = try end(list[1])
    return part(.interval(start: start, end: end), json)
  }

  /// Reads one end of a time interval; nil for an open end.
  private mutating func end(_ json: PlacedJSON) throws(FilterSyntaxError) -> FilterExpression? {
    if json.string == CQL2Words.openEnd { return nil }
    if json.string != nil { return part(.literal(try moment(bare: json)), json) }
    guard json["property"] != nil || json["op"] != nil else {
      throw invalid(json, "a string with a date, a time or \"..\", a property or a function")
    }
    return try scalar(json)
  }

  // MARK: Geometries

  private mutating func box(_ json: PlacedJSON, _ whole: PlacedJSON) throws(FilterSyntaxError)
    -> FilterExpression
  {
    let numbers = try list(json) { number throws(FilterSyntaxError) in try self.coordinate(number) }
    guard let box = GeometryLiteral(box: numbers) else {
      throw FilterSyntaxError(
        .invalidGeometry("a box of \(numbers.count) numbers; a box has 4, or 6 with Z values"),
        at: json.offset)
    }
    return try checked(box, whole)
  }

  private mutating func geometry(_ json: PlacedJSON) throws(FilterSyntaxError) -> FilterExpression {
    try checked(literal(json, mayBeCollection: true), json)
  }

  private mutating func checked(
    _ geometry: GeometryLiteral, _ json: PlacedJSON
  ) throws(FilterSyntaxError) -> FilterExpression {
    if let fault = geometry.fault { throw FilterSyntaxError(.invalidGeometry(fault), at: json.offset) }
    return part(.geometry(geometry), json)
  }

  private func literal(
    _ json: PlacedJSON, mayBeCollection: Bool
  ) throws(FilterSyntaxError) -> GeometryLiteral {
    guard let type = json["type"]?.string else {
      throw invalid(json["type"] ?? json, "the type of a geometry")
    }
    if type == "GeometryCollection", mayBeCollection {
      guard let members = json["geometries"] else { throw invalid(json, "\"geometries\"") }
      return .collection(
        try list(members) { member throws(FilterSyntaxError) in
          try self.literal(member, mayBeCollection: false)
        })
    }
    guard let coordinates = json["coordinates"] else {
      throw invalid(json, "a geometry with \"coordinates\"")
    }
    switch type {
    case "Point": return .point(try place(coordinates))
    case "MultiPoint": return .multipoint(try places(coordinates))
    case "LineString": return .line(try places(coordinates))
    case "MultiLineString": return .multiline(try rings(coordinates))
    case "Polygon": return .polygon(try rings(coordinates))
    case "MultiPolygon":
      return .multipolygon(
        try list(coordinates) { polygon throws(FilterSyntaxError) in try self.rings(polygon) })
    default: throw invalid(json, "a geometry of GeoJSON, not \"\(Token.shortened(type))\"")
    }
  }

  private func list<Element>(
    _ json: PlacedJSON, _ element: (PlacedJSON) throws(FilterSyntaxError) -> Element
  ) throws(FilterSyntaxError) -> [Element] {
    guard let list = json.elements else { throw invalid(json, "an array") }
    var elements: [Element] = []
    for json in list { elements.append(try element(json)) }
    return elements
  }

  private func rings(_ json: PlacedJSON) throws(FilterSyntaxError) -> [[Point]] {
    try list(json) { ring throws(FilterSyntaxError) in try self.places(ring) }
  }

  private func places(_ json: PlacedJSON) throws(FilterSyntaxError) -> [Point] {
    try list(json) { place throws(FilterSyntaxError) in try self.place(place) }
  }

  /// Reads two numbers as a point and ignores the numbers after them, such as a Z value.
  private func place(_ json: PlacedJSON) throws(FilterSyntaxError) -> Point {
    let numbers = try list(json) { number throws(FilterSyntaxError) in try self.coordinate(number) }
    guard numbers.count >= 2 else { throw invalid(json, "two numbers or three") }
    return Point(x: numbers[0], y: numbers[1])
  }

  private func coordinate(_ json: PlacedJSON) throws(FilterSyntaxError) -> Double {
    guard case .number(let text) = json.content else { throw invalid(json, "a number") }
    return try number(text, json).realNumber ?? 0
  }
}
