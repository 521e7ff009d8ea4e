import MapFilter
import MapGeometry
import MapJSON

/// A part of a filter that the standards cannot express.
struct SLDFilterFault: Error {
  let reason: String
}

/// Conditions as elements of filters 1.1.
///
/// - Source: OGC 04-095.
extension SLDText {
  private static let comparisons: [ComparisonOperator: String] = [
    .equal: "PropertyIsEqualTo", .notEqual: "PropertyIsNotEqualTo", .less: "PropertyIsLessThan",
    .greater: "PropertyIsGreaterThan", .lessOrEqual: "PropertyIsLessThanOrEqualTo",
    .greaterOrEqual: "PropertyIsGreaterThanOrEqualTo",
  ]
  private static let functions: [String: String] = [
    "UPPER": "strToUpperCase", "LOWER": "strToLowerCase", "CHAR_LENGTH": "strLength", "ABS": "abs",
    "CEILING": "ceil", "FLOOR": "floor", "ROUND": "round", "LOG": "log", "SIN": "sin", "COS": "cos",
    "TAN": "tan", "POWER": "pow", "CONCAT": "Concatenate", "MOD": "modulo",
  ]

  /// Adds a condition.
  ///
  /// - Throws: ``SLDFilterFault`` for one that filters do not have.
  mutating func condition(_ filter: FilterExpression) throws(SLDFilterFault) {
    switch filter {
    case .and(let terms): try add("ogc:And", terms)
    case .or(let terms): try add("ogc:Or", terms)
    case .not(let term): try add("ogc:Not", [term])
    case .comparison(let comparison, let first, let second):
      if case .call("CASEI", let a) = first, case .call("CASEI", let b) = second, a.count == 1, b.count == 1 {
        try values(Self.comparisons[comparison] ?? "", "matchCase=\"false\"", [a[0], b[0]])
      } else {
        try values(Self.comparisons[comparison] ?? "", "", [first, second])
      }
    case .isNull(let operand): try values("PropertyIsNull", "", [operand])
    case .isIn(let operand, let elements):
      let terms = elements.map { FilterExpression.comparison(.equal, operand, $0) }
      guard terms.count != 1 else { return try condition(terms[0]) }
      try add("ogc:Or", terms)
    case .between(let operand, let lower, let upper, _):
      var inner = SLDText()
      try inner.value(operand)
      for (name, bound) in [("ogc:LowerBoundary", lower), ("ogc:UpperBoundary", upper)] {
        var text = SLDText()
        try text.value(bound)
        inner.element(name) { $0.append(text) }
      }
      element("ogc:PropertyIsBetween") { $0.append(inner) }
    case .like(let operand, let pattern, let escape): try like(operand, pattern, escape)
    case .spatial(let relation, .property(let name), .geometry(let geometry)):
      let shape = try Self.geometry(geometry)
      element("ogc:\(relation.rawValue.prefix(1).uppercased())\(relation.rawValue.dropFirst())") { text in
        text.element("ogc:PropertyName", text: name)
        text.append(shape)
      }
    default: throw SLDFilterFault(reason: "filters of styles have no \(filter)")
    }
  }

  private mutating func add(_ name: String, _ terms: [FilterExpression]) throws(SLDFilterFault) {
    var inner = SLDText()
    for term in terms { try inner.condition(term) }
    element(name) { $0.append(inner) }
  }

  private mutating func values(
    _ name: String, _ attributes: String, _ operands: [FilterExpression]
  ) throws(SLDFilterFault) {
    var inner = SLDText()
    for operand in operands { try inner.value(operand) }
    element("ogc:\(name)", attributes) { $0.append(inner) }
  }

  private mutating func like(
    _ operand: FilterExpression, _ pattern: FilterExpression, _ escape: Unicode.Scalar?
  ) throws(SLDFilterFault) {
    var (operand, pattern, attributes) = (operand, pattern, "")
    if case .call("CASEI", let a) = operand, case .call("CASEI", let b) = pattern, a.count == 1, b.count == 1
    {
      (operand, pattern, attributes) = (a[0], b[0], " matchCase=\"false\"")
    }
    guard case .literal(.text(let text)) = pattern else {
      throw SLDFilterFault(reason: "patterns of styles are constants")
    }
    let sign = escape.map { String(Character($0)) } ?? "\\"
    // Without an escape character, a backslash is a plain one.
    let plain = escape == nil ? text.replacing("\\", with: "\\\\") : text
    var inner = SLDText()
    try inner.value(operand)
    inner.element("ogc:Literal", text: plain)
    element(
      "ogc:PropertyIsLike",
      "wildCard=\"%\" singleChar=\"_\" escapeChar=\"\(Self.escaped(sign))\"\(attributes)"
    ) {
      $0.append(inner)
    }
  }

  /// Adds a value.
  private mutating func value(_ value: FilterExpression) throws(SLDFilterFault) {
    switch value {
    case .property(let name): element("ogc:PropertyName", text: name)
    case .literal(.null): throw SLDFilterFault(reason: "styles have no literal for null")
    case .literal(let literal): element("ogc:Literal", text: Self.literal(literal))
    case .negative(let operand):
      try self.value(.arithmetic(.subtract, .literal(.integer(0)), operand))
    case .arithmetic(let operation, let first, let second):
      let names: [ArithmeticOperator: String] = [
        .add: "Add", .subtract: "Sub", .multiply: "Mul", .divide: "Div",
      ]
      guard let name = names[operation] else {
        throw SLDFilterFault(reason: "styles have no operator \(operation.rawValue)")
      }
      var inner = SLDText()
      try inner.value(first)
      try inner.value(second)
      element("ogc:\(name)") { $0.append(inner) }
    case .call("CAST", let arguments) where arguments.count == 2: try self.value(arguments[0])
    case .call(let name, let arguments):
      guard let function = Self.functions[name] else {
        throw SLDFilterFault(reason: "styles have no function for \(name)")
      }
      var inner = SLDText()
      for argument in arguments { try inner.value(argument) }
      element("ogc:Function", "name=\"\(function)\"") { $0.append(inner) }
    default: throw SLDFilterFault(reason: "filters of styles have no \(value)")
    }
  }

  private static func literal(_ value: AttributeValue) -> String {
    switch value {
    case .text(let text): text
    case .integer(let number): "\(number)"
    case .real(let number): JSONWriter.text(of: number)
    case .boolean(let flag): flag ? "true" : "false"
    case .date(let date): "\(date)"
    case .instant(let instant): "\(instant)"
    case .null, .duration: ""
    }
  }

  private static func geometry(_ literal: GeometryLiteral) throws(SLDFilterFault) -> SLDText {
    func list(_ points: [Point]) -> String {
      points.map { "\(JSONWriter.text(of: $0.x)) \(JSONWriter.text(of: $0.y))" }.joined(separator: " ")
    }
    func polygon(_ rings: [[Point]], _ text: inout SLDText, _ attributes: String) {
      text.element("gml:Polygon", attributes) { text in
        for (index, ring) in rings.enumerated() {
          text.element(index == 0 ? "gml:exterior" : "gml:interior") { text in
            text.element("gml:LinearRing") { $0.element("gml:posList", text: list(ring)) }
          }
        }
      }
    }
    let reference = "srsName=\"EPSG:4326\""
    var text = SLDText()
    switch literal {
    case .point(let point):
      text.element("gml:Point", reference) { $0.element("gml:pos", text: list([point])) }
    case .line(let points):
      text.element("gml:LineString", reference) { $0.element("gml:posList", text: list(points)) }
    case .polygon(let rings): polygon(rings, &text, reference)
    case .multipolygon(let polygons):
      text.element("gml:MultiSurface", reference) { text in
        for rings in polygons { text.element("gml:surfaceMember") { polygon(rings, &$0, "") } }
      }
    case .box(let west, let south, let east, let north):
      text.element("gml:Envelope", reference) { text in
        text.element("gml:lowerCorner", text: list([Point(x: west, y: south)]))
        text.element("gml:upperCorner", text: list([Point(x: east, y: north)]))
      }
    default: throw SLDFilterFault(reason: "collections of geometries are not written")
    }
    return text
  }
}
