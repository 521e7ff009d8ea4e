import MapState
import MapSystem

/// The folder of a report, which may come from elsewhere, with links that lead out of it.
enum ReportFolder {
  /// Refuses outputs that links lead out of a folder; for a new file, its nearest existing folder counts.
  ///
  /// - Throws: `MapStateError` that names the first of them.
  static func check(_ paths: [String], in folder: String) throws(MapStateError) {
    guard let whole = FileAccess.realPath(folder) else {
      throw MapStateError(.input, "\(folder): no such folder")
    }
    let inside = whole.hasSuffix("/") ? whole : whole + "/"
    for path in paths {
      var part = path
      while part != folder, part.contains("/"), FileAccess.realPath(part) == nil {
        part = FilePath.folder(of: part)
      }
      guard let own = FileAccess.realPath(part), "\(own)/".hasPrefix(inside) || whole == "/" else {
        throw MapStateError(
          .input, "\(path): a link leads out of \(folder); remove it or name another folder")
      }
    }
  }
}
