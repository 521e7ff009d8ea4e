import CGeospatial
import Glibc

/// A file of features opened by GDAL, closed when the object is released.
///
/// GDAL requires its use on one thread at a time. The class is not `Sendable`, so the compiler enforces that.
final class VectorDataset {
  let library: GDALLibrary
  let messages = GDALMessages()
  /// The path of the file.
  let path: String
  private let handle: GDALDatasetH
  /// The checked files, which are released only after `deinit` has closed the data set.
  ///
  /// GDAL merges a GeoPackage's `-wal` into the file when it closes the last connection, and reading must not change
  /// the file.
  private let files: CheckedFiles?
  private let link: FileLink?

  /// Opens a file or folder read-only with one of the allowed drivers.
  ///
  /// `path` must be the absolute path of a local file, so that it cannot be a connection string. A name for GDAL's
  /// virtual file systems is refused. `options` are driver options, such as `LIST_ALL_TABLES=YES`.
  ///
  /// - Throws: ``LibraryError`` without GDAL, when no driver reads the file, and for any error that the driver reports.
  init(path: String, options: [String] = [], files: CheckedFiles? = nil) throws(LibraryError) {
    library = try GDALLibrary.shared()
    (self.path, self.files) = (path, files)
    guard path.hasPrefix("/"), !path.hasPrefix("/vsi") else {
      throw LibraryError("only local files are read, by their absolute path")
    }
    link = try FileLink(path, gml: files?.gml)
    let ending = path.lastIndex(of: ".").map { path[path.index(after: $0)...].lowercased() } ?? ""
    let opened = files?.shapefile?.folder?.path(ending) ?? link?.path ?? path
    let handle: GDALDatasetH? = library.listening(messages) { [library, link] in
      Self.withList(GDALLibrary.drivers) { drivers in
        Self.withList(options + (link?.options ?? [])) { options in
          library.calls.GDALOpenEx(
            opened, UInt32(GDAL_OF_VECTOR | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR), drivers,
            options, nil)
        }
      }
    }
    guard let handle else { throw LibraryError(messages.takeError() ?? "no driver can read it") }
    self.handle = handle
    // After an error a driver may open only the rest of the file.
    if let error = messages.takeError() { throw LibraryError(error) }
  }

  /// Calls `body` with texts as a list that ends with a null pointer.
  static func withList<Result>(
    _ texts: [String], _ body: (UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> Result
  ) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    var list = copies.map { UnsafePointer($0) } + [nil]
    return list.withUnsafeMutableBufferPointer { body($0.baseAddress) }
  }

  deinit {
    // Messages of closing are dropped.
    library.listening(messages) { [library, handle] in _ = library.calls.GDALClose(handle) }
  }

  /// GDAL's short name of the driver.
  var driver: String {
    library.calls.GDALGetDriverShortName(library.calls.GDALGetDatasetDriver(handle)).map {
      String(cString: $0)
    } ?? ""
  }

  /// The names of the layers, in the file's order.
  var layerNames: [String] {
    (0..<library.calls.GDALDatasetGetLayerCount(handle)).map { index in
      library.calls.GDALDatasetGetLayer(handle, index).flatMap { library.calls.OGR_L_GetName($0) }.map {
        String(cString: $0)
      } ?? ""
    }
  }

  /// Returns a layer by its index; the data set owns it.
  func layer(_ index: Int) -> OGRLayerH? {
    library.calls.GDALDatasetGetLayer(handle, Int32(truncatingIfNeeded: index))
  }
}
