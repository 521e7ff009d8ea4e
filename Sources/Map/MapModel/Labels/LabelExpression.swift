package import MapExpressions

/// The common type of all label expressions, which give the text of a label.
///
/// Do not conform other types: the parsers switch over ``form``, a closed set.
public protocol LabelExpression: Sendable {
  /// The expression as a case of the closed set.
  var form: LabelExpressionForm { get }
}

/// A simple label expression, such as `[NAME] CONCAT NEWLINE CONCAT [CLASS]`.
///
/// It contains fields in brackets, quoted text, `CONCAT` and `NEWLINE`.
public struct SimpleLabelExpression: LabelExpression, Hashable {
  /// The expression as written.
  public let simpleExpression: String

  /// Creates an expression, which is parsed when labels are made.
  public init(simpleExpression: String) { self.simpleExpression = simpleExpression }

  /// The expression as a case of ``LabelExpressionForm``.
  public var form: LabelExpressionForm { .simple(simpleExpression) }
}

/// An Arcade label expression, such as `$feature.NAME + " (" + $feature.CLASS + ")"`.
///
/// The parts that `ArcadeExpression` evaluates are supported.
public struct ArcadeLabelExpression: LabelExpression, Hashable {
  /// The expression as written.
  public let arcadeString: String

  /// Creates an expression, which is parsed when labels are made.
  public init(arcadeString: String) { self.arcadeString = arcadeString }

  /// The expression as a case of ``LabelExpressionForm``.
  public var form: LabelExpressionForm { .arcade(arcadeString) }
}

/// The kinds of label expressions.
public enum LabelExpressionForm: Hashable, Sendable {
  /// A simple expression, with fields in brackets.
  case simple(String)
  /// An Arcade expression.
  case arcade(String)
  /// Text with fields in braces, as in old documents.
  case template(String)

  /// The expression as written.
  public var text: String {
    switch self {
    case .simple(let text), .arcade(let text), .template(let text): text
    }
  }

  /// Parses the expression into parts to be joined.
  ///
  /// - Throws: ``LabelExpressionError`` for an unsupported or invalid expression.
  package func parsed() throws(LabelExpressionError) -> LabelTemplate {
    switch self {
    case .simple(let text): try SimpleLabelParser.parse(text)
    case .arcade(let text): try LabelTemplate(arcade: text)
    case .template(let text): LabelTemplate(braces: text)
    }
  }
}

/// Text and field values that are joined into a label.
package struct LabelTemplate: Hashable, Sendable {
  /// A part of a label.
  package enum Part: Hashable, Sendable {
    /// Literal text; a line feed starts a new line.
    case text(String)
    /// The value of a field; null adds nothing.
    case field(String)
    /// The value of an expression; null adds nothing.
    case arcade(ArcadeExpression)
  }

  /// The parts, in order.
  package let parts: [Part]

  /// The names of the fields, each once, in order of first use.
  package var fieldNames: [String] {
    var names: [String] = []
    for part in parts {
      switch part {
      case .text: break
      case .field(let name): if !names.contains(name) { names.append(name) }
      case .arcade(let expression):
        for name in expression.fieldNames where !names.contains(name) { names.append(name) }
      }
    }
    return names
  }

  /// Whether an expression may read every field.
  package var readsAllFields: Bool {
    parts.contains { if case .arcade(let expression) = $0 { expression.usesWholeFeature } else { false } }
  }

  init(parts: [Part]) { self.parts = parts }

  /// Creates the text of a field.
  package init(field: String) { parts = [.field(field)] }

  /// Parses an Arcade expression; a field alone is a field, so that labels write its value as they do elsewhere.
  init(arcade text: String) throws(LabelExpressionError) {
    do throws(ArcadeError) {
      let expression = try ArcadeExpression(parsing: text)
      self.init(parts: [expression.onlyField.map { .field($0) } ?? .arcade(expression)])
    } catch {
      throw LabelExpressionError(reason: error.reason, offset: error.offset)
    }
  }

  /// Parses text with fields as `{NAME}`; an unmatched brace is text.
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

/// An error in a label expression.
package struct LabelExpressionError: Error, Hashable, CustomStringConvertible {
  /// The unsupported or invalid part, in lower case.
  package let reason: String
  /// The UTF-8 offset in the expression, from 0.
  package let offset: Int

  /// The message, in one line.
  package var description: String { "\(reason) (at offset \(offset))" }
}
