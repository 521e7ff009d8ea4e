import MapFilter
import MapGeometry
import Synchronization

/// The rows that pass the filters asked of a table last, in the order of its index.
///
/// A filter that is asked once is worked out on the rows in question alone; asked again, on the whole table, to be kept.
/// Threads may ask at once: two that need the same filter may both work it out, and either answer is the same.
final class FilterCache: Sendable {
  /// Filters that hold together, with the moment where one of them asks for it.
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
    /// Nil for what was asked once.
    var rows: PackedRows?
  }

  /// How many filters are kept: those of a map's layers and of the modes that one switches between.
  ///
  /// - Source: ours; at ten million rows 16 take 30 MB.
  private static let capacity = 16
  /// The one asked last at the end.
  private let entries = Mutex<[Entry]>([])

  /// The rows kept for some filters, made by `all` where this is not the first time; nil the first time.
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
