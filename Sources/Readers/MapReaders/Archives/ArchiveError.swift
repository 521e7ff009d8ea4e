/// The error for an archive or compressed file that is damaged or beyond the limits.
package struct ArchiveError: Error, Hashable, CustomStringConvertible {
  /// The fault, in lower case and without a full stop.
  package let description: String

  init(_ description: String) { self.description = description }
}
