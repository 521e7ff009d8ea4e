/// The error for Arrow data or a Parquet file that cannot be read.
package struct ArrowError: Error, Hashable, CustomStringConvertible {
  /// The reason, in lower case, without a full stop.
  package let description: String

  /// The definition of a spatial reference without a code, in well-known text or PROJJSON; nil for other errors.
  package let definition: String?

  init(_ description: String, definition: String? = nil) {
    (self.description, self.definition) = (description, definition)
  }

  /// The error for an offset or a length beyond the bytes.
  static let outside = ArrowError("a part of it lies beyond its bytes")
}
