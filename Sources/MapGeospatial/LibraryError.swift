import CGeospatial

/// A library that is not there, or one of its calls that failed.
public struct LibraryError: Error, Hashable, CustomStringConvertible {
  /// What went wrong, in the library's words where it has any.
  public let description: String

  init(_ description: String) { self.description = description }

  /// The text that a loader in C wrote.
  init(missing library: String, _ text: [CChar]) {
    let reason = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    self.init("\(library) is needed for this: \(reason)")
  }
}
