/// The texts that a CAST in a filter reads.
package struct TextCast: Hashable, Sendable {
  /// The name of the field with the texts.
  package let field: String
  /// The type that the texts become.
  package let type: CastType

  /// Creates the cast of a field.
  package init(field: String, type: CastType) { (self.field, self.type) = (field, type) }

  /// Whether a text has a form that the cast reads.
  package func reads(_ text: String) -> Bool { !type.value(of: .text(text)).isNull }

  /// The values that the texts must write, such as `numbers`.
  package var expected: String {
    switch type {
    case .integer, .real: "numbers"
    case .text: "texts"
    case .date, .instant: "dates and times of the form yyyy-mm-dd or yyyy-mm-dd hh:mm:ss"
    }
  }
}
