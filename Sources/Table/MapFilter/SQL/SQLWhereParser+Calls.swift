import MapJSON

/// Calls in where clauses: the functions of ``FunctionCatalog``, some with words between their arguments.
extension SQLWhereParser {
  /// Reads a call; the current token is its name or keyword.
  mutating func call(_ name: String) throws(FilterSyntaxError) -> FilterOperand {
    let start = token.offset
    try advance()
    guard token.kind == .leftParenthesis else { throw FilterSyntaxError(.reservedWord(name), at: start) }
    guard let function = FunctionCatalog.function(named: name), function.syntax != .absent else {
      let isAggregate = FunctionCatalog.aggregates.contains(name.prefix(16).uppercased())
      throw FilterSyntaxError(
        isAggregate
          ? .unsupported("the aggregate function \(Token.shortened(name))")
          : .unknownFunction(
            Token.shortened(name), nearest: FunctionCatalog.nearestName(to: name, inWhereClauses: true)),
        at: start
      )
    }
    try enter()
    try advance()
    var arguments: [FilterOperand] = []
    switch function.syntax {
    case .list, .word, .choice, .absent: try list(into: &arguments)
    case .extract: try extraction(into: &arguments)
    case .trim: try trimming(into: &arguments)
    case .position: try position(into: &arguments)
    case .substring: try substring(into: &arguments)
    case .cast: try cast(into: &arguments)
    }
    guard token.kind == .rightParenthesis else {
      throw unexpected(function.syntax == .list ? "',' or ')'" : "')', as in \(function.form)")
    }
    guard function.argumentCount.contains(arguments.count) else {
      throw FilterSyntaxError(
        .argumentCount(function: function.name, expected: function.argumentCount, found: arguments.count),
        at: start)
    }
    nesting -= 1
    try advance()
    return try part(
      .call(function.name, arguments.map(\.expression)),
      depth: arguments.reduce(0) { max($0, $1.depth) } + 1, at: start)
  }

  private mutating func value(into arguments: inout [FilterOperand]) throws(FilterSyntaxError) {
    let operand = try sum()
    try requireValue(operand)
    arguments.append(operand)
  }

  private mutating func list(into arguments: inout [FilterOperand]) throws(FilterSyntaxError) {
    if token.kind == .rightParenthesis { return }
    try value(into: &arguments)
    while token.kind == .comma {
      try advance()
      try value(into: &arguments)
    }
  }

  // MARK: Calls with special syntax

  private mutating func extraction(into arguments: inout [FilterOperand]) throws(FilterSyntaxError) {
    let unit = try unit(of: "EXTRACT")
    arguments.append(try literal(.text(unit.rawValue), at: token.offset))
    guard try take(.from) else { throw unexpected("FROM") }
    // EXTRACT of CURRENT_TIME, which is text, reads the hour, minute and second of CURRENT_TIMESTAMP instead.
    let isTimeOfDay = isAt(.currentTime) && [.hour, .minute, .second].contains(unit)
    try value(into: &arguments)
    if isTimeOfDay, arguments[1].expression == .call("CURRENT_TIME", []) {
      arguments[1].expression = .call("CURRENT_TIMESTAMP", [])
    }
  }

  private mutating func trimming(into arguments: inout [FilterOperand]) throws(FilterSyntaxError) {
    let start = token.offset
    let firstPart = places.count
    if let side = trimmedSide() {
      arguments.append(try literal(.text(side), at: start))
      if isAt(.from) {
        arguments.append(try part(.literal(.text(" ")), depth: 1, at: token.offset))
      } else {
        try value(into: &arguments)
      }
      guard try take(.from) else { throw unexpected("FROM") }
      return try value(into: &arguments)
    }
    if try take(.from) { return try value(into: &arguments) }
    try value(into: &arguments)
    guard try take(.from) else { return }
    places.insert(start, at: firstPart)
    arguments.insert(
      FilterOperand(
        expression: .literal(.text("BOTH")), isCondition: false, isValue: true, depth: 1, offset: start),
      at: 0)
    try value(into: &arguments)
  }

  /// Returns the side in TRIM; nil where the word is a field, such as in `TRIM(leading)`.
  private func trimmedSide() -> String? {
    for side in ["BOTH", "LEADING", "TRAILING"] where isAtWord(side) {
      switch peek()?.kind {
      case .keyword(.from, _), .name, .quotedName, .string, .leftParenthesis, .keyword(.caseWord, _),
        .keyword(.cast, _):
        return side
      default: return nil
      }
    }
    return nil
  }

  private mutating func position(into arguments: inout [FilterOperand]) throws(FilterSyntaxError) {
    try value(into: &arguments)
    guard try take(.isIn) else { throw unexpected("IN") }
    try value(into: &arguments)
  }

  private mutating func substring(into arguments: inout [FilterOperand]) throws(FilterSyntaxError) {
    try value(into: &arguments)
    guard try take(.from) else {
      guard token.kind == .comma else { throw unexpected("FROM or ','") }
      try advance()
      return try list(into: &arguments)
    }
    try value(into: &arguments)
    if isAtWord("FOR") {
      try advance()
      try value(into: &arguments)
    }
  }

  private mutating func cast(into arguments: inout [FilterOperand]) throws(FilterSyntaxError) {
    try value(into: &arguments)
    guard isAtWord("AS") else { throw unexpected("AS") }
    try advance()
    let start = token.offset
    let expected = "INT, FLOAT, VARCHAR(n), DATE or TIMESTAMP"
    var name: String
    switch token.kind {
    case .name(let word), .keyword(.date, let word), .keyword(.timestamp, let word): name = word
    default: throw unexpected(expected)
    }
    try advance()
    if name.utf8.count == 6, name.uppercased() == "DOUBLE", isAtWord("PRECISION") {
      name = "DOUBLE PRECISION"
      try advance()
    }
    var length: Int?
    if token.kind == .leftParenthesis {
      try advance()
      guard case .number(let digits) = token.kind, let number = Int(digits) else {
        throw unexpected("a number of characters")
      }
      length = number
      try advance()
      guard token.kind == .rightParenthesis else { throw unexpected("')'") }
      try advance()
    }
    guard let type = CastType(name: name, length: length) else {
      throw FilterSyntaxError(
        .unknownWord(
          Token.shortened(name) + (length.map { "(\($0))" } ?? ""), of: "CAST", expected: expected,
          nearest: length == nil ? NearestName.of(name, among: CastType.names.keys.sorted()) : nil), at: start
      )
    }
    arguments.append(try part(.literal(.text(type.description)), depth: 1, at: start))
  }
}
