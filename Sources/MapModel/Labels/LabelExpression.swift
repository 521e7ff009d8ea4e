/// What a label says: the common type of all label expressions.
///
/// Closed: reading switches over ``form``.
public protocol LabelExpression: Sendable {
  /// The case it is of the closed family.
  var form: LabelExpressionForm { get }
}

/// Fields in brackets, text in quotes, `CONCAT` and `NEWLINE`: `[NAME] CONCAT NEWLINE CONCAT [CLASS]`.
public struct SimpleLabelExpression: LabelExpression, Hashable {
  /// The expression as written.
  public let simpleExpression: String

  /// An expression; it is read when labels are made.
  public init(simpleExpression: String) { self.simpleExpression = simpleExpression }

  /// Itself.
  public var form: LabelExpressionForm { .simple(simpleExpression) }
}

/// Arcade, of which fields, text and joining are read: `$feature.NAME + " (" + $feature.CLASS + ")"`.
public struct ArcadeLabelExpression: LabelExpression, Hashable {
  /// The expression as written.
  public let arcadeString: String

  /// An expression; it is read when labels are made.
  public init(arcadeString: String) { self.arcadeString = arcadeString }

  /// Itself.
  public var form: LabelExpressionForm { .arcade(arcadeString) }
}

/// The label expressions that there are.
public enum LabelExpressionForm: Hashable, Sendable {
  /// Fields in brackets.
  case simple(String)
  /// Arcade.
  case arcade(String)
  /// Text with fields in braces, as old documents have it.
  case template(String)

  /// The expression as written.
  public var text: String {
    switch self {
    case .simple(let text), .arcade(let text), .template(let text): text
    }
  }

  /// The expression as parts to be joined.
  ///
  /// - Throws: ``LabelExpressionError`` for what is not read.
  public func parsed() throws(LabelExpressionError) -> LabelTemplate {
    switch self {
    case .simple(let text): try SimpleLabelParser.parse(text)
    case .arcade(let text): try ArcadeLabelParser.parse(text)
    case .template(let text): LabelTemplate(braces: text)
    }
  }
}

/// Text and fields that are joined to a label.
public struct LabelTemplate: Hashable, Sendable {
  /// A piece of a label.
  public enum Part: Hashable, Sendable {
    /// As it stands; a line feed begins a line.
    case text(String)
    /// The value of a field, nothing for null.
    case field(String)
  }

  /// The pieces in order.
  public let parts: [Part]

  /// The fields that are read, each once, in order of first use.
  public var fieldNames: [String] {
    var names: [String] = []
    for case .field(let name) in parts where !names.contains(name) { names.append(name) }
    return names
  }

  init(parts: [Part]) { self.parts = parts }

  /// Text in which `{NAME}` is a field; a brace without its other one is text.
  init(braces text: String) {
    var parts: [Part] = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
      parts.append(.field(String(rest[rest.index(after: open)..<close])))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    self.init(parts: parts)
  }
}

/// A label expression that is not read.
public struct LabelExpressionError: Error, Hashable, CustomStringConvertible {
  /// What is wrong or not supported, lower case.
  public let reason: String
  /// UTF-8 offset into the expression, from 0.
  public let offset: Int

  /// One line for people.
  public var description: String { "\(reason) at offset \(offset)" }
}
