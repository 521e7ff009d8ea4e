package import MapJSON

/// The values that a document member may have.
///
/// Null is always allowed and means absent.
package indirect enum DocumentShape: Hashable, Sendable {
  /// True or false.
  case boolean
  /// A number; a number written as text is read with a warning.
  case number
  /// A number, or the text "NaN" for an empty coordinate.
  case coordinate
  /// Text.
  case text
  /// Text that is shown or compared; with a warning, a number is read as its text and a Boolean as 1 or 0.
  case label
  /// Text or a number that attributes are compared with; a Boolean is read as 1 or 0, with a warning.
  case value
  /// A word of a list; any other word is reported with the nearest one.
  case word([String])
  /// An object whose members are not checked.
  case object
  /// An array whose elements are not checked.
  case array
  /// An object with the members of a known document object.
  case members(DocumentObject)
  /// An array whose elements all have this shape.
  case list(DocumentShape)
  /// The first of two shapes that accepts the kind of the value.
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

  /// The object that an object of this shape is; nil where its members are not checked.
  var object: DocumentObject? {
    switch self {
    case .members(let object): object
    case .either(let first, let second): first.object ?? second.object
    default: nil
    }
  }

  /// The shape of an element of an array of this shape; nil where elements are not checked.
  var element: DocumentShape? {
    switch self {
    case .list(let shape): shape
    case .either(let first, let second): first.element ?? second.element
    default: nil
    }
  }

  /// The expected kinds in words, such as "a number or an object".
  var phrase: String { kinds.map(\.phrase).joined(separator: " or ") }
}
