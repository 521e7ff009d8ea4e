public import MapFilter
package import MapSystem

/// The statistics to compute over the rows of a query, over all of them or for each group.
///
/// Nulls are ignored, also by `count`. Over no values every statistic is null, except `count`, which is 0. The variance
/// and standard deviation of one value are null.
///
/// Without group fields there is exactly one record, even for no rows. With them there is one per combination of values
/// that occurs, where null is a value.
///
/// - Source: ArcGIS Maps SDK and SQL-92. Design decisions: the divisor n - 1, records in the order of their group
///   values by default, and ordering only by group fields.
public struct StatisticsQuery: Hashable, Sendable {
  /// The statistics.
  public var definitions: [StatisticDefinition]
  /// The fields whose values form the groups; a field named twice counts once.
  public var groupByFieldNames: [String]
  /// The order of the records by group fields; records that compare equal are sorted by the other group fields,
  /// ascending.
  public var orderByFields: [OrderBy]

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
public enum StatisticsError: Error, Hashable, CustomStringConvertible {
  /// No statistic was requested.
  case noDefinition
  /// An unknown field, or a field whose values cannot be used.
  case field(FilterError)
  /// A numeric statistic of a field with another type.
  case notNumeric(StatisticDefinition.StatisticType, field: String, type: AttributeType)
  /// Two statistics with the same name.
  case duplicateAlias(String)
  /// A name with characters other than letters, digits and `_`.
  case impossibleAlias(String)
  /// Ordering by a field that is not a group field.
  case notGrouped(String)
  /// A statistic beyond the greatest double.
  case overflow(StatisticDefinition.StatisticType, field: String)
  /// A statistic of values that include NaN or infinity.
  case notFinite(StatisticDefinition.StatisticType, field: String)

  /// The reason in one line.
  public var description: String {
    switch self {
    case .noDefinition: "no statistic is requested"
    case .field(let error): "\(error)"
    case .notNumeric(let statistic, let field, let type):
      "\(statistic.rawValue) of '\(field)' needs numbers, but the field is \(type.rawValue)"
    case .duplicateAlias(let alias): "two statistics have the name '\(alias)'; rename one of them"
    case .impossibleAlias(let alias): "the name '\(alias)' may contain only letters, digits and _"
    case .notGrouped(let field): "cannot order by '\(field)': only group fields order statistics"
    case .overflow(let statistic, let field):
      "the \(statistic.rawValue) of '\(field)' is beyond the range of doubles"
    case .notFinite(let statistic, let field):
      "the \(statistic.rawValue) of '\(field)' has no value: a value is NaN or infinite; filter it out"
    }
  }
}

extension StatisticsError: MapStateErrorCause {
  /// Returns the error for callers, with the name nearest to an unknown field.
  package func mapStateError(_ kind: MapStateError.Kind) -> MapStateError {
    var suggestion: String?
    if case .field(let error) = self { suggestion = error.suggestion }
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
    /// The count is an integer; maximum and minimum have the field's type; all others are real.
    public let statistics: [AttributeValue]
  }

  /// The group fields, spelled as requested.
  public let groupFieldNames: [String]
  /// The names of the statistics.
  public let aliases: [String]
  /// The records, in order.
  public let records: [Record]
}

/// A statistics query with resolved names and checked types.
struct BoundStatistics {
  let definitions: [(column: Int, definition: StatisticDefinition)]
  let groups: [(column: Int, name: String)]
  /// Indices in ``groups`` with the direction of sorting; every group field once.
  let order: [(group: Int, descending: Bool, nullIsLeast: Bool)]

  init(_ query: StatisticsQuery, for table: FeatureColumns) throws(StatisticsError) {
    guard !query.definitions.isEmpty else { throw .noDefinition }
    let fields = FilterFields(zip(table.schema.fields, table.columns).map { (name: $0.name, type: $1.type) })
    func column(_ name: String) throws(StatisticsError) -> Int {
      do { return try fields.index(of: name) } catch { throw .field(error) }
    }
    definitions = try query.definitions.map { definition throws(StatisticsError) in
      let index = try column(definition.fieldName)
      let (statistic, type) = (definition.statisticType, table.columns[index].type)
      guard !statistic.needsNumbers || type == .integer || type == .real else {
        throw .notNumeric(statistic, field: definition.fieldName, type: type)
      }
      return (index, definition)
    }
    var aliases: Set<String> = []
    for definition in query.definitions {
      let alias = definition.outputAlias
      // The default alias may contain any characters of the field's name.
      let isDefault = alias == "\(definition.statisticType.prefix)_\(definition.fieldName)"
      let isPlain = alias.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isAlphabetic || $0.isDigit }
      guard isDefault || isPlain else { throw .impossibleAlias(alias) }
      guard aliases.insert(alias).inserted else { throw .duplicateAlias(alias) }
    }
    var groups: [(column: Int, name: String)] = []
    for name in query.groupByFieldNames {
      let index = try column(name)
      if !groups.contains(where: { $0.column == index }) { groups.append((index, name)) }
    }
    var order: [(group: Int, descending: Bool, nullIsLeast: Bool)] = []
    for item in query.orderByFields {
      // The name of a statistic is no field, unless a group field has the same name.
      guard !aliases.contains(item.fieldName) || groups.contains(where: { $0.name == item.fieldName }) else {
        throw .notGrouped(item.fieldName)
      }
      let index = try column(item.fieldName)
      guard let place = groups.firstIndex(where: { $0.column == index }) else {
        throw .notGrouped(item.fieldName)
      }
      // The first mention of a field decides.
      if !order.contains(where: { $0.group == place }) {
        order.append((place, item.sortOrder == .descending, item.nullIsLeast))
      }
    }
    for place in groups.indices where !order.contains(where: { $0.group == place }) {
      order.append((place, false, false))
    }
    (self.groups, self.order) = (groups, order)
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { properties.generalCategory == .decimalNumber }
}
