import CGeospatial

/// A missing library or a failed call of a library.
package struct LibraryError: Error, Hashable, CustomStringConvertible {
  /// The fault, in the library's words when it reports any.
  package let description: String
  /// Whether the library is not installed or too old.
  package let isMissing: Bool

  init(_ description: String) { (self.description, isMissing) = (description, false) }

  /// Creates an error for a missing library from the text of the C loader, which names it.
  init(missing text: [CChar]) {
    description = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    isMissing = true
  }
}
