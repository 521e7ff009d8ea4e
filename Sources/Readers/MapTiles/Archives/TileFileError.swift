/// The error for a set of tiles that cannot be opened or written.
package struct TileFileError: Error, Hashable, CustomStringConvertible {
  /// The path and the reason, in one line.
  package let description: String

  package init(_ path: String, _ reason: String) {
    // Errors of files already name the path.
    description = reason.hasPrefix(path) ? reason : "\(path): \(reason)"
  }
}
