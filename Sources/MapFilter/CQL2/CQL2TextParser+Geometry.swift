import MapGeometry

// Geometries in CQL2 text: well-known text and boxes.

extension CQL2TextParser {
  /// Reads a geometry whose keyword is the current token; `word` is that keyword in capitals.
  mutating func geometry(_ word: String) throws(FilterSyntaxError) -> FilterOperand {
    let start = token.offset
    let geometry = word == "BBOX" ? try box() : try wellKnownText(word)
    if let fault = geometry.fault { throw FilterSyntaxError(.invalidGeometry(fault), at: start) }
    return try part(.geometry(geometry), depth: 1, at: start)
  }

  private mutating func box() throws(FilterSyntaxError) -> GeometryLiteral {
    let start = token.offset
    try advance()
    let numbers = try list { parser throws(FilterSyntaxError) in try parser.number() }
    guard let box = GeometryLiteral(box: numbers) else {
      throw FilterSyntaxError(
        .invalidGeometry("a box of \(numbers.count) numbers; a box has 4, or 6 with Z values"), at: start)
    }
    return box
  }

  private mutating func wellKnownText(_ word: String) throws(FilterSyntaxError) -> GeometryLiteral {
    try advance()
    if case .name(let letter) = token.kind, letter == "Z" || letter == "z" { try advance() }
    switch word {
    case "POINT":
      let places = try self.places(of: 1)
      return .point(places[0])
    case "LINESTRING": return .line(try self.places())
    case "POLYGON": return .polygon(try rings())
    case "MULTIPOINT": return .multipoint(try self.places(mayHaveParentheses: true))
    case "MULTILINESTRING": return .multiline(try rings())
    case "MULTIPOLYGON":
      return .multipolygon(try list { parser throws(FilterSyntaxError) in try parser.rings() })
    default:
      let members = try list { parser throws(FilterSyntaxError) in try parser.member() }
      // A collection of one geometry is that geometry, because the JSON encoding has no such collection.
      return members.count == 1 ? members[0] : .collection(members)
    }
  }

  private mutating func member() throws(FilterSyntaxError) -> GeometryLiteral {
    guard case .name(let name) = token.kind, name.utf8.count <= 32,
      CQL2Words.geometries.contains(name.uppercased()), name.uppercased() != "BBOX",
      name.uppercased() != "GEOMETRYCOLLECTION"
    else { throw unexpected("a geometry other than a collection") }
    return try wellKnownText(name.uppercased())
  }

  // MARK: Lists of points

  /// Reads `(a, b, …)` with at least one element.
  private mutating func list<Element>(
    _ element: (inout CQL2TextParser) throws(FilterSyntaxError) -> Element
  ) throws(FilterSyntaxError) -> [Element] {
    guard token.kind == .leftParenthesis else { throw unexpected("'('") }
    var elements: [Element] = []
    repeat {
      try advance()
      elements.append(try element(&self))
    } while token.kind == .comma
    guard token.kind == .rightParenthesis else { throw unexpected("',' or ')'") }
    try advance()
    return elements
  }

  private mutating func rings() throws(FilterSyntaxError) -> [[Point]] {
    try list { parser throws(FilterSyntaxError) in try parser.places() }
  }

  private mutating func places(
    of count: Int? = nil, mayHaveParentheses: Bool = false
  ) throws(FilterSyntaxError) -> [Point] {
    let start = token.offset
    let places = try list { parser throws(FilterSyntaxError) in
      let isWrapped = mayHaveParentheses && parser.token.kind == .leftParenthesis
      if isWrapped { try parser.advance() }
      let place = try parser.place()
      guard isWrapped else { return place }
      guard parser.token.kind == .rightParenthesis else { throw parser.unexpected("')'") }
      try parser.advance()
      return place
    }
    if let count, places.count != count {
      throw FilterSyntaxError(.invalidGeometry("a point of \(places.count) positions"), at: start)
    }
    return places
  }

  /// Reads two numbers as a point; a third number, the Z value, is ignored.
  private mutating func place() throws(FilterSyntaxError) -> Point {
    let (x, y) = (try number(), try number())
    if token.kind != .comma, token.kind != .rightParenthesis { _ = try number() }
    return Point(x: x, y: y)
  }

  private mutating func number() throws(FilterSyntaxError) -> Double {
    let start = token.offset
    var sign = 1.0
    if case .arithmetic(let operation) = token.kind, operation == .subtract || operation == .add {
      if operation == .subtract { sign = -1 }
      try advance()
    }
    guard case .number(let text) = token.kind else { throw unexpected("a number") }
    let value = try number(text, at: start).realNumber ?? 0
    try advance()
    return sign * value
  }
}

extension GeometryLiteral {
  /// Creates a box from 4 numbers (west, south, east, north), or from 6 with Z values after south and north.
  init?(box numbers: [Double]) {
    guard numbers.count == 4 || numbers.count == 6 else { return nil }
    let half = numbers.count / 2
    self = .box(west: numbers[0], south: numbers[1], east: numbers[half], north: numbers[half + 1])
  }
}
