package import MapJSON

/// The values that a member of a document may have.
///
/// Null is allowed everywhere and means absent.
package indirect enum DocumentShape: Hashable, Sendable {
  /// True or false.
  case boolean
  /// A number; a number written as text is read with a warning.
  case number
  /// A number, or the text "NaN" for an empty coordinate.
  case coordinate
  /// Text.
  case text
  /// Text that is shown or compared; a number or a Boolean is read as its text, with a warning.
  case label
  /// Text or a number that attributes are compared with; a Boolean is read as 1 or 0, with a warning.
  case value
  /// A word of a list; another word is reported with the nearest one.
  case word([String])
  /// An object that is not looked into.
  case object
  /// An array that is not looked into.
  case array
  /// An object with the members of a kind.
  case members(DocumentObject)
  /// An array whose elements have this shape.
  case list(DocumentShape)
  /// The first shape whose kind the value has.
  case either(DocumentShape, DocumentShape)
  /// Any value.
  case anything

  /// The kinds of JSON values that have this shape without a warning.
  package var kinds: [JSONKind] {
    switch self {
    case .boolean: [.boolean]
    case .number: [.number]
    case .coordinate: [.number]
    case .value: [.string, .number]
    case .text, .label, .word: [.string]
    case .object, .members: [.object]
    case .array, .list: [.array]
    case .either(let first, let second): first.kinds + second.kinds
    case .anything: [.boolean, .number, .string, .array, .object]
    }
  }

  /// The expected kinds as words: "a number or an object".
  var phrase: String { kinds.map(\.phrase).joined(separator: " or ") }
}
