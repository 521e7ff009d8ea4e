import MapExpressions
import MapFeatures
import MapFilter
import MapModel

/// The texts of the labels of a class.
struct LabelValues {
  /// The text of each row of the table; nil for rows without a label.
  private(set) var texts: [String?]
  /// The failure of an expression; nil for none.
  private(set) var failure: ArcadeError?

  /// Computes the texts of some rows.
  init(
    _ template: LabelTemplate, of definition: LabelDefinition, rows: RowSet,
    _ properties: inout WrittenProperties
  ) {
    let table = properties.table
    texts = [String?](repeating: nil, count: table.rowCount)
    for row in properties.rows where rows.contains(row) { texts[row] = "" }
    for part in template.parts {
      switch part {
      case .text(let text): append { _ in text }
      case .field(let name):
        guard let index = table.schema.index(ofField: name) else { continue }
        let names =
          definition.usesCodedValues ? Self.codedNames(of: table.schema.fields[index], definition) : [:]
        append { row in
          let value = table.columns[index].value(at: row)
          return names[Self.key(value)] ?? value.labelText
        }
      case .arcade(let expression):
        let values = properties.values(of: expression)
        append { values[$0].labelText }
      }
    }
    failure = properties.failure
    for row in texts.indices {
      guard let text = texts[row] else { continue }
      let lines = text.split(whereSeparator: \.isNewline).flatMap { line in
        definition.stacking?.lines(of: String(line)) ?? [String(line)]
      }.map(Self.trimmed).filter { !$0.isEmpty }
      texts[row] = lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
  }

  private mutating func append(_ part: (Int) -> String) {
    for row in texts.indices { if let text = texts[row] { texts[row] = text + part(row) } }
  }

  private static func trimmed(_ text: String) -> String {
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(text[first...last])
  }

  /// The names of the coded values of a field.
  private static func codedNames(
    of field: Field, _ definition: LabelDefinition
  ) -> [AttributeValue: String] {
    guard case .codedValues(_, let codes)? = field.domain ?? definition.domains[field.name.lowercased()]
    else {
      return [:]
    }
    return Dictionary(codes.map { (key($0.code), $0.name) }) { first, _ in first }
  }

  /// Returns a value in a form in which whole numbers equal decimal ones.
  private static func key(_ value: AttributeValue) -> AttributeValue {
    if case .integer(let number) = value { .real(Double(number)) } else { value }
  }
}
