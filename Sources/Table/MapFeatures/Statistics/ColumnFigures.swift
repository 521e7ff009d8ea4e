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
      let found = grouped.moments(of: values, IntegerMoments<Int64>.self, squares: needsSpread)
      (figures, occurs) = (.integers(found.moments), found.occurs)
    case .shortIntegers(let values):
      texts = []
      let found = grouped.moments(of: values, IntegerMoments<Int32>.self, squares: needsSpread)
      let moments = found.moments.map {
        Moments(exact: $0.exact, minimum: Int64($0.minimum), maximum: Int64($0.maximum))
      }
      (figures, occurs) = (.integers(moments), found.occurs)
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
    switch statistic {
    case .minimum: bound(group, least: true)
    case .maximum: bound(group, least: false)
    default: try moments(of: group).value(statistic, field: field)
    }
  }

  /// Returns the numbers of a group, to be joined with those of other rows.
  func partial(group: Int) -> PartialStatistics.Figures {
    PartialStatistics.Figures(
      moments: moments(of: group), minimum: bound(group, least: true), maximum: bound(group, least: false))
  }

  private func moments(of group: Int) -> ExactMoments {
    switch figures {
    case .integers(let all): all[group].exact
    case .reals(let all): all[group].exact
    }
  }

  private func bound(_ group: Int, least: Bool) -> AttributeValue {
    switch figures {
    case .reals(let all):
      guard all[group].count > 0 else { return .null }
      // Whether 0 or -0 comes first depends on how the rows are divided.
      return AttributeValue.real(least ? all[group].minimum : all[group].maximum).withoutNegativeZero
    case .integers(let all):
      guard all[group].count > 0 else { return .null }
      let value = least ? all[group].minimum : all[group].maximum
      return switch column.storage {
      case .integers, .shortIntegers: .integer(value)
      case .booleans: .boolean(value != 0)
      case .dates: .date(CalendarDate(days: Int32(truncatingIfNeeded: value)))
      case .instants: .instant(Instant(microseconds: value))
      case .text: .text(texts[Int(value)])
      case .reals: .null
      }
    }
  }
}
