import MapSystem
import MapFilter
import MapGeometry

/// The values of a column, ascending within each group, for percentiles and numbers of distinct values.
struct SortedValues {
  private enum Values {
    case integers([Int64])
    case reals([Double])
  }

  private let values: Values
  /// Whether the integers are days or timestamps; nil for numbers.
  private let time: AttributeType?
  /// The start of each group in ``values``, then the number of values.
  private let starts: [Int]

  /// Sorts the values of the rows by group; nulls are left out.
  ///
  /// - Cost: 8 bytes for each row with a value, two passes over the rows and a sort of each group.
  init(of column: Column, rows: RowSet, groups: GroupCodes) {
    time = column.type == .date || column.type == .instant ? column.type : nil
    let valid = column.validity.map { rows.intersection($0) } ?? rows
    switch ColumnNumbers(column) {
    case .integers(let numbers, _):
      let (sorted, starts) = Self.sorted(numbers, zero: 0, valid, groups)
      (values, self.starts) = (.integers(sorted), starts)
    case .shortIntegers(let numbers):
      let (sorted, starts) = Self.sorted(numbers, zero: 0, valid, groups)
      (values, self.starts) = (.integers(sorted.map { Int64($0) }), starts)
    case .reals(let numbers):
      let (sorted, starts) = Self.sorted(numbers, zero: 0, valid, groups)
      (values, self.starts) = (.reals(sorted), starts)
    }
  }

  /// A counting sort by group, then a sort within each group.
  private static func sorted<Value: Comparable>(
    _ numbers: [Value], zero: Value, _ valid: RowSet, _ groups: GroupCodes
  ) -> (values: [Value], starts: [Int]) {
    var starts = [0]
    for count in groups.rowCounts(of: valid) { starts.append(starts[starts.count - 1] + count) }
    var next = starts
    var values = [Value](repeating: zero, count: starts[starts.count - 1])
    groups.forEachRow(of: valid) { row, group in
      values[next[group]] = numbers[row]
      next[group] += 1
    }
    for group in 0..<groups.count where starts[group + 1] - starts[group] > 1 {
      values[starts[group]..<starts[group + 1]].sort()
    }
    return (values, starts)
  }

  /// Returns a percentile or the number of distinct values of a group; null for a percentile of no values.
  ///
  /// A percentile is rounded once: to the nearest double, of timestamps to a microsecond, and of days down.
  ///
  /// - Throws: `StatisticsError.notFinite` for a percentile between infinite values.
  func value(
    _ statistic: StatisticDefinition.StatisticType, group: Int, field: String
  ) throws(StatisticsError) -> AttributeValue {
    let range = starts[group]..<starts[group + 1]
    guard case .percentile(let share) = statistic else {
      return .integer(Int64(distinct(range)))
    }
    guard !range.isEmpty else { return .null }
    let position = PercentilePosition(share, count: range.count)
    let below = range.lowerBound + position.index
    let above = min(below + 1, range.upperBound - 1)
    switch (values, time) {
    case (.integers(let values), .date?):
      let days = position.value(from: values[below], to: values[above], roundsDown: true)
      return .date(CalendarDate(days: Int32(clamping: days)))
    case (.integers(let values), .some):
      let microseconds = position.value(from: values[below], to: values[above], roundsDown: false)
      return .instant(Instant(microseconds: microseconds))
    case (.integers(let values), nil):
      return .real(position.value(from: .init(values[below]), to: .init(values[above])))
    case (.reals(let values), _):
      let (low, high) = (values[below], values[above])
      guard low.isFinite, high.isFinite || position.isWhole else { throw .notFinite(statistic, field: field) }
      // Adding 0 makes -0 positive, which a sort may leave at either side of 0.
      return .real(position.isWhole ? low + 0 : position.value(from: .init(low), to: .init(high)))
    }
  }

  private func distinct(_ range: Range<Int>) -> Int {
    switch values {
    case .integers(let values): range.count { $0 == range.lowerBound || values[$0] != values[$0 - 1] }
    case .reals(let values): range.count { $0 == range.lowerBound || values[$0] != values[$0 - 1] }
    }
  }
}
