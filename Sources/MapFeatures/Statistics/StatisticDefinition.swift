/// A statistic to compute for a field.
///
/// A class, so that a view's list can distinguish two; equal if field, statistic and alias are equal.
public final class StatisticDefinition: Hashable, Sendable {
  /// The available statistics.
  ///
  /// - Source: ArcGIS Maps SDK; ``StatisticsQuery`` states which values count, and the divisor n - 1.
  public enum StatisticType: String, Hashable, Sendable {
    /// The sum divided by the count.
    case average
    /// The number of values that are not null.
    case count
    /// The greatest value, also of text and dates.
    case maximum
    /// The smallest value, also of text and dates.
    case minimum
    /// The square root of the variance.
    case standardDeviation
    /// The sum.
    case sum
    /// The variance of a sample: the squared distances from the average, summed and divided by count - 1.
    case variance

    /// All statistics, by name.
    package static let all: [Self] = [
      .average, .count, .maximum, .minimum, .standardDeviation, .sum, .variance,
    ]

    /// The start of the default alias.
    ///
    /// - Source: screenshots of Esri's sample "Query table statistics", the same in both generations of the SDK.
    var prefix: String {
      switch self {
      case .average: "AVG"
      case .count: "COUNT"
      case .maximum: "MAX"
      case .minimum: "MIN"
      case .standardDeviation: "STDDEV"
      case .sum: "SUM"
      case .variance: "VAR"
      }
    }

    /// Whether the statistic needs numbers.
    var needsNumbers: Bool {
      switch self {
      case .average, .standardDeviation, .sum, .variance: true
      case .count, .maximum, .minimum: false
      }
    }
  }

  /// The name of the field.
  public let fieldName: String
  /// The statistic.
  public let statisticType: StatisticType
  /// The name of the statistic in a record; by default the type's short name, `_` and the field, as in `AVG_POP`.
  public let outputAlias: String

  /// Creates a statistic of a field; an empty alias becomes the default one.
  public init(fieldName: String, statisticType: StatisticType, outputAlias: String = "") {
    self.fieldName = fieldName
    self.statisticType = statisticType
    self.outputAlias = outputAlias.isEmpty ? "\(statisticType.prefix)_\(fieldName)" : outputAlias
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
