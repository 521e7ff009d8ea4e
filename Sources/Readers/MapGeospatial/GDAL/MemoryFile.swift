import CGeospatial
import Synchronization

/// A file that GDAL creates in memory; it is removed when the object is released.
///
/// GDAL requires its use on one thread at a time. The class is not `Sendable`, so the compiler enforces that.
final class MemoryFile {
  let library: GDALLibrary
  let messages = GDALMessages()
  let format: VectorFile.WrittenFormat
  private(set) var handle: GDALDatasetH?
  private let path: String

  /// The number of the last file, since all files in GDAL's memory share one list of names.
  private static let lastNumber = Atomic(0)

  /// Creates an empty file.
  ///
  /// - Throws: ``LibraryError`` without GDAL or its driver.
  init(_ format: VectorFile.WrittenFormat) throws(LibraryError) {
    library = try GDALLibrary.shared()
    self.format = format
    let number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    path = "/vsimem/mapstate-\(number).\(format.rawValue)"
    handle = library.listening(messages) { [library, path] in
      library.calls.GDALGetDriverByName(format.driver).flatMap {
        library.calls.GDALCreate($0, path, 0, 0, 0, GDT_Unknown, nil)
      }
    }
    guard handle != nil else {
      throw LibraryError(messages.takeError() ?? "GDAL has no driver for writing \(format.driver)")
    }
  }

  deinit {
    close()
    library.listening(messages) { [library, path] in _ = library.calls.VSIUnlink(path) }
  }

  /// Closes the data set; only then is the file complete.
  private func close() {
    guard let open = handle else { return }
    handle = nil
    library.listening(messages) { [library] in _ = library.calls.GDALClose(open) }
  }

  /// Closes the file and returns its bytes.
  ///
  /// - Throws: ``LibraryError`` with the last error that GDAL reported.
  func finished() throws(LibraryError) -> [UInt8] {
    close()
    if let error = messages.takeError() { throw LibraryError(error) }
    var count: vsi_l_offset = 0
    // GDAL owns the memory until the file is removed, so the bytes are copied.
    guard let start = library.calls.VSIGetMemFileBuffer(path, &count, 0) else {
      throw LibraryError("\(format.driver): nothing was written")
    }
    return Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }
}
