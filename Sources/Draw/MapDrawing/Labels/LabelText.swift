import MapExpressions
import MapFeatures
import MapFilter
import MapModel

/// The text of a label class, bound to the columns of a table.
struct LabelText {
  private enum Part {
    case text(String)
    case column(Column)
    /// The values of an expression, by row; rows without a label have none.
    case values([Int: AttributeValue])
  }

  private let parts: [Part]
  private let stacking: LabelStacking?
  /// The first failure of an expression.
  let failure: ArcadeError?

  /// Binds a template to a table, and evaluates its expressions for some rows.
  ///
  /// - Throws: ``RendererFieldError`` when the table lacks a field.
  init(
    _ template: LabelTemplate, stacking: LabelStacking?, table: FeatureColumns, rows: RowSet, view: ViewState
  ) throws(RendererFieldError) {
    var parts: [Part] = []
    var failure: ArcadeError?
    for name in template.fieldNames where table.schema.index(ofField: name) == nil {
      throw RendererFieldError(
        reader: "a class of labels", field: name, available: table.schema.fields.map(\.name))
    }
    for part in template.parts {
      switch part {
      case .text(let text): parts.append(.text(text))
      case .field(let name):
        guard let index = table.schema.index(ofField: name) else { continue }
        parts.append(.column(table.columns[index]))
      case .arcade(let expression):
        let rows = Array(rows)
        let column = BoundArcade(expression, table: table, in: view).column(of: rows)
        failure = failure ?? column.failure
        parts.append(.values(Dictionary(zip(rows, column.values)) { first, _ in first }))
      }
    }
    (self.parts, self.stacking, self.failure) = (parts, stacking, failure)
  }

  /// Returns whether a row's label has a visible character.
  func hasInk(row: Int) -> Bool {
    // Nearly all labels have a plain letter, so splitting them into lines is not needed.
    func isPlain(_ text: String) -> Bool { text.utf8.contains { (0x21...0x7E).contains($0) } }
    let isSure = parts.contains { part in
      switch part {
      case .text(let text): isPlain(text)
      case .column(let column):
        switch column.value(at: row) {
        case .null: false
        case .text(let text): isPlain(text)
        default: true
        }
      case .values(let values):
        if case .text(let text)? = values[row] { isPlain(text) } else { false }
      }
    }
    return isSure || !lines(ofRow: row).isEmpty
  }

  /// Returns the lines of a row's label, without lines that have no visible character.
  ///
  /// - Cost: O(characters).
  func lines(ofRow row: Int) -> [String] {
    var text = ""
    for part in parts {
      switch part {
      case .text(let part): text += part
      case .column(let column): text += column.value(at: row).labelText
      case .values(let values): text += values[row]?.labelText ?? ""
      }
    }
    return Self.split(text).flatMap { line in stacking?.lines(of: line) ?? [line] }
      .compactMap(Self.trimmed)
  }

  /// Returns the lines of a text, without lines that have no visible character.
  static func lines(of text: String) -> [String] { split(text).compactMap(trimmed) }

  /// Splits a text at line ends, removes control characters, and replaces tabs by spaces.
  private static func split(_ text: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\u{B}", "\u{C}", "\r", "\u{85}", "\u{2028}", "\u{2029}":
        // CR LF gives one more empty line, which is dropped like all empty lines.
        lines.append(line)
        line = ""
      case "\t": line.unicodeScalars.append(" ")
      case _ where scalar.properties.generalCategory == .control: continue
      default: line.unicodeScalars.append(scalar)
      }
    }
    return lines + [line]
  }

  /// Returns a line without whitespace at its ends; nil when nothing is left.
  private static func trimmed(_ line: String) -> String? {
    let scalars = line.unicodeScalars
    func isInk(_ scalar: Unicode.Scalar) -> Bool { !scalar.properties.isWhitespace }
    guard let first = scalars.firstIndex(where: isInk), let last = scalars.lastIndex(where: isInk) else {
      return nil
    }
    return String(scalars[first...last])
  }
}

extension BoundArcade {
  /// Binds an expression to a table, for the scale and the instant of a view; without a view both are 0.
  init(_ expression: ArcadeExpression, table: FeatureColumns, in view: ViewState?) {
    self.init(
      expression, table: table, scale: view?.viewpoint.scale ?? 0, now: view?.now ?? Instant(microseconds: 0))
  }
}
