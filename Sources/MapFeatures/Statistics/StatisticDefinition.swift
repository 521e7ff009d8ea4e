/// One figure that is asked of a field.
///
/// An object, so that lists of a view can tell two apart; equal when field, figure and alias are.
public final class StatisticDefinition: Hashable, Sendable {
  /// The figures that there are.
  ///
  /// - Source: ArcGIS Maps SDK; which values count, and the divisor n - 1, are stated at ``StatisticsQuery``.
  public enum StatisticType: String, Hashable, Sendable {
    /// Sum over count.
    case average
    /// Number of values that are not null.
    case count
    /// The greatest value; also of text and dates.
    case maximum
    /// The smallest value; also of text and dates.
    case minimum
    /// Square root of the variance.
    case standardDeviation
    /// Sum.
    case sum
    /// Of a sample: squares of the distances from the average, over count - 1.
    case variance

    /// All of them, by name.
    package static let all: [Self] = [
      .average, .count, .maximum, .minimum, .standardDeviation, .sum, .variance,
    ]

    /// What the default alias begins with.
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

    /// True when the figure needs numbers.
    var needsNumbers: Bool {
      switch self {
      case .average, .standardDeviation, .sum, .variance: true
      case .count, .maximum, .minimum: false
      }
    }
  }

  /// The field.
  public let fieldName: String
  /// The figure.
  public let statisticType: StatisticType
  /// The name of the figure in a record; by default the type's short name, `_` and the field, as in `AVG_POP`.
  public let outputAlias: String

  /// A figure of a field; without an alias it gets the default one.
  public init(fieldName: String, statisticType: StatisticType, outputAlias: String = "") {
    self.fieldName = fieldName
    self.statisticType = statisticType
    self.outputAlias = outputAlias.isEmpty ? "\(statisticType.prefix)_\(fieldName)" : outputAlias
  }

  /// True when field, figure and alias are the same.
  public static func == (first: StatisticDefinition, second: StatisticDefinition) -> Bool {
    first.fieldName == second.fieldName && first.statisticType == second.statisticType
      && first.outputAlias == second.outputAlias
  }

  /// Feeds field, figure and alias.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(fieldName)
    hasher.combine(statisticType)
    hasher.combine(outputAlias)
  }
}
