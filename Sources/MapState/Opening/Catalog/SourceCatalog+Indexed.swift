import MapFeatures
import MapReaders
import MapSystem

extension SourceCatalog {
  /// The size in bytes from which a file may be read in part; smaller ones take a few milliseconds.
  private static let smallestIndexedFile = 16 << 20

  /// Returns the table in a large file, read by its index; nil for one that must be read as a whole.
  ///
  /// - Parameter open: opens the table in a file; its second argument reads the whole table.
  /// - Throws: ``MapStateError`` for a file that fails while it is read.
  static func indexedTable(
    _ path: String, _ request: FileRequest,
    open: (RandomAccessFile, @escaping @Sendable () throws -> InMemorySource) throws -> (any IndexedTable)?
  ) throws(MapStateError) -> FileTable? {
    guard request.indexUse == .answering, request.reading == ReadingOptions() else { return nil }
    var rest = request
    rest.indexUse = .none
    // Other readers report a file that cannot be opened.
    guard let file = try? RandomAccessFile(path), file.size >= smallestIndexedFile else { return nil }
    do {
      let table = try open(file) { [rest] in
        guard let table = try only(tables(path, rest), path: path).inMemory else {
          throw MapStateError(.input, "\(path): changed while it was read")
        }
        return table
      }
      guard let table, request.fragment == nil || request.fragment == table.name, !table.reachesPoles,
        let source = PartlyReadSource(table, operations: .installed)
      else { return nil }
      return FileTable(name: table.name, columns: nil, indexed: source)
    } catch {
      throw MapStateError(error)
    }
  }

  /// Returns the warning about a number of boxes that do not fit the features; empty for none.
  static func indexWarning(faults count: Int) -> [String] {
    guard count > 0 else { return [] }
    return [
      "its spatial index does not fit its features (\(count) boxes): answers about an extent may lack some; "
        + "write the file again"
    ]
  }
}
