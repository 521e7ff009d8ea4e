import MapFilter
import MapGeometry

/// The rows that pass the most recent filters of a table, in the order of its index.
///
/// A filter that is used once is evaluated on the candidate rows only. Used again, it is evaluated on the whole table
/// and kept. Threads may query at the same time: two that need the same filter may both evaluate it, with the same
/// result.
final class FilterCache: Sendable {
  /// The filters that apply together, with the time if one of them depends on it.
  struct Key: Equatable {
    private let filters: [FilterExpression]
    private let names: [FilterNames]
    private let now: Instant?

    init(_ filters: [QueryFilter], at now: Instant?) {
      (self.filters, names) = (filters.map(\.expression), filters.map(\.names))
      self.now = filters.contains(where: \.needsCurrentTime) ? now : nil
    }
  }

  /// Returns the maximum number of filters kept for a table: those of a map's layers and of a few modes.
  ///
  /// - Source: design decision: those of 64 layers, or of 16 if 64 take more than 32 MiB.
  static func capacity(rowCount: Int) -> Int { max(16, min(64, (32 << 20) * 8 / max(1, rowCount))) }

  /// The rows that pass the filters; nil for filters that were used once.
  private let known: RecentlyUsed<Key, PackedRows?>

  init(rowCount: Int) { known = RecentlyUsed(capacity: Self.capacity(rowCount: rowCount)) }

  /// Returns the rows of some filters, computed by `all` from the second time on; nil the first time.
  func rows<Failure: Error>(
    _ key: Key, isAskedOften: Bool, _ all: () throws(Failure) -> PackedRows
  ) throws(Failure) -> PackedRows? {
    let known = known[key]
    if case .some(let rows?) = known { return rows }
    let rows = known == nil && !isAskedOften ? nil : try all()
    self.known.keep(rows, for: key)
    return rows
  }
}

/// A filter that a table has used: compiled, with the rows that pass it if the whole table was tested.
struct UsedFilter {
  let compiled: CompiledFilter
  let rows: RowSet?
}
