import MapSystem

/// Checks of the files that images are written to.
package enum PictureFile {
  /// Refuses a file name with another extension than .png; a name without an extension and "-" are accepted.
  ///
  /// - Throws: ``MapStateError`` of kind usage.
  package static func check(_ path: String) throws(MapStateError) {
    let suffix = FilePath.pathExtension(of: path)
    guard path == "-" || suffix.isEmpty || suffix == "png" else {
      throw MapStateError(.usage, "\(path): .\(suffix) cannot be written; available: .png")
    }
  }
}
