/// Expressions: operators, elements, calls and values.
extension ArcadeParser {
  mutating func expression() throws(ArcadeError) -> ArcadeNode {
    try nested { parser throws(ArcadeError) in try parser.assignment() }
  }

  mutating func assignment() throws(ArcadeError) -> ArcadeNode {
    let offset = current.offset
    let left = try operation(rank: 1)
    guard case .sign(let sign) = current.kind, ["=", "+=", "-=", "*=", "/=", "%="].contains(sign) else {
      return left
    }
    place += 1
    let target = try target(left, offset)
    let value = try expression()
    return .assignment(target, sign == "=" ? nil : ArcadeOperator(rawValue: String(sign.dropLast())), value)
  }

  func target(_ node: ArcadeNode, _ offset: Int) throws(ArcadeError) -> ArcadeTarget {
    switch node {
    case .variable(let variable): return .variable(variable)
    case .member(let object, let key, let offset): return .member(object, key, offset: offset)
    default: throw ArcadeError("only variables, elements and keys can be set", at: offset)
    }
  }

  /// Reads operands and operators of at least a rank.
  mutating func operation(rank: Int) throws(ArcadeError) -> ArcadeNode {
    var left = try unary()
    var length = 0
    while case .sign(let sign) = current.kind {
      let offset = current.offset
      // Each operator of a row adds a level to the tree.
      length += 1
      guard length <= Self.largestRow else {
        throw ArcadeError("more than \(Self.largestRow) operators in a row", at: offset)
      }
      switch sign {
      case "||" where rank <= 1:
        place += 1
        left = .or(left, try operation(rank: 2), offset: offset)
      case "&&" where rank <= 2:
        place += 1
        left = .and(left, try operation(rank: 3), offset: offset)
      default:
        guard let found = ArcadeOperator(rawValue: sign), found.rank >= rank else { return left }
        place += 1
        left = .binary(found, left, try operation(rank: found.rank + 1))
      }
    }
    return left
  }

  mutating func unary() throws(ArcadeError) -> ArcadeNode {
    let offset = current.offset
    guard case .sign(let sign) = current.kind, ["-", "+", "!", "++", "--"].contains(sign) else {
      return try postfix()
    }
    place += 1
    let operand = try nested { parser throws(ArcadeError) in try parser.unary() }
    switch sign {
    case "-":
      if case .number(let value) = operand { return .number(-value) }
      return .negative(operand)
    case "+": return .positive(operand)
    case "!": return .not(operand)
    default: return .step(try target(operand, offset), by: sign == "++" ? 1 : -1, isPrefix: true)
    }
  }

  mutating func postfix() throws(ArcadeError) -> ArcadeNode {
    var node = try primary()
    var length = 0
    while case .sign(let sign) = current.kind {
      let offset = current.offset
      // Each link of a chain adds a level to the tree.
      length += 1
      guard length <= Self.largestDepth else {
        throw ArcadeError("more than \(Self.largestDepth) parts in a row", at: offset)
      }
      switch sign {
      case ".":
        place += 1
        guard case .name = current.kind else { throw unexpected("expected a name") }
        node = member(node, .text(current.written), offset)
        place += 1
      case "[":
        place += 1
        let key = try expression()
        try expect("]")
        node = member(node, key, offset)
      case "(":
        place += 1
        node = .ownCall(node, try arguments(), offset: offset)
      case "++", "--":
        guard !current.startsLine else { return node }
        place += 1
        return .step(try target(node, offset), by: sign == "++" ? 1 : -1, isPrefix: false)
      default: return node
      }
    }
    return node
  }

  mutating func arguments() throws(ArcadeError) -> [ArcadeNode] {
    var list: [ArcadeNode] = []
    while !take(")") {
      if !list.isEmpty { try expect(",") }
      // A trailing comma is accepted.
      if take(")") { break }
      list.append(try expression())
    }
    return list
  }

  mutating func primary() throws(ArcadeError) -> ArcadeNode {
    let token = current
    place += 1
    switch token.kind {
    case .number(let value): return .number(value)
    case .text(let text): return .text(text)
    case .template(let texts, let sources, let offsets):
      return try template(texts, sources, offsets)
    case .sign("("):
      let inner = try expression()
      try expect(")")
      return inner
    case .sign("["):
      var items: [ArcadeNode] = []
      while !take("]") {
        if !items.isEmpty { try expect(",") }
        if take("]") { break }
        items.append(try expression())
      }
      return .array(items)
    case .sign("{"): return try dictionary()
    case .name(let word): return try named(word, token)
    default:
      place -= 1
      throw unexpected("expected a value")
    }
  }

  mutating func dictionary() throws(ArcadeError) -> ArcadeNode {
    var entries: [(key: String, value: ArcadeNode)] = []
    while !take("}") {
      if !entries.isEmpty { try expect(",") }
      if take("}") { break }
      let token = current
      place += 1
      let key: String
      switch token.kind {
      case .name: key = token.written
      case .text(let text): key = text
      case .number(let value): key = ArcadeValue.text(of: value)
      default:
        place -= 1
        throw unexpected("expected a key")
      }
      try expect(":")
      entries.append((key, try expression()))
    }
    return .dictionary(entries)
  }

  mutating func template(
    _ texts: [String], _ sources: [String], _ offsets: [Int]
  ) throws(ArcadeError) -> ArcadeNode {
    var parts: [ArcadeNode] = []
    for (index, text) in texts.enumerated() {
      if !text.isEmpty { parts.append(.text(text)) }
      guard index < sources.count else { break }
      // The inner expression is read by the same parser, so it sees the same variables.
      let outer = (tokens, place)
      tokens = try ArcadeTokenizer.tokens(of: sources[index], start: offsets[index])
      place = 0
      parts.append(try expression())
      guard current.kind == .end else { throw unexpected("expected }") }
      (tokens, place) = outer
    }
    return .template(parts)
  }
}
