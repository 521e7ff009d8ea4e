internal import MapJSON

/// A parser of Arcade expressions.
///
/// Names are case-insensitive. Blocks share the variables of their function or expression.
///
/// - Source: Esri Arcade, guide. Design decision: no imports, no feature sets, no requests.
struct ArcadeParser {
  /// The largest depth of nested parentheses, calls and blocks.
  ///
  /// - Source: design decision: far above what people write, and far below what the stack can hold.
  static let largestDepth = 64
  /// The largest number of operators between operands of one level.
  static let largestRow = 256

  private var tokens: [ArcadeToken]
  private var place = 0
  private var depth = 0
  private(set) var fieldNames: [String] = []
  private(set) var definitions: [ArcadeDefinition] = []
  private(set) var usesScale = false
  private(set) var usesFeature = false
  private(set) var usesNow = false
  /// The variables of the expression; `declared` is false while only a use is known.
  private var globals: [String: (index: Int, declared: Bool, offset: Int, written: String)] = [:]
  /// The variables of the function that is read; nil outside functions.
  private var locals: [String: Int]?
  private var functions: [String: Int] = [:]

  var globalCount: Int { globals.count }

  init(_ text: String) throws(ArcadeError) { tokens = try ArcadeTokenizer.tokens(of: text) }

  /// Reads the whole expression.
  mutating func program() throws(ArcadeError) -> [ArcadeStatement] {
    collectFunctions()
    var statements: [ArcadeStatement] = []
    while current.kind != .end { if let next = try statement() { statements.append(next) } }
    for (name, variable) in globals where !variable.declared {
      let known = globals.filter(\.value.declared).map(\.key) + functions.keys
      throw ArcadeError(
        "unknown name \(variable.written)"
          + (NearestName.of(name, among: known).map { "; did you mean \($0)?" } ?? ""),
        at: variable.offset)
    }
    return statements
  }

  /// Notes the names of all functions, so that they can be called before they are defined.
  private mutating func collectFunctions() {
    for (index, token) in tokens.enumerated() where token.kind == .name("function") {
      guard index + 1 < tokens.count, case .name(let name) = tokens[index + 1].kind,
        functions[name] == nil
      else { continue }
      functions[name] = definitions.count
      definitions.append(ArcadeDefinition(parameterCount: 0, localCount: 0, body: .block([])))
    }
  }

  // MARK: Tokens

  private var current: ArcadeToken { tokens[min(place, tokens.count - 1)] }
  private var following: ArcadeToken { tokens[min(place + 1, tokens.count - 1)] }

  private mutating func take(_ sign: String) -> Bool {
    guard current.kind == .sign(sign) else { return false }
    place += 1
    return true
  }

  private mutating func takeWord(_ word: String) -> Bool {
    guard current.kind == .name(word) else { return false }
    place += 1
    return true
  }

  private mutating func expect(_ sign: String) throws(ArcadeError) {
    guard take(sign) else { throw unexpected("expected \(sign)") }
  }

  private func unexpected(_ wish: String) -> ArcadeError {
    let found =
      switch current.kind {
      case .name: current.written
      case .number(let value): ArcadeValue.text(of: value)
      case .text: "a text"
      case .template: "a template"
      case .sign(let sign): sign
      case .end: "the end"
      }
    return ArcadeError("\(wish), found \(found)", at: current.offset)
  }

  private mutating func name() throws(ArcadeError) -> (name: String, written: String, offset: Int) {
    guard case .name(let name) = current.kind, !Self.keywords.contains(name), !name.hasPrefix("$") else {
      throw unexpected("expected a name")
    }
    defer { place += 1 }
    return (name, current.written, current.offset)
  }

  private static let keywords: Set<String> = [
    "var", "if", "else", "for", "while", "in", "of", "return", "function", "break", "continue", "true",
    "false",
    "null", "import", "export",
  ]

  private mutating func nested<Result>(
    _ read: (inout Self) throws(ArcadeError) -> Result
  ) throws(ArcadeError) -> Result {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.largestDepth else {
      throw ArcadeError("more than \(Self.largestDepth) nested parts", at: current.offset)
    }
    return try read(&self)
  }

  // MARK: Statements

  /// Reads a statement; nil for an empty one.
  private mutating func statement() throws(ArcadeError) -> ArcadeStatement? {
    try nested { parser throws(ArcadeError) in try parser.openStatement() }
  }

  private mutating func openStatement() throws(ArcadeError) -> ArcadeStatement? {
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
  private mutating func ended(_ statement: ArcadeStatement) throws(ArcadeError) -> ArcadeStatement {
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
  private var startsDictionary: Bool {
    guard current.kind == .sign("{"), place + 2 < tokens.count else { return false }
    switch tokens[place + 1].kind {
    case .name, .text: return tokens[place + 2].kind == .sign(":")
    default: return false
    }
  }

  private mutating func block() throws(ArcadeError) -> ArcadeStatement {
    var statements: [ArcadeStatement] = []
    while !take("}") {
      guard current.kind != .end else { throw unexpected("expected }") }
      if let next = try statement() { statements.append(next) }
    }
    return .block(statements)
  }

  private mutating func body() throws(ArcadeError) -> ArcadeStatement { try statement() ?? .block([]) }

  private mutating func variables() throws(ArcadeError) -> ArcadeStatement {
    var list: [(variable: ArcadeVariable, value: ArcadeNode?)] = []
    repeat {
      let name = try name()
      let value = take("=") ? try expression() : nil
      list.append((declare(name), value))
    } while take(",")
    return .variables(list)
  }

  private mutating func declare(_ name: (name: String, written: String, offset: Int)) -> ArcadeVariable {
    if let local = locals?[name.name] { return ArcadeVariable(index: local, isLocal: true) }
    if let count = locals?.count {
      locals?[name.name] = count
      return ArcadeVariable(index: count, isLocal: true)
    }
    let index = globals[name.name]?.index ?? globals.count
    globals[name.name] = (index, true, name.offset, name.written)
    return ArcadeVariable(index: index, isLocal: false)
  }

  private mutating func condition(_ offset: Int) throws(ArcadeError) -> ArcadeStatement {
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

  private mutating func loop(_ offset: Int) throws(ArcadeError) -> ArcadeStatement {
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

  private mutating func each(_ variable: ArcadeVariable, _ offset: Int) throws(ArcadeError) -> ArcadeStatement
  {
    let isValue = takeWord("of")
    if !isValue { _ = takeWord("in") }
    let list = try expression()
    try expect(")")
    return .each(variable, in: list, isValue: isValue, body: try body(), offset: offset)
  }

  private mutating func function(_ offset: Int) throws(ArcadeError) -> ArcadeStatement? {
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

  // MARK: Expressions

  private mutating func expression() throws(ArcadeError) -> ArcadeNode {
    try nested { parser throws(ArcadeError) in try parser.assignment() }
  }

  private mutating func assignment() throws(ArcadeError) -> ArcadeNode {
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

  private func target(_ node: ArcadeNode, _ offset: Int) throws(ArcadeError) -> ArcadeTarget {
    switch node {
    case .variable(let variable): return .variable(variable)
    case .member(let object, let key, let offset): return .member(object, key, offset: offset)
    default: throw ArcadeError("only variables, elements and keys can be set", at: offset)
    }
  }

  /// Reads operands and operators of at least a rank.
  private mutating func operation(rank: Int) throws(ArcadeError) -> ArcadeNode {
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

  private mutating func unary() throws(ArcadeError) -> ArcadeNode {
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

  private mutating func postfix() throws(ArcadeError) -> ArcadeNode {
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

  private mutating func member(_ node: ArcadeNode, _ key: ArcadeNode, _ offset: Int) -> ArcadeNode {
    switch (node, key) {
    case (.feature, .text(let name)):
      if let index = fieldNames.firstIndex(where: { $0.lowercased() == name.lowercased() }) {
        return .field(index)
      }
      fieldNames.append(name)
      return .field(fieldNames.count - 1)
    case (.view, .text(let name)) where name.lowercased() == "scale":
      usesScale = true
      return .scale
    default:
      if case .feature = node { usesFeature = true }
      return .member(node, key, offset: offset)
    }
  }

  private mutating func arguments() throws(ArcadeError) -> [ArcadeNode] {
    var list: [ArcadeNode] = []
    while !take(")") {
      if !list.isEmpty { try expect(",") }
      // A trailing comma is accepted.
      if take(")") { break }
      list.append(try expression())
    }
    return list
  }

  private mutating func primary() throws(ArcadeError) -> ArcadeNode {
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

  private mutating func dictionary() throws(ArcadeError) -> ArcadeNode {
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

  private mutating func template(
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

  private static let constants: [String: ArcadeNode] = [
    "true": .boolean(true), "false": .boolean(false), "null": .null, "pi": .number(.pi),
    "infinity": .number(.infinity), "nan": .number(.nan),
  ]

  private static let textConstants = [
    "newline": "\n", "tab": "\t", "backwardslash": "\\", "forwardslash": "/", "doublequote": "\"",
    "singlequote": "'",
  ]

  private mutating func named(_ word: String, _ token: ArcadeToken) throws(ArcadeError) -> ArcadeNode {
    switch word {
    case "$feature":
      // A field makes no use of the feature as a whole.
      if current.kind != .sign("."), current.kind != .sign("[") { usesFeature = true }
      return .feature
    case "$view", "view": if word == "$view" || current.kind == .sign(".") { return .view }
    case "textformatting":
      try expect(".")
      guard case .name(let name) = current.kind, let text = Self.textConstants[name] else {
        throw unexpected("expected NewLine, Tab, DoubleQuote, SingleQuote, ForwardSlash or BackwardSlash")
      }
      place += 1
      return .text(text)
    default: break
    }
    if word.hasPrefix("$") {
      throw ArcadeError("\(token.written) is not known here; $feature and $view.scale are", at: token.offset)
    }
    if Self.keywords.contains(word), Self.constants[word] == nil {
      place -= 1
      throw unexpected("expected a value")
    }
    let isDeclared = locals?[word] != nil || globals[word]?.declared ?? false
    if current.kind == .sign("("), !isDeclared {
      place += 1
      let list = try arguments()
      if let index = functions[word] { return .ownCall(.function(index), list, offset: token.offset) }
      return try call(word, list, token)
    }
    if let index = functions[word], !isDeclared { return .function(index) }
    if !isDeclared, let constant = Self.constants[word] { return constant }
    return .variable(use((word, token.written, token.offset)))
  }

  private mutating func use(_ name: (name: String, written: String, offset: Int)) -> ArcadeVariable {
    if let local = locals?[name.name] { return ArcadeVariable(index: local, isLocal: true) }
    if let known = globals[name.name] { return ArcadeVariable(index: known.index, isLocal: false) }
    let index = globals.count
    globals[name.name] = (index, false, name.offset, name.written)
    return ArcadeVariable(index: index, isLocal: false)
  }

  private mutating func call(
    _ word: String, _ list: [ArcadeNode], _ token: ArcadeToken
  ) throws(ArcadeError) -> ArcadeNode {
    func check(_ counts: ClosedRange<Int>) throws(ArcadeError) {
      guard !counts.contains(list.count) else { return }
      let expected =
        counts.upperBound == .max
        ? "at least \(counts.lowerBound)"
        : counts.count == 1 ? "\(counts.lowerBound)" : "\(counts.lowerBound) to \(counts.upperBound)"
      throw ArcadeError(
        "\(token.written) takes \(expected) arguments, not \(list.count)", at: token.offset)
    }
    switch word {
    case "iif":
      try check(3...3)
      return .iif(list[0], list[1], list[2], offset: token.offset)
    case "when":
      try check(3...Int.max)
      return .when(list, offset: token.offset)
    case "decode":
      try check(2...Int.max)
      return .decode(list)
    // These only declare or print.
    case "expects", "console": return .null
    case "random", "guid":
      throw ArcadeError("\(token.written) is refused, because its result changes", at: token.offset)
    default: break
    }
    guard let function = ArcadeFunctions.named(word) else {
      let near = NearestName.of(word, among: ArcadeFunctions.names)
      throw ArcadeError(
        "unknown function \(token.written)" + (near.map { "; did you mean \($0)?" } ?? ""), at: token.offset)
    }
    try check(function.counts)
    if function.name == "now" || function.name == "today" || function.name == "timestamp" { usesNow = true }
    return .call(function, list, offset: token.offset)
  }
}
