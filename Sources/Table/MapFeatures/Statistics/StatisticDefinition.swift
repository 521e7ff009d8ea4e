import MapFilter
import MapSystem

/// A statistic to compute for a field.
///
/// A class, so that a view's list can distinguish two; equal if field, statistic and alias are equal.
public final class StatisticDefinition: Hashable, Sendable {
  /// The available statistics.
  ///
  /// - Source: ArcGIS Maps SDK; ``StatisticsQuery`` states which values count, and the divisor n - 1. Percentiles and
  ///   distinct values are additions.
  public enum StatisticType: Hashable, Sendable {
    /// The sum divided by the count.
    case average
    /// The number of values that are not null; of ``StatisticDefinition/allRows``, the number of rows.
    case count
    /// The number of different values that are not null; 0 and -0 are equal.
    case distinct
    /// The greatest value, also of text and dates.
    case maximum
    /// The smallest value, also of text and dates.
    case minimum
    /// The value below which a percentage from 0 to 100 of the values lie, with linear interpolation between
    /// neighbours; also of dates, to a whole microsecond or to the earlier day. The percentage is the decimal number that
    /// is written for it, such as 999/1000 for 99.9.
    ///
    /// - Source: SQL `PERCENTILE_CONT`; Hyndman and Fan, "Sample Quantiles in Statistical Packages", The American
    ///   Statistician 50(4), 1996, definition 7.
    case percentile(Double)
    /// The square root of the variance.
    case standardDeviation
    /// The sum.
    case sum
    /// The variance of a sample: the squared distances from the average, summed and divided by count - 1.
    case variance

    /// The percentile 50.
    public static let median = StatisticType.percentile(50)

    /// The statistics of the map SDK, by name.
    package static let all: [Self] = [
      .average, .count, .maximum, .minimum, .standardDeviation, .sum, .variance,
    ]

    /// The start of the default alias.
    ///
    /// - Source: screenshots of Esri's sample "Query table statistics", the same in both generations of the SDK. Design
    ///   decision: those of percentiles and distinct values.
    var prefix: String {
      switch self {
      case .average: "AVG"
      case .count: "COUNT"
      case .distinct: "DISTINCT"
      case .maximum: "MAX"
      case .minimum: "MIN"
      case .percentile(50): "MEDIAN"
      case .percentile(let share):
        "P" + Self.text(of: share).replacing(".", with: "_").replacing("-", with: "_")
      case .standardDeviation: "STDDEV"
      case .sum: "SUM"
      case .variance: "VAR"
      }
    }

    /// Whether values of a type have the statistic.
    func accepts(_ type: AttributeType) -> Bool {
      switch (self, type) {
      case (_, .integer), (_, .real), (.percentile, .date), (.percentile, .instant): true
      case (.average, _), (.percentile, _), (.standardDeviation, _), (.sum, _), (.variance, _): false
      case (.count, _), (.distinct, _), (.maximum, _), (.minimum, _): true
      }
    }

    /// Whether texts have the statistic only as numbers.
    package var needsNumbers: Bool { readsTexts(.text) }

    /// Whether the statistic of texts is that of the numbers that they write, where a query reads them.
    func readsTexts(_ type: AttributeType) -> Bool { type == .text && !accepts(type) && accepts(.real) }

    /// The values that the statistic needs, for messages.
    var needs: String { if case .percentile = self { "numbers or dates" } else { "numbers" } }

    /// Whether the statistic needs the values in order.
    package var needsOrder: Bool {
      switch self {
      case .distinct, .percentile: true
      default: false
      }
    }

    /// A number without a decimal part that is 0.
    private static func text(of share: Double) -> String {
      share == share.rounded() && share.magnitude < 1e6 ? "\(Int64(clamping: share))" : "\(share)"
    }
  }

  /// The field name with which ``StatisticType/count`` counts all rows; the default alias is then `COUNT`.
  public static let allRows = "*"

  /// The name of the field.
  public let fieldName: String
  /// The statistic.
  public let statisticType: StatisticType
  /// The name of the statistic in a record; by default the type's short name, `_` and the field, as in `AVG_POP` and
  /// `P90_POP`.
  public let outputAlias: String

  /// Creates a statistic of a field; an empty alias becomes the default one.
  public init(fieldName: String, statisticType: StatisticType, outputAlias: String = "") {
    self.fieldName = fieldName
    self.statisticType = statisticType
    self.outputAlias =
      outputAlias.isEmpty ? Self.defaultAlias(of: statisticType, fieldName) : outputAlias
  }

  /// Returns the name of a statistic without an alias.
  static func defaultAlias(of statistic: StatisticType, _ field: String) -> String {
    field == allRows ? statistic.prefix : "\(statistic.prefix)_\(field)"
  }

  /// Whether field, statistic and alias are equal.
  public static func == (first: StatisticDefinition, second: StatisticDefinition) -> Bool {
    first.fieldName == second.fieldName && first.statisticType == second.statisticType
      && first.outputAlias == second.outputAlias
  }

  /// Hashes field, statistic and alias.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(fieldName)
    hasher.combine(statisticType)
    hasher.combine(outputAlias)
  }
}

extension StatisticDefinition.StatisticType: RawRepresentable {
  /// The name, such as `average`, `median` or `percentile:90`.
  public var rawValue: String {
    switch self {
    case .average: "average"
    case .count: "count"
    case .distinct: "distinct"
    case .maximum: "maximum"
    case .minimum: "minimum"
    case .percentile(50): "median"
    case .percentile(let share): "percentile:\(Self.text(of: share))"
    case .standardDeviation: "standardDeviation"
    case .sum: "sum"
    case .variance: "variance"
    }
  }

  /// Creates a statistic from its name; nil for another text.
  public init?(rawValue: String) {
    let named = Self.all + [.distinct, .median]
    if let known = named.first(where: { $0.rawValue == rawValue }) {
      self = known
    } else if rawValue.hasPrefix("percentile:"), let share = Double(rawValue.dropFirst(11)) {
      self = .percentile(share)
    } else {
      return nil
    }
  }
}
