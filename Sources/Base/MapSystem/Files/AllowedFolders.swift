/// The folders whose files a document may name: its own, and those that the user allows.
package struct AllowedFolders: Hashable, Sendable {
  /// The paths without links, each with a slash at its end.
  private let roots: [String]

  /// Creates the list of folders; those that do not exist are left out.
  package init(_ folders: [String]) {
    roots = folders.compactMap { FileAccess.realPath($0) }.map { $0 == "/" ? $0 : $0 + "/" }
  }

  /// Returns whether the file or folder at a path is below one of the folders, also through links; nil if nothing is
  /// at the path.
  ///
  /// - Parameter allowsFolders: whether the folders themselves count too.
  package func contains(_ path: String, allowsFolders: Bool = false) -> Bool? {
    FileAccess.realPath(path).map { real in
      let text = allowsFolders ? real + "/" : real
      return roots.contains { text.utf8.starts(with: $0.utf8) }
    }
  }

  /// Returns all bytes of a regular file that a document names.
  ///
  /// - Throws: ``FileError`` for a file outside the folders, and for one that is missing, unreadable, not regular or
  ///   larger than `limit` bytes.
  package func read(_ path: String, limit: Int = FileAccess.largestInput) throws(FileError) -> [UInt8] {
    guard contains(path) ?? true else { throw FileError(path: path, reason: Self.refusal) }
    return try FileAccess.read(path, limit: limit)
  }

  /// The reason for a file outside the folders.
  package static let refusal = "is outside the folder of the document; allow its folder with --allow-path"
}
