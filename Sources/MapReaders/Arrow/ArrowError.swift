/// The error for Arrow data that cannot be read.
package struct ArrowError: Error, Hashable, CustomStringConvertible {
  /// The reason, in lower case, without a full stop.
  package let description: String

  init(_ description: String) { self.description = description }

  /// The error for an offset or a length beyond the bytes.
  static let outside = ArrowError("a part of it lies beyond its bytes")
}
