import MapFeatures
import MapFilter
import MapModel

/// The text of a class of labels, bound to the columns of a table.
struct LabelText {
  private enum Part {
    case text(String)
    case column(Column)
  }

  private let parts: [Part]
  private let stacking: LabelStacking?

  /// - Throws: ``RendererFieldError`` when the table lacks a field.
  init(
    _ template: LabelTemplate, stacking: LabelStacking?, table: FeatureColumns
  ) throws(RendererFieldError) {
    var parts: [Part] = []
    for part in template.parts {
      switch part {
      case .text(let text): parts.append(.text(text))
      case .field(let name):
        guard let index = table.schema.index(ofField: name) else {
          throw RendererFieldError(
            reader: "a class of labels", field: name, available: table.schema.fields.map(\.name))
        }
        parts.append(.column(table.columns[index]))
      }
    }
    (self.parts, self.stacking) = (parts, stacking)
  }

  /// True when a row's label has a visible character.
  func hasInk(row: Int) -> Bool {
    // Nearly all labels have a plain letter, and need no cutting into lines to see it.
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
      }
    }
    return isSure || !lines(ofRow: row).isEmpty
  }

  /// The lines of a row's label, those without a visible character left out.
  ///
  /// O(characters).
  func lines(ofRow row: Int) -> [String] {
    var text = ""
    for part in parts {
      switch part {
      case .text(let part): text += part
      case .column(let column): text += column.value(at: row).labelText
      }
    }
    return Self.split(text).flatMap { line in stacking?.lines(of: line) ?? [line] }
      .compactMap(Self.trimmed)
  }

  /// The lines of a text, those without a visible character left out.
  static func lines(of text: String) -> [String] { split(text).compactMap(trimmed) }

  /// The text at its line ends, without control characters; a tab is a blank.
  private static func split(_ text: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\u{B}", "\u{C}", "\r", "\u{85}", "\u{2028}", "\u{2029}":
        // CR LF gives an empty line more, which is left out like all.
        lines.append(line)
        line = ""
      case "\t": line.unicodeScalars.append(" ")
      case _ where scalar.properties.generalCategory == .control: continue
      default: line.unicodeScalars.append(scalar)
      }
    }
    return lines + [line]
  }

  /// Without blanks at its ends; nil when nothing is left.
  private static func trimmed(_ line: String) -> String? {
    let scalars = line.unicodeScalars
    func isInk(_ scalar: Unicode.Scalar) -> Bool { !scalar.properties.isWhitespace }
    guard let first = scalars.firstIndex(where: isInk), let last = scalars.lastIndex(where: isInk) else {
      return nil
    }
    return String(scalars[first...last])
  }
}
