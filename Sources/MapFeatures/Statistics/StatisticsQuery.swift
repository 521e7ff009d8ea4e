public import MapFilter

/// Figures that are asked of the rows of a query, over all of them or for each group.
///
/// Null values count nowhere, in `count` neither. A figure without values is null, as are variance and standard
/// deviation of one value; `count` is then 0. Without group fields there is exactly one record, even over no rows;
/// with them one for each combination of values that occurs, null being a value of its own.
///
/// - Source: ArcGIS Maps SDK and SQL-92; ours: the divisor n - 1, records in the order of their group values where none
///   is asked for, ordering by group fields alone.
public struct StatisticsQuery: Hashable, Sendable {
  /// The figures.
  public var definitions: [StatisticDefinition]
  /// The fields whose values make the groups; a field named twice counts once.
  public var groupByFieldNames: [String]
  /// The order of the records, by group fields; what it leaves equal goes by the other group fields, ascending.
  public var orderByFields: [OrderBy]

  /// Figures over all rows, or for each group.
  public init(
    definitions: [StatisticDefinition], groupByFieldNames: [String] = [], orderByFields: [OrderBy] = []
  ) {
    (self.definitions, self.groupByFieldNames, self.orderByFields) = (
      definitions, groupByFieldNames, orderByFields
    )
  }
}

/// A statistics query that a table cannot answer.
public enum StatisticsError: Error, Hashable, CustomStringConvertible {
  /// No figure was asked for.
  case noDefinition
  /// A name that no field has, or a field whose values cannot be used.
  case field(FilterError)
  /// A figure of numbers asked of another type.
  case notNumeric(StatisticDefinition.StatisticType, field: String, type: AttributeType)
  /// Two figures of one name.
  case duplicateAlias(String)
  /// A name with other characters than letters, digits and `_`.
  case impossibleAlias(String)
  /// An order by a field that makes no groups.
  case notGrouped(String)
  /// A statistic beyond the greatest double.
  case overflow(StatisticDefinition.StatisticType, field: String)
  /// A statistic of values of which one is NaN or infinite.
  case notFinite(StatisticDefinition.StatisticType, field: String)

  /// One line for people.
  public var description: String {
    switch self {
    case .noDefinition: "no statistic is asked for"
    case .field(let error): "\(error)"
    case .notNumeric(let statistic, let field, let type):
      "\(statistic.rawValue) of '\(field)' needs numbers, and the field is \(type.rawValue)"
    case .duplicateAlias(let alias): "two statistics are called '\(alias)'; give one of them another name"
    case .impossibleAlias(let alias): "the name '\(alias)' may have letters, digits and _ alone"
    case .notGrouped(let field): "cannot order by '\(field)', which is not among the group fields"
    case .overflow(let statistic, let field): "the \(statistic.rawValue) of '\(field)' is beyond all doubles"
    case .notFinite(let statistic, let field):
      "the \(statistic.rawValue) of '\(field)' has no value: a value is NaN or infinite; filter it out"
    }
  }
}

/// The answer to a statistics query.
public struct StatisticsTable: Hashable, Sendable {
  /// One group's figures.
  public struct Record: Hashable, Sendable {
    /// The values that make the group, in the order of the group fields.
    public let group: [AttributeValue]
    /// The figures, in the order of the definitions: count an integer, maximum and minimum of the field's type, all
    /// else real.
    public let statistics: [AttributeValue]
  }

  /// The group fields, spelled as they were asked for.
  public let groupFieldNames: [String]
  /// The names of the figures.
  public let aliases: [String]
  /// The records, in order.
  public let records: [Record]
}

/// A statistics query with its names found and its types checked.
struct BoundStatistics {
  let definitions: [(column: Int, definition: StatisticDefinition)]
  let groups: [(column: Int, name: String)]
  /// Places in ``groups``, and which way; every group field once.
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
      // The default one has what characters the field has.
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
