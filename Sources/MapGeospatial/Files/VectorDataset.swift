import CGeospatial
import Glibc

/// A file of features that GDAL opened, closed when it goes.
///
/// Used by one thread at a time, as GDAL asks; not `Sendable`, so the compiler holds that line.
final class VectorDataset {
  let library: GDALLibrary
  let messages = GDALMessages()
  /// Where the file is.
  let path: String
  private let handle: GDALDatasetH
  /// Released after `deinit` has closed the data set: GDAL merges a GeoPackage's `-wal` into the file when it closes the
  /// last connection, and reading must change nothing.
  private let files: CheckedFiles?

  /// Opens a file or folder read-only with one of the allowed drivers.
  ///
  /// `path` must be absolute and that of a local file: then it is no connection string. A name that GDAL's virtual
  /// file systems would take is refused.
  /// `options` are those of the drivers, such as `LIST_ALL_TABLES=YES`.
  /// - Throws: ``LibraryError`` without GDAL, when no driver reads the file, and for any error that the driver reports.
  init(path: String, options: [String] = [], files: CheckedFiles? = nil) throws(LibraryError) {
    library = try GDALLibrary.shared()
    (self.path, self.files) = (path, files)
    guard path.hasPrefix("/"), !path.hasPrefix("/vsi") else {
      throw LibraryError("only local files are read, by their absolute path")
    }
    let opened: GDALDatasetH? = library.listening(messages) { [library] in
      Self.withList(GDALLibrary.drivers) { drivers in
        Self.withList(options) { options in
          library.calls.GDALOpenEx(
            path, UInt32(GDAL_OF_VECTOR | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR), drivers, options, nil)
        }
      }
    }
    guard let opened else { throw LibraryError(messages.takeError() ?? "no driver reads it") }
    handle = opened
    // A driver that met an error opens what is left.
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
    // What it might report is of no use any more.
    library.listening(messages) { [library, handle] in _ = library.calls.GDALClose(handle) }
  }

  /// The name of the driver, as GDAL calls it.
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

  /// A layer by its place; owned by the dataset.
  func layer(_ index: Int) -> OGRLayerH? {
    library.calls.GDALDatasetGetLayer(handle, Int32(truncatingIfNeeded: index))
  }
}
