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

  var tokens: [ArcadeToken]
  var place = 0
  var depth = 0
  var fieldNames: [String] = []
  var definitions: [ArcadeDefinition] = []
  var usesScale = false
  var usesFeature = false
  var usesNow = false
  /// The variables of the expression; `declared` is false while only a use is known.
  var globals: [String: (index: Int, declared: Bool, offset: Int, written: String)] = [:]
  /// The variables of the function that is read; nil outside functions.
  var locals: [String: Int]?
  var functions: [String: Int] = [:]

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
  mutating func collectFunctions() {
    for (index, token) in tokens.enumerated() where token.kind == .name("function") {
      guard index + 1 < tokens.count, case .name(let name) = tokens[index + 1].kind,
        functions[name] == nil
      else { continue }
      functions[name] = definitions.count
      definitions.append(ArcadeDefinition(parameterCount: 0, localCount: 0, body: .block([])))
    }
  }

  // MARK: Tokens

  var current: ArcadeToken { tokens[min(place, tokens.count - 1)] }
  var following: ArcadeToken { tokens[min(place + 1, tokens.count - 1)] }

  mutating func take(_ sign: String) -> Bool {
    guard current.kind == .sign(sign) else { return false }
    place += 1
    return true
  }

  mutating func takeWord(_ word: String) -> Bool {
    guard current.kind == .name(word) else { return false }
    place += 1
    return true
  }

  mutating func expect(_ sign: String) throws(ArcadeError) {
    guard take(sign) else { throw unexpected("expected \(sign)") }
  }

  func unexpected(_ wish: String) -> ArcadeError {
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

  mutating func name() throws(ArcadeError) -> (name: String, written: String, offset: Int) {
    guard case .name(let name) = current.kind, !Self.keywords.contains(name), !name.hasPrefix("$") else {
      throw unexpected("expected a name")
    }
    defer { place += 1 }
    return (name, current.written, current.offset)
  }

  static let keywords: Set<String> = [
    "var", "if", "else", "for", "while", "in", "of", "return", "function", "break", "continue", "true",
    "false",
    "null", "import", "export",
  ]

  mutating func nested<Result>(
    _ read: (inout Self) throws(ArcadeError) -> Result
  ) throws(ArcadeError) -> Result {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.largestDepth else {
      throw ArcadeError("more than \(Self.largestDepth) nested parts", at: current.offset)
    }
    return try read(&self)
  }
}
