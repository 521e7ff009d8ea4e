public import MapSystem

/// A parsed Arcade expression: text that computes a value from a feature.
///
/// It may use `$feature`, `$view.scale`, variables, functions, loops, templates, arrays and dictionaries. Feature sets,
/// requests, `Random` and imports are refused. All dates are in UTC, and `Now` is the instant of the question.
///
/// - Source: Esri Arcade, https://developers.arcgis.com/arcade/.
public struct ArcadeExpression: Sendable {
  /// The expression as written.
  public let text: String
  /// The names of the fields, each once, in order of first use, when they are written as names or texts.
  public let fieldNames: [String]
  /// Whether the value depends on the scale of the view.
  public let usesScale: Bool
  /// Whether the feature is used as a whole, so that every field may be read.
  public let usesWholeFeature: Bool
  /// Whether the value depends on the current time.
  package let needsCurrentTime: Bool

  let program: ArcadeProgram
  /// Whether the expression is evaluated for blocks of rows, and not row by row.
  package let runsInBlocks: Bool

  /// The expression without a value.
  package static let nothing = ArcadeExpression()

  private init() {
    (text, fieldNames, usesScale, usesWholeFeature, needsCurrentTime) = ("null", [], false, false, false)
    program = ArcadeProgram()
    runsInBlocks = false
  }

  /// Parses an expression.
  ///
  /// - Cost: O(bytes).
  /// - Throws: ``MapStateError`` for text that is not Arcade, and for parts that are not evaluated.
  public init(_ text: String) throws(MapStateError) {
    do { try self.init(parsing: text) } catch { throw MapStateError(error) }
  }

  /// Parses an expression.
  package init(parsing text: String) throws(ArcadeError) {
    var parser = try ArcadeParser(text)
    let statements = try parser.program()
    (self.text, fieldNames, usesScale) = (text, parser.fieldNames, parser.usesScale)
    (usesWholeFeature, needsCurrentTime) = (parser.usesFeature, parser.usesNow)
    program = ArcadeProgram(
      statements: statements, definitions: parser.definitions, globalCount: parser.globalCount)
    runsInBlocks = program.runsInBlocks
  }

  /// The field when the expression is one field and nothing else.
  package var onlyField: String? {
    if case .field(let index)? = program.onlyExpression { fieldNames[index] } else { nil }
  }

  /// Whether the expression is the scale of the view and nothing else.
  package var isScale: Bool { if case .scale? = program.onlyExpression { true } else { false } }
}

extension ArcadeExpression: Hashable {
  /// Compares the texts.
  public static func == (first: ArcadeExpression, second: ArcadeExpression) -> Bool {
    first.text == second.text
  }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
