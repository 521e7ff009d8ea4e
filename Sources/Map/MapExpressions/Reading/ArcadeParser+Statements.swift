/// Statements: blocks, variables, conditions, loops and functions.
extension ArcadeParser {
  /// Reads a statement; nil for an empty one.
  mutating func statement() throws(ArcadeError) -> ArcadeStatement? {
    try nested { parser throws(ArcadeError) in try parser.openStatement() }
  }

  mutating func openStatement() throws(ArcadeError) -> ArcadeStatement? {
    if take(";") { return nil }
    let offset = current.offset
    guard case .name(let word) = current.kind else {
      return !startsDictionary && take("{") ? try block() : try ended(.expression(try expression()))
    }
    switch word {
    case "var":
      place += 1
      return try ended(try variables())
    case "if":
      place += 1
      return try condition(offset)
    case "while":
      place += 1
      try expect("(")
      let condition = try expression()
      try expect(")")
      return .loop(first: nil, condition: condition, step: nil, body: try body(), offset: offset)
    case "for":
      place += 1
      return try loop(offset)
    case "function":
      place += 1
      return try function(offset)
    case "return":
      place += 1
      if current.kind == .sign(";") || current.kind == .sign("}") || current.kind == .end {
        return try ended(.result(nil))
      }
      return try ended(.result(try expression()))
    case "break":
      place += 1
      return try ended(.leave)
    case "continue":
      place += 1
      return try ended(.proceed)
    case "import", "export": throw ArcadeError("\(word) is not evaluated", at: offset)
    default: return try ended(.expression(try expression()))
    }
  }

  /// Reads the end of a statement: a semicolon, a closing brace, the end of a line or the end.
  mutating func ended(_ statement: ArcadeStatement) throws(ArcadeError) -> ArcadeStatement {
    if take(";") || current.kind == .sign("}") || current.kind == .end || current.startsLine {
      return statement
    }
    // Arcade also accepts statements without a semicolon before a keyword.
    if case .name(let word) = current.kind, Self.keywords.contains(word), word != "in", word != "of" {
      return statement
    }
    throw unexpected("expected ; or the end of the line")
  }

  /// Whether a brace opens a dictionary: a key and a colon follow.
  var startsDictionary: Bool {
    guard current.kind == .sign("{"), place + 2 < tokens.count else { return false }
    switch tokens[place + 1].kind {
    case .name, .text: return tokens[place + 2].kind == .sign(":")
    default: return false
    }
  }

  mutating func block() throws(ArcadeError) -> ArcadeStatement {
    var statements: [ArcadeStatement] = []
    while !take("}") {
      guard current.kind != .end else { throw unexpected("expected }") }
      if let next = try statement() { statements.append(next) }
    }
    return .block(statements)
  }

  mutating func body() throws(ArcadeError) -> ArcadeStatement { try statement() ?? .block([]) }

  mutating func variables() throws(ArcadeError) -> ArcadeStatement {
    var list: [(variable: ArcadeVariable, value: ArcadeNode?)] = []
    repeat {
      let name = try name()
      let value = take("=") ? try expression() : nil
      list.append((declare(name), value))
    } while take(",")
    return .variables(list)
  }

  mutating func condition(_ offset: Int) throws(ArcadeError) -> ArcadeStatement {
    var branches: [(condition: ArcadeNode, body: ArcadeStatement)] = []
    var otherwise: ArcadeStatement?
    while true {
      try expect("(")
      let condition = try expression()
      try expect(")")
      branches.append((condition, try body()))
      guard takeWord("else") else { break }
      // A chain of `else if` is read in this loop, so it may be long.
      guard takeWord("if") else {
        otherwise = try body()
        break
      }
    }
    return .condition(branches, otherwise: otherwise, offset: offset)
  }

  mutating func loop(_ offset: Int) throws(ArcadeError) -> ArcadeStatement {
    try expect("(")
    var first: ArcadeStatement?
    if takeWord("var") {
      if following.kind == .name("in") || following.kind == .name("of") {
        let variable = declare(try name())
        return try each(variable, offset)
      }
      first = try variables()
    } else if case .name(let word) = current.kind,
      following.kind == .name("in") || following.kind == .name("of"), !Self.keywords.contains(word)
    {
      let variable = try name()
      return try each(use(variable), offset)
    } else if current.kind != .sign(";") {
      first = .expression(try expression())
    }
    try expect(";")
    let condition = current.kind == .sign(";") ? nil : try expression()
    try expect(";")
    let step = current.kind == .sign(")") ? nil : try expression()
    try expect(")")
    return .loop(first: first, condition: condition, step: step, body: try body(), offset: offset)
  }

  mutating func each(_ variable: ArcadeVariable, _ offset: Int) throws(ArcadeError) -> ArcadeStatement {
    let isValue = takeWord("of")
    if !isValue { _ = takeWord("in") }
    let list = try expression()
    try expect(")")
    return .each(variable, in: list, isValue: isValue, body: try body(), offset: offset)
  }

  mutating func function(_ offset: Int) throws(ArcadeError) -> ArcadeStatement? {
    guard locals == nil else { throw ArcadeError("a function is defined inside a function", at: offset) }
    let name = try name()
    try expect("(")
    var parameters: [String: Int] = [:]
    while !take(")") {
      if !parameters.isEmpty { try expect(",") }
      parameters[try self.name().name] = parameters.count
    }
    let count = parameters.count
    locals = parameters
    try expect("{")
    let body = try block()
    if let index = functions[name.name] {
      definitions[index] = ArcadeDefinition(
        parameterCount: count, localCount: locals?.count ?? 0, body: body)
    }
    locals = nil
    return nil
  }
}
