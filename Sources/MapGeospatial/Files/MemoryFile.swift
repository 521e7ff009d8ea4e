import CGeospatial
import Synchronization

/// A file that GDAL makes in memory, removed when it goes.
///
/// Used by one thread, as GDAL asks; not `Sendable`, so the compiler holds that line.
final class MemoryFile {
  let library: GDALLibrary
  let messages = GDALMessages()
  let format: VectorFile.WrittenFormat
  private(set) var handle: GDALDatasetH?
  private let path: String

  /// Numbers the files of the process: GDAL's memory has one list of names.
  private static let lastNumber = Atomic(0)

  /// An empty file.
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
      throw LibraryError(messages.takeError() ?? "GDAL has no driver that writes \(format.driver)")
    }
  }

  deinit {
    close()
    library.listening(messages) { [library, path] in _ = library.calls.VSIUnlink(path) }
  }

  /// Ends writing: only then is everything in the file.
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
    // The memory belongs to GDAL until the file is removed; it is copied.
    guard let start = library.calls.VSIGetMemFileBuffer(path, &count, 0) else {
      throw LibraryError("\(format.driver): nothing was written")
    }
    return Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }
}
