import Glibc
import MapSystem

/// A link to a GeoPackage whose name does not end with `.gpkg`, such as standard input: GDAL knows most GeoPackages only
/// by this ending.
///
/// The link is in a private folder, which is removed with this value.
final class GeoPackageLink {
  /// The path of the link.
  let path: String
  private let folder: PrivateFolder

  /// Makes the link; nil for a file that is no SQLite database or has the usual ending.
  ///
  /// - Throws: ``LibraryError`` if the link cannot be made.
  init?(_ original: String) throws(LibraryError) {
    guard !original.lowercased().hasSuffix(".gpkg"), !DataFile.isFolder(original), DataFile.isSQLite(original)
    else { return nil }
    do { folder = try PrivateFolder() } catch { throw LibraryError("\(error)") }
    path = folder.path + "/link.gpkg"
    guard symlink(original, path) == 0 else {
      throw LibraryError("no link \(path) could be made: error \(errno)")
    }
  }
}
