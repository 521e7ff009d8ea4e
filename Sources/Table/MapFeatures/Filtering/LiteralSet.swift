import MapFilter

/// The elements of an IN list, grouped by kind and sorted, so that a row is looked up and not compared with each.
///
/// - Cost: a lookup takes the logarithm of the number of elements; for text, the time of a hash.
struct LiteralSet: Sendable {
  /// Integers, including those written as reals, ascending.
  let integers: [Int64]
  /// Numbers that are not 64-bit integers, ascending.
  let reals: [Double]
  let texts: Set<AttributeValue>
  let hasTrue: Bool, hasFalse: Bool
  /// Instants in microseconds, with dates as their midnight, ascending.
  let instants: [Int64]
  /// Dates in days, with instants that are midnight, ascending.
  let days: [Int32]
  let durations: Set<CalendarInterval>
  /// Whether the list contains null, so that a row without an equal element is unknown.
  let hasNull: Bool

  init(_ values: [AttributeValue]) {
    var (integers, reals, texts) = (Set<Int64>(), Set<Double>(), Set<AttributeValue>())
    var (instants, days, durations) = (Set<Int64>(), Set<Int32>(), Set<CalendarInterval>())
    for value in values {
      switch value {
      case .integer(let number): integers.insert(number)
      case .real(let number):
        if let integer = Int64(exactly: number) { integers.insert(integer) } else { reals.insert(number) }
      case .text: texts.insert(value)
      case .date(let date):
        days.insert(date.days)
        instants.insert(date.start.microseconds)
      case .instant(let instant):
        instants.insert(instant.microseconds)
        if instant.date.start == instant { days.insert(instant.date.days) }
      case .duration(let duration): durations.insert(duration)
      case .boolean, .null: break
      }
    }
    self.integers = integers.sorted()
    self.reals = reals.sorted()
    self.texts = texts
    self.instants = instants.sorted()
    self.days = days.sorted()
    self.durations = durations
    hasTrue = values.contains(.boolean(true))
    hasFalse = values.contains(.boolean(false))
    hasNull = values.contains(.null)
  }

  func contains(_ number: Double) -> Bool {
    if let integer = Int64(exactly: number) {
      integers.sortedContains(integer)
    } else {
      reals.sortedContains(number)
    }
  }

  /// Whether an element equals the value; false for null.
  func contains(_ value: AttributeValue) -> Bool {
    switch value {
    case .null: false
    case .integer(let number): integers.sortedContains(number)
    case .real(let number): contains(number)
    case .text: texts.contains(value)
    case .boolean(let flag): flag ? hasTrue : hasFalse
    case .date(let date): days.sortedContains(date.days)
    case .instant(let instant): instants.sortedContains(instant.microseconds)
    case .duration(let duration): durations.contains(duration)
    }
  }
}

extension Array where Element: Comparable {
  /// Whether an ascending array contains the value.
  @inline(__always)
  func sortedContains(_ value: Element) -> Bool {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low] == value
  }
}
