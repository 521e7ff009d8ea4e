import MapFilter
import MapGeometry

/// The statistics of one column for every group.
struct ColumnFigures {
  private enum Figures {
    case integers([Moments<Int64>])
    case reals([Moments<Double>])
  }

  private let column: Column
  private let figures: Figures
  /// For text, the dictionary in order, because ranks represent texts.
  private let texts: [String]
  /// Whether each group has a row, including rows without a value.
  let occurs: [Bool]

  /// Computes the statistics of the rows by group.
  init(of column: Column, rows: RowSet, groups: GroupCodes, needsSpread: Bool) {
    self.column = column
    let grouped = GroupedRows(
      rows: rows, valid: column.validity.map { rows.intersection($0) } ?? rows, groups: groups)
    switch ColumnNumbers(column) {
    case .integers(let values, let texts):
      self.texts = texts
      let found = grouped.moments(of: values, IntegerMoments.self, squares: needsSpread)
      (figures, occurs) = (.integers(found.moments), found.occurs)
    case .reals(let values):
      texts = []
      let found = grouped.moments(of: values, RealMoments.self, squares: needsSpread)
      (figures, occurs) = (.reals(found.moments), found.occurs)
    }
  }

  /// Returns a statistic of a group; null if it is undefined, or if ``SortedValues`` computes it.
  ///
  /// - Throws: `StatisticsError.overflow`, `StatisticsError.notFinite`.
  func value(
    _ statistic: StatisticDefinition.StatisticType, group: Int, field: String
  ) throws(StatisticsError) -> AttributeValue {
    switch figures {
    case .integers(let all): try value(statistic, of: all[group], group, field)
    case .reals(let all): try value(statistic, of: all[group], group, field)
    }
  }

  private func value<Value>(
    _ statistic: StatisticDefinition.StatisticType, of moments: Moments<Value>, _ group: Int, _ field: String
  ) throws(StatisticsError) -> AttributeValue {
    let value: Double?
    switch statistic {
    case .count: return .integer(Int64(moments.count))
    case .minimum: return bound(group, least: true)
    case .maximum: return bound(group, least: false)
    case .sum: value = moments.count == 0 ? nil : moments.sum.value
    case .average: value = moments.average
    case .variance: value = moments.variance
    case .standardDeviation: value = moments.standardDeviation
    case .distinct, .percentile: return .null
    }
    guard let value else { return .null }
    guard moments.sum.nonFiniteValue == nil else { throw .notFinite(statistic, field: field) }
    guard value.isFinite else { throw .overflow(statistic, field: field) }
    return .real(value)
  }

  private func bound(_ group: Int, least: Bool) -> AttributeValue {
    switch figures {
    case .reals(let all):
      guard all[group].count > 0 else { return .null }
      return .real(least ? all[group].minimum : all[group].maximum)
    case .integers(let all):
      guard all[group].count > 0 else { return .null }
      let value = least ? all[group].minimum : all[group].maximum
      return switch column.storage {
      case .integers: .integer(value)
      case .booleans: .boolean(value != 0)
      case .dates: .date(CalendarDate(days: Int32(truncatingIfNeeded: value)))
      case .instants: .instant(Instant(microseconds: value))
      case .text: .text(texts[Int(value)])
      case .reals: .null
      }
    }
  }
}
