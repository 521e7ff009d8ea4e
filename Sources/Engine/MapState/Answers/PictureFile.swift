import MapSystem

/// Checks of the files that images are written to.
package enum PictureFile {
  /// Refuses a file name with another extension than .png and some others; a name without an extension and "-" are
  /// accepted.
  ///
  /// - Throws: ``MapStateError`` of kind usage.
  package static func check(_ path: String, others: [String] = []) throws(MapStateError) {
    let suffix = FilePath.pathExtension(of: path)
    guard path == "-" || suffix.isEmpty || suffix == "png" || others.contains(suffix) else {
      let known = (["png"] + others).map { ".\($0)" }.joined(separator: ", ")
      let hint = ["gif", "apng"].contains(suffix) ? "; series writes animations" : ""
      throw MapStateError(.usage, "\(path): .\(suffix) cannot be written; available: \(known)\(hint)")
    }
  }
}
