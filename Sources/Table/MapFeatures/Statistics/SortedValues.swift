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
  /// - Throws: `StatisticsError.notFinite` for a percentile between infinite values.
  func value(
    _ statistic: StatisticDefinition.StatisticType, group: Int, field: String
  ) throws(StatisticsError) -> AttributeValue {
    let range = starts[group]..<starts[group + 1]
    guard case .percentile(let share) = statistic else {
      return .integer(Int64(distinct(range)))
    }
    if let time, case .integers(let values) = values {
      return Self.percentile(share, values[range], time)
    }
    guard let value = percentile(share, range) else { return .null }
    guard value.isFinite else { throw .notFinite(statistic, field: field) }
    return .real(value)
  }

  private func distinct(_ range: Range<Int>) -> Int {
    switch values {
    case .integers(let values): range.count { $0 == range.lowerBound || values[$0] != values[$0 - 1] }
    case .reals(let values): range.count { $0 == range.lowerBound || values[$0] != values[$0 - 1] }
    }
  }

  /// Returns a percentile of timestamps, rounded to a microsecond, or of days, rounded down.
  private static func percentile(
    _ share: Double, _ values: ArraySlice<Int64>, _ type: AttributeType
  ) -> AttributeValue {
    guard !values.isEmpty else { return .null }
    let place = share / 100 * Double(values.count - 1)
    let below = min(values.startIndex + Int(clamping: place), values.endIndex - 1)
    let part = place - Double(Int(clamping: place))
    let (a, b) = (values[below], values[min(below + 1, values.endIndex - 1)])
    let distance = (Double(b) - Double(a)) * part
    guard type == .date else {
      return .instant(Instant(microseconds: min(b, a &+ Int64(clamping: distance.rounded()))))
    }
    return .date(CalendarDate(days: Int32(clamping: a + Int64(clamping: distance.rounded(.down)))))
  }

  private func percentile(_ share: Double, _ range: Range<Int>) -> Double? {
    guard !range.isEmpty else { return nil }
    let place = share / 100 * Double(range.count - 1)
    let below = min(range.lowerBound + Int(clamping: place), range.upperBound - 1)
    let part = place - Double(Int(clamping: place))
    let (a, b) = (number(below), number(min(below + 1, range.upperBound - 1)))
    // Adding 0 makes -0 positive, which a sort may leave at either side of 0.
    guard part > 0, a != b else { return a + 0 }
    let width = b - a
    // The distance of two doubles may exceed all doubles.
    return width.isFinite ? a + width * part : a * (1 - part) + b * part
  }

  private func number(_ place: Int) -> Double {
    switch values {
    case .integers(let values): Double(values[place])
    case .reals(let values): values[place]
    }
  }
}
