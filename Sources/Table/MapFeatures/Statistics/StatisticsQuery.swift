public import MapFilter
import MapJSON
package import MapSystem

/// The statistics to compute over the rows of a query, over all of them or for each group.
///
/// Nulls are ignored, also by `count` of a field. Over no values every statistic is null, except `count` and `distinct`,
/// which are 0. The variance and standard deviation of one value are null.
///
/// Without group fields there is exactly one record, even for no rows. With them there is one per combination of values
/// that occurs, where null is a value.
///
/// - Source: ArcGIS Maps SDK and SQL-92. Design decisions: the divisor n - 1, and records in the order of their group
///   values by default.
public struct StatisticsQuery: Hashable, Sendable {
  /// The statistics.
  public var definitions: [StatisticDefinition]
  /// The fields whose values form the groups; a field named twice counts once.
  public var groupByFieldNames: [String]
  /// The condition in SQL that records must satisfy, over group fields and aliases; blank for none.
  ///
  /// A group field hides an alias with the same name.
  @ParsedFilter public var havingClause = ""
  /// The order of the records by group fields and aliases; records that compare equal are sorted by the other group
  /// fields, ascending.
  public var orderByFields: [OrderBy]
  /// The maximum number of records, the first in order; 0 for all.
  public var maxRecords = 0
  /// Whether statistics that need numbers read the texts of a field as CAST does, as for layers of documents.
  package var readsTextsAsNumbers = false

  /// Creates a query for statistics over all rows, or for each group.
  public init(
    definitions: [StatisticDefinition], groupByFieldNames: [String] = [], orderByFields: [OrderBy] = []
  ) {
    (self.definitions, self.groupByFieldNames, self.orderByFields) = (
      definitions, groupByFieldNames, orderByFields
    )
  }
}

/// The error for a statistics query that a table cannot answer.
package enum StatisticsError: Error, Hashable, CustomStringConvertible {
  /// No statistic was requested.
  case noDefinition
  /// An unknown field, or a field whose values cannot be used.
  case field(FilterError)
  /// A numeric statistic of a field with another type.
  case notNumeric(StatisticDefinition.StatisticType, field: String, type: AttributeType)
  /// Two statistics with the same name.
  case duplicateAlias(String)
  /// A statistic with the name of a group field.
  case aliasOfGroup(String)
  /// A name with characters other than letters, digits and `_`.
  case impossibleAlias(String)
  /// Ordering by a name that is neither a group field nor an alias.
  case notGrouped(String, available: [String])
  /// A percentile outside 0 to 100.
  case impossiblePercentile(Double)
  /// A statistic of all rows that needs a field.
  case needsField(StatisticDefinition.StatisticType)
  /// A statistic beyond the greatest double.
  case overflow(StatisticDefinition.StatisticType, field: String)
  /// A statistic that cannot be joined from those of parts of the rows.
  case notMergeable(StatisticDefinition.StatisticType, field: String)
  /// A statistic of values that include NaN or infinity.
  case notFinite(StatisticDefinition.StatisticType, field: String)

  /// The reason in one line.
  package var description: String {
    switch self {
    case .noDefinition: "no statistic is requested"
    case .field(let error): "\(error)"
    case .notNumeric(let statistic, let field, let type):
      "\(statistic.rawValue) of '\(field)' needs \(statistic.needs), but the field is \(type.rawValue)"
    case .duplicateAlias(let alias): "two statistics have the name '\(alias)'; rename one of them"
    case .aliasOfGroup(let alias): "a statistic has the name of the group field '\(alias)'; rename it"
    case .impossibleAlias(let alias): "the name '\(alias)' may contain only letters, digits and _"
    case .notGrouped(let name, let available):
      "cannot order by '\(name)', which is no group field and no statistic; "
        + (NearestName.of(name, among: available).map { "did you mean '\($0)'?" }
          ?? "available: \(available.joined(separator: ", "))")
    case .impossiblePercentile(let share): "a percentile of \(share) is impossible; it must be from 0 to 100"
    case .needsField(let statistic):
      "\(statistic.rawValue) needs a field; only count takes all rows"
    case .overflow(let statistic, let field):
      "the \(statistic.rawValue) of '\(field)' is beyond the range of doubles"
    case .notMergeable(let statistic, let field):
      "\(statistic.rawValue) of '\(field)' needs all values at once, so partial answers cannot be merged; "
        + "available: average, count, maximum, minimum, standardDeviation, sum, variance"
    case .notFinite(let statistic, let field):
      "the \(statistic.rawValue) of '\(field)' has no value: a value is NaN or infinite; filter it out"
    }
  }
}

extension StatisticsError: MapStateErrorCause {
  /// Returns the error for callers, with the name nearest to an unknown field.
  package func mapStateError(_ kind: MapStateError.Kind) -> MapStateError {
    let suggestion: String? =
      switch self {
      case .field(let error): error.suggestion
      case .notGrouped(let name, let available): NearestName.of(name, among: available)
      default: nil
      }
    return MapStateError(kind, description, suggestion: suggestion, cause: self)
  }
}

/// The answer to a statistics query.
public struct StatisticsTable: Hashable, Sendable {
  /// The statistics of one group.
  public struct Record: Hashable, Sendable {
    /// The values of the group, in the order of the group fields.
    public let group: [AttributeValue]
    /// The statistics, in the order of the definitions.
    ///
    /// The count and the number of distinct values are integers; maximum and minimum have the field's type; all others
    /// are real.
    public let statistics: [AttributeValue]
  }

  /// The group fields, spelled as requested.
  public let groupFieldNames: [String]
  /// The names of the statistics.
  public let aliases: [String]
  /// The records, in order.
  public let records: [Record]
}
