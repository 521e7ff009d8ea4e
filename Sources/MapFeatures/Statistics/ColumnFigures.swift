import MapFilter
import MapGeometry

/// The figures of one column for every group.
struct ColumnFigures {
  private enum Figures {
    case integers([IntegerMoments])
    case reals([RealMoments])
  }

  private let column: Column
  private let figures: Figures
  /// For text the dictionary in order, since ranks stand in for texts.
  private let texts: [String]
  /// Which groups have a row, one without a value too.
  let occurs: [Bool]

  /// Works out the figures of the rows, each counted in its group.
  init(of column: Column, rows: RowSet, groups: GroupCodes, needsSpread: Bool) {
    self.column = column
    let grouped = GroupedRows(
      rows: rows, valid: column.validity.map { rows.intersection($0) } ?? rows, groups: groups)
    switch ColumnNumbers(column) {
    case .integers(let values, let texts):
      self.texts = texts
      let (moments, occurs) = grouped.figures(of: values, IntegerMoments.self, needsSpread: needsSpread)
      (figures, self.occurs) = (.integers(moments), occurs)
    case .reals(let values):
      texts = []
      let (moments, occurs) = grouped.figures(of: values, RealMoments.self, needsSpread: needsSpread)
      (figures, self.occurs) = (.reals(moments), occurs)
    }
  }

  /// A figure of a group; null where it has no value.
  ///
  /// - Throws: `StatisticsError.overflow`.
  func value(
    _ statistic: StatisticDefinition.StatisticType, group: Int, field: String
  ) throws(StatisticsError) -> AttributeValue {
    func real(_ value: Double?) throws(StatisticsError) -> AttributeValue {
      guard let value else { return .null }
      guard value.isFinite else { throw .overflow(statistic, field: field) }
      return .real(value)
    }
    let (count, sum, spread) = totals(group)
    switch statistic {
    case .count: return .integer(Int64(count))
    case .minimum: return bound(group, least: true)
    case .maximum: return bound(group, least: false)
    case .variance: return try real(spread.variance(count: count))
    case .standardDeviation: return try real(spread.variance(count: count)?.squareRoot())
    case .sum: return try real(count == 0 ? nil : sum)
    case .average: return try real(count == 0 ? nil : sum / Double(count))
    }
  }

  private func totals(_ group: Int) -> (count: Int, sum: Double, spread: Spread) {
    switch figures {
    case .integers(let all): (all[group].count, Double(all[group].sum), all[group].spread)
    case .reals(let all): (all[group].count, all[group].sum.value, all[group].spread)
    }
  }

  private func bound(_ group: Int, least: Bool) -> AttributeValue {
    guard totals(group).count > 0 else { return .null }
    switch figures {
    case .reals(let all): return .real(least ? all[group].minimum : all[group].maximum)
    case .integers(let all):
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
