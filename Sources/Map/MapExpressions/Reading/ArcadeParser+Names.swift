internal import MapJSON

/// Names: variables, fields, constants and functions.
extension ArcadeParser {
  static let constants: [String: ArcadeNode] = [
    "true": .boolean(true), "false": .boolean(false), "null": .null, "pi": .number(.pi),
    "infinity": .number(.infinity), "nan": .number(.nan),
  ]

  static let textConstants = [
    "newline": "\n", "tab": "\t", "backwardslash": "\\", "forwardslash": "/", "doublequote": "\"",
    "singlequote": "'",
  ]

  mutating func named(_ word: String, _ token: ArcadeToken) throws(ArcadeError) -> ArcadeNode {
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

  mutating func use(_ name: (name: String, written: String, offset: Int)) -> ArcadeVariable {
    if let local = locals?[name.name] { return ArcadeVariable(index: local, isLocal: true) }
    if let known = globals[name.name] { return ArcadeVariable(index: known.index, isLocal: false) }
    let index = globals.count
    globals[name.name] = (index, false, name.offset, name.written)
    return ArcadeVariable(index: index, isLocal: false)
  }

  mutating func call(
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
    if ["now", "today", "timestamp"].contains(function.name) || function.name == "date" && list.isEmpty {
      usesNow = true
    }
    return .call(function, list, offset: token.offset)
  }

  mutating func declare(_ name: (name: String, written: String, offset: Int)) -> ArcadeVariable {
    if let local = locals?[name.name] { return ArcadeVariable(index: local, isLocal: true) }
    if let count = locals?.count {
      locals?[name.name] = count
      return ArcadeVariable(index: count, isLocal: true)
    }
    let index = globals[name.name]?.index ?? globals.count
    globals[name.name] = (index, true, name.offset, name.written)
    return ArcadeVariable(index: index, isLocal: false)
  }

  mutating func member(_ node: ArcadeNode, _ key: ArcadeNode, _ offset: Int) -> ArcadeNode {
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
}
