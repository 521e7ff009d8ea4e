import MapFilter
import MapGeometry
import Synchronization

/// The rows that pass the most recent filters of a table, in the order of its index.
///
/// A filter that is used once is evaluated on the candidate rows only. Used again, it is evaluated on the whole table
/// and kept. Threads may query at the same time: two that need the same filter may both evaluate it, with the same
/// result.
final class FilterCache: Sendable {
  /// The filters that apply together, with the time if one of them depends on it.
  struct Key: Equatable {
    private let filters: [Expression]
    private let names: [FilterNames]
    private let now: Instant?

    init(_ query: FeatureQuery) {
      (filters, names) = (query.filters.map(\.expression), query.filters.map(\.names))
      now = query.filters.contains(where: \.needsCurrentTime) ? query.now : nil
    }
  }

  private struct Entry {
    let key: Key
    /// The rows; nil for filters that were used once.
    var rows: PackedRows?
  }

  /// The maximum number of filters kept: those of a map's layers and of a few modes.
  ///
  /// - Source: design decision; at ten million rows 16 take 30 MB.
  private static let capacity = 16
  /// The entries, the most recently used last.
  private let entries = Mutex<[Entry]>([])

  /// Returns the rows of some filters, computed by `all` from the second time on; nil the first time.
  func rows<Failure: Error>(
    _ key: Key, isAskedOften: Bool, _ all: () throws(Failure) -> PackedRows
  ) throws(Failure) -> PackedRows? {
    let known: Entry? = entries.withLock { entries in
      guard let place = entries.firstIndex(where: { $0.key == key }) else { return nil }
      let entry = entries.remove(at: place)
      entries.append(entry)
      return entry
    }
    if let rows = known?.rows { return rows }
    let rows = known == nil && !isAskedOften ? nil : try all()
    entries.withLock { entries in
      entries.removeAll { $0.key == key }
      entries.append(Entry(key: key, rows: rows))
      if entries.count > Self.capacity { entries.removeFirst() }
    }
    return rows
  }
}
