import MapFeatures
import MapReaders
import MapSystem
import Synchronization

/// The tables of files that were read last, for documents that are opened one after the other.
package final class RecentTables: Sendable {
  /// A file with the options of its reading.
  struct File: Hashable {
    /// The path without links and steps upwards.
    let path: String
    let fragment: String?
    let fields: FieldSelection
    let options: ReadingOptions
  }

  private let tables = Mutex<[(file: File, table: any FeatureSource)]>([])

  /// The greatest number of tables that are kept.
  ///
  /// - Source: design decision: the files of one document, without holding those of all.
  private static let most = 4

  /// Creates a memory without tables.
  package init() {}

  /// Returns the table of a file, which a function reads if it is not kept.
  func table(
    of file: File, _ read: () throws(MapStateError) -> any FeatureSource
  ) throws(MapStateError) -> any FeatureSource {
    if let kept = tables.withLock({ $0.first { $0.file == file }?.table }) { return kept }
    let table = try read()
    tables.withLock { tables in
      tables.removeAll { $0.file == file }
      tables.append((file, table))
      if tables.count > Self.most { tables.removeFirst() }
    }
    return table
  }
}
