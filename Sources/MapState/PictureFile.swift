/// Files that pictures are written to.
package enum PictureFile {
  /// Refuses a name whose ending promises another format than PNG; a name without an ending, and "-", promise none.
  ///
  /// - Throws: ``MapError`` of kind usage.
  package static func check(_ path: String) throws(MapError) {
    let suffix = FilePath.pathExtension(of: path)
    guard path == "-" || suffix.isEmpty || suffix == "png" else {
      throw MapError(.usage, "\(path): .\(suffix) cannot be written; .png can")
    }
  }
}
