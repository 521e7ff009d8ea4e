import Glibc
import MapSystem

/// A link in a private folder to a file that GDAL must not open in its own folder, or under its own name.
///
/// It is a copy where the file has parts that cannot be read. GDAL knows most GeoPackages only by the ending `.gpkg`, which standard input lacks. Beside a GML file it reads schemas,
/// which may name other files and servers, and writes a file of its own. The folder is removed with this value.
final class FileLink {
  /// The path of the link.
  let path: String
  /// The options of the driver.
  let options: [String]
  private let folder: PrivateFolder

  /// Makes the link or the copy; nil for a file that needs none.
  ///
  /// - Throws: ``LibraryError`` if the link cannot be made.
  init?(_ original: String, gml: GMLFile?) throws(LibraryError) {
    guard !DataFile.isFolder(original) else { return nil }
    let name: String
    if DataFile.isSQLite(original) {
      guard !original.lowercased().hasSuffix(".gpkg") else { return nil }
      (name, options) = ("link.gpkg", [])
    } else if gml != nil {
      (name, options) = ("link.gml", ["WRITE_GFS=NO", "DOWNLOAD_SCHEMA=NO"])
    } else {
      return nil
    }
    do {
      folder = try PrivateFolder()
      path = "\(folder.path)/\(name)"
      if let bytes = gml?.replacement {
        _ = try folder.write(name) { try $0(bytes[...]) }
        return
      }
    } catch { throw LibraryError("\(error)") }
    guard symlink(original, path) == 0 else {
      throw LibraryError("no link \(path) could be made: error \(errno)")
    }
  }
}
